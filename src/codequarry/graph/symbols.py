"""The nodes of the code graph: every record of an export, and every file."""

import hashlib
from collections.abc import Iterable

import polars as pl
import pyarrow as pa

from codequarry.schemas.tables import SYMBOLS

FILE_KIND = "file"
IS_FILE = (pl.col("kind") == FILE_KIND) & (pl.col("fqn") == pl.col("path"))
"""Tells the node of a file; a record that says it is one is not kept beside it."""

_POSITIVE = 2**63 - 1
_IDENTITY = ("path", "fqn", "kind", "symbol")
ORDER = ("path", "is_record", "start_line", "end_line", "fqn", "kind", "symbol")
"""A file's own node first, then its records as an export orders them (contract.md A1.3)."""


def symbols_table(project: str, snapshot: pa.Table, records: pa.Table) -> pa.Table:
    """Make the nodes of a project's graph.

    Args:
        project: The project's name.
        snapshot: schemas.tables.SNAPSHOT.
        records: schemas.tables.RECORDS; a file that only they name gets a node too.

    Returns:
        schemas.tables.SYMBOLS, ascending by `ORDER`.
    """
    named = _frame(records).drop("ordinal").rename({"file": "path"}).filter(~IS_FILE)
    nodes = pl.concat([named, _files(_frame(snapshot), named)], how="diagonal")
    nodes = in_order(nodes).with_columns(
        pl.lit(project).alias("project"), pl.int_range(pl.len()).over(_IDENTITY).alias("occurrence")
    )
    nodes = nodes.with_columns(pl.Series("symbol_id", _symbol_ids(nodes), pl.Int64))
    arrow = nodes.select(SYMBOLS.names).to_arrow()
    return pa.Table.from_batches(arrow.cast(SYMBOLS).combine_chunks().to_batches(), SYMBOLS)


def _files(snapshot: pl.DataFrame, named: pl.DataFrame) -> pl.DataFrame:
    seen = named.group_by("path").agg(
        pl.col("end_line").max(), pl.col("language").first().alias("spoken")
    )
    listed = snapshot.select("path", "language", pl.col("sha256").alias("source_hash"))
    files = listed.join(seen, on="path", how="full", coalesce=True)
    empty = [pl.lit("").alias(name) for name in ("signature", "docstring", "content_hash")]
    return files.select(
        "path",
        pl.lit(1, pl.Int32).alias("start_line"),
        pl.max_horizontal(pl.col("end_line").fill_null(1), pl.lit(1, pl.Int32)).alias("end_line"),
        pl.col("path").str.split("/").list.last().alias("symbol"),
        pl.col("path").alias("fqn"),
        pl.lit(FILE_KIND).alias("kind"),
        pl.coalesce("language", "spoken"),
        pl.col("source_hash").fill_null(""),
        pl.lit(False).alias("truncated"),
        *empty,
    )


def in_order(nodes: pl.DataFrame) -> pl.DataFrame:
    """Sort nodes by `ORDER`, with ``is_record`` as a new column."""
    return nodes.with_columns(is_record=~IS_FILE).sort(ORDER)


def symbol_id(
    project: str, path: str, fqn: str, kind: str, symbol: str, occurrence: int = 0
) -> int:
    """Give a node's key: a `hash_keys` over its identity, a NUL between the parts.

    Args:
        project: The project's name.
        path: File.
        fqn: Qualified name.
        kind: Kind.
        symbol: Bare name.
        occurrence: How many nodes with all of these precede it in `ORDER`.
    """
    (key,) = hash_keys(["\0".join([project, path, fqn, kind, symbol, str(occurrence)])])
    return key


def _symbol_ids(nodes: pl.DataFrame) -> list[int]:
    parts = pl.concat_str("project", *_IDENTITY, "occurrence", separator="\0")
    return hash_keys(nodes.select(parts).to_series())


def hash_keys(texts: Iterable[str]) -> list[int]:
    """Give the first 8 bytes of each text's SHA-256, big-endian, without the highest bit."""
    hashed, number = hashlib.sha256, int.from_bytes  # a million times
    return [number(hashed(text.encode()).digest()[:8], "big") & _POSITIVE for text in texts]


def _frame(table: pa.Table) -> pl.DataFrame:
    frame = pl.from_arrow(table)
    assert isinstance(frame, pl.DataFrame)
    return frame
