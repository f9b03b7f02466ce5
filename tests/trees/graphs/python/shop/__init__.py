"""Passes on what users of the package need."""

from shop.orders import Order as Purchase
from .pricing import total as price_total
