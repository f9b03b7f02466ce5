"""What runs by the clock: the nightly verification, and maintenance when it is due."""

from collections.abc import Iterator

import dagster as dg

from codequarry.assets.partitions import projects
from codequarry.assets.resources import Deployment
from codequarry.core.registry import Registry
from codequarry.core.text import counted
from codequarry.index import ledger
from codequarry.index.ledger import MAINTENANCE
from codequarry.index.maintenance import due

_IN_FULL = {"ops": {"export_pages": {"config": {"full": True}}}}
"""Reads every file again, whatever the hash cache and the receipts say."""


def every_project(context: dg.ScheduleEvaluationContext, deployment: Deployment) -> list[str]:
    """Give the registered projects, each as a partition."""
    names = [project.name for project in Registry(deployment.state).all()]
    context.instance.add_dynamic_partitions(str(projects.name), names)
    return names


@dg.schedule(
    job_name="index_project",
    cron_schedule="0 2 * * *",
    default_status=dg.DefaultScheduleStatus.RUNNING,
    description="Verify every registered project in full.",
)
def nightly_verification(
    context: dg.ScheduleEvaluationContext, deployment: Deployment
) -> Iterator[dg.RunRequest | dg.SkipReason]:
    """Request one full run for each registered project and night."""
    names = every_project(context, deployment)
    if not names:
        yield dg.SkipReason("no project is registered")
    night = context.scheduled_execution_time.date().isoformat()
    for name in names:
        yield dg.RunRequest(
            run_key=f"nightly:{night}:{name}", partition_key=name, run_config=_IN_FULL
        )


@dg.schedule(
    job_name="maintain_index",
    cron_schedule="30 * * * *",
    default_status=dg.DefaultScheduleStatus.RUNNING,
    description="Compact and clean the tables after every 50 publications.",
)
def due_maintenance(deployment: Deployment) -> dg.RunRequest | dg.SkipReason:
    """Request maintenance when enough was published since the last."""
    entries = ledger.read(deployment.store())
    if not due(entries):
        since = next(
            (n for n, entry in enumerate(reversed(entries)) if entry.mode == MAINTENANCE),
            len(entries),
        )
        few = counted(since, "publication")
        return dg.SkipReason(f"only {few} since the last maintenance")
    return dg.RunRequest(run_key=f"maintenance:{entries[-1].sequence}")
