"""Asset 7: the commits to LanceDB, not yet published."""

import dagster as dg

from codequarry.assets.checks import result
from codequarry.assets.output import emit
from codequarry.assets.partitions import projects
from codequarry.assets.resources import Deployment, Embedding, Writer
from codequarry.core.changeset import Changeset, ChangesetStream, tables
from codequarry.receipts.attempt import Attempt
from codequarry.runs import publish
from codequarry.runs.records import notes_of_records


@dg.asset(partitions_def=projects, group_name="index", kinds={"lancedb"})
def code_index(
    deployment: Deployment,
    embedding: Embedding,
    writer: Writer,
    symbol_records: Changeset,
    chunks: Changeset,
    graph_edges: Changeset,
    embeddings: Changeset,
) -> dg.Output[ChangesetStream]:
    """The project's rows in LanceDB; readers see them once the receipt is published."""
    header, profile = embeddings.header, embedding.profile()
    if header.plan.mode == "none":
        return emit(tables(header, {}), header.plan.to_fingerprint, profile.profile_id)
    mode = notes_of_records(symbol_records).requested_mode
    attempt = writer.open(Attempt(deployment.state, header, mode))
    staged = attempt.apply(publish.contents(chunks, graph_edges, embeddings, profile))
    stream = tables(header, {}, **publish.staged_notes(staged))
    return emit(stream, header.plan.to_fingerprint, profile.profile_id)


@dg.asset_check(
    asset=code_index,
    blocking=True,
    partitions_def=projects,
    additional_ins={
        "snapshot": dg.AssetIn("source_snapshot"),
        "made": dg.AssetIn("chunks"),
        "graph": dg.AssetIn("graph_edges"),
    },
)
def unfaithful_rows(
    deployment: Deployment,
    code_index: Changeset,
    snapshot: Changeset,
    made: Changeset,
    graph: Changeset,
) -> dg.AssetCheckResult:
    """The stored rows of the project are those the run made: no ghost, no missing file."""
    problems: list[str] = []
    if made.header.plan.mode != "none":
        staged = publish.staged_of(code_index)
        problems = publish.unfaithful_rows(deployment.store(), staged, snapshot, made, graph)
    return result(dg.AssetKey("code_index"), "unfaithful_rows", problems)
