"""Three small projects whose users are known by heart, indexed once and then only read."""

from pathlib import Path

import pytest

from codequarry.core.registry import Registry
from codequarry.core.state import StateDirectory
from tests.e2e.planting import write

TOWN = {
    "town/money.py": b"""\
def rounding(cents):
    return round(cents)


def tax(net):
    return rounding(net * 119)


def price(net):
    return tax(net)


def forgotten():
    return price(1)


def lonely():
    return 0


class Wallet:
    def get(self):
        return 0


# tax is explained here
NAMES = ["rounding"]
""",
    "town/shop.py": b"""\
from town.money import price as cost
from town import money


def sell(net):
    return cost(net)


def offer():
    return map(money.price, [1])
""",
    "town/shapes.py": b"""\
class Shape:
    def area(self):
        raise NotImplementedError

    def edges(self):
        return 0


class Circle(Shape):
    def area(self):
        return 3


class Square(Shape):
    def area(self):
        return 4

    def edges(self):
        return 4
""",
    "town/report.py": b"""\
from town.shapes import Shape, Square


def sum_up(shapes):
    return sum(one.area() for one in shapes)


def declared(shape):
    return Shape.edges(shape)


def build():
    return Square()
""",
    "town/routes.py": b"""\
import functools
import web


@web.route("/")
@functools.cache
def index():
    return 1


@functools.cache
def remembered():
    return 2


@property
def plain():
    return 3
""",
    "tests/test_money.py": b"""\
from town.money import price, tax


def test_price():
    assert price(1) == 119


def test_tax():
    assert tax(1) == 119
""",
    "web/app.ts": b"export function render(): number { return 1 }\n",
    "web/page.vue": b"<script>render()</script>\n",
    "notes/plan.md": b"# Plan\n\nCall price everywhere.\n",
    "db/schema.sql": b"CREATE TABLE customers (id INTEGER);\n",
    **{f"many/part{n:02}.py": b"def twin():\n    return 1\n" for n in range(25)},
}
VILLAGE = {
    "town/money.py": b"""\
def price(net):
    return net


def only_here():
    return price(2)
""",
}
PORT = {
    "dock/main.py": b"""\
from town.money import lonely
from other import money


def land():
    return lonely()
""",
    "dock/alone.py": b"""\
def lonely_too():
    return lonely
""",
    "dock/app.ts": b"import { lonely } from './money'\nlonely()\n",
    "dock/page.vue": b"<script>\nimport { render } from 'town/web/app'\nrender()\n</script>\n",
}


_MADE: list[Path] = []


def indexed(factory: pytest.TempPathFactory) -> Path:
    """Index all three, once a session; give the folder that holds everything."""
    if not _MADE:
        _MADE.append(_index(factory.mktemp("town")))
    return _MADE[0]


def _index(folder: Path) -> Path:
    from codequarry.pipelines.launch import Options, index_project

    for name, files in (("town", TOWN), ("village", VILLAGE), ("port", PORT)):
        project = Registry(state_of(folder)).add(write(folder / name, files))
        index_project(state_of(folder), project, Options())
    return folder


def state_of(folder: Path) -> StateDirectory:
    """Give the deployment of `indexed`."""
    return StateDirectory(folder / "home")
