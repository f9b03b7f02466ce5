"""The command."""

import shop
import shop.store
from shop import Purchase, price_total
from shop.orders import Archive, checkout as pay
from shop.store import Cache as Memory, Store


class Command:
    def __init__(self):
        self.memory: Memory = Memory()
        self.store = Store()

    def run(self):
        order = Purchase(self.store)
        pay(order, "seasonal")
        price_total(order.lines)
        self.memory.save(order)
        order.append(None)

    def again(self):
        for archive in [Archive(self.store)]:
            archive.unknown()
        shop.price_total([])
        shop.store.open_cache()
        Archive(self.store).save()


def main():
    command = Command()
    command.run()
    Command().again()
