"""Syncs of the configured engines: their assets, their job, and a schedule for each cadence.

Nothing is defined, and nothing heavy imported, while no engine is configured.
"""

from collections.abc import Iterator

import dagster as dg

from codequarry.assets.engine_syncs import GROUP, engine_sync
from codequarry.assets.resources import Deployment
from codequarry.core.errors import CodequarryError
from codequarry.engines.own import NAME
from codequarry.engines.settings import EngineSettings, load
from codequarry.pipelines.schedules import every_project

JOB = "sync_engines"


def engine_definitions(deployment: Deployment) -> dg.Definitions:
    """Define the syncs of the engines in ``engines.toml``.

    A file that cannot be used defines none, so that it stops no index run; the log, `codequarry
    engines` and `codequarry doctor` tell what is wrong with it.
    """
    try:
        settings = load(deployment.state.engine_settings)
    except CodequarryError as error:
        dg.get_dagster_logger().warning("no engine is synced: %s", error)
        return dg.Definitions()
    # Our own index has a pipeline of its own.
    enabled = {n: own for n, own in settings.engines.items() if own.enabled and n != NAME}
    if not enabled:
        return dg.Definitions()
    assets = {name: engine_sync(name) for name in sorted(enabled)}
    job = dg.define_asset_job(
        JOB,
        selection=dg.AssetSelection.groups(GROUP),
        executor_def=dg.in_process_executor,
        description="Bring the indexes of other engines up to a project's tree.",
    )
    schedules = [
        _schedule(name, own, assets[name].key) for name, own in sorted(enabled.items()) if own.cron
    ]
    return dg.Definitions(assets=[*assets.values()], jobs=[job], schedules=schedules)


def _schedule(engine: str, settings: EngineSettings, key: dg.AssetKey) -> dg.ScheduleDefinition:
    @dg.schedule(
        name=f"sync_{key.to_python_identifier()}",
        job_name=JOB,
        cron_schedule=settings.cron or "",
        default_status=dg.DefaultScheduleStatus.RUNNING,
        description=f"Sync {engine} with every registered project.",
    )
    def sync_every_project(
        context: dg.ScheduleEvaluationContext, deployment: Deployment
    ) -> Iterator[dg.RunRequest | dg.SkipReason]:
        registered = every_project(context, deployment)
        if not registered:
            yield dg.SkipReason("no project is registered")
        moment = context.scheduled_execution_time.isoformat()
        for project in registered:
            yield dg.RunRequest(
                run_key=f"{engine}:{project.name}:{moment}",
                partition_key=project.name,
                asset_selection=[key],
            )

    return sync_every_project
