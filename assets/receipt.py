"""Asset 8: the proof, and with it the moment of publication."""

from dataclasses import asdict

import dagster as dg
import msgspec

from codequarry.assets.checks import blocking_check
from codequarry.assets.output import emit, noted, tag_run
from codequarry.assets.partitions import projects
from codequarry.assets.resources import Deployment, Embedding, Writer
from codequarry.core.changeset import Changeset, ChangesetStream
from codequarry.receipts.changes import FileChanges, row_changes
from codequarry.runs import proof
from codequarry.runs.publish import staged_of


@dg.asset(partitions_def=projects, group_name="index", kinds={"json"})
def receipt(
    context: dg.AssetExecutionContext,
    deployment: Deployment,
    embedding: Embedding,
    writer: Writer,
    source_snapshot: Changeset,
    export_pages: Changeset,
    symbol_records: Changeset,
    chunks: Changeset,
    embeddings: Changeset,
    code_index: Changeset,
) -> dg.Output[ChangesetStream]:
    """The receipt, the health sidecar and the ledger entry of the attempt."""
    run = proof.Run(source_snapshot, symbol_records, chunks, embeddings, code_index)
    plan, profile = code_index.header.plan, embedding.profile()
    idle = plan.mode == "none"
    rows = row_changes(() if idle else staged_of(code_index).replaced.values())
    facts = asdict(msgspec.convert(dict(export_pages.notes), FileChanges)) | asdict(rows)
    tag_run(context, facts)
    if idle:
        stream = proof.reaffirm(deployment.state, run)
    else:
        stream = proof.publish(writer.attempt, run, profile)
    return emit(noted(stream, facts), plan.to_fingerprint, profile.profile_id)


receipt_check = blocking_check(
    receipt,
    [
        (proof.disagreeing_attempts, "The receipt, its ledger entry and the run name one attempt."),
        (proof.unchained, "A delta starts where the entry before it ended."),
        (proof.unproven, "The receipt is a complete proof, and its ledger entry has its hash."),
    ],
)
