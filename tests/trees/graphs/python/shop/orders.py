"""Orders."""

from typing import Optional

from . import pricing
from .pricing import Discount, make_discount
from .store import Store


class Line:
    def __init__(self, price):
        self.price = price

    def amount(self):
        return self.price


class Order:
    def __init__(self, store: Store, discount: Optional[Discount] = None):
        self.lines = []
        self.store = store
        self.discount = discount
        self.log = EventLog()

    def append(self, line: Line):
        self.lines.append(line)
        self.log.append(line.amount())

    def total(self):
        return pricing.total(self.lines)

    def save(self):
        self.store.save(self)
        self._announce()

    def _announce(self):
        self.log.append("saved")


class EventLog:
    def __init__(self):
        self.entries = []

    def append(self, entry):
        self.entries.append(entry)


class Archive(Order):
    def save(self):
        super().save()
        self.store.flush()

    def get(self, key):
        return {}.get(key)


def checkout(order: Order, kind):
    discount = make_discount(kind)
    discount.apply(order.total())
    order.save()
