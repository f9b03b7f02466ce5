from collections.abc import Callable
from dataclasses import replace

import pyarrow as pa
import pytest

from codequarry.core.errors import UsageError
from codequarry.retrieval.structure.hotspots import Hotspot, hotspots
from codequarry.retrieval.structure.symbols import Symbol
from codequarry.retrieval.structure.view import GraphView


def named(spots: tuple[Hotspot, ...]) -> dict[str, int]:
    return {spot.symbol.fqn: spot.in_degree for spot in spots}


def test_tests_do_not_count(town: GraphView) -> None:
    """Tests are no hotspots and no users, unless they are asked for."""
    assert named(hotspots(town, "town"))["money.price"] == 2
    assert named(hotspots(town, "town", include_tests=True))["money.price"] == 3
    assert not any(spot.symbol.is_test for spot in hotspots(town, "town"))


def test_total_order(town: GraphView) -> None:
    """Falling by effective degree, then degree, then as symbols are ordered; a cut keeps it."""
    whole = hotspots(town, "town", 1000)
    keys = [(-s.effective_in_degree, -s.in_degree, s.symbol.order) for s in whole]
    assert keys == sorted(keys)
    for limit in range(1, len(whole) + 1):
        assert hotspots(town, "town", limit) == whole[:limit]


def test_usage_is_joined_by_selector(town: GraphView) -> None:
    """A count belongs to one selector of one project, not to a name."""
    key = ("town", "town/money.py", "money.price", "function")
    other = ("town", "elsewhere.py", "money.tax", "function")
    spots = hotspots(town, "town", usage={key: 7, other: 9})
    assert {s.symbol.symbol: s.query_frequency for s in spots if s.query_frequency} == {"price": 7}


def test_bad_limits(town: GraphView) -> None:
    """A limit that is none is a usage error."""
    for limit in (0, -1, 10**6, float("nan")):
        with pytest.raises(UsageError):
            hotspots(town, "town", limit)


class Stub:
    """A view over two tables in memory."""

    def __init__(self, symbols: pa.Table, edges: pa.Table, name: Callable[[int], Symbol]) -> None:
        self._symbols, self._edges, self._name = symbols, edges, name

    def symbol_rows(self, where: str, columns: list[str]) -> pa.Table:
        return self._symbols.select(columns)

    def edge_rows(self, where: str, columns: list[str]) -> pa.Table:
        return self._edges.select(columns)

    def by_ids(self, ids: list[int]) -> dict[int, Symbol]:
        return {key: self._name(key) for key in ids}


def test_shared_names_divide_edges_by_name() -> None:
    """Edges told by the name alone are divided among the definitions that share it."""
    one = Symbol(1, "p", "a.py", "run", "a.run", "function")
    columns = {"symbol_id": [1, 2, 3], "symbol": ["run", "run", "walk"], "path": ["a.py"] * 3}
    columns |= {"kind": ["function"] * 3, "fqn": ["a.run", "b.run", "a.walk"]}
    edges = {"target_id": [1, 1, 1, 3], "path": ["x.py"] * 4}
    edges["resolution"] = ["name", "name", "exact", "name"]
    view = Stub(pa.table(columns), pa.table(edges), lambda key: replace(one, symbol_id=key))
    spots = hotspots(view, "p")  # type: ignore[arg-type]
    shown = [(s.symbol.symbol_id, s.in_degree, s.shared_name, s.effective_in_degree) for s in spots]
    assert shown == [(1, 3, 2, 2.0), (3, 1, 0, 1.0)]
