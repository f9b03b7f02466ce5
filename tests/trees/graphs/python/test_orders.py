"""Tests of orders."""

from shop.orders import Line, Order
from shop.pricing import total


def test_total():
    assert total([Line(1)]) == 1


class TestOrder:
    def test_save(self, store):
        Order(store).save()
