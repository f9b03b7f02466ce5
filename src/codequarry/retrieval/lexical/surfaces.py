"""What can be found: symbols, files and chunks of the published index, as candidates.

A candidate is a row that holds at least one term of the query, with a bound of its score. Nothing
is cut off here: a cap comes after scoring.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa

from codequarry.core.columns import workers
from codequarry.index.reader import Group, Reader
from codequarry.index.store import FILES, SYMBOLS, among, rows
from codequarry.retrieval.lexical.handles import HASH_DIGITS
from codequarry.retrieval.lexical.kept import kept_frames
from codequarry.retrieval.lexical.normalise import Terms
from codequarry.retrieval.lexical.result import MAX_LIMIT, TEXT_FILE_BYTES
from codequarry.retrieval.lexical.scoring import (
    DOC_NEARBY,
    DOC_PATH,
    DOC_PHRASE,
    DOCSTRING_WEIGHT,
    EXPORTED,
    FILE_WEIGHT,
    NAME_WEIGHT,
    PATH_WEIGHT,
)
from codequarry.retrieval.lexical.sieve import Sifted, sift, sift_once

UNBOUND = {
    "kind": pl.String,
    "project": pl.String,
    "path": pl.String,
    "label": pl.String,
    "line": pl.Int32,
    "end_line": pl.Int32,
    "key": pl.Int64,
    "table": pl.String,
    "docstring": pl.String,
    "fqn": pl.String,
    "content": pl.String,
    "bonus": pl.Int64,
}
"""The columns of a candidate before it was compared with the query."""

POOL = {**UNBOUND, "bound": pl.Int64, "matched": pl.Int64}
"""The columns of candidates.

``key`` is a symbol's id, a chunk's row in ``table``, or a number of its kind; ``content`` is the
first digits of a content hash; ``bonus`` is what it scores beside its matches (for a chunk: 1 when
it lies in a document); ``bound`` is the most it can score; ``matched`` counts the terms it holds.
"""

_BATCH_ROWS = 32_768
_SIFTERS = ThreadPoolExecutor(workers(), thread_name_prefix="sifters")
_SYMBOL_COLUMNS = ["symbol_id", "project", "path", "symbol", "docstring", "start_line"]
_SYMBOL_DETAILS = [
    "symbol_id",
    "symbol",
    "fqn",
    "language",
    "signature",
    "content_hash",
    "end_line",
]
_CHUNK_COLUMNS = ["project", "path", "start_line", "end_line", "symbol_name", "content"]
_HIDDEN = (
    r"^\s*(?:export\s+)?(?:(?:static|final|async|override|abstract)\s+)*(?:private|protected)\b"
)


def frame(table: pa.Table) -> pl.DataFrame:
    """Give an Arrow table as a polars frame, for the type checker too."""
    return pl.DataFrame(pl.from_arrow(table))


def symbols(reader: Reader, projects: Sequence[str], terms: Terms) -> pl.DataFrame:
    """Give the symbols that match by name, path or docstring; SQL and documents have none.

    Returns:
        Columns of `POOL`.
    """
    (found,) = kept_frames(reader, ("symbols", *projects), lambda: _declared(reader, projects))
    return named(found, terms)


def _declared(reader: Reader, projects: Sequence[str]) -> Iterator[pl.DataFrame]:
    where = f"{among('project', projects)} AND kind <> 'file' AND language <> 'sql'"
    found = frame(rows(reader.table(SYMBOLS), where, _SYMBOL_COLUMNS))
    documents = found["path"].unique()
    documents = documents.filter(documents.str.contains(DOC_PATH))
    yield found.filter(~pl.col("path").is_in(documents.implode())).select(
        pl.lit("symbol").alias("kind"),
        "project",
        "path",
        pl.col("symbol").alias("label"),
        pl.col("start_line").alias("line"),
        pl.col("start_line").alias("end_line"),
        pl.col("symbol_id").alias("key"),
        pl.lit("").alias("table"),
        "docstring",
        pl.lit("").alias("fqn"),
        pl.lit("").alias("content"),
        pl.lit(EXPORTED, pl.Int64).alias("bonus"),
    )


def symbol_details(reader: Reader, keys: Sequence[int]) -> dict[int, dict[str, Any]]:
    """Give what `symbols` leaves open, because few candidates need it.

    Returns:
        Each key to its columns fqn, content, end_line and bonus.
    """
    if not keys:
        return {}
    where = f"symbol_id IN ({', '.join(map(str, keys))})"
    found = frame(rows(reader.table(SYMBOLS), where, _SYMBOL_DETAILS)).select(
        "symbol_id",
        "fqn",
        "end_line",
        pl.col("content_hash").str.head(HASH_DIGITS).alias("content"),
        _exported().cast(pl.Int64).mul(EXPORTED).alias("bonus"),
    )
    return {row.pop("symbol_id"): row for row in found.to_dicts()}


def named(found: pl.DataFrame, terms: Terms) -> pl.DataFrame:
    """Keep what matches by label, path or docstring, with the bounds of symbols."""
    weights = {"label": NAME_WEIGHT, "path": PATH_WEIGHT, "docstring": DOCSTRING_WEIGHT}
    sifted = {column: sift(found[column].to_arrow(), terms) for column in weights}
    bound = found["bonus"].to_numpy() + sum(
        weight * sifted[column].most_points(len(terms.ranked)) for column, weight in weights.items()
    )
    return _kept(found, bound, list(sifted.values()))


def _exported() -> pl.Expr:
    """Tell whether a symbol is meant for others, from its name and its signature."""
    name, signature = pl.col("symbol"), pl.col("signature")
    usual = ~name.str.contains("^[_#]") & ~signature.str.contains(_HIDDEN)
    return (
        pl.when(pl.col("language") == "go")
        .then(name.str.contains(r"^\p{Lu}"))
        .when(pl.col("language") == "rust")
        .then(signature.str.contains(r"\bpub\b"))
        .when(pl.col("language").is_in(["java", "csharp"]))
        .then(signature.str.contains(r"\bpublic\b"))
        .when(pl.col("language").is_in(["c", "cpp"]))
        .then(~signature.str.contains(r"^\s*static\b"))
        .otherwise(usual)
    )


def files(reader: Reader, projects: Sequence[str], terms: Terms) -> pl.DataFrame:
    """Give the files whose path matches.

    Returns:
        Columns of `POOL`.
    """
    columns = ["project", "path", "source_hash"]
    found = frame(rows(reader.table(FILES), among("project", projects), columns))
    found = found.select(
        pl.lit("file").alias("kind"),
        "project",
        "path",
        pl.col("path").alias("label"),
        pl.lit(1, pl.Int32).alias("line"),
        pl.lit(1, pl.Int32).alias("end_line"),
        pl.int_range(pl.len(), dtype=pl.Int64).alias("key"),
        pl.lit("").alias("table"),
        pl.lit("").alias("docstring"),
        pl.col("path").alias("fqn"),
        pl.col("source_hash").str.head(HASH_DIGITS).alias("content"),
        pl.lit(0, pl.Int64).alias("bonus"),
    )
    sifted = sift(found["path"].to_arrow(), terms)
    return _kept(found, FILE_WEIGHT * sifted.most_points(len(terms.ranked)), [sifted])


def chunks(
    reader: Reader, projects: Sequence[str], terms: Terms, *, docs_first: bool
) -> tuple[pl.DataFrame, int]:
    """Give the chunks that match by enclosing name or text, read in batches.

    Args:
        reader: The published state.
        projects: Their names.
        terms: The query.
        docs_first: Pieces of documents get their bonus.

    Returns:
        Columns of `POOL`, and how many files are too large to be text-searched.
    """
    sizes = frame(
        rows(
            reader.table(FILES),
            f"{among('project', projects)} AND size > {TEXT_FILE_BYTES}",
            ["project", "path"],
        )
    )
    parts = [pl.DataFrame(schema=POOL)]
    for group in reader.groups(projects):
        key = ("texts", group.table_name, *group.projects)
        found = kept_frames(reader, key, partial(_texts, reader, group, sizes))
        sifted = partial(_chunks, table=group.table_name, terms=terms, docs_first=docs_first)
        # A few frames at a time, so that memory stays bounded; polars leaves the GIL.
        while some := list(islice(found, 2 * workers())):
            parts += _SIFTERS.map(sifted, some)
    return pl.concat(parts), len(sizes)


def _texts(reader: Reader, group: Group, large: pl.DataFrame) -> Iterator[pl.DataFrame]:
    query = reader.table(group.table_name).search().where(among("project", group.projects))
    for batch in query.with_row_id(True).select(_CHUNK_COLUMNS).to_batches(_BATCH_ROWS):
        found = frame(pa.Table.from_batches([batch]))
        if len(large):
            found = found.join(large, on=["project", "path"], how="anti")
        yield found.with_columns(chunk_text().alias("text")).drop("content")


def _chunks(found: pl.DataFrame, table: str, terms: Terms, *, docs_first: bool) -> pl.DataFrame:
    every = sift_once(found["text"], terms, MAX_LIMIT)
    held = np.flatnonzero(every.parts)
    found, sifted = found.drop("text")[held], every.at(held)
    kept = found.select(
        pl.lit("chunk").alias("kind"),
        "project",
        "path",
        pl.when(pl.col("symbol_name") == "").then("path").otherwise("symbol_name").alias("label"),
        pl.col("start_line").alias("line"),
        "end_line",
        pl.col("_rowid").cast(pl.Int64).alias("key"),
        pl.lit(table).alias("table"),
        pl.lit("").alias("docstring"),
        pl.col("symbol_name").alias("fqn"),
        pl.lit("").alias("content"),
        (pl.col("path").str.contains(DOC_PATH) & docs_first).cast(pl.Int64).alias("bonus"),
    )
    total = len(terms.ranked)
    together = (np.bitwise_count(sifted.parts) == total) & (total > 1)
    document = kept["bonus"].to_numpy() * np.where(sifted.phrase, DOC_PHRASE, DOC_NEARBY)
    return _kept(kept, sifted.most_points(total) + document * together, [sifted])


def chunk_text() -> pl.Expr:
    """Give what is matched of a chunk: its enclosing name, and its text."""
    return pl.concat_str("symbol_name", pl.lit("\n"), "content")


def _kept(found: pl.DataFrame, bound: np.ndarray, sifted: Sequence[Sifted]) -> pl.DataFrame:
    terms = np.bitwise_or.reduce([part.parts for part in sifted])
    with_bounds = found.with_columns(
        bound=pl.Series(bound, dtype=pl.Int64),
        matched=pl.Series(np.bitwise_count(terms), dtype=pl.Int64),
    )
    return with_bounds.filter(pl.col("matched") > 0).select(POOL.keys()).cast(POOL)  # type: ignore[arg-type]
