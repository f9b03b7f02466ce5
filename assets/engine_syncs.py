"""The indexes that other engines keep: one asset an engine, partitioned by project."""

from typing import TYPE_CHECKING, Any

import dagster as dg
import msgspec

from codequarry.assets.partitions import projects
from codequarry.assets.resources import Deployment

if TYPE_CHECKING:
    from codequarry.engines.types import SyncReport

GROUP = "engines"


def engine_sync(engine: str) -> dg.AssetsDefinition:
    """Make the asset of one engine's index.

    Args:
        engine: Its id, ``publisher/name``.
    """
    key = dg.AssetKey([GROUP, *engine.split("/")])

    @dg.asset(
        key=key,
        partitions_def=projects,
        group_name=GROUP,
        pool=key.to_python_identifier(),
        description=f"The index that {engine} keeps of a project, brought up to its tree.",
    )
    def sync(
        context: dg.AssetExecutionContext, deployment: Deployment
    ) -> dg.MaterializeResult[Any]:
        from codequarry.engines.sync import sync_engine

        report = sync_engine(deployment.state, engine, deployment.project(context.partition_key))
        metadata = _metadata(report)
        if not report.ok:
            raise dg.Failure(report.reason, metadata=metadata, allow_retries=False)
        return dg.MaterializeResult(metadata=metadata)

    return sync


def _metadata(report: "SyncReport") -> dict[str, Any]:
    """Give a report's parts the types that Dagster shows well."""
    plain = msgspec.to_builtins(report)
    return {
        name: dg.MetadataValue.json(value) if isinstance(value, dict | list) else value
        for name, value in plain.items()
        if value is not None
    }
