from pathlib import Path
from typing import Any

import pytest

from codequarry.retrieval.structure import peer_first
from codequarry.retrieval.structure.codemap import CodemapPeer
from codequarry.retrieval.structure.evidence import Coverage
from codequarry.retrieval.structure.impact import Risk
from codequarry.retrieval.structure.lookup import look_up
from codequarry.retrieval.structure.view import GraphView
from tests.fakes.peer import NOT_FOUND, Said, calls, install_peer

HERE = {"symbol": "lonely", "fqn": "money.lonely", "kind": "function", "file": "town/money.py"}
USER = {"symbol": "far", "fqn": "far.far", "kind": "function", "file": "far.py", "start_line": 3}
TEST = {"symbol": "test_far", "fqn": "t.test_far", "kind": "test", "file": "tests/t.py"}


def peer(tmp_path: Path, answers: dict[str, Said]) -> CodemapPeer:
    return CodemapPeer(install_peer(tmp_path, answers), tmp_path, seconds=30)


def impacts(**changes: Any) -> Said:
    result = {"found": True, "call_graph": "resolved", **changes}
    return {"document": {"indexed": True, "results": [result]}}


def test_codemap_answers(town: GraphView, tmp_path: Path) -> None:
    """Its impact is given with its own depths and tests, and named as its own."""
    radius = [{**USER, "depth": 1}, {**USER, "symbol": "b", "fqn": "far.b", "depth": 2}]
    told = impacts(direct_callers=[USER], blast_radius=radius, tests=[TEST])
    asked = peer(tmp_path, {"impact": told})
    found = peer_first.impact(town, asked, look_up(town, "lonely").one())
    assert (found.source, found.note) == ("codemap", "codemap answered")
    assert [(one.depth, one.symbol.fqn) for one in found.dependents] == [
        (1, "far.far"),
        (2, "far.b"),
    ]
    assert [one.symbol.fqn for one in found.tests] == ["t.test_far"]
    assert found.evidence.coverage is Coverage.COMPLETE


def test_an_empty_answer_is_final(town: GraphView, tmp_path: Path) -> None:
    """When codemap answers that nothing depends on it, ours is not derived instead."""
    found = peer_first.impact(
        town, peer(tmp_path, {"impact": impacts()}), look_up(town, "tax").one()
    )
    assert (found.source, found.total, found.risk) == ("codemap", 0, Risk.LOW)


@pytest.mark.parametrize("graph", ["name", "unresolved", "none", ""])
def test_unsure_codemap(town: GraphView, tmp_path: Path, graph: str) -> None:
    """What codemap tells by name, or cannot tell, is no proof of zero."""
    asked = peer(tmp_path, {"impact": impacts(call_graph=graph)})
    found = peer_first.impact(town, asked, look_up(town, "tax").one())
    assert found.evidence.coverage is not Coverage.COMPLETE
    assert (found.risk, bool(found.evidence.reasons)) == (Risk.UNKNOWN, True)


def test_places_outside_are_left_out(town: GraphView, tmp_path: Path) -> None:
    """A dependent outside of the project is dropped, and the answer is a lower bound then."""
    odd = [{**USER, "file": file} for file in ("/etc/passwd", "../x.py", "C:\\x.py", "")]
    asked = peer(tmp_path, {"impact": impacts(direct_callers=[*odd, USER])})
    found = peer_first.impact(town, asked, look_up(town, "lonely").one())
    assert {one.symbol.path for one in found.dependents} <= {"far.py", "C:\\x.py"}
    assert found.evidence.coverage is Coverage.LOWER_BOUND


def test_our_own_and_why(town: GraphView, tmp_path: Path) -> None:
    """Ours is given when codemap does not answer, and the note tells the kinds apart."""
    one = look_up(town, "tax").one()
    silent: Said = {"document": NOT_FOUND, "status": 2}
    ways = [
        (None, "not asked"),
        (CodemapPeer(None, tmp_path, "codemap was not found"), "was not found"),
        (peer(tmp_path, {"impact": silent}), "not_found"),
        (peer(tmp_path / "x", {}) if (tmp_path / "x").mkdir() is None else None, "errored"),
    ]
    for asked, why in ways:
        found = peer_first.impact(town, asked, one)
        assert (found.source, found.total) == ("codequarry", 3)
        assert why in found.note


def test_files_are_ours(town: GraphView, tmp_path: Path) -> None:
    """codemap has no selector for a file, so it is not asked for its impact."""
    asked = peer(tmp_path, {"impact": impacts()})
    found = peer_first.impact(town, asked, look_up(town, "town/money.py").one())
    assert found.source == "codequarry"
    assert asked.binary is not None
    assert calls(asked.binary) == []


def test_hotspots(town: GraphView, tmp_path: Path) -> None:
    """codemap's hotspots are used as they are ranked; with tests, ours are."""
    entry = {**USER, "in_degree": 12, "shared_name": 3, "query_frequency": 7}
    asked = peer(tmp_path, {"hotspots": {"document": {"hotspots": [entry], "call_graph": "name"}}})
    told = peer_first.hotspots(town, asked, "town")
    (spot,) = told.spots
    assert (told.source, spot.symbol.fqn) == ("codemap", "far.far")
    assert (spot.in_degree, spot.shared_name, spot.query_frequency) == (12, 3, 7)
    assert spot.effective_in_degree == 4.0
    assert peer_first.hotspots(town, asked, "town", include_tests=True).source == "codequarry"


def test_related_files(town: GraphView, tmp_path: Path) -> None:
    """An indexed answer is final, also an empty one; else ours is given."""
    listed = [
        {"relative_path": "b.py", "reason": "caller", "confidence": 0.9},
        {"relative_path": "../out.py", "reason": "caller", "confidence": 0.9},
        {"relative_path": "a.py", "reason": "test", "confidence": 7.5},
    ]
    path = "town/money.py"
    told: Said = {"document": {"indexed": True, "related": listed}}
    found = peer_first.related_files(town, peer(tmp_path, {"related-files": told}), "town", path)
    assert [(one.path, one.confidence) for one in found.files] == [("a.py", 1.0), ("b.py", 0.9)]
    none: Said = {"document": {"indexed": True, "related": []}}
    found = peer_first.related_files(town, peer(tmp_path, {"related-files": none}), "town", path)
    assert (found.source, found.files) == ("codemap", ())
    unknown: Said = {"document": {"indexed": False}}
    found = peer_first.related_files(town, peer(tmp_path, {"related-files": unknown}), "town", path)
    assert (found.source, bool(found.files)) == ("codequarry", True)


def at_line(**selector: Any) -> Said:
    told = {**HERE, "start_line": 17, **selector}
    return {"document": {**told, "line": 18, "selector": told, "resolution": "enclosing"}}


def test_symbol_at_a_line(town: GraphView, tmp_path: Path) -> None:
    """codemap says which symbol is at a line, and it is found in our graph by its selector."""
    price = at_line(symbol="price", fqn="money.price", start_line=99)
    asked = peer(tmp_path, {"symbol-at": price})
    found = peer_first.find_symbol(town, lambda project: asked, "./town/money.py:18")
    assert (found.source, found.one().fqn, found.one().start_line) == ("codemap", "money.price", 9)
    assert found.one().symbol_id
    assert asked.binary is not None
    assert calls(asked.binary) == [["symbol-at", "town/money.py:18", "--json"]]
    peer_first.find_symbol(town, lambda project: asked, "lonely")
    assert len(calls(asked.binary)) == 1


@pytest.mark.parametrize(
    "said",
    [
        NOT_FOUND,
        at_line(fqn="money.gone"),
        at_line(file="town/shop.py", fqn="shop.sell"),
        at_line(fqn=""),
        {"document": {**HERE, "resolution": "exact"}},
        {"fault": "die"},
    ],
)
def test_symbol_at_a_line_is_ours_else(town: GraphView, tmp_path: Path, said: Said) -> None:
    """Where codemap has no answer, or one that our graph does not know, ours is looked up."""
    asked = peer(tmp_path, {"symbol-at": said})
    for answering in (asked, None):
        found = peer_first.find_symbol(town, lambda project, it=answering: it, "town/money.py:18")
        assert (found.source, found.one().fqn) == ("codequarry", "money.lonely")


def test_direct_dependents_are_counted_before_the_cut(town: GraphView, tmp_path: Path) -> None:
    """codemap's direct callers count in full, however few are shown."""
    users = [{**USER, "fqn": f"far.f{number}"} for number in range(3)]
    asked = peer(tmp_path, {"impact": impacts(direct_callers=users)})
    found = peer_first.impact(town, asked, look_up(town, "lonely").one(), limit=1)
    assert (len(found.dependents), found.direct, found.omitted) == (1, 3, 2)
