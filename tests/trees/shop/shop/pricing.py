"""Discounts and taxes, in cents."""

from fractions import Fraction

TAX_RATE = Fraction(19, 100)
COUPONS = {"WELCOME10": 10, "SUMMER25": 25}


def apply_discount(net_cents: int, coupon: str) -> int:
    """Reduce a price by the percentage of a coupon code; unknown codes change nothing."""
    percent = COUPONS.get(coupon.upper(), 0)
    return net_cents - net_cents * percent // 100


def with_tax(net_cents: int) -> int:
    """Add value added tax, rounded half to even."""
    return round(net_cents * (1 + TAX_RATE))


class ExchangeRates:
    """Converts prices between currencies by the central bank's daily reference rates."""

    def __init__(self, per_euro: dict[str, Fraction]) -> None:
        self._per_euro = per_euro

    def convert_currency(self, cents: int, source: str, target: str) -> int:
        """Convert an amount from one currency to another."""
        return round(cents / self._per_euro[source] * self._per_euro[target])
