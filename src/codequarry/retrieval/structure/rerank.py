"""Structural rerank: hits that much of a project hangs on move up (contract.md F4, repaired).

The repairs: hits are joined by selector, never by a bare name where there is a selector (J-12); a
weight of 0 is off (J-14); the sort is stable. It permutes the hits it is given and adds none.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from codequarry.retrieval.search import Hit
from codequarry.retrieval.structure.bounds import USAGE_SHARE, WEIGHT, checked_share
from codequarry.retrieval.structure.hotspots import Hotspot
from codequarry.retrieval.structure.symbols import identity

FEED = 200
"""Hotspots that a rerank looks at."""


@dataclass(frozen=True)
class Reranked:
    """A hit with what the graph says of it.

    Args:
        hit: The hit; its score is the one it came with.
        final: What it is ordered by.
        structural_score: How much hangs on it, 0 to 1.
        reranked: Whether that is more than nothing.
    """

    hit: Hit
    final: float
    structural_score: float = 0.0
    reranked: bool = False

    @property
    def shown(self) -> Hit:
        """The hit as a person reads it: scored by what orders it, and by what that is made of."""
        parts = {"search": self.hit.score, "structure": self.structural_score}
        return replace(self.hit, score=self.final, components=parts)


@dataclass(frozen=True)
class _Scores:
    """Structural scores: by selector, and by project and bare name for hits without one."""

    by_selector: dict[tuple[str, str, str, str], float]
    by_name: dict[tuple[str, str], float]

    def of(self, hit: Hit) -> float:
        if hit.selector is not None:
            return self.by_selector.get(identity(hit.project, hit.selector), 0.0)
        return self.by_name.get((hit.project, hit.symbol_name), 0.0) if hit.symbol_name else 0.0


def rerank(
    hits: Sequence[Hit],
    feed: Iterable[Hotspot],
    weight: float = WEIGHT,
    usage_share: float = USAGE_SHARE,
) -> tuple[Reranked, ...]:
    """Order hits by ``score * (1 - weight) + structural * weight``, falling.

    Args:
        hits: Best first; equals keep their order.
        feed: The hotspots of the hits' projects.
        weight: Share of the structural score, 0 to 1; 0 leaves the order alone.
        usage_share: Share of the query frequency in the structural score, 0 to 1; it collapses to 0
            when nothing in the feed was ever surfaced.

    Raises:
        UsageError: A share is none, or NaN.
    """
    checked_share("structural weight", weight)
    checked_share("usage share", usage_share)
    if weight == 0 or len(hits) < 2:
        return tuple(Reranked(hit, hit.score) for hit in hits)
    scores = _scores(tuple(feed), usage_share)
    rated = [_rated(hit, scores.of(hit), weight) for hit in hits]
    rated.sort(key=lambda one: -one.final)
    return tuple(rated)


def _rated(hit: Hit, structural: float, weight: float) -> Reranked:
    final = hit.score * (1 - weight) + structural * weight
    return Reranked(hit, final, structural, structural > 0)


def _scores(feed: Sequence[Hotspot], usage_share: float) -> _Scores:
    hubs = [_hub(spot) for spot in feed]
    top_hub = max([1.0, *hubs])
    top_usage = max((spot.query_frequency for spot in feed), default=0)
    share = usage_share if top_usage else 0.0
    scores = _Scores({}, {})
    for spot, hub in zip(feed, hubs, strict=True):
        score = hub / top_hub * (1 - share) + share * spot.query_frequency / (top_usage or 1)
        key = identity(spot.symbol.project, spot.symbol.selector)
        name = (spot.symbol.project, spot.symbol.symbol)
        scores.by_selector[key] = max(score, scores.by_selector.get(key, 0.0))
        scores.by_name[name] = max(score, scores.by_name.get(name, 0.0))
    return scores


def _hub(spot: Hotspot) -> float:
    return spot.in_degree / spot.shared_name if spot.shared_name > 1 else float(spot.in_degree)
