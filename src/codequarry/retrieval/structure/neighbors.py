"""What stands next to a symbol in the graph: who calls it, what it calls, what is around it."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from codequarry.core.errors import UsageError
from codequarry.retrieval.structure.bounds import checked_limit, clamped_depth
from codequarry.retrieval.structure.dispatch import overridden
from codequarry.retrieval.structure.elsewhere import Elsewhere, elsewhere
from codequarry.retrieval.structure.evidence import Evidence, evidence_within
from codequarry.retrieval.structure.symbols import Symbol
from codequarry.retrieval.structure.view import Direction, GraphView

USES: Final = ("calls", "references")
"""What callers and callees are: code that is called, or handed on by its name."""

KINDS: Final = ("calls", "contains", "extends", "implements", "imports", "references")
DISPATCH: Final = "dispatch"
DISPATCH_CONFIDENCE: Final = 0.5
VISITED: Final = 20_000
"""Symbols that one walk meets, at most; a walk that stops there says so."""


@dataclass(frozen=True)
class Neighbor:
    """One step of a walk, and the symbol it leads to.

    Args:
        symbol: Where it leads.
        kind: The kind of the edge.
        direction: ``in``: the symbol leads here; ``out``: it is led to.
        depth: Steps from the symbol that was asked about, from 1.
        path: The file that shows the edge.
        line: The line there.
        resolution: How the edge was told: ``exact``, ``import``, ``receiver``, ``name``, or
            ``dispatch``: it ends in a member for which the symbol may stand in.
        confidence: Probability, 0 to 1.
    """

    symbol: Symbol
    kind: str
    direction: Direction
    depth: int
    path: str
    line: int
    resolution: str
    confidence: float


@dataclass(frozen=True)
class Neighborhood:
    """The answer of a walk.

    Args:
        symbol: Where it began.
        neighbors: Nearest first, then by symbol, kind and direction; each symbol at its least
            depth, once for each kind and direction that leads to it from there.
        omitted: How many more there are.
        truncated: Whether the walk met too much to go on; there are more than ``omitted`` then.
        evidence: How much the inward side proves; ``None`` when it was not asked.
        elsewhere: What may use it in other projects; ``None`` as well.
    """

    symbol: Symbol
    neighbors: tuple[Neighbor, ...]
    omitted: int
    truncated: bool
    evidence: Evidence | None
    elsewhere: Elsewhere | None = None


def callers(view: GraphView, symbol: Symbol, depth: float = 1, limit: float = 100) -> Neighborhood:
    """Give who calls a symbol, or hands it on by its name."""
    return neighbors(view, symbol, USES, "in", depth, limit)


def callees(view: GraphView, symbol: Symbol, depth: float = 1, limit: float = 100) -> Neighborhood:
    """Give what a symbol calls, or hands on by its name."""
    return neighbors(view, symbol, USES, "out", depth, limit)


def neighbors(
    view: GraphView,
    symbol: Symbol,
    kinds: Iterable[str] = KINDS,
    direction: str = "both",
    depth: float = 1,
    limit: float = 100,
) -> Neighborhood:
    """Walk the graph from a symbol.

    Args:
        view: The graph.
        symbol: Where to begin.
        kinds: Kinds of edges to follow, of `KINDS`.
        direction: ``in``, ``out`` or ``both``.
        depth: Steps, from 1; more than `bounds.MAX_DEPTH` are clamped.
        limit: Neighbors to give, 1 to `bounds.MAX_LIMIT`.

    Raises:
        UsageError: A kind, direction, depth or limit is none.
        IndexMissing: No graph was published.
    """
    wanted = _checked_kinds(kinds)
    sides: dict[str, tuple[Direction, ...]] = {
        "in": ("in",),
        "out": ("out",),
        "both": ("in", "out"),
    }
    if direction not in sides:
        raise UsageError(f"unknown direction {direction!r}", "use in, out or both")
    steps, most = clamped_depth(depth), checked_limit(limit)
    asks_for_users = "in" in sides[direction] and bool(set(USES) & set(wanted))
    through = overridden(view, symbol) if asks_for_users else ()
    found, truncated = walk(view, [symbol], wanted, sides[direction], steps, through)
    shown = Neighborhood(symbol, found[:most], max(len(found) - most, 0), truncated, None)
    if not asks_for_users:
        return shown
    beyond = elsewhere(view, symbol)
    nearer = [one.symbol for one in found if one.depth < steps and _is_user(one)]
    evidence = evidence_within(view, [symbol, *through], nearer, truncated=truncated)
    return replace(shown, evidence=beyond.judged(evidence), elsewhere=beyond)


def walk(
    view: GraphView,
    seeds: Sequence[Symbol],
    kinds: Collection[str],
    sides: Iterable[Direction],
    depth: int,
    through: Sequence[Symbol] = (),
) -> tuple[tuple[Neighbor, ...], bool]:
    """Visit what can be reached from some symbols, breadth first.

    Args:
        view: The graph.
        seeds: Where to begin.
        kinds: Kinds of edges to follow.
        sides: Directions to follow.
        depth: Steps.
        through: Members for which the seeds may stand in (`dispatch.overridden`); their users count
            as the seeds' own, with the resolution ``dispatch``.

    Returns:
        The neighbors as `Neighborhood` orders them, and whether the walk met too much.
    """
    visited = {symbol.symbol_id for symbol in seeds}
    stand_ins = {symbol.symbol_id for symbol in through} - visited
    frontier = visited | stand_ins
    found: list[Neighbor] = []
    truncated = False
    for step in range(1, depth + 1):
        met: list[Neighbor] = []
        for side in sides:
            start = frontier if side == "in" else frontier - stand_ins
            met += _step(view, start, kinds, side, step, visited, stand_ins)
        found += sorted(met, key=_order)
        frontier = {neighbor.symbol.symbol_id for neighbor in met}
        visited |= frontier
        stand_ins = set()
        truncated = len(visited) > VISITED
        if not frontier or truncated:
            break
    return tuple(found), truncated


def _step(
    view: GraphView,
    frontier: set[int],
    kinds: Collection[str],
    side: Direction,
    depth: int,
    visited: set[int],
    stand_ins: set[int],
) -> list[Neighbor]:
    near, far = ("target_id", "source_id") if side == "in" else ("source_id", "target_id")
    rows = view.edges(frontier, side, kinds).to_pylist()
    rows.sort(key=lambda row: row[near] in stand_ins)  # what is sure goes before
    first: dict[tuple[int, str], dict[str, Any]] = {}
    for row in rows:
        if row[far] not in visited:
            first.setdefault((row[far], row["kind"]), row)
    symbols = view.by_ids({key for key, _ in first})
    met = []
    for (key, kind), row in first.items():
        resolution, confidence = row["resolution"], row["confidence"]
        if row[near] in stand_ins:
            resolution, confidence = DISPATCH, confidence * DISPATCH_CONFIDENCE
        if key in symbols:
            place = (row["path"], row["line"], resolution, round(confidence, 3))
            met.append(Neighbor(symbols[key], kind, side, depth, *place))
    return met


def _is_user(neighbor: Neighbor) -> bool:
    return neighbor.direction == "in" and neighbor.kind != "contains"


def _order(neighbor: Neighbor) -> tuple[object, ...]:
    return (neighbor.symbol.order, neighbor.kind, neighbor.direction)


def _checked_kinds(kinds: Iterable[str]) -> tuple[str, ...]:
    wanted = tuple(dict.fromkeys(kind.strip().lower() for kind in kinds)) or KINDS
    for kind in wanted:
        if kind not in KINDS:
            raise UsageError(f"unknown kind of edge {kind[:40]!r}", f"use {', '.join(KINDS)}")
    return wanted
