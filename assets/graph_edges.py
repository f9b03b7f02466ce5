"""Asset 5: the nodes and edges of the code graph."""

import dagster as dg

from codequarry.assets.checks import result
from codequarry.assets.output import emit
from codequarry.assets.partitions import projects
from codequarry.assets.resources import Deployment
from codequarry.core.changeset import Changeset, ChangesetStream
from codequarry.runs import graph


@dg.asset(partitions_def=projects, group_name="index", kinds={"arrow"})
def graph_edges(
    deployment: Deployment, source_snapshot: Changeset, symbol_records: Changeset
) -> dg.Output[ChangesetStream]:
    """Containment, imports and references between files and symbols."""
    stream = graph.build(deployment.state, source_snapshot, symbol_records)
    return emit(stream, symbol_records.header.plan.to_fingerprint)


@dg.asset_check(asset=graph_edges, blocking=True, partitions_def=projects)
def dangling_edges(deployment: Deployment, graph_edges: Changeset) -> dg.AssetCheckResult:
    """Every edge has both its endpoints."""
    problems = graph.dangling_edges(deployment.state, graph_edges)
    return result(dg.AssetKey("graph_edges"), "dangling_edges", problems)
