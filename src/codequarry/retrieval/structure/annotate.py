"""Notes in codemap on what a search surfaced (contract.md F5, repaired by J-13): on demand only."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from codequarry.core.text import cut
from codequarry.retrieval.search import Hit
from codequarry.retrieval.structure.codemap import CodemapPeer, Outcome, Peers

BUDGET_SECONDS = 15.0
_QUERY_BYTES = 120


def annotate(
    peers: Peers,
    hits: Sequence[Hit],
    query: str,
    budget: float = BUDGET_SECONDS,
) -> Counter[Outcome]:
    """Note on the symbol of each hit that the query surfaced it; the hits do not change.

    A hit's own selector names its symbol; for a hit without one, codemap is asked what is there. A
    note is known by query and symbol, so that the same search adds nothing.

    Args:
        peers: codemap in each project.
        hits: The hits.
        query: The question.
        budget: Seconds for all of them; hits that it does not reach stay without a note.

    Returns:
        How many hits ended in which way.
    """
    deadline = time.monotonic() + budget
    ended: Counter[Outcome] = Counter()
    for hit in hits:
        left = deadline - time.monotonic()
        peer = peers(hit.project)
        if peer is None or left <= 0:
            continue
        hurried = replace(peer, seconds=min(peer.seconds, left))
        ended[_noted(hurried, hit, query)] += 1
    return ended


def _noted(peer: CodemapPeer, hit: Hit, query: str) -> Outcome:
    selector, resolution = hit.selector, "selector"
    if selector is None:
        place = peer.symbol_at(hit.path, hit.start_line)
        told = place.document
        if told is None or told.selector is None:
            return place.outcome if told is None else Outcome.NOT_FOUND
        resolution = told.resolution
        selector = {"file": told.selector.file, "fqn": told.fqn, "kind": told.kind}
    asked = cut(query, _QUERY_BYTES)
    note = f"vecgrep semantic hit (score {hit.score:.2f}): {asked}"
    return peer.annotate(selector, query, note, _data(hit, asked, selector, resolution)).outcome


def _data(
    hit: Hit, query: str, selector: Mapping[str, Any], resolution: str
) -> dict[str, str | int | float]:
    return {
        "score": round(hit.score, 6),
        "query": query,
        "file": hit.path,
        "start_line": hit.start_line,
        "end_line": hit.end_line,
        "language": hit.language,
        "chunk_type": hit.chunk_type,
        "resolution": resolution,
        "fqn": str(selector.get("fqn", "")),
    }
