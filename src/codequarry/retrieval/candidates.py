"""The chunks worth ranking: the best by full text, by vector, and by name."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from lancedb.query import LanceVectorQueryBuilder, MatchQuery
from lancedb.table import Table

from codequarry.index.cards import Card, read_cards
from codequarry.index.store import among

PER_SIDE = 100
_MANY = 10_000

_ORDER = [(column, "ascending") for column in ("project", "path", "chunk_index")]
_PROBES = 40  # an indexed search then finds 99.5 % of the exact top 100 (docs/benchmarks.md)
_SIDES = ThreadPoolExecutor(3, thread_name_prefix="candidates")


@dataclass(frozen=True)
class Candidates:
    """Chunks to rank, each once, ascending by project, path and chunk index.

    Args:
        cards: What ranking reads.
        row_ids: LanceDB's number of each row.
        bm25: Full-text score, 0 when the full text did not find it; float64.
        cosine: Cosine similarity to the query, 0 without a query vector; float64.
    """

    cards: list[Card]
    row_ids: list[int]
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
        where: Prefilter; empty for none.
        words: Code words of the query; without any, full text finds nothing.
        vector: Query vector of unit length, float32; ``None`` searches without vectors.
        identifiers: Names whose definitions are candidates whatever their scores.
    """
    sides: list[Callable[[], pa.Table]] = []
    if words:
        sides.append(lambda: _by_text(table, where, words))
    if vector is not None:
        sides.append(lambda: by_vector(table, where, vector))
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

    def ask(limit: int, columns: list[str]) -> pa.Table:
        query = table.search(wanted, query_type="fts")
        if where:
            query = query.where(where, prefilter=True)
        return query.with_row_id(True).select(columns).limit(limit).to_arrow()

    return _best(ask, "_score")


def by_vector(table: Table, where: str, vector: np.ndarray, exactly: bool = False) -> pa.Table:
    """Give the row ids (``_rowid``) of the nearest chunks, nearest first.

    Args:
        table: A chunks table.
        where: Prefilter; empty for none.
        vector: Of unit length, float32.
        exactly: Compare every row, also where there is an index.
    """

    def ask(limit: int, columns: list[str]) -> pa.Table:
        query = nearest(table, where, vector)
        if exactly:
            query = query.bypass_vector_index()
        return query.with_row_id(True).select(columns).limit(limit).to_arrow()

    return _best(ask, "_distance")


def nearest(table: Table, where: str, vector: np.ndarray) -> LanceVectorQueryBuilder:
    """Ask for the chunks nearest to a vector by cosine; the caller selects and limits."""
    query = table.search(vector, vector_column_name="vector", query_type="vector")
    assert isinstance(query, LanceVectorQueryBuilder)
    query = query.distance_type("cosine").nprobes(_PROBES)
    return query.where(where, prefilter=True) if where else query


def _best(ask: Callable[[int, list[str]], pa.Table], score: str) -> pa.Table:
    """Give the best hundred, and what ties with the last of them.

    Which of equals the store gives first depends on the order of its rows, an answer must not. So
    of more equals than another hundred, the first by project, path and chunk index are taken.
    """
    found = ask(2 * PER_SIDE, [score])
    if found.num_rows <= PER_SIDE:
        return found
    ties = pc.equal(found[score], found[score][PER_SIDE - 1]).to_numpy().nonzero()[0]
    if ties[-1] + 1 < 2 * PER_SIDE:
        return found.slice(0, ties[-1] + 1)
    many = ask(_MANY, [score, *(column for column, _ in _ORDER)])
    equals = many.filter(pc.equal(many[score], found[score][PER_SIDE - 1]))
    equals = equals.take(pc.sort_indices(equals, _ORDER)[:PER_SIDE])
    return pa.concat_tables([found.slice(0, ties[0]), equals.select(found.schema.names)])


def _by_name(table: Table, where: str, identifiers: tuple[str, ...]) -> pa.Table:
    named = among("symbol", identifiers)

    def ask(limit: int | None, columns: list[str]) -> pa.Table:
        query = table.search().where(f"{where} AND {named}" if where else named)
        return query.with_row_id(True).select(columns).limit(limit).to_arrow()

    found = ask(PER_SIDE + 1, ["chunk_index"])
    if found.num_rows <= PER_SIDE:
        return found
    found = ask(None, [column for column, _ in _ORDER])
    return found.take(pc.sort_indices(found, _ORDER)[:PER_SIDE])


def contents(table: Table, row_ids: list[int]) -> list[str]:
    """Give the text of some chunks, in the order asked for.

    Args:
        table: The chunks table that they are from.
        row_ids: Of `Candidates`.
    """
    rows = table.take_row_ids(row_ids).with_row_id().select(["content"]).to_arrow()
    texts = dict(zip(_row_ids(rows), rows["content"].to_pylist(), strict=True))
    return [texts[row] for row in row_ids]


def _fetched(
    table: Table, row_ids: list[int], scores: dict[int, float], vector: np.ndarray | None
) -> Candidates:
    """Read what ranking needs, once for all sides."""
    columns = ["card"] if vector is None else ["card", "vector"]
    rows = table.take_row_ids(row_ids).with_row_id().select(columns).to_arrow()
    found, ids = read_cards(rows["card"].to_pylist()), _row_ids(rows)
    order = sorted(range(len(found)), key=lambda row: found[row].place)
    cosine = np.zeros(len(found))
    if vector is not None and found:
        flat = rows["vector"].combine_chunks().flatten().to_numpy()
        vectors = flat.reshape(len(found), -1)[order]
        cosine = vectors.astype(np.float64) @ vector.astype(np.float64)
    return Candidates(
        [found[row] for row in order],
        [ids[row] for row in order],
        np.array([scores.get(ids[row], 0.0) for row in order], np.float64),
        cosine,
    )
