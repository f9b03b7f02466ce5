"""The graph before a change, and the part of it that a few files need."""

from collections.abc import Collection, Iterable, Set
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from codequarry.core.memory import uncollected
from codequarry.graph.nodes import CLASSES, Nodes, nodes_of
from codequarry.graph.symbols import FILE_KIND, in_order

STORED_SYMBOLS: Final = [
    *("symbol_id", "path", "symbol", "fqn", "kind", "language", "start_line", "end_line"),
]
"""The columns of SYMBOLS that a delta reads."""

STORED_EDGES: Final = ["edge_id", "kind", "source_id", "target_id", "path"]
"""The columns of EDGES that a delta reads."""


Values: TypeAlias = Collection[str] | Collection[int]
"""What a column of a stored table is asked for."""


class StoredGraph(Protocol):
    """The graph before a change, asked for the rows that a delta needs; they come in any order."""

    def symbols(self, column: str, values: Values) -> pa.Table:
        """Give `STORED_SYMBOLS` of the rows that have one of some values in a column."""
        ...

    def edges(self, column: str, values: Values) -> pa.Table:
        """Give `STORED_EDGES` of the rows that have one of some values in a column."""
        ...

    @property
    def all_symbols(self) -> pa.Table:
        """At least `STORED_SYMBOLS` of all rows."""
        ...


@dataclass(frozen=True)
class GraphTables:
    """A graph in memory; implements `StoredGraph`.

    Args:
        all_symbols: At least `STORED_SYMBOLS` of all rows of the project.
        all_edges: At least `STORED_EDGES` of all rows of the project.
    """

    all_symbols: pa.Table
    all_edges: pa.Table

    def symbols(self, column: str, values: Values) -> pa.Table:
        """Give `STORED_SYMBOLS` of the rows that have one of some values in a column."""
        return having(self.all_symbols, column, values).select(STORED_SYMBOLS)

    def edges(self, column: str, values: Values) -> pa.Table:
        """Give `STORED_EDGES` of the rows that have one of some values in a column."""
        return having(self.all_edges, column, values).select(STORED_EDGES)


def having(table: pa.Table, column: str, values: Values) -> pa.Table:
    """Give the rows of a table that have one of some values in a column."""
    wanted = pa.array(list(values), table.schema.field(column).type)
    return table.filter(pc.is_in(table[column], wanted))


def is_in(column: pa.ChunkedArray, values: Iterable[str]) -> pa.ChunkedArray:
    """Tell which values of a column of text are among some."""
    return pc.is_in(column, pa.array(sorted(values), column.type))


def of_paths(table: pa.Table, paths: Iterable[str]) -> pa.Table:
    """Give the rows of a table with one of these values in ``path``."""
    return table.filter(is_in(table["path"], paths))


def joined(stored: pa.Table, fresh: pa.Table) -> pa.Table:
    """Give the rows of both, however the store spells the types of its columns."""
    return pa.concat_tables([stored, fresh], promote_options="permissive")


def left_dangling(stored: StoredGraph, before: pa.Table, fresh: pa.Table) -> list[str]:
    """Give the files of the stored edges that lead to a node which is no more.

    Args:
        stored: The graph before the change.
        before: The stored symbols of the changed and deleted files.
        fresh: The new symbols of the changed files.
    """
    kept = pc.is_in(before["symbol_id"], fresh["symbol_id"].combine_chunks())
    lost: list[int] = before["symbol_id"].filter(pc.invert(kept)).to_pylist()
    if not lost:
        return []
    return list(stored.edges("target_id", lost)["path"].unique().to_pylist())


@uncollected()
def excerpt(
    stored: StoredGraph,
    fresh: pa.Table,
    gone: Set[str],
    linked: Set[str],
    names: Set[str] | None,
) -> tuple[pa.Table, Nodes]:
    """Give the nodes that some files may look up.

    Args:
        stored: The graph before the change.
        fresh: schemas.tables.SYMBOLS of the changed files.
        gone: The changed and the deleted files.
        linked: The files that look up; of these every node is given, and of the others each file
            node.
        names: The names they look up in other files; ``None`` for any name.

    Returns:
        The columns `STORED_SYMBOLS` of the nodes after the change, in the order of
        `codequarry.graph.symbols.ORDER`; and the same for look-ups.
    """
    old = _candidates(stored, linked, names)
    kept = old.filter(pc.invert(is_in(old["path"], gone)))
    frame = in_order(pl.DataFrame(pl.from_arrow(joined(kept, fresh.select(STORED_SYMBOLS)))))
    held = frame.select(
        (
            ~pl.col("path").is_in(list(linked))
            & pl.col("symbol_id").is_in(_in_types(stored, frame, linked).implode())
        ).arg_true()
    )
    table = frame.select(STORED_SYMBOLS).to_arrow()
    return table, nodes_of(table, linked, frozenset(held.to_series().to_list()))


def _candidates(stored: StoredGraph, linked: Set[str], names: Set[str] | None) -> pa.Table:
    if names is None:
        return stored.all_symbols.select(STORED_SYMBOLS)
    parts = [
        stored.symbols("kind", [FILE_KIND]),
        stored.symbols("path", linked),
        stored.symbols("symbol", names),
    ]
    found = pl.DataFrame(pl.from_arrow(pa.concat_tables(parts)))
    return found.unique("symbol_id").to_arrow()


def _in_types(stored: StoredGraph, frame: pl.DataFrame, linked: Set[str]) -> pl.Series:
    """Give the keys of the nodes of files that are not linked which lie in a type."""
    looked_up = frame.filter(pl.col("is_record") & ~pl.col("path").is_in(list(linked)))
    holds = stored.edges("target_id", looked_up["symbol_id"].to_list())
    holds = holds.filter(pc.equal(holds["kind"], "contains"))
    holders = stored.symbols("symbol_id", holds["source_id"].unique().to_pylist())
    types = holders["symbol_id"].filter(is_in(holders["kind"], CLASSES)).combine_chunks()
    held = holds["target_id"].filter(pc.is_in(holds["source_id"], types))
    return pl.Series(held.combine_chunks())
