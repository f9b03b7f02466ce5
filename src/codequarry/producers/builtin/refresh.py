"""Bring an index up to date with a tree: extract what changed, keep what did not."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from codequarry.core.hashing import producer_key
from codequarry.core.text import ascending
from codequarry.producers.builtin.extract import EXTRACTOR_VERSION
from codequarry.producers.builtin.index import (
    FIELDS,
    FILES,
    SYMBOLS,
    ProducerIndex,
    fingerprint_of,
    in_export_order,
    spliced,
)
from codequarry.producers.builtin.jobs import FileJob, extract_file, size_of
from codequarry.producers.builtin.symbols import Symbol
from codequarry.schemas.documents import ReindexDelta
from codequarry.sources.drift import Drift, drift_between, hashes_of
from codequarry.syntax.grammars import GRAMMARS
from codequarry.syntax.pool import CRASHED, TIMED_OUT, map_files

_BLOCK_SYMBOLS = 20_000
_LOST = frozenset({CRASHED, TIMED_OUT})
"""What a file did to its worker; any other failure is one of reading it."""


class _Entry(NamedTuple):
    """A row of `FILES` without its path."""

    sha256: str
    failure: str


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


def indexable(snapshot: pa.Table) -> pa.Table:
    """Keep the files that have a grammar and a path that a record can carry (contract.md R2).

    Args:
        snapshot: Table `codequarry.schemas.tables.SNAPSHOT`.
    """
    readable = pc.is_in(snapshot["language"], pa.array(sorted(GRAMMARS), pa.string()))
    plain = pc.equal(snapshot["os_path"], snapshot["path"].cast(pa.binary()))
    slashed = pc.match_substring(snapshot["path"], "\\")
    return snapshot.filter(pc.and_(pc.and_(readable, plain), pc.invert(slashed)))


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
    index without records until its content changes.

    Args:
        root: The project's real path.
        project: Its name.
        snapshot: Table `codequarry.schemas.tables.SNAPSHOT`.
        previous: The index so far.
        now: Gives the time for ``reindex_delta``, RFC 3339.
    """
    if previous is not None and previous.extractor_version != EXTRACTOR_VERSION:
        previous = None
    before = _entries(previous)
    known = {path: entry.sha256 for path, entry in before.items()}
    files = indexable(snapshot)
    wanted = hashes_of(files)
    kept = {path: before[path] for path, sha256 in wanted.items() if known.get(path) == sha256}
    if previous is not None and len(kept) == len(before) == len(wanted):
        # codemap clears its attestation here (J-11), which loses a delta that is still true.
        same = replace(previous, project=project)
        return Refreshed(same, Drift(), 0, _failures(before))
    stale = pa.array([path for path in wanted if path not in kept], pa.string())
    found, tables = _extract(root, files.filter(pc.is_in(files["path"], value_set=stale)))
    records = in_export_order(pa.concat_tables([SYMBOLS.empty_table(), *tables]))
    if previous is not None:
        records = spliced(previous.records, before.keys() - kept.keys(), records)
    after = kept | found
    drift = drift_between({path: entry.sha256 for path, entry in after.items()}, known)
    fingerprint = fingerprint_of(producer_key(root), records)
    delta = _delta(previous, fingerprint, drift, now)
    table = _files_table(after)
    index = ProducerIndex(project, EXTRACTOR_VERSION, fingerprint, table, records, delta)
    return Refreshed(index, drift, len(stale), _failures(after))


def _entries(index: ProducerIndex | None) -> dict[str, _Entry]:
    if index is None:
        return {}
    columns = [index.files[name].to_pylist() for name in FILES.names]
    return {path: _Entry(*rest) for path, *rest in zip(*columns, strict=True)}


def _extract(root: Path, files: pa.Table) -> tuple[dict[str, _Entry], list[pa.Table]]:
    columns = [files[name].to_pylist() for name in ("path", "os_path", "size")]
    base = os.fsencode(os.path.realpath(root))
    jobs = (FileJob(base, *row) for row in zip(*columns, strict=True))
    hashes = hashes_of(files)
    entries: dict[str, _Entry] = {}
    tables: list[pa.Table] = []
    waiting: list[Symbol] = []
    for outcome in map_files(extract_file, jobs, size_of):
        path = outcome.item.path
        if outcome.value is not None:
            entries[path] = _Entry(outcome.value.sha256, outcome.value.failure)
            waiting.extend(outcome.value.symbols)
        elif outcome.failure in _LOST:
            entries[path] = _Entry(hashes[path], outcome.failure)
        if len(waiting) >= _BLOCK_SYMBOLS:
            tables.append(_symbols_table(waiting))
            waiting = []
    tables.append(_symbols_table(waiting))
    return entries, tables


def _symbols_table(symbols: list[Symbol]) -> pa.Table:
    columns = list(zip(*symbols, strict=True)) or [()] * len(FIELDS)
    return pa.table(
        [pa.array(column, field.type) for column, field in zip(columns, SYMBOLS, strict=True)],
        schema=SYMBOLS,
    )


def _files_table(entries: Mapping[str, _Entry]) -> pa.Table:
    paths = ascending(entries)
    columns = {
        "path": paths,
        "sha256": [entries[path].sha256 for path in paths],
        "failure": [entries[path].failure for path in paths],
    }
    return pa.table(columns, schema=FILES)


def _failures(entries: Mapping[str, _Entry]) -> tuple[tuple[str, str], ...]:
    failed = {path: entry.failure for path, entry in entries.items() if entry.failure}
    return tuple((path, failed[path]) for path in ascending(failed))


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
