"""Asset 2: the producer's pages, byte for byte, and the run's plan."""

import dagster as dg

from codequarry.assets.checks import blocking_check
from codequarry.assets.output import emit
from codequarry.assets.partitions import projects
from codequarry.assets.resources import Deployment, Embedding, Structure
from codequarry.chunking.chunks import CHUNK_PROFILE
from codequarry.core.changeset import Changeset, ChangesetStream
from codequarry.runs import export
from codequarry.runs.known import known_of


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
    context.instance.add_run_tags(
        context.run.run_id,
        {
            "codequarry/mode": plan.mode,
            "codequarry/reason": plan.reason,
            "codequarry/from": plan.from_fingerprint,
            "codequarry/to": plan.to_fingerprint,
        },
    )
    return emit(stream, plan.to_fingerprint)


export_pages_check = blocking_check(
    export_pages,
    [
        (export.damaged_pages, "Pages have their hashes, follow each other, and reach the total."),
    ],
)
