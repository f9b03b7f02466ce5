"""Prices."""

import math


class Rounder:
    def apply(self, value):
        return math.floor(value)


class Discount:
    rate = 0.1

    def __init__(self, rounder: Rounder):
        self.rounder = rounder

    def apply(self, value):
        return self.rounder.apply(value * self.rate)


class Seasonal(Discount):
    def apply(self, value):
        base = super().apply(value)
        return self.clamp(base)

    def clamp(self, value):
        return max(value, 0)


def total(lines):
    result = 0
    for line in lines:
        result += line.amount()
    return result


def make_discount(kind: str) -> Discount:
    if kind == "seasonal":
        return Seasonal(Rounder())
    return Discount(Rounder())
