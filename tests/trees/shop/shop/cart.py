"""What a customer is about to buy."""

from dataclasses import dataclass, field

from shop.pricing import apply_discount, with_tax


@dataclass
class CartLine:
    """One article and how many of it."""

    sku: str
    quantity: int
    unit_cents: int


@dataclass
class ShoppingCart:
    """The lines of one customer, before checkout."""

    lines: list[CartLine] = field(default_factory=list)

    def add_article(self, sku: str, quantity: int, unit_cents: int) -> None:
        """Put an article into the cart, or more of one that is in it already."""
        for line in self.lines:
            if line.sku == sku:
                line.quantity += quantity
                return
        self.lines.append(CartLine(sku, quantity, unit_cents))

    def total_cents(self, coupon: str = "") -> int:
        """Give what the customer pays, discount and tax included."""
        net = sum(line.quantity * line.unit_cents for line in self.lines)
        return with_tax(apply_discount(net, coupon))
