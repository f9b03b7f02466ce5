"""Step 6: one vector per chunk."""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from codequarry.core.changeset import Changeset, ChangesetStream
from codequarry.embedding.cache import EmbeddingCache, embed_with_cache
from codequarry.embedding.provider import Embedder
from codequarry.runs.chunks import CHUNKS_TABLE
from codequarry.schemas.tables import vectors as vectors_schema

VECTORS_TABLE = "vectors"
BATCH_ROWS = 8_192

_NORM_TOLERANCE = 1e-3


def embed_chunks(chunks: Changeset, embedder: Embedder, cache: EmbeddingCache) -> ChangesetStream:
    """Embed every chunk's text, or take its vector from the cache.

    Raises:
        EmbeddingError: The provider failed.
    """
    table = chunks.tables[CHUNKS_TABLE]
    schema = vectors_schema(embedder.profile.dimensions)
    counts = {"texts_embedded": 0, "texts_reused": 0}

    def batches() -> Iterator[tuple[str, pa.RecordBatch]]:
        for start in range(0, table.num_rows, BATCH_ROWS):
            part = table.select(["chunk_id", "embedding_text", "text_hash"]).slice(
                start, BATCH_ROWS
            )
            part = part.combine_chunks()
            result = embed_with_cache(
                embedder, cache, _one(part["embedding_text"]), _one(part["text_hash"])
            )
            counts["texts_embedded"] += result.embedded
            counts["texts_reused"] += result.reused
            yield VECTORS_TABLE, _batch(_one(part["chunk_id"]), result.vectors, schema)

    notes = {"profile_id": embedder.profile.profile_id}
    return ChangesetStream(
        chunks.header, {VECTORS_TABLE: schema}, batches(), lambda: {**notes, **counts}
    )


def _one(column: pa.ChunkedArray) -> pa.Array:
    return column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)


def _batch(keys: pa.Array, vectors: np.ndarray, schema: pa.Schema) -> pa.RecordBatch:
    kind = schema.field("vector").type
    flat = pa.array(np.ascontiguousarray(vectors, np.float32).reshape(-1))
    rows = pa.FixedSizeListArray.from_arrays(flat, type=kind)
    return pa.RecordBatch.from_arrays([keys, rows], schema=schema)


def unsound_vectors(stored: Changeset) -> list[str]:
    """Give the chunks whose vector is not finite, or neither of unit length nor zero."""
    problems: list[str] = []
    for batch in stored.tables[VECTORS_TABLE].to_batches():
        if not batch.num_rows:
            continue
        column = batch.column("vector")
        matrix = column.flatten().to_numpy().reshape(batch.num_rows, -1)
        norms = np.linalg.norm(matrix.astype(np.float64), axis=1)
        sound = np.isfinite(norms) & ((np.abs(norms - 1) < _NORM_TOLERANCE) | (norms == 0))
        wrong = batch.column("chunk_id").filter(pa.array(~sound)).to_pylist()
        problems += [f"chunk {key}" for key in wrong[:10]]
    return problems


def missing_vectors(stored: Changeset, chunks: Changeset) -> list[str]:
    """Tell when vectors and chunks are not one to one, in the same order."""
    have, want = stored.tables[VECTORS_TABLE]["chunk_id"], chunks.tables[CHUNKS_TABLE]["chunk_id"]
    return [] if have.equals(want) else [f"{len(have)} vectors for {len(want)} chunks"]
