"""The chunks worth ranking: the best by full text, by vector, and by name."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from lancedb.query import LanceVectorQueryBuilder, MatchQuery
from lancedb.table import Table

from codequarry.index.store import quote

PER_SIDE = 100

_COLUMNS = [
    "chunk_id",
    "project",
    "path",
    "chunk_index",
    "start_line",
    "end_line",
    "chunk_type",
    "origin",
    "symbol",
    "symbol_name",
    "language",
    "content",
    "selector",
    "source_hash",
    "vector",
]
_PROBES = 40  # an indexed search then finds 99.5 % of the exact top 100 (docs/benchmarks.md)
_SIDES = ThreadPoolExecutor(3, thread_name_prefix="candidates")


@dataclass(frozen=True)
class Candidates:
    """Chunks to rank, each once, ascending by project, path and chunk index.

    Args:
        table: The columns that ranking reads and hits show.
        bm25: Full-text score, 0 when the full text did not find it; float64.
        cosine: Cosine similarity to the query, 0 without a query vector; float64.
    """

    table: pa.Table
    bm25: np.ndarray
    cosine: np.ndarray


def find(
    table: Table,
    where: str,
    words: list[str],
    vector: np.ndarray | None,
    identifiers: tuple[str, ...],
) -> Candidates:
    """Collect candidates from one chunks table.

    Args:
        table: A chunks table at its published version.
        where: Prefilter.
        words: Code words of the query; without any, full text finds nothing.
        vector: Query vector of unit length, float32; ``None`` searches without vectors.
        identifiers: Names whose definitions are candidates whatever their scores.
    """
    sides: list[Callable[[], pa.Table]] = []
    if words:
        sides.append(lambda: _by_text(table, where, words))
    if vector is not None:
        sides.append(lambda: _by_vector(table, where, vector))
    if identifiers:
        sides.append(lambda: _by_name(table, where, identifiers))
    if not sides:
        raise ValueError("a search needs words, a vector or an identifier")
    # LanceDB works outside of the GIL, so the sides take as long as the slowest.
    found = list(_SIDES.map(lambda side: side(), sides))
    scores: dict[int, float] = {}
    if words:
        scores = dict(zip(_row_ids(found[0]), found[0]["_score"].to_pylist(), strict=True))
    return _fetched(
        table, sorted({row for side in found for row in _row_ids(side)}), scores, vector
    )


def _row_ids(side: pa.Table) -> list[int]:
    ids: list[int] = side["_rowid"].to_pylist()
    return ids


def _by_text(table: Table, where: str, words: list[str]) -> pa.Table:
    wanted = MatchQuery(" ".join(words), "words")  # type: ignore[call-arg]  # they have defaults
    query = table.search(wanted, query_type="fts").where(where, prefilter=True)
    return query.with_row_id(True).select(["_score"]).limit(PER_SIDE).to_arrow()


def _by_vector(table: Table, where: str, vector: np.ndarray) -> pa.Table:
    query = table.search(vector, vector_column_name="vector", query_type="vector")
    assert isinstance(query, LanceVectorQueryBuilder)
    query = query.distance_type("cosine").nprobes(_PROBES)
    query = query.where(where, prefilter=True).with_row_id(True)
    return query.select(["_distance"]).limit(PER_SIDE).to_arrow()


def _by_name(table: Table, where: str, identifiers: tuple[str, ...]) -> pa.Table:
    named = f"{where} AND symbol IN ({', '.join(map(quote, identifiers))})"
    query = table.search().where(named).with_row_id(True)
    return query.select(["chunk_id"]).limit(PER_SIDE).to_arrow()


def _fetched(
    table: Table, row_ids: list[int], scores: dict[int, float], vector: np.ndarray | None
) -> Candidates:
    """Read the columns that ranking needs once for all sides."""
    rows = table.take_row_ids(row_ids).with_row_id().select(_COLUMNS).to_arrow()
    order = pc.sort_indices(
        rows, [("project", "ascending"), ("path", "ascending"), ("chunk_index", "ascending")]
    )
    rows = rows.take(order).combine_chunks()
    bm25 = np.array([scores.get(row, 0.0) for row in _row_ids(rows)], np.float64)
    if vector is None or not rows.num_rows:
        cosine = np.zeros(rows.num_rows)
    else:
        flat = rows["vector"].combine_chunks().flatten().to_numpy()
        cosine = flat.reshape(rows.num_rows, -1).astype(np.float64) @ vector.astype(np.float64)
    return Candidates(rows.drop_columns(["vector"]), bm25, cosine)
