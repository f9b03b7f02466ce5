"""Rows of the stored chunks table: chunks, their code words, cards and vectors."""

import hashlib
from collections.abc import Iterator

import msgspec
import pyarrow as pa

from codequarry.core.errors import IndexStateError
from codequarry.core.words import search_documents
from codequarry.index.cards import cards
from codequarry.schemas import tables as shapes

WORDS_VERSION = "words-v1"
BATCH_ROWS = 4_096

_HASHED = ("start_byte", "end_byte", "text_hash")
"""Beside the card, which holds the other columns."""


def stored_chunks(
    chunks: pa.Table, vectors: pa.Table, dimensions: int, profile_id: str
) -> pa.RecordBatchReader:
    """Join chunks with their vectors, words and cards, a batch at a time.

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
        written = cards(part)
        columns = {
            **{name: part[name] for name in part.schema.names},
            "words": search_documents(part["content"], part["path"], part["symbol_name"]),
            "card": written,
            "row_hash": row_hashes(part, written, profile_id),
            "vector": vectors["vector"].slice(start, BATCH_ROWS),
        }
        table = pa.table([columns[field.name] for field in schema], schema=schema)
        yield from table.combine_chunks().to_batches()


def row_hashes(chunks: pa.Table, written: pa.BinaryArray, profile_id: str) -> pa.Array:
    """Hash what identifies a stored row's content: 32 hexadecimal digits a row.

    Args:
        chunks: schemas.tables.CHUNKS.
        written: Their cards.
        profile_id: The embedding profile.
    """
    seed = hashlib.sha256(f"{WORDS_VERSION}\0{profile_id}\0".encode())
    rows = zip(written.to_pylist(), *(chunks[name].to_pylist() for name in _HASHED), strict=True)
    return pa.array([_extended(seed, msgspec.msgpack.encode(row)) for row in rows], pa.string())


def _extended(seed: "hashlib._Hash", content: bytes) -> str:
    digest = seed.copy()
    digest.update(content)
    return digest.hexdigest()[:32]
