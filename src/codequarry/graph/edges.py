"""The edges of the code graph as an Arrow table."""

import itertools
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import polars as pl
import pyarrow as pa

from codequarry.graph.symbols import hash_keys
from codequarry.schemas.tables import EDGES

_BLOCK_EDGES = 100_000
_ROWS = {
    "kind": pl.String,
    "source": pl.Int64,
    "target": pl.Int64,
    "path": pl.String,
    "line": pl.Int32,
    "resolution": pl.String,
    "confidence": pl.Float32,
}
_HASHED = [name for name in EDGES.names if name not in ("edge_id", "project")]


class Edge(NamedTuple):
    """One edge between two rows of SYMBOLS.

    Args:
        kind: contains, imports, calls, references, extends, implements or tests (engines.md 2).
        source: Row of the source.
        target: Row of the target.
        path: File in which it was seen.
        line: 1-based line at which it was seen first.
        resolution: exact, import, receiver or name.
        confidence: Probability, 0 to 1.
    """

    kind: str
    source: int
    target: int
    path: str
    line: int
    resolution: str
    confidence: float


def edges_table(project: str, symbols: pa.Table, edges: Iterable[Edge]) -> pa.Table:
    """Write edges with the keys of their ends.

    Args:
        project: The project's name.
        symbols: schemas.tables.SYMBOLS, whose rows the edges name.
        edges: In any order; of several of one kind between the same ends, the first counts.

    Returns:
        schemas.tables.EDGES, ascending by the bytes of ``path``, then line, kind, source and
        target in the order of ``symbols``.
    """
    remaining = iter(edges)
    blocks = [pl.DataFrame(schema=_ROWS)]
    while block := list(itertools.islice(remaining, _BLOCK_EDGES)):
        blocks.append(pl.DataFrame(block, schema=_ROWS, orient="row"))
    rows = pl.concat(blocks).unique(["kind", "source", "target"], keep="first", maintain_order=True)
    rows = rows.sort("path", "line", "kind", "source", "target")
    ids = pl.Series("symbol_id", symbols["symbol_id"].to_numpy(), pl.Int64)
    rows = rows.with_columns(
        pl.lit(project).alias("project"),
        ids.gather(rows["source"]).alias("source_id"),
        ids.gather(rows["target"]).alias("target_id"),
    )
    joined = rows.select(pl.concat_str(pl.lit(project), *_HASHED, separator="\0")).to_series()
    rows = rows.with_columns(pl.Series("edge_id", hash_keys(joined.to_list()), pl.Int64))
    arrow = rows.select(EDGES.names).to_arrow()
    return pa.Table.from_batches(arrow.cast(EDGES).combine_chunks().to_batches(), EDGES)


def missing_endpoints(symbols: pa.Table, edges: pa.Table) -> list[str]:
    """Name the edges that lead from or to a node that does not exist.

    Args:
        symbols: schemas.tables.SYMBOLS.
        edges: schemas.tables.EDGES.

    Returns:
        ``path:line: kind edge without source|target``, in the order of ``edges``; never empty
        while an end is missing.
    """
    known = pl.Series(symbols["symbol_id"].to_numpy())
    frame = pl.DataFrame(pl.from_arrow(edges)).with_columns(
        source=pl.col("source_id").is_in(known.implode()),
        target=pl.col("target_id").is_in(known.implode()),
    )
    lost = frame.filter(~(pl.col("source") & pl.col("target")))
    rows: Sequence[tuple[str, int, str, bool]] = lost.select(
        "path", "line", "kind", "source"
    ).rows()
    return [
        f"{path}:{line}: {kind} edge without {'target' if has_source else 'source'}"
        for path, line, kind, has_source in rows
    ]
