"""The asset that keeps the tables small: compaction, index optimisation, clean-up."""

import contextlib
import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import dagster as dg
import msgspec

from codequarry.assets.resources import Deployment
from codequarry.core.errors import UsageError
from codequarry.index import ledger
from codequarry.index.ledger import MAINTENANCE, NO_PROJECT, Entry, Published
from codequarry.index.maintenance import Retention, maintain
from codequarry.index.store import Versions
from codequarry.receipts.ledger import Facts, next_entry, require_chain
from codequarry.receipts.lifecycle import utc_now

KEEP_VARIABLE = "CODEQUARRY_KEEP_RECEIPTS"


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
    """The tables in few files; of old versions, those that kept receipts name."""
    attempt = context.run.run_id.replace("-", "")

    def seal(before: Published, versions: Versions) -> Entry:
        named = msgspec.json.encode({"attempt_id": attempt})
        facts = Facts(MAINTENANCE, "scheduled", "", "", "", "", versions, {})
        return next_entry(before, NO_PROJECT, "", named, facts, utc_now())

    require_chain(ledger.read(deployment.store()))
    size = _size(deployment.state.lance)
    done = maintain(deployment.state, config.retention, seal)
    files, size_now = _size(deployment.state.lance)
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
            "files_before": size[0],
            "files": files,
            "bytes_before": size[1],
            "bytes": size_now,
        }
    )


def _size(folder: Path) -> tuple[int, int]:
    files, size = 0, 0
    for path in folder.rglob("*"):
        with contextlib.suppress(FileNotFoundError):  # the next run may be writing already
            if path.is_file():
                files, size = files + 1, size + path.stat().st_size
    return files, size
