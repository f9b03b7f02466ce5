"""Asset 1: the inventory of a project's eligible files."""

import dagster as dg

from codequarry.assets.checks import blocking_check
from codequarry.assets.output import emit
from codequarry.assets.partitions import projects
from codequarry.assets.resources import Deployment
from codequarry.core.changeset import ChangesetStream, Header
from codequarry.runs import snapshot


@dg.asset(partitions_def=projects, group_name="index", kinds={"arrow"})
def source_snapshot(
    context: dg.AssetExecutionContext, deployment: Deployment
) -> dg.Output[ChangesetStream]:
    """The inventory of a project's eligible files: path, size, sha256, language."""
    project = deployment.project(context.partition_key)
    header = Header(
        attempt_id=context.run.run_id.replace("-", ""), project=project.name, root=str(project.root)
    )
    taken = snapshot.take_snapshot(header)
    return emit(taken.stream, taken.digest)


source_snapshot_check = blocking_check(
    source_snapshot,
    [
        (snapshot.escaping_paths, "No path leaves the project's root."),
        (snapshot.incomplete_hashes, "Every file has its sha256."),
    ],
)
