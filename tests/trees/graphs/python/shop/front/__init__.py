"""Another front, that passes on what the first one does."""

from shop import Purchase as Deal, price_total as summed
