"""The exact-text cache: a text embedded once, in any project, is never embedded again (J-33).

One SQLite file per model profile and role, keyed by the SHA-256 of the exact text. Any number of
processes may share it. It is only ever a help: a damaged file is dropped and begun anew, and where
it cannot be read or written, work goes on without it; both are logged.
"""

import contextlib
import json
import logging
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import filelock
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from codequarry.core.columns import Texts, strings
from codequarry.core.hashing import sha256_hex
from codequarry.embedding.provider import Embedder, Profile, Vectors

Role = Literal["document", "query"]

_LOG = logging.getLogger(__name__)
_WAIT_SECONDS = 10.0
_KEYS_AT_ONCE = 4096
_NORM_TOLERANCE = 1e-3
_REQUESTS_A_STEP = 16
_LARGEST_STEP = 8192
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
# Large pages hold many vectors; the write-ahead log keeps readers and the writer apart.
_SET_UP = """
    PRAGMA page_size = 16384;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA wal_autocheckpoint = 4000;
    CREATE TABLE IF NOT EXISTS vectors (hash TEXT PRIMARY KEY, vector BLOB NOT NULL);
"""
_SELECT = """
    SELECT wanted.key, vectors.vector
    FROM json_each(?) AS wanted CROSS JOIN vectors ON vectors.hash = wanted.value
"""


@dataclass(frozen=True)
class Cached:
    """What the cache knew of some hashes.

    Args:
        found: bool (hashes,).
        vectors: float32 (hashes, dimensions); zero where not found.
    """

    found: npt.NDArray[np.bool_]
    vectors: Vectors


@dataclass(frozen=True)
class EmbedResult:
    """The vectors of a column, and what they cost.

    Args:
        vectors: float32 (rows, dimensions).
        embedded: Distinct texts that went through the model.
        reused: Rows whose vector came from the cache or from an equal row.
    """

    vectors: Vectors
    embedded: int
    reused: int

    @property
    def column(self) -> pa.FixedSizeListArray:
        """The vectors as an Arrow column, without a copy."""
        return pa.FixedSizeListArray.from_arrays(
            pa.array(self.vectors.reshape(-1)), self.vectors.shape[1]
        )


class EmbeddingCache:
    """The vectors of one model profile in one role; for one thread at a time.

    Args:
        directory: ``StateDirectory.cache``; created when absent.
        profile: The model's profile, without a chunk profile.
        role: Documents and queries may have different vectors.
    """

    def __init__(self, directory: Path, profile: Profile, role: Role = "document") -> None:
        self._directory = directory / "embeddings"
        self._name = sha256_hex(f"{profile.profile_id}\0{role}")[:32]
        self._dimensions = profile.dimensions
        self._connection: sqlite3.Connection | None = None
        self._attempt_open()

    @property
    def usable(self) -> bool:
        """Whether it works, or has been given up for this process."""
        return self._connection is not None

    def get_many(self, hashes: pa.Array) -> Cached:
        """Look up vectors.

        Args:
            hashes: string (n,): SHA-256 of each text, hexadecimal.
        """
        vectors = np.zeros((len(hashes), self._dimensions), np.float32)
        found = np.zeros(len(hashes), np.bool_)
        for start in range(0, len(hashes), _KEYS_AT_ONCE):
            keys = json.dumps(hashes.slice(start, _KEYS_AT_ONCE).to_pylist())
            rows = [row for row in self._select(keys) if len(row[1]) == self._dimensions * 4]
            if rows:
                positions = np.array([row[0] for row in rows]) + start
                raw = b"".join(row[1] for row in rows)
                read = np.frombuffer(raw, "<f4").reshape(-1, self._dimensions)
                sound = _sound(read)
                vectors[positions[sound]] = read[sound]
                found[positions[sound]] = True
        return Cached(found, vectors)

    def put_many(self, hashes: pa.Array, vectors: Vectors) -> None:
        """Keep vectors, in one transaction; a failure loses them and nothing else.

        Args:
            hashes: string (n,): SHA-256 of each text, hexadecimal.
            vectors: float32 (n, dimensions).
        """
        if self._connection is None or not len(hashes):
            return
        keys = hashes.to_pylist()
        width = self._dimensions * 4
        raw = memoryview(np.ascontiguousarray(vectors, "<f4").tobytes())
        # In key order each page of the index is visited once.
        order = sorted(range(len(keys)), key=keys.__getitem__)
        rows = ((keys[i], raw[i * width : (i + 1) * width]) for i in order)
        try:
            with self._connection:
                self._connection.execute("BEGIN IMMEDIATE")
                self._connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)
        except sqlite3.Error as error:
            self._recover(error)

    def close(self) -> None:
        """Close the file."""
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None

    def _select(self, keys: str) -> list[tuple[int, bytes]]:
        if self._connection is None:
            return []
        try:
            return self._connection.execute(_SELECT, (keys,)).fetchall()
        except sqlite3.Error as error:
            self._recover(error)
            return []

    def _attempt_open(self) -> None:
        try:
            self._open()
        except (OSError, sqlite3.Error, filelock.Timeout) as error:
            self._recover(error)

    def _open(self) -> None:
        self._directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        with self._lock():
            self._connection = sqlite3.connect(
                self._file(self._generation()),
                timeout=_WAIT_SECONDS,
                isolation_level=None,
                check_same_thread=False,
            )
            self._connection.executescript(_SET_UP)
            self._connection.execute("SELECT hash, vector FROM vectors LIMIT 1").fetchall()

    def _recover(self, error: Exception) -> None:
        """Begin a damaged file anew; give up on anything else."""
        self.close()
        code = getattr(error, "sqlite_errorcode", None)
        if code is None or code & 0xFF not in _DAMAGED:
            _LOG.warning("working without the embedding cache in %s: %s", self._directory, error)
            return
        _LOG.warning("the embedding cache in %s was damaged and is begun anew", self._directory)
        try:
            self._drop()
            self._open()
        except (OSError, sqlite3.Error, filelock.Timeout) as second:
            self.close()
            _LOG.warning("working without the embedding cache in %s: %s", self._directory, second)

    def _drop(self) -> None:
        """Leave the damaged file's name for ever: another process may still have it open."""
        with self._lock():
            generation = self._generation()
            self._file(generation + 1).touch()
            for suffix in ("", "-wal", "-shm"):
                damaged = self._file(generation)
                damaged.with_name(damaged.name + suffix).unlink(missing_ok=True)

    def _lock(self) -> filelock.BaseFileLock:
        return filelock.FileLock(self._directory / f"{self._name}.lock", timeout=_WAIT_SECONDS)

    def _file(self, generation: int) -> Path:
        return self._directory / f"{self._name}.{generation}.sqlite"

    def _generation(self) -> int:
        present = [path.name.split(".") for path in self._directory.glob(f"{self._name}.*.sqlite")]
        return max((int(parts[1]) for parts in present if parts[1].isdecimal()), default=0)


def embed_with_cache(
    embedder: Embedder, cache: EmbeddingCache | None, texts: Texts, hashes: Texts
) -> EmbedResult:
    """Embed what the cache does not know, and tell it; work done survives a failure half-way.

    Args:
        embedder: The model.
        cache: Its cache in the role of documents, or ``None``.
        texts: string (rows,).
        hashes: string (rows,): SHA-256 of each text, hexadecimal.

    Raises:
        EmbeddingError: The provider failed.
    """
    column = strings(texts)
    encoded = strings(hashes).dictionary_encode()
    unique = encoded.dictionary
    codes = encoded.indices.to_numpy()
    _, first_rows = np.unique(codes, return_index=True)
    if cache is None:
        vectors = np.zeros((len(unique), embedder.profile.dimensions), np.float32)
        missing = np.arange(len(unique))
    else:
        cached = cache.get_many(unique)
        vectors, missing = cached.vectors, np.flatnonzero(~cached.found)
    step = min(_LARGEST_STEP, _REQUESTS_A_STEP * embedder.max_items)
    for start in range(0, len(missing), step):
        chosen = missing[start : start + step]
        vectors[chosen] = embedder.embed_documents(column.take(pa.array(first_rows[chosen])))
        if cache is not None:
            cache.put_many(unique.take(pa.array(chosen)), vectors[chosen])
    if len(unique) < len(column):
        vectors = vectors[codes]
    return EmbedResult(vectors, len(missing), len(column) - len(missing))


def _sound(vectors: Vectors) -> npt.NDArray[np.bool_]:
    """Tell which vectors have unit length, or are zero, as every provider's do."""
    with np.errstate(over="ignore", invalid="ignore"):
        norms = np.linalg.norm(vectors, axis=1)
    return np.asarray((np.abs(norms - 1) < _NORM_TOLERANCE) | (norms == 0))
