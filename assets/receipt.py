"""Asset 8: the proof, and with it the moment of publication."""

import dagster as dg

from codequarry.assets.checks import blocking_check
from codequarry.assets.output import emit
from codequarry.assets.partitions import projects
from codequarry.assets.resources import Deployment, Embedding, Writer
from codequarry.core.changeset import Changeset, ChangesetStream
from codequarry.runs import proof


@dg.asset(partitions_def=projects, group_name="index", kinds={"json"})
def receipt(
    deployment: Deployment,
    embedding: Embedding,
    writer: Writer,
    source_snapshot: Changeset,
    symbol_records: Changeset,
    chunks: Changeset,
    embeddings: Changeset,
    code_index: Changeset,
) -> dg.Output[ChangesetStream]:
    """The receipt, the health sidecar and the ledger entry of the attempt."""
    run = proof.Run(source_snapshot, symbol_records, chunks, embeddings, code_index)
    if code_index.header.plan.mode == "none":
        stream = proof.reaffirm(deployment.state, run)
    else:
        stream = proof.publish(writer.attempt, run, embedding.profile())
    return emit(stream, code_index.header.plan.to_fingerprint, embedding.profile().profile_id)


receipt_check = blocking_check(
    receipt,
    [
        (proof.disagreeing_attempts, "The receipt, its ledger entry and the run name one attempt."),
        (proof.unchained, "A delta starts where the entry before it ended."),
        (proof.unproven, "The receipt is a complete proof, and its ledger entry has its hash."),
    ],
)
