"""The blast radius of a change: what depends on a symbol, how far away, and which tests cover it.

Only dependents count, never what the symbol itself uses.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from codequarry.graph.nodes import CLASSES
from codequarry.retrieval.structure.bounds import clamped_depth, limit_or_all
from codequarry.retrieval.structure.dispatch import overridden
from codequarry.retrieval.structure.elsewhere import NOT_LOOKED, Elsewhere
from codequarry.retrieval.structure.evidence import Coverage, Evidence, evidence_within
from codequarry.retrieval.structure.neighbors import Neighbor, walk
from codequarry.retrieval.structure.symbols import Symbol, ordered
from codequarry.retrieval.structure.view import GraphView

DEPENDS: Final = ("calls", "extends", "implements", "imports", "references")
"""Edges that make their source depend on their target; files alone import."""

DEFAULT_DEPTH: Final = 3
MEMBERS: Final = 2_000
_HIGH, _LOW = 20, 3


class Risk(StrEnum):
    """How much a change may break, told from what depends on it."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Dependent:
    """A symbol that depends on the changed one.

    Args:
        symbol: The dependent.
        depth: Steps from the changed symbol, from 1.
        kind: The kind of edge by which it depends.
        line: The line that shows it; 0 when a peer did not say.
        resolution: How the edge was told, or empty when a peer did not say.
        confidence: Probability of the edge, 0 to 1; 0 when a peer did not say.
    """

    symbol: Symbol
    depth: int
    kind: str = ""
    line: int = 0
    resolution: str = ""
    confidence: float = 0.0


@dataclass(frozen=True)
class Impact:
    """What a change of one symbol reaches.

    Args:
        symbol: The symbol.
        dependents: All but tests, by depth, then in the order of symbols.
        direct: How many dependents are one step away, omitted ones included.
        omitted: How many more dependents there are.
        tests: Tests among the dependents, in the same order.
        tests_omitted: How many more tests there are.
        depth: How far was looked.
        truncated: Whether the search met too much and stopped.
        evidence: Whether these are all.
        source: ``codequarry`` or ``codemap``.
        note: Which of the two answered and why, one sentence.
        elsewhere: What may use it in other projects, none of which is among the dependents.
    """

    symbol: Symbol
    dependents: tuple[Dependent, ...]
    direct: int
    omitted: int
    tests: tuple[Dependent, ...]
    tests_omitted: int
    depth: int
    truncated: bool
    evidence: Evidence
    source: str = "codequarry"
    note: str = ""
    elsewhere: Elsewhere = NOT_LOOKED

    @property
    def untested(self) -> bool:
        """Whether no test depends on it within the depth; how sure that is, says the evidence."""
        return not self.tests

    @property
    def total(self) -> int:
        """Dependents within the depth, tests apart."""
        return len(self.dependents) + self.omitted

    @property
    def risk(self) -> Risk:
        """How much a change may break; never ``low`` unless all dependents are known."""
        if self.total >= _HIGH:
            return Risk.HIGH
        if self.total > _LOW:
            return Risk.MEDIUM
        if self.evidence.coverage is not Coverage.COMPLETE or self.truncated:
            return Risk.UNKNOWN
        return Risk.LOW if self.tests or not self.total else Risk.MEDIUM


def impact(
    view: GraphView, symbol: Symbol, depth: float = DEFAULT_DEPTH, limit: float | None = 100
) -> Impact:
    """Find what depends on a symbol, on a member of it, or on a member it may stand in for.

    Args:
        view: The graph.
        symbol: What changes; a type or a file changes with all that it holds.
        depth: Steps, from 1; more than `bounds.MAX_DEPTH` are clamped.
        limit: Dependents to give, and tests to give, 1 to `bounds.MAX_LIMIT`; ``None`` for all.

    Raises:
        UsageError: The depth or the limit is none.
        IndexMissing: No graph was published.
    """
    steps, most = clamped_depth(depth), limit_or_all(limit)
    seeds = changed_with(view, symbol)
    through = overridden(view, symbol)
    found, truncated = walk(view, seeds, DEPENDS, ("in",), steps, through)
    dependents = nearest(found)
    code = tuple(one for one in dependents if not one.symbol.is_test)
    tests = tuple(one for one in dependents if one.symbol.is_test)
    nearer = [one.symbol for one in dependents if one.depth < steps]
    return Impact(
        symbol=symbol,
        dependents=code[:most],
        direct=sum(one.depth == 1 for one in code),
        omitted=len(code) - len(code[:most]),
        tests=tests[:most],
        tests_omitted=len(tests) - len(tests[:most]),
        depth=steps,
        truncated=truncated or len(seeds) > MEMBERS,
        evidence=evidence_within(view, [*seeds, *through], nearer, truncated=truncated),
    )


def changed_with(view: GraphView, symbol: Symbol) -> tuple[Symbol, ...]:
    """Give a symbol and, of a type or a file, all that it holds, in the order of symbols."""
    found = {symbol.symbol_id: symbol}
    frontier = {symbol.symbol_id} if symbol.is_file or symbol.kind in CLASSES else set()
    while frontier and len(found) <= MEMBERS:
        held = view.edges(frontier, "out", ("contains",))["target_id"].to_pylist()
        fresh = view.by_ids(set(held) - found.keys())
        found.update(fresh)
        frontier = set(fresh)
    return ordered(found.values())


def nearest(found: Sequence[Neighbor]) -> tuple[Dependent, ...]:
    """Give each symbol of a walk once, by the edge that stands first."""
    first: dict[int, Dependent] = {}
    for step in found:
        shown = Dependent(
            step.symbol, step.depth, step.kind, step.line, step.resolution, step.confidence
        )
        first.setdefault(step.symbol.symbol_id, shown)
    return tuple(first.values())
