"""How far a question about the graph may go, and what a rerank weighs unless it is told."""

import math

from codequarry.core.errors import UsageError

MAX_DEPTH = 10
MAX_LIMIT = 1_000
WEIGHT = 0.15
"""Share of the structural score in a reranked one."""
USAGE_SHARE = 0.2
"""Share of the query frequency in a structural score."""


def clamped_depth(depth: float) -> int:
    """Give a depth of 1 to `MAX_DEPTH`; a larger one is clamped.

    Raises:
        UsageError: It is no whole number, or below 1.
    """
    return min(_whole("depth", depth), MAX_DEPTH)


def checked_limit(limit: float) -> int:
    """Give a limit of 1 to `MAX_LIMIT`.

    Raises:
        UsageError: It is none.
    """
    whole = _whole("limit", limit)
    if whole > MAX_LIMIT:
        raise UsageError(f"the limit {whole} is out of range", f"use 1 to {MAX_LIMIT}")
    return whole


def limit_or_all(limit: float | None) -> int | None:
    """Give a limit of 1 to `MAX_LIMIT`, or ``None`` for no cut at all.

    Raises:
        UsageError: It is none.
    """
    return None if limit is None else checked_limit(limit)


def checked_share(name: str, share: float) -> float:
    """Give a weight or a least score of 0 to 1.

    Raises:
        UsageError: It is none; NaN is none.
    """
    if not 0.0 <= share <= 1.0:
        raise UsageError(f"the {name} {share} is out of range", "use 0 to 1")
    return float(share)


def _whole(name: str, number: float) -> int:
    if not math.isfinite(number) or number != int(number) or number < 1:
        raise UsageError(f"the {name} {number} is out of range", "use a whole number from 1")
    return int(number)
