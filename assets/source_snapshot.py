"""Asset 1: the inventory of a project's eligible files."""

from dataclasses import replace
from typing import Any

import dagster as dg
import msgspec

from codequarry.assets.checks import blocking_check
from codequarry.assets.output import emit
from codequarry.assets.partitions import projects
from codequarry.assets.resources import Deployment
from codequarry.core.changeset import ChangesetStream, Header
from codequarry.runs import snapshot
from codequarry.sources.hash_cache import remembered


@dg.asset(partitions_def=projects, group_name="index", kinds={"arrow"})
def source_snapshot(
    context: dg.AssetExecutionContext, deployment: Deployment
) -> dg.Output[ChangesetStream]:
    """The inventory of a project's eligible files: path, size, sha256, language."""
    project = deployment.project(context.partition_key)
    header = Header(
        attempt_id=context.run.run_id.replace("-", ""), project=project.name, root=str(project.root)
    )
    with remembered(deployment.state, project.root, fresh=_in_full(context)) as hashes:
        taken = snapshot.take_snapshot(header, hashes)
    stamped = msgspec.structs.replace(header, snapshot=taken.digest)
    return emit(replace(taken.stream, header=stamped))


def _in_full(context: dg.AssetExecutionContext) -> bool:
    """Tell whether the run was asked for in full, which is said once, to `export_pages`."""
    run_config: Any = context.run.run_config
    asked = run_config.get("ops", {}).get("export_pages", {}).get("config", {})
    return bool(asked.get("full"))


source_snapshot_check = blocking_check(
    source_snapshot,
    [
        (snapshot.escaping_paths, "No path leaves the project's root."),
        (snapshot.incomplete_hashes, "Every file has its sha256."),
    ],
)
