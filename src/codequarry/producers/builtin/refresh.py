"""Bring an index up to date with a tree: extract what changed, keep what did not."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from codequarry.core.hashing import producer_key
from codequarry.core.memory import uncollected
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


class _Files(NamedTuple):
    """What `FILES` says of paths: the hash of each, and why some gave no symbols."""

    hashes: Mapping[str, str]
    failures: Mapping[str, str]


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
    before = _Files({}, {}) if previous is None else _files_of(previous.files)
    files = indexable(snapshot)
    wanted = hashes_of(files)
    kept = {path: sha for path, sha in wanted.items() if before.hashes.get(path) == sha}
    if previous is not None and len(kept) == len(before.hashes) == len(wanted):
        # codemap clears its attestation here (J-11), which loses a delta that is still true.
        same = replace(previous, project=project)
        return Refreshed(same, Drift(), 0, _listed(before.failures))
    stale = pa.array([path for path in wanted if path not in kept], pa.string())
    found, tables = _extract(root, files.filter(pc.is_in(files["path"], value_set=stale)))
    records = in_export_order(pa.concat_tables([SYMBOLS.empty_table(), *tables]))
    if previous is not None:
        records = spliced(previous.records, before.hashes.keys() - kept.keys(), records)
    lasting = {path: why for path, why in before.failures.items() if path in kept}
    after = _Files({**kept, **found.hashes}, {**lasting, **found.failures})
    drift = drift_between(after.hashes, before.hashes)
    fingerprint = fingerprint_of(producer_key(root), records)
    delta = _delta(previous, fingerprint, drift, now)
    table = _files_table(after)
    index = ProducerIndex(project, EXTRACTOR_VERSION, fingerprint, table, records, delta)
    return Refreshed(index, drift, len(stale), _listed(after.failures))


def _files_of(table: pa.Table) -> _Files:
    failed = table.filter(pc.not_equal(table["failure"], ""))
    failures = zip(failed["path"].to_pylist(), failed["failure"].to_pylist(), strict=True)
    return _Files(hashes_of(table), dict(failures))


def _extract(root: Path, files: pa.Table) -> tuple[_Files, list[pa.Table]]:
    columns = [files[name].to_pylist() for name in ("path", "os_path", "size")]
    base = os.fsencode(os.path.realpath(root))
    jobs = (FileJob(base, *row) for row in zip(*columns, strict=True))
    wanted = hashes_of(files)
    hashes: dict[str, str] = {}
    failures: dict[str, str] = {}
    tables: list[pa.Table] = []
    waiting: list[Symbol] = []
    for outcome in map_files(extract_file, jobs, size_of):
        path = outcome.item.path
        if outcome.value is not None:
            hashes[path], failure = outcome.value.sha256, outcome.value.failure
            waiting.extend(outcome.value.symbols)
        elif outcome.failure in _LOST:
            hashes[path], failure = wanted[path], outcome.failure
        else:
            continue
        if failure:
            failures[path] = failure
        if len(waiting) >= _BLOCK_SYMBOLS:
            tables.append(_symbols_table(waiting))
            waiting = []
    tables.append(_symbols_table(waiting))
    return _Files(hashes, failures), tables


def _symbols_table(symbols: list[Symbol]) -> pa.Table:
    columns = list(zip(*symbols, strict=True)) or [()] * len(FIELDS)
    return pa.table(
        [pa.array(column, field.type) for column, field in zip(columns, SYMBOLS, strict=True)],
        schema=SYMBOLS,
    )


def _files_table(files: _Files) -> pa.Table:
    paths = ascending(files.hashes)
    columns = {
        "path": paths,
        "sha256": [files.hashes[path] for path in paths],
        "failure": [files.failures.get(path, "") for path in paths],
    }
    return pa.table(columns, schema=FILES)


def _listed(failures: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((path, failures[path]) for path in ascending(failures))


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
