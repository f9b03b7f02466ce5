"""Calls that reach a method through its type's supertypes: an interface, a trait, a base class.

A call of ``Shape.area`` may run ``Circle.area``; the graph binds it to the declared type alone.
"""

from codequarry.graph.nodes import CLASSES
from codequarry.retrieval.structure.symbols import Symbol, ordered
from codequarry.retrieval.structure.view import GraphView

_INHERITS = ("extends", "implements")
_LEVELS = 8


def overridden(view: GraphView, method: Symbol) -> tuple[Symbol, ...]:
    """Give the members of supertypes for which a method may stand in.

    Args:
        view: The graph.
        method: Any symbol; one outside of a type stands in for nothing.
    """
    held = view.edges([method.symbol_id], "in", ("contains",))["source_id"].to_pylist()
    types = [symbol for symbol in view.by_ids(held).values() if symbol.kind in CLASSES]
    seen = {symbol.symbol_id for symbol in types}
    frontier, found = set(seen), []
    for _ in range(_LEVELS):
        above = view.edges(frontier, "out", _INHERITS)["target_id"].to_pylist()
        frontier = set(above) - seen
        if not frontier:
            break
        seen |= frontier
        members = view.edges(frontier, "out", ("contains",))["target_id"].to_pylist()
        found += [s for s in view.by_ids(members).values() if s.symbol == method.symbol]
    return ordered(found)
