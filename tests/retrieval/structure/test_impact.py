from dataclasses import replace

import pytest

from codequarry.retrieval.structure.evidence import Coverage, Evidence, evidence_within
from codequarry.retrieval.structure.impact import Dependent, Impact, Risk, impact
from codequarry.retrieval.structure.lookup import look_up
from codequarry.retrieval.structure.symbols import Symbol
from codequarry.retrieval.structure.view import GraphView

ONE = Symbol(1, "p", "a.py", "f", "a.f", "function")


def names(dependents: tuple[Dependent, ...]) -> list[tuple[int, str]]:
    return [(one.depth, one.symbol.symbol) for one in dependents]


def test_only_dependents_with_their_depth(town: GraphView) -> None:
    """The radius holds who depends on it, nearest first, tests apart, and no callee."""
    found = impact(town, look_up(town, "tax").one())
    assert names(found.dependents) == [(1, "price"), (2, "forgotten"), (2, "sell")]
    assert names(found.tests) == [(1, "test_tax"), (2, "test_price")]
    assert (found.direct, found.total, found.untested) == (1, 3, False)


def test_evidence_reaches_as_far_as_the_radius(town: GraphView) -> None:
    """Evidence of the changed symbol alone is not enough: its users' users count too."""
    near = impact(town, look_up(town, "tax").one(), depth=1)
    assert near.evidence.coverage is Coverage.COMPLETE
    far = impact(town, look_up(town, "tax").one(), depth=2)
    assert far.evidence.coverage is Coverage.LOWER_BOUND
    assert {line.name for line in far.evidence.unresolved} == {"price"}


def test_depth_one(town: GraphView) -> None:
    """A smaller depth shows the same beginning."""
    found = impact(town, look_up(town, "tax").one(), depth=1)
    assert (names(found.dependents), found.depth) == ([(1, "price")], 1)


def test_nothing_depends_on_it(town: GraphView) -> None:
    """No dependents and complete evidence is a low risk, and untested."""
    found = impact(town, look_up(town, "lonely").one())
    assert (found.total, found.untested, found.risk) == (0, True, Risk.LOW)


def test_zero_is_not_low_risk(town: GraphView) -> None:
    """No dependents while a call could mean it is an unknown risk, never a low one."""
    found = impact(town, look_up(town, "Circle.area").one())
    assert (found.total, found.risk) == (0, Risk.UNKNOWN)
    assert found.evidence.coverage is Coverage.LOWER_BOUND


def test_a_test_as_only_user_is_no_zero(town: GraphView) -> None:
    """When a test is among the users, both it and the others are told."""
    found = impact(town, look_up(town, "price").one())
    assert found.total == 2
    assert names(found.tests) == [(1, "test_price")]


def test_types_change_with_their_members(town: GraphView) -> None:
    """Who uses a member of a type, or inherits from it, depends on the type."""
    found = impact(town, look_up(town, "Shape").one())
    assert {one.symbol.fqn for one in found.dependents} == {
        *("report.declared", "shapes.Circle", "shapes.Square", "report.build"),
    }


def test_files_change_with_their_symbols(town: GraphView) -> None:
    """Of a file, importers and users of its symbols depend on it; its own symbols do not."""
    found = impact(town, look_up(town, "town/money.py").one())
    assert {one.symbol.path for one in found.dependents} == {"town/shop.py"}
    assert {one.symbol.path for one in found.tests} == {"tests/test_money.py"}


def test_files_may_be_run_or_loaded(town: GraphView) -> None:
    """Who runs a file, or loads it by its name, has no edge: its users are never all known."""
    found = impact(town, look_up(town, "many/part00.py").one())
    assert (found.total, found.risk) == (0, Risk.UNKNOWN)
    assert found.evidence.reasons == ("users of a file are told by imports alone",)


def test_files_among_the_users(town: GraphView) -> None:
    """What a file's own level uses is as far as one can see, unless a runner of tests runs it."""
    lonely = look_up(town, "lonely").one()
    code, tests = (look_up(town, path).one() for path in ("town/shop.py", "tests/test_money.py"))
    for file, coverage in ((code, Coverage.LOWER_BOUND), (tests, Coverage.COMPLETE)):
        found = evidence_within(town, [lonely], [lonely, file], truncated=False)
        assert found.coverage is coverage


def test_limit_counts_what_it_omits(town: GraphView) -> None:
    """Dependents and tests are limited each, and counted in full."""
    found = impact(town, look_up(town, "tax").one(), limit=1)
    assert (len(found.dependents), found.omitted, found.total) == (1, 2, 3)
    assert (len(found.tests), found.tests_omitted) == (1, 1)


def test_direct_dependents_are_counted_before_the_cut(town: GraphView) -> None:
    """However few dependents are shown, all direct ones count; without a limit all are shown."""
    shape = look_up(town, "Shape").one()
    whole, cut = impact(town, shape, limit=None), impact(town, shape, limit=1)
    direct = [one for one in whole.dependents if one.depth == 1]
    assert (len(cut.dependents), cut.direct, whole.omitted) == (1, len(direct), 0)
    assert cut.direct > 1


@pytest.mark.parametrize("coverage", Coverage)
@pytest.mark.parametrize("count", [0, 1, 3, 4, 19, 20, 500])
@pytest.mark.parametrize("tested", [False, True])
def test_risk(coverage: Coverage, count: int, tested: bool) -> None:
    """Risk grows with dependents, and is low only where the evidence is complete."""
    dependents = (Dependent(ONE, 1),) * count
    tests = (Dependent(ONE, 1),) if tested else ()
    found = Impact(ONE, dependents, count, 0, tests, 0, 3, False, Evidence(coverage))
    assert (found.risk is Risk.LOW) <= (coverage is Coverage.COMPLETE)
    assert (found.risk is Risk.HIGH) == (count >= 20)
    if count == 0:
        assert found.risk is (Risk.LOW if coverage is Coverage.COMPLETE else Risk.UNKNOWN)
    assert replace(found, truncated=True).risk is not Risk.LOW
