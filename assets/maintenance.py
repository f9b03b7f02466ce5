"""The asset that keeps a deployment small: compaction, index optimisation, clean-up, old runs."""

import contextlib
import os
from collections import Counter
from collections.abc import Iterable, Set
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import dagster as dg
import msgspec
from dagster import DagsterInstance, DagsterRunStatus, RunsFilter

from codequarry.assets.resources import Deployment
from codequarry.core.errors import UsageError
from codequarry.core.state import StateDirectory
from codequarry.index import ledger
from codequarry.index.ledger import MAINTENANCE, NO_PROJECT, Entry, Published
from codequarry.index.maintenance import Retention, kept_names, maintain
from codequarry.index.store import Store, Versions
from codequarry.receipts.ledger import Facts, next_entry, require_chain
from codequarry.receipts.lifecycle import utc_now

KEEP_VARIABLE = "CODEQUARRY_KEEP_RECEIPTS"

RUN_AGE = timedelta(weeks=2)
"""Runs that ended longer ago go, but the newest ones."""

KEPT_RUNS = 50
"""Of each job, project and outcome, so that no row of failures drives out the last success."""

_ENDED = [DagsterRunStatus.SUCCESS, DagsterRunStatus.FAILURE, DagsterRunStatus.CANCELED]


class MaintenanceOptions(dg.Config):
    """What a maintenance run leaves.

    Args:
        keep_receipts: Newest receipts of each project whose table versions stay; 0 means
            ``CODEQUARRY_KEEP_RECEIPTS``, or 5.
        grace_minutes: Younger versions stay, for searches that opened them.
    """

    keep_receipts: int = 0
    grace_minutes: int = 60

    @property
    def retention(self) -> Retention:
        """The options as the library takes them.

        Raises:
            UsageError: The variable is no positive number.
        """
        grace = timedelta(minutes=self.grace_minutes)
        if self.keep_receipts:
            return Retention(self.keep_receipts, grace)
        asked = os.environ.get(KEEP_VARIABLE, "").strip() or str(Retention.receipts)
        if not asked.isdecimal() or int(asked) < 1:
            raise UsageError(f"{KEEP_VARIABLE} is {asked!r}", "set it to a positive number")
        return Retention(int(asked), grace)


@dg.asset(group_name="maintenance", kinds={"lancedb"})
def maintenance(
    context: dg.AssetExecutionContext, config: MaintenanceOptions, deployment: Deployment
) -> dg.MaterializeResult[Any]:
    """The tables in few files; of old versions and runs, those that are kept."""
    attempt = context.run.run_id.replace("-", "")

    def seal(before: Published, versions: Versions) -> Entry:
        named = msgspec.json.encode({"attempt_id": attempt})
        facts = Facts(MAINTENANCE, "scheduled", "", "", "", "", versions, {})
        return next_entry(before, NO_PROJECT, "", named, facts, utc_now())

    require_chain(ledger.read(deployment.store()))
    size = _size(deployment.state.lance)
    done = maintain(deployment.state, config.retention, seal)
    files, size_now = _size(deployment.state.lance)
    kept = _attempts(deployment.store(), done.kept)
    removed_runs = remove_old_runs(
        context.instance, deployment.state, datetime.now(UTC) - RUN_AGE, kept
    )
    return dg.MaterializeResult(
        metadata={
            "ledger_sequence": done.entry.sequence if done.entry else 0,
            "table_versions": dg.MetadataValue.json(
                dict(done.entry.table_versions) if done.entry else {}
            ),
            "kept_receipts": dg.MetadataValue.json(list(done.kept)),
            "removed_versions": done.removed_versions,
            "uncleaned_tables": dg.MetadataValue.json(list(done.uncleaned)),
            "swept_files": done.swept,
            "removed_runs": removed_runs,
            "files_before": size[0],
            "files": files,
            "bytes_before": size[1],
            "bytes": size_now,
        }
    )


def remove_old_runs(
    instance: DagsterInstance, state: StateDirectory, before: datetime, kept: Set[str]
) -> int:
    """Delete ended runs beyond the newest `KEPT_RUNS`; give how many they were.

    Args:
        instance: Whose runs.
        state: The state directory.
        before: Runs that ended later stay.
        kept: Attempts whose runs stay, however old.
    """
    newer: Counter[tuple[str, str, DagsterRunStatus]] = Counter()
    removed = 0
    for record in instance.get_run_records(RunsFilter(statuses=_ENDED)):
        run = record.dagster_run
        kind = run.job_name, run.tags.get("dagster/partition", ""), run.status
        newer[kind] += 1
        late = newer[kind] > KEPT_RUNS and record.update_timestamp < before
        if late and run.run_id.replace("-", "") not in kept:
            instance.delete_run(run.run_id)
            # Dagster empties the run's file of events, and leaves it as large as it was.
            for file in (state.dagster / "history" / "runs").glob(f"{run.run_id}.db*"):
                file.unlink(missing_ok=True)
            removed += 1
    return removed


def _attempts(store: Store, recent: Iterable[int]) -> set[str]:
    """Give the attempts of the ledger entries that are kept: the recent ones, and those by name."""
    sequences = {*recent, *kept_names(store).values()}
    return {entry.attempt_id for entry in ledger.read(store) if entry.sequence in sequences}


def _size(folder: Path) -> tuple[int, int]:
    files, size = 0, 0
    for path in folder.rglob("*"):
        with contextlib.suppress(FileNotFoundError):  # the next run may be writing already
            if path.is_file():
                files, size = files + 1, size + path.stat().st_size
    return files, size
