"""Hashes of files that did not change since they were last read, told from their status.

An entry holds when path, size, mtime, ctime and inode are all the same, and when it was safe to
learn: a file whose mtime or ctime lay within `GRANULARITY_NS` before the scan that read it, or
after it, could change again without its status changing, so it is read again (git calls such an
entry racy). A clock that was put back makes every entry unsafe, and all are dropped.

What no status tells, this cannot see: pages written through a memory map that stay dirty, a file
server whose clock lies behind ours by more than the granularity. Runs with ``--full`` and the
nightly ones read every file.
"""

import contextlib
import hashlib
import os
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from codequarry import __version__
from codequarry.core.errors import StateError
from codequarry.core.files import write_atomically
from codequarry.core.hashing import evidence_key
from codequarry.core.memory import uncollected
from codequarry.core.state import StateDirectory

GRANULARITY_NS = 2_000_000_000
"""The coarsest time stamps in use: two seconds, on FAT."""

_SHA256 = 32
_COLUMNS = pa.schema(
    [
        pa.field("os_path", pa.binary(), nullable=False),
        pa.field("size", pa.int64(), nullable=False),
        pa.field("mtime_ns", pa.int64(), nullable=False),
        pa.field("ctime_ns", pa.int64(), nullable=False),
        pa.field("inode", pa.uint64(), nullable=False),
        pa.field("sha256", pa.string(), nullable=False),
    ]
)
# Another version may judge files otherwise, and an entry stands for "judged, and eligible".
_VERSION = {b"codequarry": __version__.encode(), b"hash_cache": b"2"}
_STARTED = b"started_ns"


class Entry(NamedTuple):
    """What is remembered of a file: size, mtime, ctime and inode, and its hexadecimal SHA-256."""

    status: tuple[int, int, int, int]
    sha256: str


class StatusHashes:
    """The remembered hashes of one project during one scan; implements `HashCache`.

    Safe to ask from threads: what was loaded is only read, and storing into a dict is atomic.

    Args:
        path: The cache file.
        fresh: Whether to read every file, and only learn.
        now: Gives the time in nanoseconds since 1970.
    """

    def __init__(
        self, path: Path, *, fresh: bool = False, now: Callable[[], int] = time.time_ns
    ) -> None:
        self._path = path
        self._now = now
        self._started = now()
        started, self._table = _load(path)
        self._stored = _entries(self._table)
        self._put_back = started > self._started
        self._usable = {} if fresh or self._put_back else self._stored
        self._seen: dict[bytes, Entry] = {}

    def known(self, os_path: bytes, status: os.stat_result) -> str | None:
        """Give the SHA-256 of an eligible file seen with this very status, or ``None``."""
        entry = self._usable.get(os_path)
        if entry is None or entry.status != _status(status):
            return None
        self._seen[os_path] = entry
        return entry.sha256

    def learn(self, os_path: bytes, status: os.stat_result, sha256: str) -> None:
        """Remember an eligible file, unless its status is too young to be trusted.

        Args:
            os_path: Below the root, as the file system spells it.
            status: Taken before the file was read.
            sha256: Of its bytes.
        """
        if max(status.st_mtime_ns, status.st_ctime_ns) + GRANULARITY_NS <= self._started:
            self._seen[os_path] = Entry(_status(status), sha256)

    def save(self) -> None:
        """Write what this scan saw, when the scan has seen all; files not seen are forgotten.

        A cache that cannot be written is only slower the next time, so that is no error.
        """
        now = self._now()
        put_back = self._put_back or now < self._started
        if self._seen == self._stored and not put_back:
            return
        table = self._learnt() if now >= self._started else _COLUMNS.empty_table()
        with contextlib.suppress(StateError):
            write_atomically(self._path, _encoded(table, min(now, self._started)))

    def _learnt(self) -> pa.Table:
        """Give what this scan saw: the rows that were stored and still hold, and the new ones."""
        stored, seen = self._stored, self._seen
        new = {path: entry for path, entry in seen.items() if stored.get(path) != entry}
        replaced = pa.array([*new, *(stored.keys() - seen.keys())], pa.binary())
        kept = self._table.filter(pc.invert(pc.is_in(self._table["os_path"], replaced)))
        return pa.concat_tables([kept, _rows(new)])


@contextlib.contextmanager
def remembered(state: StateDirectory, root: Path, *, fresh: bool = False) -> Iterator[StatusHashes]:
    """Open a project's remembered hashes for one scan, and save them when the block ends well.

    Args:
        state: The state directory.
        root: The project's directory.
        fresh: Whether to read every file, and only learn.
    """
    hashes = StatusHashes(cache_path(state, root), fresh=fresh)
    yield hashes
    hashes.save()


def cache_path(state: StateDirectory, root: Path) -> Path:
    """Give the cache file of the project at ``root``."""
    return state.cache / "hashes" / f"{evidence_key(root)}.arrow"


def _status(status: os.stat_result) -> tuple[int, int, int, int]:
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino


@uncollected()
def _rows(entries: Mapping[bytes, Entry]) -> pa.Table:
    statuses, hashes = zip(*entries.values(), strict=True) if entries else ((), ())
    columns = [list(entries), *(zip(*statuses, strict=True) if entries else [()] * 4), hashes]
    arrays = [pa.array(column, kind) for column, kind in zip(columns, _COLUMNS.types, strict=True)]
    return pa.table(arrays, schema=_COLUMNS)


@uncollected()
def _entries(table: pa.Table) -> dict[bytes, Entry]:
    os_paths, hashes = table["os_path"].to_pylist(), table["sha256"].to_pylist()
    statuses = zip(*(table[name].to_numpy().tolist() for name in _COLUMNS.names[1:5]), strict=True)
    return dict(zip(os_paths, map(Entry, statuses, hashes), strict=True))


def _encoded(table: pa.Table, started: int) -> bytes:
    schema = _COLUMNS.with_metadata({**_VERSION, _STARTED: str(started).encode()})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, schema) as writer:
        writer.write_table(table.combine_chunks())
    body: bytes = sink.getvalue().to_pybytes()
    # Arrow checks no content: a flipped bit would be a wrong hash that nobody notices.
    return hashlib.sha256(body).digest() + body


def _load(path: Path) -> tuple[int, pa.Table]:
    """Read a cache file: when its scan started, and its rows; none when it is unusable."""
    nothing = 0, _COLUMNS.empty_table()
    try:
        raw = path.read_bytes()
    except OSError:
        return nothing
    body = memoryview(raw)[_SHA256:]
    if hashlib.sha256(body).digest() != raw[:_SHA256]:
        return nothing
    table = pa.ipc.open_stream(pa.py_buffer(body)).read_all()
    metadata = dict(table.schema.metadata or {})
    started = int(metadata.pop(_STARTED, b"0"))
    if metadata != _VERSION or not table.schema.equals(_COLUMNS):
        return nothing
    return started, table.replace_schema_metadata()
