"""How many files and rows a run touches, for whoever audits it."""

from collections.abc import Iterable
from dataclasses import dataclass

import pyarrow as pa

from codequarry.core.changeset import Plan
from codequarry.index.publish import Replaced
from codequarry.schemas.documents import HealthManifest
from codequarry.sources.drift import drift_between, hashes_of


@dataclass(frozen=True)
class FileChanges:
    """What became of files since the state that was certified.

    Args:
        files_changed: Indexed before, and other bytes now; in a delta, also other records.
        files_new: Not indexed before; all of them when nothing was certified.
        files_deleted: Indexed before, and indexed no more.
    """

    files_changed: int
    files_new: int
    files_deleted: int


def file_changes(plan: Plan, current: pa.Table, health: HealthManifest | None) -> FileChanges:
    """Count what a run's plan means for files.

    Args:
        plan: The run's plan.
        current: Every eligible file; its columns ``path`` and ``sha256`` are read.
        health: The health sidecar of the state before, if valid.
    """
    before = health.source_hashes if health else {}
    if plan.mode == "none":
        return FileChanges(0, 0, 0)
    if plan.mode == "delta":
        changed = len(before.keys() & plan.changed)
        deleted = len(before.keys() & plan.deleted)
        return FileChanges(changed, len(plan.changed) - changed, deleted)
    drift = drift_between(hashes_of(current), before)
    return FileChanges(len(drift.modified), len(drift.new), len(drift.deleted))


@dataclass(frozen=True)
class RowChanges:
    """What an attempt did to the rows of all tables; a row written again counts in both."""

    rows_written: int = 0
    rows_removed: int = 0


def row_changes(replaced: Iterable[Replaced]) -> RowChanges:
    """Sum what an attempt did to each table."""
    done = tuple(replaced)
    return RowChanges(sum(one.written for one in done), sum(one.removed for one in done))
