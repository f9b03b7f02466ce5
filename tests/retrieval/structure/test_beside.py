"""Mentions in files that are not of the symbol's language."""

import pytest

from codequarry.retrieval.structure.beside import languages_beside, parted
from codequarry.retrieval.structure.named import Named
from codequarry.retrieval.structure.symbols import Symbol

PRICE = Symbol(1, "p", "a.py", "price", "a.price", "function")
LINKED = Symbol(2, "p", "a.c", "price", "price", "function", signature="int price(int x)")
STATIC = Symbol(3, "p", "a.c", "price", "price", "function", signature="static int price(int x)")


def told(path: str, text: str, symbol: Symbol = PRICE) -> str:
    """Tell to whom a line is left: to the graph, to the reader, or to nobody."""
    family = {"a.py": "python", "a.c": "c"}[symbol.path]
    own, beside = parted([Named(path, 1, "price", text)], {family}, [symbol])
    return "graph" if own else "reader" if beside else "nobody"


@pytest.mark.parametrize(
    ("path", "text", "whom"),
    [
        ("b.py", "price(1)", "graph"),
        ("b.rs", "price(1)", "nobody"),
        ("README.md", "Call price.", "nobody"),
        ("docs/usage.rst", "Call price.", "nobody"),
        ("LICENSE-MIT", "The price is none.", "nobody"),
        ("lib/CHANGELOG", "* price is faster", "nobody"),
        ("prices.csv", "id,price", "nobody"),
        (".gitignore", "price", "nobody"),
        ("dist/app.js.map", '{"names": ["price"]}', "nobody"),
        ("mail.txt", "Dear {{ order.price }}", "reader"),
        ("CMakeLists.txt", "add_test(price)", "reader"),
        ("history.pyx", "price(1)", "reader"),
        ("Procfile", "web: run price", "reader"),
        ("views/a.xml", '<b onClick="price"/>', "reader"),
        ("a.ipynb", '"price(1)"', "reader"),
        ("page.html", '<p onclick="price()">', "reader"),
        ("Makefile", "price:", "reader"),
        ("a.json", '{"price": 1}', "nobody"),
        ("a.json", '{"run": "shop:price"}', "reader"),
        ("a.jsonl", '{"price": 1}', "nobody"),
        ("a.jsonl", '{"run": "shop:price"}', "reader"),
        ("a.yaml", "# run: shop.price", "nobody"),
        ("setup.cfg", "price = 1", "nobody"),
        ("setup.cfg", "tool = shop:price", "reader"),
        ("a.tf", "price = var.price", "nobody"),
        ("a.tf", 'handler = "shop.price"', "reader"),
        ("a.tf", 'entry_point = "price"', "reader"),
        ("a.sql", "SELECT o.price FROM orders o", "nobody"),
        ("a.sql", "CREATE FUNCTION f() AS 'shop', 'price'", "reader"),
    ],
)
def test_other_files(path: str, text: str, whom: str) -> None:
    """Prose and data use nothing, settings what they qualify or quote, anything else may."""
    assert told(path, text) == whom


def test_functions_of_c() -> None:
    """What a linker sees, any language may call; what only declares it has no say in who does."""
    assert told("b.py", "lib.price(1)", LINKED) == "graph"
    assert told("b.rs", "    fn price(x: i32) -> i32;", LINKED) == "reader"
    assert told("b.rs", "fn price(x: i32) -> i32 {", LINKED) == "graph"
    assert told("b.cs", "static extern int price(int x);", LINKED) == "reader"
    assert told("README.md", "price", LINKED) == "nobody"
    assert told("b.py", "lib.price(1)", STATIC) == "nobody"
    assert "python" in languages_beside([LINKED])
    assert "python" not in languages_beside([STATIC])
