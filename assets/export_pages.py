"""Asset 2: the producer's pages, byte for byte, and the run's plan."""

from dataclasses import asdict

import dagster as dg

from codequarry.assets.checks import blocking_check
from codequarry.assets.output import emit, noted, tag_run
from codequarry.assets.partitions import projects
from codequarry.assets.resources import Deployment, Embedding, Structure
from codequarry.chunking.profile import CHUNK_PROFILE
from codequarry.core.changeset import Changeset, ChangesetStream
from codequarry.receipts.changes import file_changes
from codequarry.runs import export
from codequarry.runs.known import known_of
from codequarry.runs.snapshot import SNAPSHOT


class RunOptions(dg.Config):
    """What a run may be asked.

    Args:
        full: Index everything again, whatever is certified.
        structural_chunks: off, auto or required.
    """

    full: bool = False
    structural_chunks: str = "auto"


@dg.asset(partitions_def=projects, group_name="index", kinds={"json"})
def export_pages(
    context: dg.AssetExecutionContext,
    config: RunOptions,
    deployment: Deployment,
    structure: Structure,
    embedding: Embedding,
    source_snapshot: Changeset,
) -> dg.Output[ChangesetStream]:
    """The producer's structural export, page by page, exactly as it was printed."""
    project = deployment.project(context.partition_key)
    options = export.ExportOptions(
        full=config.full,
        structural_chunks=config.structural_chunks,
        producer=structure.setting,
        codemap=structure.binary,
        embedding_profile=embedding.profile().profile_id,
        chunk_profile=CHUNK_PROFILE,
    )
    known = known_of(deployment.state, project)
    stream = export.export_pages(source_snapshot, options, known, deployment.state)
    plan = stream.header.plan
    files = source_snapshot.tables[SNAPSHOT]
    touched = asdict(file_changes(plan, files, known.health.document))
    planned = {
        "mode": plan.mode,
        "reason": plan.reason,
        "from": plan.from_fingerprint,
        "to": plan.to_fingerprint,
    }
    tag_run(context, planned | touched)
    return emit(noted(stream, touched), plan.to_fingerprint)


export_pages_check = blocking_check(
    export_pages,
    [
        (export.damaged_pages, "Pages have their hashes, follow each other, and reach the total."),
    ],
)
