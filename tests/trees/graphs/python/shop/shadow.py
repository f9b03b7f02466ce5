"""Names that hide other names."""

from shop.pricing import total
from shop import store as get_store


def helper():
    return 1


def outer():
    def helper():
        return 2

    return helper()


def inner():
    return helper()


def by_parameter(helper):
    return helper()


def by_local(values):
    total = values.pop
    return total()


def imported(values):
    return total(values)


def module_function():
    return get_store.get("x")


def hidden_module(get_store):
    return get_store.open_cache()


def builtin_names(items, text):
    items.append(text.strip())
    items.get(1)
    return text.save


class Helper:
    def helper(self):
        return helper()
