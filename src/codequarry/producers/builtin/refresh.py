"""Bring an index up to date with a tree: extract what changed, keep what did not."""

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from codequarry.core.hashing import producer_key
from codequarry.core.memory import uncollected
from codequarry.producers.builtin.index import (
    FILES,
    SYMBOLS,
    ProducerIndex,
    fingerprint_of,
    in_export_order,
    spliced,
)
from codequarry.producers.builtin.indexable import indexable
from codequarry.producers.builtin.jobs import FileJob, extract_file, size_of
from codequarry.producers.builtin.symbols import Symbol
from codequarry.schemas.documents import ReindexDelta
from codequarry.sources.drift import Drift, drift_of, hashes_of
from codequarry.syntax.pool import CRASHED, TIMED_OUT, map_files
from codequarry.syntax.versions import reader_version

_BLOCK_SYMBOLS = 20_000
_LOST = frozenset({CRASHED, TIMED_OUT})
"""What a file did to its worker; any other failure is one of reading it."""


@dataclass(frozen=True)
class Refreshed:
    """What a refresh did.

    Args:
        index: The new index.
        drift: How the files differed from the previous index, by their hashes.
        extracted: Files that were parsed.
        failed: Files that gave no symbols, with the reason; they fall back alone.
    """

    index: ProducerIndex
    drift: Drift
    extracted: int
    failed: tuple[tuple[str, str], ...]


@uncollected()
def refresh(
    root: Path,
    project: str,
    snapshot: pa.Table,
    previous: ProducerIndex | None,
    now: Callable[[], str],
) -> Refreshed:
    """Make the index of a tree out of the previous one.

    Files whose hash did not change keep their records, unless another extractor made them. A file
    that cannot be read any more counts as deleted; one that the parser cannot take stays in the
    index without records until its content changes, or all is made anew.

    Args:
        root: The project's real path.
        project: Its name.
        snapshot: Table `codequarry.schemas.tables.SNAPSHOT`.
        previous: The index so far.
        now: Gives the time for ``reindex_delta``, RFC 3339.
    """
    extractor = reader_version(__package__).hex()
    if previous is not None and previous.extractor_version != extractor:
        previous = None
    before = FILES.empty_table() if previous is None else previous.files
    files = indexable(snapshot)
    moved = drift_of(files, before)
    if previous is not None and not moved:
        # codemap clears its attestation here (J-11), which loses a delta that is still true.
        same = replace(previous, project=project)
        return Refreshed(same, moved, 0, _failures(before))
    stale = {*moved.new, *moved.modified}
    found, tables = _extract(root, files.filter(_is_in(files["path"], stale)))
    records = in_export_order(pa.concat_tables([SYMBOLS.empty_table(), *tables]))
    left = {*moved.modified, *moved.deleted}
    if previous is not None:
        records = spliced(previous.records, left, records)
    kept = before.filter(pc.invert(_is_in(before["path"], left)))
    after = pa.concat_tables([kept, found]).sort_by("path")  # Arrow compares strings by their bytes
    drift = drift_of(after, before)
    fingerprint = fingerprint_of(producer_key(root), records)
    delta = _delta(previous, fingerprint, drift, now)
    index = ProducerIndex(project, extractor, fingerprint, after, records, delta)
    return Refreshed(index, drift, len(stale), _failures(after))


def _is_in(paths: pa.ChunkedArray, some: Iterable[str]) -> pa.ChunkedArray:
    return pc.is_in(paths, pa.array(sorted(some), pa.string()))


def _failures(files: pa.Table) -> tuple[tuple[str, str], ...]:
    failed = files.filter(pc.not_equal(files["failure"], ""))
    return tuple(zip(failed["path"].to_pylist(), failed["failure"].to_pylist(), strict=True))


def _extract(root: Path, files: pa.Table) -> tuple[pa.Table, list[pa.Table]]:
    """Parse files: table `FILES` of those that could be read, in any order, and their symbols."""
    columns = [files[name].to_pylist() for name in ("path", "os_path", "size")]
    base = os.fsencode(os.path.realpath(root))
    jobs = (FileJob(base, *row) for row in zip(*columns, strict=True))
    wanted = hashes_of(files)
    read: list[tuple[str, str, str]] = []
    tables: list[pa.Table] = []
    waiting: list[Symbol] = []
    for outcome in map_files(extract_file, jobs, size_of):
        path = outcome.item.path
        if outcome.value is not None:
            read.append((path, outcome.value.sha256, outcome.value.failure))
            waiting.extend(outcome.value.symbols)
        elif outcome.failure in _LOST:
            read.append((path, wanted[path], outcome.failure))
        if len(waiting) >= _BLOCK_SYMBOLS:
            tables.append(_table(waiting, SYMBOLS))
            waiting = []
    tables.append(_table(waiting, SYMBOLS))
    return _table(read, FILES), tables


def _table(rows: Sequence[tuple[object, ...]], schema: pa.Schema) -> pa.Table:
    columns = list(zip(*rows, strict=True)) or [()] * len(schema)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    return pa.table(arrays, schema=schema)


def _delta(
    previous: ProducerIndex | None, fingerprint: str, drift: Drift, now: Callable[[], str]
) -> ReindexDelta | None:
    """Attest what changed between two indexes (A4)."""
    if previous is None or not previous.files.num_rows or not drift:
        return None
    if previous.fingerprint == fingerprint:
        return None
    return ReindexDelta(
        from_fingerprint=previous.fingerprint,
        to_fingerprint=fingerprint,
        changed_files=list(drift.modified),
        new_files=list(drift.new),
        deleted_files=list(drift.deleted),
        created_at=now(),
    )
