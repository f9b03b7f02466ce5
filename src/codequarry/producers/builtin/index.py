"""The producer's persistent index: what ``codemap index`` is to codemap.

One file per project, ``<state>/producer/<Key B>/index.arrow``: a magic line, the SHA-256 of the
rest, then two Arrow IPC streams, files and records. One file, so that one rename replaces both.
"""

import bisect
import hashlib
import io
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from codequarry.core.files import atomic_writer
from codequarry.core.hashing import EXPORT_ORDER, FINGERPRINT_FIELDS, index_fingerprint
from codequarry.core.text import ascending
from codequarry.schemas.documents import ReindexDelta
from codequarry.schemas.tables import RECORDS

FIELDS = FINGERPRINT_FIELDS

SYMBOLS = pa.schema([RECORDS.field(name) for name in FIELDS])
FILES = pa.schema(
    [
        pa.field("path", pa.string(), nullable=False),
        pa.field("sha256", pa.string(), nullable=False),
        pa.field("failure", pa.string(), nullable=False, metadata={"unit": "empty when extracted"}),
    ]
)
_MAGIC = b"codequarry producer index 1\n"
_DIGEST_BYTES = hashlib.sha256().digest_size
_HEADER = b"codequarry"


class _Header(msgspec.Struct, frozen=True):
    project: str
    extractor_version: str
    fingerprint: str
    delta: ReindexDelta | None = None


@dataclass(frozen=True)
class ProducerIndex:
    """Everything that an export says, except the content of files.

    Args:
        project: The project's name when it was indexed.
        extractor_version: What extracted the records.
        fingerprint: The index fingerprint (contract.md C2).
        files: Table `FILES`, ascending by the bytes of ``path``.
        records: Table `SYMBOLS`, in export order (A1.3), strings in full.
        delta: What the latest index run changed (A4).
    """

    project: str
    extractor_version: str
    fingerprint: str
    files: pa.Table
    records: pa.Table
    delta: ReindexDelta | None = None


def in_export_order(records: pa.Table) -> pa.Table:
    """Sort records as an export lists them; Arrow compares strings by their bytes (A1.3)."""
    return records.sort_by([(name, "ascending") for name in EXPORT_ORDER])


def spliced(records: pa.Table, gone: Collection[str], fresh: pa.Table) -> pa.Table:
    """Put records of some files in place of the old ones, without sorting or copying the rest.

    Args:
        records: Table `SYMBOLS`, in export order.
        gone: The files whose records are dropped.
        fresh: Table `SYMBOLS`, in export order, of files in ``gone`` or new ones.
    """
    before, after = _Runs(records["file"]), _Runs(fresh["file"])
    pieces, kept_to = [], 0
    for path in ascending({*gone, *after.paths}):
        start, stop = before.rows_of(path)
        pieces.append(records.slice(kept_to, start - kept_to))
        first, last = after.rows_of(path)
        pieces.append(fresh.slice(first, last - first))
        kept_to = stop
    pieces.append(records.slice(kept_to))
    return pa.concat_tables([SYMBOLS.empty_table(), *(piece for piece in pieces if len(piece))])


class _Runs:
    """Where each file's records lie in a column of paths that ascends by bytes."""

    def __init__(self, column: pa.ChunkedArray) -> None:
        encoded = pc.run_end_encode(column.combine_chunks())
        self.paths: list[str] = encoded.values.to_pylist()
        self._keys = [path.encode() for path in self.paths]
        self._ends = [0, *encoded.run_ends.to_pylist()]

    def rows_of(self, path: str) -> tuple[int, int]:
        """Give the first row and the one behind the last: where they would be, if none are."""
        place = bisect.bisect_left(self._keys, path.encode())
        found = place < len(self.paths) and self.paths[place] == path
        return self._ends[place], self._ends[place + found]


def fingerprint_of(project_key: str, records: pa.Table) -> str:
    """Give the index fingerprint of records in export order.

    Args:
        project_key: Key A.
        records: Table `SYMBOLS`.
    """
    return index_fingerprint(project_key, [records[name] for name in FIELDS])


def save(index: ProducerIndex, path: Path) -> None:
    """Write an index in place of the one at ``path``.

    Raises:
        StateError: It cannot be written.
    """
    header = _Header(index.project, index.extractor_version, index.fingerprint, index.delta)
    files = index.files.replace_schema_metadata({_HEADER: msgspec.json.encode(header)})
    with atomic_writer(path) as handle:
        handle.write(_MAGIC + bytes(_DIGEST_BYTES))
        body = _Hashing(handle)
        for table in (files, index.records):
            with pa.ipc.new_stream(body, table.schema) as writer:
                writer.write_table(table)
        handle.seek(len(_MAGIC))
        handle.write(body.digest.digest())


class _Hashing(io.RawIOBase):
    """Passes on what is written, and hashes it on the way."""

    def __init__(self, handle: IO[bytes]) -> None:
        self._handle = handle
        self.digest = hashlib.sha256()

    def writable(self) -> bool:
        return True

    def write(self, content: Any) -> int:
        self.digest.update(content)
        return self._handle.write(content)


def load(path: Path) -> ProducerIndex | None:
    """Read an index, mapped and not copied; ``None`` when there is none, or none that is whole."""
    try:
        with pa.memory_map(str(path)) as mapped:
            content = mapped.read_buffer()
    except (OSError, pa.ArrowInvalid):
        return None
    start = len(_MAGIC) + _DIGEST_BYTES
    body = content.slice(min(start, content.size))
    if content[:start].to_pybytes() != _MAGIC + hashlib.sha256(body).digest():
        return None
    try:
        source = pa.BufferReader(body)
        files = pa.ipc.open_stream(source).read_all()
        records = pa.ipc.open_stream(source).read_all()
        header = msgspec.json.decode((files.schema.metadata or {})[_HEADER], type=_Header)
    except (pa.ArrowInvalid, KeyError, msgspec.MsgspecError):
        return None
    if not files.schema.equals(FILES) or not records.schema.equals(SYMBOLS):
        return None
    return ProducerIndex(
        header.project, header.extractor_version, header.fingerprint, files, records, header.delta
    )
