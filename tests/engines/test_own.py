"""Our own index as an engine: the same questions, the same kinds of answers."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codequarry.core.registry import Registry
from codequarry.core.state import StateDirectory
from codequarry.engines.bench import Workspaces
from codequarry.engines.own import OwnIndex
from codequarry.engines.types import CodeEdgeKind, CodeQuery, CodeRef
from tests.retrieval.structure.town import indexed, state_of


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> StateDirectory:
    """A deployment with two published projects."""
    return state_of(indexed(tmp_path_factory))


def node(state: StateDirectory, name: str, path: str = "", line: int | None = None) -> CodeRef:
    key = Registry(state).get("town").producer_key
    return CodeRef(key, path, line, None, None, name, "function")


def ask(state: StateDirectory, question: Callable[[OwnIndex], Any]) -> Any:
    return asyncio.run(question(OwnIndex(state, Workspaces(Registry(state)))))


def test_search_gives_refs_of_declarations(ours: StateDirectory) -> None:
    """A hit names its declaration by selector, with the hash of its file."""
    found = ask(ours, lambda e: e.search(CodeQuery("lonely", "town", 3, mode="keyword")))
    ref = found.items[0].ref
    assert (ref.path, ref.name, ref.start_line, ref.kind) == (
        "town/money.py",
        "lonely",
        17,
        "function",
    )
    assert (ref.resolution, found.engine, found.licence) == ("exact", "codequarry/index", None)
    assert ref.source_hash


def test_search_stays_below_the_given_paths(ours: StateDirectory) -> None:
    """Path prefixes of a query filter, for a folder and for a file."""
    for paths in (("tests",), ("tests/test_money.py",)):
        query = CodeQuery("price", "town", 10, mode="keyword", paths=paths)
        found = ask(ours, lambda e, q=query: e.search(q))
        assert {hit.ref.path for hit in found.items} == {"tests/test_money.py"}


def test_callers_and_callees(ours: StateDirectory) -> None:
    """Edges are directed: who calls it, and whom it calls."""
    callers = ask(ours, lambda e: e.neighbors(node(ours, "tax"), CodeEdgeKind.CALLED_BY))
    callees = ask(ours, lambda e: e.neighbors(node(ours, "tax"), CodeEdgeKind.CALLS))
    assert {"price", "test_tax"} <= {ref.name for ref in callers.items}
    assert [ref.name for ref in callees.items] == ["rounding"]


def test_every_edge_it_offers_can_be_asked(ours: StateDirectory) -> None:
    """Each kind of edge of its capabilities answers."""
    kinds = OwnIndex(ours, Workspaces(Registry(ours))).capabilities().edges
    outcomes = {
        k: ask(ours, lambda e, k=k: e.neighbors(node(ours, "tax"), k)).outcome for k in kinds
    }
    assert set(outcomes.values()) == {"answered"}, outcomes


def test_impact_has_depth(ours: StateDirectory) -> None:
    """What depends on a function is listed nearest first."""
    found = ask(ours, lambda e: e.impact(node(ours, "rounding")))
    depths = [ref.depth for ref in found.items]
    assert depths == sorted(depths)
    assert {ref.name: ref.depth for ref in found.items}["price"] == 2


def test_context_of_a_namesake_needs_its_file(ours: StateDirectory) -> None:
    """A name of 25 functions is ambiguous; with the file it is one."""
    both = ask(ours, lambda e: e.context(node(ours, "twin")))
    one = ask(ours, lambda e: e.context(node(ours, "twin", "many/part03.py")))
    assert (both.outcome, both.items) == ("ambiguous", ())
    assert one.outcome == "answered"
    assert [context.ref.path for context in one.items] == ["many/part03.py"]


def test_kinds_of_no_answer_stay_apart(
    ours: StateDirectory, state: StateDirectory, tmp_path: Path
) -> None:
    """Nothing of that name, a question it does not know, and an index never built."""
    nobody = ask(ours, lambda e: e.impact(node(ours, "nope_zz")))
    unknown = ask(ours, lambda e: e.neighbors(node(ours, "tax"), CodeEdgeKind.COUPLED))
    (tmp_path / "new").mkdir()
    Registry(state).add(tmp_path / "new", "new")
    never = ask(state, lambda e: e.search(CodeQuery("x", "new", mode="keyword")))
    assert [a.outcome for a in (nobody, unknown, never)] == [
        "not_found",
        "unsupported",
        "not_indexed",
    ]
    assert [a.nothing_there for a in (nobody, unknown, never)] == [True, False, False]


def test_status_is_that_of_the_receipt(
    ours: StateDirectory, state: StateDirectory, tmp_path: Path
) -> None:
    """A published project is fresh, one never indexed is absent."""
    assert ask(ours, lambda e: e.status("town")).state == "fresh"
    (tmp_path / "new").mkdir()
    Registry(state).add(tmp_path / "new", "new")
    absent = ask(state, lambda e: e.status("new"))
    assert (absent.state, absent.trust) == ("absent", "unusable")


def test_sync_names_the_pipeline(ours: StateDirectory) -> None:
    """Our own index is not synced by this interface, and says by what it is."""
    report = ask(ours, lambda e: e.sync("town"))
    assert not report.ok
    assert "codequarry index" in report.reason


def test_a_path_prefix_is_no_pattern(ours: StateDirectory) -> None:
    """A star in a prefix stands for itself: there is no such folder."""
    query = CodeQuery("price", "town", 10, mode="keyword", paths=("t*",))
    assert ask(ours, lambda e: e.search(query)).items == ()


def test_probe_asks(ours: StateDirectory, state: StateDirectory, tmp_path: Path) -> None:
    """Probing calls every question; an index that was never built answers none."""
    found = ask(ours, lambda e: e.probe("town")).probed
    assert {"search", "context", "impact", "status", "called_by"} <= set(found)
    assert not [told for told in found.values() if told.startswith("failed")]
    (tmp_path / "new").mkdir()
    Registry(state).add(tmp_path / "new", "new")
    never = ask(state, lambda e: e.probe("new")).probed
    assert all(told.startswith("failed") for told in never.values())
