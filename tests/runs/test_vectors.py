"""Step 6 and its checks: one sound vector a chunk, in the chunks' order."""

from contextlib import closing
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from codequarry.core import changeset
from codequarry.core.changeset import Changeset, Header, tables
from codequarry.core.hashing import sha256_hex
from codequarry.embedding.cache import EmbeddingCache
from codequarry.embedding.settings import EmbeddingSettings, make_embedder
from codequarry.runs.vectors import embed_chunks, missing_vectors, unsound_vectors
from codequarry.schemas.tables import vectors as vectors_schema

HEADER = Header(attempt_id="a" * 32, project="demo", root="/r")
TEXTS = ["parse a file", "open the door", "parse a file", "!!!"]


@pytest.fixture
def chunks() -> Changeset:
    table = pa.table(
        {
            "chunk_id": pa.array([4, 3, 2, 1], pa.int64()),
            "embedding_text": TEXTS,
            "text_hash": [sha256_hex(text) for text in TEXTS],
        }
    )
    return Changeset(HEADER, {"chunks": table})


def vectors(keys: list[int], matrix: np.ndarray) -> Changeset:
    """Make a changeset of vectors."""
    schema = vectors_schema(matrix.shape[1])
    rows = [
        {"chunk_id": key, "vector": row.tolist()} for key, row in zip(keys, matrix, strict=True)
    ]
    return Changeset(HEADER, {"vectors": pa.Table.from_pylist(rows, schema=schema)})


def test_embedding(tmp_path: Path, chunks: Changeset) -> None:
    """Every chunk has its vector; a text seen before is not embedded again."""
    embedder = make_embedder(EmbeddingSettings())
    counted = []
    for attempt in ("first", "second"):
        with closing(EmbeddingCache(tmp_path / "cache", embedder.profile)) as cache:
            changeset.write(tmp_path / attempt, embed_chunks(chunks, embedder, cache))
        stored = changeset.read(tmp_path / attempt)
        counted.append((stored.notes["texts_embedded"], stored.notes["texts_reused"]))
        assert unsound_vectors(stored) == []
        assert missing_vectors(stored, chunks) == []
        rows = stored.tables["vectors"]["vector"].to_pylist()
        assert rows[0] == rows[2] != rows[1]
    assert counted == [(3, 1), (0, 4)]


def test_unsound_vectors() -> None:
    """Not a number, infinite and not of unit length are each named by chunk; zero may be."""
    sound = np.array([[1, 0], [0.6, 0.8], [0, 0]], np.float32)
    assert unsound_vectors(vectors([1, 2, 3], sound)) == []
    broken = np.array([[np.nan, 0], [np.inf, 0], [0.5, 0.5], [1, 0]], np.float32)
    assert unsound_vectors(vectors([1, 2, 3, 4], broken)) == ["chunk 1", "chunk 2", "chunk 3"]


@pytest.mark.parametrize("keys", [[4, 3, 2], [1, 2, 3, 4], [4, 3, 2, 1, 1], [4, 3, 2, 9], []])
def test_missing_vectors(chunks: Changeset, keys: list[int]) -> None:
    """One vector too few, too many, of another chunk or in another order is noticed."""
    wrong = vectors(keys, np.ones((len(keys), 1), np.float32))
    assert len(missing_vectors(wrong, chunks)) == 1
    right = vectors([4, 3, 2, 1], np.ones((4, 1), np.float32))
    assert missing_vectors(right, chunks) == []


def test_nothing_to_embed(tmp_path: Path, chunks: Changeset) -> None:
    """A run without chunks writes an empty table of the right width."""
    embedder = make_embedder(EmbeddingSettings())
    none = Changeset(HEADER, {"chunks": chunks.tables["chunks"].slice(0, 0)})
    with closing(EmbeddingCache(tmp_path / "cache", embedder.profile)) as cache:
        changeset.write(tmp_path / "out", embed_chunks(none, embedder, cache))
    stored = changeset.read(tmp_path / "out")
    assert stored.tables["vectors"].num_rows == 0
    assert missing_vectors(stored, none) == []
    assert tables(HEADER, {}).notes() == {}
