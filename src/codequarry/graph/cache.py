"""What files mention, kept from run to run: a file is parsed once for each content it ever has.

One SQLite file per project, keyed by content, grammar and extractor. Any number of processes may
share it. It is only ever a help: a damaged file is dropped and begun anew, and where it cannot be
read or written, a temporary one stands in for the run; both are logged.
"""

import contextlib
import functools
import hashlib
import itertools
import logging
import sqlite3
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import filelock
import numpy as np
import numpy.typing as npt

from codequarry.core.hashing import sha256_hex
from codequarry.syntax.versions import reader_version

_LOG = logging.getLogger(__name__)
_WAIT_SECONDS = 10.0
_HASH_DIGITS = 64
_SPARE_CONTENTS = 4
_SPARE_FEW = 1000
_BLOCK = 10_000
_FEW = 1_000
_TEMPORARY = ""
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
# What is scanned and what is looked up lie apart, so that a scan reads little.
_SET_UP = """
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS mentions (key BLOB PRIMARY KEY, packed BLOB NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS asked (
        key BLOB PRIMARY KEY, keys BLOB NOT NULL, failure TEXT NOT NULL
    ) WITHOUT ROWID;
"""


class Entry(NamedTuple):
    """What is kept of one content.

    Args:
        key: Of `content_key`.
        packed: What it mentions (`codequarry.graph.packing`); nothing after a failure.
        asked: What its edges may hang on (`codequarry.graph.asking`); nothing after a failure.
        failure: Why it could not be parsed, or empty.
    """

    key: bytes
    packed: bytes
    asked: bytes
    failure: str = ""


def content_key(extractor: bytes, grammar: str, sha256: str) -> bytes:
    """Give the key of a content; empty when its hash is unknown, so that nothing is kept of it."""
    if len(sha256) != _HASH_DIGITS:
        return b""
    return _reader_key(extractor, grammar) + bytes.fromhex(sha256)


@functools.cache
def _reader_key(extractor: bytes, grammar: str) -> bytes:
    return hashlib.blake2b(grammar.encode(), key=extractor, digest_size=8).digest()


class MentionsCache:
    """The mentions of one project's files; for one thread at a time.

    Args:
        directory: ``StateDirectory.graph``, created when absent; ``None`` for a temporary cache.
        project: The project's name.
    """

    def __init__(self, directory: Path | None, project: str = "") -> None:
        self._directory = directory
        self._name = sha256_hex(project)[:32]
        self.extractor = reader_version(__package__)
        self._connection = self._opened()

    def known(self, *, failed: bool, among: Collection[bytes] | None = None) -> set[bytes]:
        """Give the keys of all contents, or of those among some at least.

        Args:
            failed: Whether those that could not be parsed count.
            among: The keys that matter; a few are looked up one by one.
        """
        wanted = "SELECT key FROM asked WHERE (failure = '' OR ?)"
        if among is None or len(among) > _FEW:
            return {row[0] for row in self._rows(wanted, failed)}
        found = (self._rows(f"{wanted} AND key = ?", failed, key) for key in among)
        return {row[0] for rows in found for row in rows}

    def read(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Give what contents mention, packed."""
        found: dict[bytes, bytes] = {}
        for key in keys:
            found.update(self._rows("SELECT key, packed FROM mentions WHERE key = ?", key))
        return found

    def untouched(self, *groups: Iterable[int]) -> list[set[bytes]]:
        """Give, for each group of checksums, the contents that surely ask for none of it.

        Args:
            groups: Of asks and words (`codequarry.graph.asking`).
        """
        wanted = [np.array(sorted(group), dtype="<u4") for group in groups]
        cleared: list[set[bytes]] = [set() for _ in groups]
        for owners, blobs in self._asked():
            sound, hits = _holders(blobs, wanted)
            for found, hit in zip(cleared, hits, strict=True):
                clear = (sound & ~hit).tolist()
                found.update(itertools.compress(owners, clear))
        return cleared

    def write(self, entries: Sequence[Entry]) -> None:
        """Keep contents, in one transaction; a failure loses them and nothing else."""
        rows = sorted(entry for entry in entries if entry.key)
        try:
            with self._connection:
                self._connection.execute("BEGIN IMMEDIATE")
                self._connection.executemany(
                    "INSERT OR REPLACE INTO mentions VALUES (?, ?)", (row[:2] for row in rows)
                )
                self._connection.executemany(
                    "INSERT OR REPLACE INTO asked VALUES (?, ?, ?)",
                    ((row.key, row.asked, row.failure) for row in rows),
                )
        except sqlite3.Error as error:
            self._recover(error)

    def prune(self, kept: set[bytes]) -> None:
        """Forget contents that are not ``kept``, once they are several times as many."""
        known = self.known(failed=True)
        if len(known) <= _SPARE_CONTENTS * len(kept) + _SPARE_FEW:
            return
        gone = [(key,) for key in sorted(known - kept)]
        try:
            with self._connection:
                self._connection.execute("BEGIN IMMEDIATE")
                self._connection.executemany("DELETE FROM mentions WHERE key = ?", gone)
                self._connection.executemany("DELETE FROM asked WHERE key = ?", gone)
        except sqlite3.Error as error:
            self._recover(error)

    def close(self) -> None:
        """Close the file."""
        with contextlib.suppress(sqlite3.Error):
            self._connection.close()

    def _asked(self) -> Iterator[tuple[list[bytes], list[bytes]]]:
        rows = self._rows("SELECT key, keys FROM asked")
        rows = [row for row in rows if type(row[1]) is bytes and row[1] and not len(row[1]) % 4]
        for start in range(0, len(rows), _BLOCK):
            owners, blobs = zip(*rows[start : start + _BLOCK], strict=True)
            yield list(owners), list(blobs)

    def _rows(self, query: str, *parameters: bytes | bool) -> list[tuple[bytes, bytes]]:
        try:
            return self._connection.execute(query, parameters).fetchall()
        except sqlite3.Error as error:
            self._recover(error)
            return []

    def _opened(self) -> sqlite3.Connection:
        try:
            return self._open()
        except (OSError, sqlite3.Error, filelock.Timeout) as error:
            return self._reopened(error)

    def _recover(self, error: Exception) -> None:
        self.close()
        self._connection = self._reopened(error)

    def _open(self) -> sqlite3.Connection:
        if self._directory is None:
            return _connect(_TEMPORARY)
        self._directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        with self._lock(self._directory):
            return _connect(self._file(self._directory, self._generation(self._directory)))

    def _reopened(self, error: Exception) -> sqlite3.Connection:
        """Begin a damaged file anew; make do without one after anything else."""
        code = getattr(error, "sqlite_errorcode", None)
        if self._directory is not None and code is not None and code & 0xFF in _DAMAGED:
            _LOG.warning("the graph cache in %s was damaged and is begun anew", self._directory)
            try:
                self._drop(self._directory)
                return self._open()
            except (OSError, sqlite3.Error, filelock.Timeout) as second:
                error = second
        _LOG.warning("working without the graph cache in %s: %s", self._directory, error)
        self._directory = None
        return self._open()

    def _drop(self, directory: Path) -> None:
        """Leave the damaged file's name for ever: another process may still have it open."""
        with self._lock(directory):
            generation = self._generation(directory)
            self._file(directory, generation + 1).touch()
            for suffix in ("", "-wal", "-shm"):
                damaged = self._file(directory, generation)
                damaged.with_name(damaged.name + suffix).unlink(missing_ok=True)

    def _lock(self, directory: Path) -> filelock.BaseFileLock:
        return filelock.FileLock(directory / f"{self._name}.lock", timeout=_WAIT_SECONDS)

    def _file(self, directory: Path, generation: int) -> Path:
        return directory / f"{self._name}.{generation}.sqlite"

    def _generation(self, directory: Path) -> int:
        present = [path.name.split(".") for path in directory.glob(f"{self._name}.*.sqlite")]
        return max((int(parts[1]) for parts in present if parts[1].isdecimal()), default=0)


def _connect(file: Path | str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        file, timeout=_WAIT_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        connection.executescript(_SET_UP)
        connection.execute("SELECT key, keys, failure FROM asked LIMIT 1").fetchall()
        connection.execute("SELECT key, packed FROM mentions LIMIT 1").fetchall()
    except BaseException:
        connection.close()
        raise
    return connection


def _holders(
    blobs: list[bytes], groups: list[npt.NDArray[np.uint32]]
) -> tuple[npt.NDArray[np.bool_], list[npt.NDArray[np.bool_]]]:
    """Tell which blobs have their checksum, and for each group which hold one of its numbers."""
    numbers = np.frombuffer(b"".join(blobs), "<u4")
    ends = np.cumsum(np.array([len(blob) // 4 for blob in blobs], np.int64))
    checksums = np.array([zlib.crc32(memoryview(blob)[:-4]) for blob in blobs], np.uint32)
    sound = checksums == numbers[ends - 1]
    # One look at all numbers, which are many, for all groups; what it finds is little.
    places = np.flatnonzero(np.isin(numbers, np.concatenate(groups)))
    owners = np.searchsorted(ends, places, side="right")
    hits = []
    for wanted in groups:
        hit = np.zeros(len(blobs), np.bool_)
        hit[owners[np.isin(numbers[places], wanted)]] = True
        hits.append(hit)
    return sound, hits


def forget(directory: Path, project: str) -> None:
    """Remove a project's cache.

    Args:
        directory: ``StateDirectory.graph``.
        project: The project's name.
    """
    for path in directory.glob(f"{sha256_hex(project)[:32]}.*"):
        path.unlink(missing_ok=True)
