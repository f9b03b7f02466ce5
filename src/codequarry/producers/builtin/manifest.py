"""The structural manifest: what the index holds, and whether the tree still equals it (A3)."""

from pathlib import Path

import pyarrow as pa

from codequarry.core.errors import ProducerError
from codequarry.core.hashing import producer_key
from codequarry.producers.builtin.index import ProducerIndex
from codequarry.producers.builtin.indexable import indexable
from codequarry.schemas.documents import Freshness, Manifest
from codequarry.sources.drift import drift_of
from codequarry.sources.eligibility import SkipReason
from codequarry.sources.walk import Inventory


def check_readable(index: ProducerIndex, inventory: Inventory) -> None:
    """Refuse to judge a tree that could not be read as a whole (A3).

    Raises:
        ProducerError: An indexed file, or a directory, cannot be read.
    """
    reasons = inventory.skipped["reason"].to_pylist()
    skipped = zip(inventory.skipped["path"].to_pylist(), reasons, strict=True)
    unreadable = {path for path, reason in skipped if reason == SkipReason.UNREADABLE}
    if inventory.errors or not unreadable.isdisjoint(index.files["path"].to_pylist()):
        raise ProducerError(
            "a directory or an indexed file of the project cannot be read",
            "give this user the permission, or exclude it with an ignore rule",
            "operational",
        )


def manifest_of(root: Path, project: str, index: ProducerIndex, snapshot: pa.Table) -> Manifest:
    """Compare an index with the files of its tree.

    Args:
        root: The project's real path.
        project: Its registered name.
        index: The stored index.
        snapshot: Table `codequarry.schemas.tables.SNAPSHOT` of the tree now.
    """
    drift = drift_of(indexable(snapshot), index.files)
    return Manifest(
        schema_version=1,
        export_schema_version=1,
        project=project,
        project_key=producer_key(root),
        index_fingerprint=index.fingerprint,
        total_records=index.records.num_rows,
        complete=True,
        freshness=Freshness(
            checked=True,
            fresh=not drift,
            changed=len(drift.modified),
            new=len(drift.new),
            deleted=len(drift.deleted),
            changed_files=list(drift.modified) or None,
            new_files=list(drift.new) or None,
            deleted_files=list(drift.deleted) or None,
        ),
        reindex_delta=index.delta,
    )
