"""The graph before a change, as columns, and the part of it that a few files need."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from codequarry.graph.nodes import CLASSES, Nodes, nodes_of
from codequarry.graph.symbols import FILE_KIND, in_order

STORED_SYMBOLS: Final = [
    *("symbol_id", "path", "symbol", "fqn", "kind", "language", "start_line", "end_line"),
]
"""The columns of SYMBOLS that a delta reads."""

STORED_EDGES: Final = ["edge_id", "kind", "source_id", "target_id", "path"]
"""The columns of EDGES that a delta reads."""


@dataclass(frozen=True)
class StoredGraph:
    """The graph before a change, in any order of rows.

    Args:
        symbols: At least `STORED_SYMBOLS` of all rows of the project.
        edges: At least `STORED_EDGES` of all rows of the project.
    """

    symbols: pa.Table
    edges: pa.Table


def is_in(column: pa.ChunkedArray, values: Iterable[str]) -> pa.ChunkedArray:
    """Tell which values of a column of text are among some."""
    return pc.is_in(column, pa.array(sorted(values), column.type))


def of_paths(table: pa.Table, paths: Iterable[str]) -> pa.Table:
    """Give the rows of a table with one of these values in ``path``."""
    return table.filter(is_in(table["path"], paths))


def joined(stored: pa.Table, fresh: pa.Table) -> pa.Table:
    """Give the rows of both, however the store spells the types of its columns."""
    return pa.concat_tables([stored, fresh], promote_options="permissive")


def left_dangling(edges: pa.Table, before: pa.Table, fresh: pa.Table) -> list[str]:
    """Give the files of the stored edges that lead to a node which is no more.

    Args:
        edges: The stored edges.
        before: The stored symbols of the changed and deleted files.
        fresh: The new symbols of the changed files.
    """
    kept = pc.is_in(before["symbol_id"], fresh["symbol_id"].combine_chunks())
    lost = before["symbol_id"].filter(pc.invert(kept)).combine_chunks()
    if not len(lost):
        return []
    return list(edges["path"].filter(pc.is_in(edges["target_id"], lost)).unique().to_pylist())


def excerpt(
    stored: StoredGraph,
    fresh: pa.Table,
    gone: Iterable[str],
    linked: set[str],
    names: Iterable[str] | None,
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
    old = stored.symbols.select(STORED_SYMBOLS)
    wanted = pc.invert(is_in(old["path"], gone))
    if names is not None:
        needed = pc.or_(is_in(old["symbol"], names), is_in(old["path"], linked))
        wanted = pc.and_(wanted, pc.or_(needed, pc.equal(old["kind"], FILE_KIND)))
    both = joined(old.filter(wanted), fresh.select(STORED_SYMBOLS))
    frame = in_order(pl.DataFrame(pl.from_arrow(both)))
    held = frame.select(
        (
            ~pl.col("path").is_in(list(linked))
            & pl.col("symbol_id").is_in(_in_types(stored, frame, linked).implode())
        ).arg_true()
    )
    table = frame.select(STORED_SYMBOLS).to_arrow()
    return table, nodes_of(table, linked, frozenset(held.to_series().to_list()))


def _in_types(stored: StoredGraph, frame: pl.DataFrame, linked: set[str]) -> pl.Series:
    """Give the keys of the nodes of files that are not linked which lie in a type."""
    looked_up = frame.filter(pl.col("is_record") & ~pl.col("path").is_in(list(linked)))
    edges = stored.edges
    holds = edges.filter(
        pc.and_(
            pc.is_in(edges["target_id"], looked_up["symbol_id"].to_arrow()),
            pc.equal(edges["kind"], "contains"),
        )
    )
    holders = holds["source_id"].combine_chunks()
    symbols = stored.symbols.select(["symbol_id", "kind"])
    symbols = symbols.filter(pc.is_in(symbols["symbol_id"], holders))
    types = symbols["symbol_id"].filter(is_in(symbols["kind"], CLASSES)).combine_chunks()
    held = holds["target_id"].filter(pc.is_in(holds["source_id"], types))
    return pl.Series(held.combine_chunks())
