"""Callers under another name: an edge explains them, or the answer is a lower bound."""

import pytest

from codequarry.retrieval.structure.aliases import exports_only
from codequarry.retrieval.structure.evidence import Coverage, evidence_of
from codequarry.retrieval.structure.lookup import look_up
from codequarry.retrieval.structure.named import Named
from codequarry.retrieval.structure.view import GraphView
from tests.retrieval.structure.renaming import renaming as renaming

Loose = list[tuple[str, int, str]]


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
        ("util/off.js:1", set(), [("shop.js", 4, "discount")]),
    ],
)
def test_default_exports(renaming: GraphView, text: str, by: set[str], unexplained: Loose) -> None:
    """A default export's users are edges, or lines with the name it is imported under."""
    assert callers(renaming, text) == by
    assert loose(renaming, text) == unexplained


def test_renaming_imports(renaming: GraphView) -> None:
    """A caller of a re-export under another name makes a lower bound; a local alias with an edge
    does not."""
    assert loose(renaming, "pkg/core.py:1") == [("app.py", 6, "execute")]
    assert callers(renaming, "pkg/core.py:5") == {"app.py"}
    assert loose(renaming, "pkg/core.py:5") == []


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
