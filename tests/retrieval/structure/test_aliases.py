"""Callers under another name: an edge explains them, or the answer is a lower bound."""

from pathlib import Path

import pytest

from codequarry.core.registry import Registry
from codequarry.core.state import StateDirectory
from codequarry.index.reader import Reader
from codequarry.retrieval.structure.aliases import aliases_of, exports_only
from codequarry.retrieval.structure.evidence import Coverage, evidence_of
from codequarry.retrieval.structure.lookup import look_up
from codequarry.retrieval.structure.named import Named, lines_naming
from codequarry.retrieval.structure.view import GraphView
from tests.e2e.planting import write

Loose = list[tuple[str, int, str]]
FILES = {
    "util/tax.js": b"export default function applyTax(x) {\n  return x;\n}\n",
    "util/fee.js": b"function addFee(x) {\n  return x;\n}\n\nexport default addFee;\n",
    "util/off.js": b"export default function takeOff(x) {\n  return x;\n}\n",
    "util/engine.ts": b"export default class Engine {\n  run() {\n    return 1;\n  }\n}\n",
    "util/cut.js": b"export default function cutDown(x) {\n  return x;\n}\n",
    "main/index.js": b"export { default } from '../util/cut.js';\n",
    "sale.js": (
        b"import cut from './main/index.js';\n\nexport function sale(x) {\n  return cut(x);\n}\n"
    ),
    "util/index.js": b"export { default as discount } from './off.js';\n",
    "cart.js": (
        b"import tax from './util/tax.js';\nimport { default as fee } from './util/fee.js';\n\n"
        b"export function total(x) {\n  return tax(x) + fee(x);\n}\n"
    ),
    "list.js": (
        b"import { /* a, b */ default as fee } from './util/fee.js';\n\n"
        b"export function all(xs) {\n  return xs.map(fee);\n}\n"
    ),
    "shop.js": (
        b"import { discount } from './util/index.js';\n\n"
        b"export function sell(x) {\n  return discount(x);\n}\n"
    ),
    "drive.ts": (
        b"import Motor from './util/engine';\n\n"
        b"export function drive() {\n  return new Motor();\n}\n"
    ),
    "pkg/core.py": b"def run_it():\n    return 1\n\n\ndef stop_it():\n    return 2\n\n\n"
    b"def wait_it():\n    return 3\n",
    "pkg/other.py": b"from .core import wait_it as pause\n",
    "late.py": b"from pkg.other import pause\n\n\ndef go():\n    pause()\n",
    "pkg/__init__.py": b"from .core import run_it as execute\n",
    "two/core.py": b"def ask_it():\n    return 1\n\n\ndef tell_it():\n    return 2\n",
    "two/asks.py": b"from two.core import ask_it as say\n",
    "two/tells.py": b"from two.core import tell_it as say\n",
    "two/both.py": b"from two.tells import say as speak\n",
    "app.py": (
        b"from pkg import execute\nfrom pkg.core import stop_it as halt\n\n\n"
        b"def main():\n    execute()\n    halt()\n"
    ),
    "Sum.java": (
        b"class Sum {\n    int add(int a) {\n        return a;\n    }\n\n"
        b"    int add(int a, int b) {\n        return a + b;\n    }\n\n"
        b"    int use() {\n        return add(1, 2);\n    }\n}\n"
    ),
}


@pytest.fixture(scope="module")
def renaming(tmp_path_factory: pytest.TempPathFactory) -> GraphView:
    """The graph of the project."""
    from codequarry.pipelines.launch import Options, index_project

    folder: Path = tmp_path_factory.mktemp("renaming")
    state = StateDirectory(folder / "home")
    project = Registry(state).add(write(folder / "renaming", FILES))
    index_project(state, project, Options())
    return GraphView(Reader(state), state, ["renaming"])


def loose(view: GraphView, text: str) -> Loose:
    found = evidence_of(view, [look_up(view, text).one()])
    assert (found.coverage is Coverage.COMPLETE) == (found.unresolved_count == 0)
    return [(line.path, line.line, line.name) for line in found.unresolved]


def callers(view: GraphView, text: str) -> set[str]:
    edges = view.edges([look_up(view, text).one().symbol_id], "in", ("calls",))
    return set(edges["path"].to_pylist())


@pytest.mark.parametrize(
    ("text", "by", "unexplained"),
    [
        ("util/tax.js:1", {"cart.js"}, []),
        ("util/engine.ts:1", {"drive.ts"}, []),
        ("util/fee.js:1", {"cart.js"}, [("list.js", 4, "fee")]),
        ("util/off.js:1", {"shop.js"}, []),
        ("util/cut.js:1", {"sale.js"}, []),
    ],
)
def test_default_exports(renaming: GraphView, text: str, by: set[str], unexplained: Loose) -> None:
    """A default export's users are edges, or lines with the name it is imported under."""
    assert callers(renaming, text) == by
    assert loose(renaming, text) == unexplained


def test_renaming_imports(renaming: GraphView) -> None:
    """A caller under another name has an edge, also through the front of a package; through any
    other module it makes a lower bound."""
    assert callers(renaming, "pkg/core.py:1") == {"app.py"}
    assert loose(renaming, "pkg/core.py:1") == []
    assert loose(renaming, "pkg/core.py:9") == [("late.py", 5, "pause")]
    assert callers(renaming, "pkg/core.py:5") == {"app.py"}
    assert loose(renaming, "pkg/core.py:5") == []


def test_one_alias_of_two(renaming: GraphView) -> None:
    """A name that two symbols are given, and what it is renamed to, may mean either of them."""
    asked = [look_up(renaming, f"two/core.py:{line}").one() for line in (1, 5)]
    lines = lines_naming(renaming, "renaming", {"ask_it", "tell_it"}, {"python"}).lines
    found = aliases_of(renaming, asked, lines, {"python"})
    names = {(alias.local, alias.name) for alias in found.names}
    assert names == {(local, one.symbol) for local in ("say", "speak") for one in asked}


def test_overloads(renaming: GraphView) -> None:
    """The edge that overloads share explains a line for the one that it leads to alone."""
    assert loose(renaming, "Sum.java:2") == []
    assert loose(renaming, "Sum.java:6") == [("Sum.java", 11, "add")]


def test_both_overloads(renaming: GraphView) -> None:
    """Who asks for all overloads at once is told that all users are known."""
    asked = [look_up(renaming, text).one() for text in ("Sum.java:2", "Sum.java:6")]
    assert evidence_of(renaming, asked).coverage is Coverage.COMPLETE


@pytest.mark.parametrize(
    ("text", "only"),
    [
        ("export default f;", True),
        ("module.exports = f", True),
        ("export default wrap(f);", False),
        ("module.exports = { f };", False),
        ("exports.f = f;", False),
    ],
)
def test_lines_that_only_export(text: str, only: bool) -> None:
    """An export that wraps or packs a symbol may use it."""
    assert exports_only(Named("a.js", 1, "f", text)) == only
