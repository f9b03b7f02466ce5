import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codequarry.core.errors import UsageError
from codequarry.retrieval.structure.hotspots import Hotspot
from codequarry.retrieval.structure.rerank import Reranked, rerank
from codequarry.retrieval.structure.symbols import Symbol
from tests.retrieval.structure.hits import hit


def spot(fqn: str, degree: int, shared: int = 0, usage: int = 0, path: str = "a.py") -> Hotspot:
    symbol = Symbol(1, "p", path, fqn.rpartition(".")[2], fqn, "function")
    return Hotspot(symbol, degree, shared, 0.0, usage)


def order(reranked: tuple[Reranked, ...]) -> list[str]:
    return [one.hit.symbol_name for one in reranked]


def test_worked_numbers() -> None:
    """0.60 outside of the feed against 0.55 at 100 users: 0.51 against 0.6175, so they swap."""
    found = rerank([hit(0.60, "a.quiet"), hit(0.55, "a.hub")], [spot("a.hub", 100)])
    assert order(found) == ["a.hub", "a.quiet"]
    assert [one.structural_score for one in found] == [1.0, 0.0]
    assert [one.reranked for one in found] == [True, False]
    assert [one.hit.score for one in found] == [0.55, 0.60]
    assert [one.final for one in found] == pytest.approx([0.6175, 0.51])


def test_a_person_sees_what_orders_the_hits() -> None:
    """What is shown falls from hit to hit, and says what it is made of; the hit keeps its score."""
    found = rerank([hit(0.60, "a.quiet"), hit(0.55, "a.hub")], [spot("a.hub", 100)])
    assert [one.shown.score for one in found] == pytest.approx([0.6175, 0.51])
    assert found[0].shown.components == {"search": 0.55, "structure": 1.0}


def test_shared_names_deflate() -> None:
    """Of two with equal scores and 100 users, the one whose name ten share scores less."""
    feed = [spot("a.inflated", 100, shared=10), spot("a.real", 100)]
    found = rerank([hit(0.5, "a.inflated"), hit(0.5, "a.real")], feed)
    assert order(found) == ["a.real", "a.inflated"]
    assert found[1].structural_score == pytest.approx(0.1)


def test_heavy_weight() -> None:
    """At weight 0.8 a hub with 0.55 beats a minor symbol with 0.60."""
    feed = [spot("a.hub", 100), spot("a.minor", 5)]
    found = rerank([hit(0.60, "a.minor"), hit(0.55, "a.hub")], feed, weight=0.8)
    assert order(found) == ["a.hub", "a.minor"]


def test_zero_is_off() -> None:
    """An explicit weight of 0 leaves order and hits alone."""
    hits = [hit(0.60, "a.quiet"), hit(0.55, "a.hub")]
    assert rerank(hits, [spot("a.hub", 100)], weight=0) == tuple(
        Reranked(one, one.score) for one in hits
    )


def test_usage_share() -> None:
    """Usage has its share; without any usage in the feed the degree keeps its full weight."""
    hits = [hit(0.5, "a.hub"), hit(0.5, "a.asked")]
    used = rerank(hits, [spot("a.hub", 10), spot("a.asked", 10, usage=4)])
    assert {one.hit.symbol_name: one.structural_score for one in used} == pytest.approx(
        {"a.asked": 1.0, "a.hub": 0.8}
    )
    unused = rerank(hits, [spot("a.hub", 10), spot("a.asked", 10)])
    assert {one.structural_score for one in unused} == {1.0}
    off = rerank(hits, [spot("a.hub", 10), spot("a.asked", 10, usage=4)], usage_share=0)
    assert {one.structural_score for one in off} == {1.0}


def test_joined_by_selector() -> None:
    """File, qualified name and kind decide; a same-named hub elsewhere lends nothing."""
    feed = [spot("a.run", 100, path="b.py"), spot("b.run", 90)]
    found = rerank([hit(0.5, "a.run"), hit(0.4, "a.other")], feed)
    assert [one.structural_score for one in found] == [0.0, 0.0]


def test_bare_name_only_without_selector() -> None:
    """A hit without a selector is joined by its bare name, within its project."""
    bare = {"selector": None, "symbol_name": "run"}
    hits = [hit(0.5, "a.x"), hit(0.5, **bare), hit(0.5, **bare, project="q")]
    found = rerank(hits, [spot("b.run", 3)])
    assert [one.structural_score for one in found] == [1.0, 0.0, 0.0]
    assert found[0].hit.project == "p"


def test_small_hubs_stay_small() -> None:
    """The largest degree counts as at least one, so a shared single edge is no full score."""
    found = rerank([hit(0.5, "a.x"), hit(0.4, "a.y")], [spot("a.x", 1, shared=4)])
    assert found[0].structural_score == 0.25


@pytest.mark.parametrize("share", [-0.1, 1.1, math.nan, math.inf])
def test_bad_shares(share: float) -> None:
    """A weight or a share outside of 0 to 1, or NaN, is a usage error."""
    for bad in ({"weight": share}, {"usage_share": share}):
        with pytest.raises(UsageError):
            rerank([hit(0.5), hit(0.4)], [], **bad)


scores = st.floats(0, 1, allow_nan=False)


@given(st.lists(scores, max_size=8), st.lists(st.integers(0, 50), max_size=8), scores, scores)
def test_a_stable_permutation(
    given_scores: list[float], degrees: list[int], weight: float, share: float
) -> None:
    """Hits are permuted, none is lost or new, equals keep their order, scores stay in 0 to 1."""
    hits = [hit(s, f"a.f{n}", chunk_id=n) for n, s in enumerate(sorted(given_scores)[::-1])]
    feed = [spot(f"a.f{n}", degree) for n, degree in enumerate(degrees)]
    found = rerank(hits, feed, weight, share)
    assert sorted(one.hit.chunk_id for one in found) == list(range(len(hits)))
    assert all(0 <= one.structural_score <= 1 for one in found)
    if not any(degrees):
        assert [one.hit for one in found] == hits
