"""Rows of the stored chunks table: chunks, their code words, their vectors."""

import hashlib
from collections.abc import Iterator

import polars as pl
import pyarrow as pa

from codequarry.core.errors import IndexStateError
from codequarry.core.words import search_documents
from codequarry.schemas import tables as shapes

WORDS_VERSION = "words-v1"
BATCH_ROWS = 4_096

_HASHED = (
    "path",
    "language",
    "chunk_index",
    "start_line",
    "end_line",
    "start_byte",
    "end_byte",
    "chunk_type",
    "origin",
    "symbol_name",
    "text_hash",
    "source_hash",
)


def stored_chunks(
    chunks: pa.Table, vectors: pa.Table, dimensions: int, profile_id: str
) -> pa.RecordBatchReader:
    """Join chunks with their vectors and words, a batch at a time.

    Args:
        chunks: schemas.tables.CHUNKS.
        vectors: schemas.tables.vectors(dimensions), row for row in the order of ``chunks``.
        dimensions: Width of a vector.
        profile_id: The embedding profile; part of each row's hash.

    Raises:
        IndexStateError: Vectors and chunks do not belong together.
    """
    if not chunks["chunk_id"].equals(vectors["chunk_id"]):
        raise IndexStateError(
            "the vectors of this run do not belong to its chunks", "run the whole job again"
        )
    schema = shapes.stored_chunks(dimensions)
    return pa.RecordBatchReader.from_batches(schema, _batches(chunks, vectors, schema, profile_id))


def _batches(
    chunks: pa.Table, vectors: pa.Table, schema: pa.Schema, profile_id: str
) -> Iterator[pa.RecordBatch]:
    for start in range(0, chunks.num_rows, BATCH_ROWS):
        part = chunks.slice(start, BATCH_ROWS).combine_chunks()
        columns = {
            **{name: part[name] for name in part.schema.names},
            "words": search_documents(part["content"], part["path"], part["symbol_name"]),
            "row_hash": row_hashes(part, profile_id),
            "vector": vectors["vector"].slice(start, BATCH_ROWS),
        }
        table = pa.table([columns[field.name] for field in schema], schema=schema)
        yield from table.combine_chunks().to_batches()


def row_hashes(chunks: pa.Table, profile_id: str) -> pa.Array:
    """Hash what identifies a stored row's content: 32 hexadecimal digits a row."""
    joined = pl.from_arrow(chunks.select(list(_HASHED)))
    assert isinstance(joined, pl.DataFrame)
    texts = joined.select(pl.concat_str(pl.all(), separator="\x1f")).to_series()
    seed = hashlib.sha256(f"{WORDS_VERSION}\0{profile_id}\0".encode())
    return pa.array([_extended(seed, text) for text in texts.to_list()], pa.string())


def _extended(seed: "hashlib._Hash", text: str) -> str:
    digest = seed.copy()
    digest.update(text.encode("utf-8"))
    return digest.hexdigest()[:32]
