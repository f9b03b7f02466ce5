"""Uses names that two packages pass on, one after the other."""

from shop import front
from shop.front import Deal, summed


def close(deal: Deal):
    deal.save(None)
    return summed([])


def reopen():
    def summed(lines):
        return lines

    return summed(front.summed([]))
