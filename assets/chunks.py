"""Asset 4: the chunks of every file."""

import dagster as dg

from codequarry.assets.checks import blocking_check
from codequarry.assets.output import emit
from codequarry.assets.partitions import projects
from codequarry.chunking.profile import CHUNK_PROFILE
from codequarry.core.changeset import Changeset, ChangesetStream
from codequarry.runs import chunks as step


@dg.asset(partitions_def=projects, group_name="index", kinds={"arrow", "pandera"})
def chunks(source_snapshot: Changeset, symbol_records: Changeset) -> dg.Output[ChangesetStream]:
    """Structural, gap and local chunks; together they are the files, byte for byte."""
    stream = step.cut_chunks(source_snapshot, symbol_records)
    return emit(stream, symbol_records.header.plan.to_fingerprint, CHUNK_PROFILE)


chunks_check = blocking_check(
    chunks,
    [
        (step.lossy_files, "Each file's chunks concatenate to the repaired file, byte for byte."),
        (step.chunk_rules, "No chunk is blank; exactly structural chunks have a selector."),
    ],
)
