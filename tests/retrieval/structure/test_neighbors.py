import pytest

from codequarry.core.errors import UsageError
from codequarry.retrieval.structure import neighbors as neighbors_module
from codequarry.retrieval.structure.evidence import Coverage
from codequarry.retrieval.structure.lookup import look_up
from codequarry.retrieval.structure.neighbors import Neighborhood, callees, callers, neighbors
from codequarry.retrieval.structure.view import GraphView


def seen(found: Neighborhood) -> list[tuple[int, str, str, str]]:
    return [(n.depth, n.symbol.fqn, n.kind, n.direction) for n in found.neighbors]


def test_callers_also_by_alias(town: GraphView) -> None:
    """Callers are whoever calls it, under whatever name; a place that hands it on is told too."""
    found = callers(town, look_up(town, "price").one())
    assert seen(found) == [
        (1, "test_money.test_price", "calls", "in"),
        (1, "money.forgotten", "calls", "in"),
        (1, "shop.sell", "calls", "in"),
    ]
    assert found.evidence is not None
    assert found.evidence.coverage is Coverage.LOWER_BOUND
    assert [(line.path, line.line) for line in found.evidence.unresolved] == [("town/shop.py", 10)]


def test_evidence_reaches_as_far_as_the_walk(town: GraphView) -> None:
    """Callers of callers are judged as well; neither callees nor what holds a symbol are users."""
    tax = look_up(town, "tax").one()
    for depth, coverage in ((1, Coverage.COMPLETE), (2, Coverage.LOWER_BOUND)):
        found = callers(town, tax, depth)
        assert found.evidence is not None
        assert found.evidence.coverage is coverage
    around = neighbors(town, look_up(town, "lonely").one(), depth=2)
    assert {"contains"} <= {one.kind for one in around.neighbors}
    assert around.evidence is not None
    assert around.evidence.coverage is Coverage.COMPLETE


def test_a_walk_that_stopped_is_a_lower_bound(
    town: GraphView, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever met too much to go on has not met all."""
    monkeypatch.setattr(neighbors_module, "VISITED", 1)
    found = callers(town, look_up(town, "tax").one())
    assert found.truncated
    assert found.evidence is not None
    assert found.evidence.coverage is Coverage.LOWER_BOUND
    assert found.evidence.reasons == ("the search met too many symbols and stopped",)


def test_callees_are_no_callers(town: GraphView) -> None:
    """What a symbol calls is another question, and needs no evidence about users."""
    found = callees(town, look_up(town, "price").one(), depth=5)
    assert seen(found) == [(1, "money.tax", "calls", "out"), (2, "money.rounding", "calls", "out")]
    assert found.evidence is None


def test_depth_and_limit(town: GraphView) -> None:
    """Nearer ones come first; what a limit leaves out is counted."""
    one = look_up(town, "rounding").one()
    whole = neighbors(town, one, ["calls"], "in", depth=99)
    assert [n.symbol.symbol for n in whole.neighbors][:3] == ["tax", "test_tax", "price"]
    part = neighbors(town, one, ["calls"], "in", depth=99, limit=2)
    assert part.neighbors == whole.neighbors[:2]
    assert part.omitted == len(whole.neighbors) - 2 > 0


def test_both_sides(town: GraphView) -> None:
    """Both directions and all kinds are one answer, in one order."""
    found = neighbors(town, look_up(town, "Square").one())
    assert seen(found) == [
        (1, "report.build", "calls", "in"),
        (1, "shapes.Shape", "extends", "out"),
        (1, "town/shapes.py", "contains", "in"),
        (1, "shapes.Square.area", "contains", "out"),
        (1, "shapes.Square.edges", "contains", "out"),
    ]


def test_callers_through_a_supertype(town: GraphView) -> None:
    """Who calls the declared method may run the overriding one: shown, and marked as such."""
    found = callers(town, look_up(town, "Square.edges").one())
    assert [(n.symbol.symbol, n.resolution) for n in found.neighbors] == [("declared", "dispatch")]
    assert found.neighbors[0].confidence < 0.5
    plain = callers(town, look_up(town, "Shape.edges").one())
    assert [(n.symbol.symbol, n.resolution) for n in plain.neighbors] == [("declared", "import")]


def test_projects_stay_apart(both: GraphView) -> None:
    """Same-named symbols of two projects have their own callers."""
    village = look_up(both, "only_here").one()
    (callee,) = callees(both, village).neighbors
    assert callee.symbol.project == "village"
    (caller,) = callers(both, callee.symbol).neighbors
    assert caller.symbol == village


@pytest.mark.parametrize("wrong", [{"kinds": ["marries"]}, {"direction": "up"}, {"depth": 0}])
def test_bad_questions(town: GraphView, wrong: dict[str, object]) -> None:
    """A kind, direction or depth that there is not is a usage error."""
    with pytest.raises(UsageError):
        neighbors(town, look_up(town, "price").one(), **wrong)  # type: ignore[arg-type]
