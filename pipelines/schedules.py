"""What runs by the clock: the nightly verification, and maintenance when it is due."""

from collections.abc import Iterator

import dagster as dg

from codequarry.assets.partitions import projects
from codequarry.assets.resources import Deployment
from codequarry.core.registry import Project, Registry
from codequarry.core.text import counted
from codequarry.index import ledger
from codequarry.index.ledger import MAINTENANCE
from codequarry.index.maintenance import due
from codequarry.pipelines.asked import as_before


def every_project(context: dg.ScheduleEvaluationContext, deployment: Deployment) -> list[Project]:
    """Give the registered projects, each as a partition."""
    registered = Registry(deployment.state).all()
    context.instance.add_dynamic_partitions(str(projects.name), [one.name for one in registered])
    return list(registered)


@dg.schedule(
    job_name="index_project",
    cron_schedule="0 2 * * *",
    default_status=dg.DefaultScheduleStatus.RUNNING,
    description="Verify every registered project in full.",
)
def nightly_verification(
    context: dg.ScheduleEvaluationContext, deployment: Deployment
) -> Iterator[dg.RunRequest | dg.SkipReason]:
    """Request one full run for each registered project and night, which reads every file again."""
    registered = every_project(context, deployment)
    if not registered:
        yield dg.SkipReason("no project is registered")
    night = context.scheduled_execution_time.date().isoformat()
    for project in registered:
        yield dg.RunRequest(
            run_key=f"nightly:{night}:{project.name}",
            partition_key=project.name,
            run_config=as_before(deployment.state, project, full=True),
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
