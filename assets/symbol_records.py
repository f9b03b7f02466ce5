"""Asset 3: validated records, and quarantined files with their reasons."""

import dagster as dg

from codequarry.assets.checks import blocking_check
from codequarry.assets.output import emit
from codequarry.assets.partitions import projects
from codequarry.core.changeset import Changeset, ChangesetStream
from codequarry.runs import records


@dg.asset(partitions_def=projects, group_name="index", kinds={"arrow", "pandera"})
def symbol_records(
    source_snapshot: Changeset, export_pages: Changeset
) -> dg.Output[ChangesetStream]:
    """The export's records that hold to every rule and to the files on disk."""
    stream = records.validate_records(source_snapshot, export_pages)
    return emit(stream, stream.header.plan.to_fingerprint)


symbol_records_check = blocking_check(
    symbol_records,
    [
        (records.record_rules, "Every record holds to the row rules (schemas.rules)."),
        (records.broken_ordinals, "Ordinals ascend; only quarantined records are missing."),
        (records.moved_fingerprint, "Untruncated records give the export's fingerprint."),
    ],
)
