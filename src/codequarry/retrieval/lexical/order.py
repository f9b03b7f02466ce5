"""The total order of results (vectorless.md 4): texts by their bytes, whatever the locale."""

from typing import Literal, TypeAlias

Capability: TypeAlias = Literal["semantic", "graph", "text"]
"""How much is known of a result: a declared symbol, a file of the graph, or text alone."""

_RANK: dict[Capability, int] = {"semantic": 0, "graph": 1, "text": 2}

OrderKey: TypeAlias = tuple[float, int, int, bytes, bytes, bytes, bytes]


def order_key(
    score: float,
    capability: Capability,
    matched: int,
    label: str,
    file: str,
    handle: str,
    project: str = "",
) -> OrderKey:
    """Give the key that sorts results, best first.

    Args:
        score: Points, most first.
        capability: semantic before graph before text.
        matched: Distinct terms of the query that were matched, most first.
        label: Ascending by bytes, as are the rest.
        file: Project-relative path.
        handle: The result's handle.
        project: Keeps equal results of two projects apart.
    """
    return (
        -score,
        _RANK[capability],
        -matched,
        label.encode(),
        file.encode(),
        handle.encode(),
        project.encode(),
    )
