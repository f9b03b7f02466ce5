"""Schedules, evaluated as the daemon does."""

from datetime import UTC, datetime

import dagster as dg

from codequarry.assets.resources import Deployment

MOMENT = datetime(2026, 1, 5, 2, tzinfo=UTC)


def tick(
    defs: dg.Definitions, instance: dg.DagsterInstance, name: str
) -> tuple[list[dg.RunRequest], str]:
    """Give what a schedule asks for at `MOMENT`, and why it asks for nothing."""
    schedule = defs.resolve_schedule_def(name)
    with (
        dg.build_schedule_context(
            instance=instance,
            scheduled_execution_time=MOMENT,
            repository_def=defs.get_repository_def(),
            resources={"deployment": Deployment()},
        ) as context,
        dg.partition_loading_context(dynamic_partitions_store=instance),
    ):
        data = schedule.evaluate_tick(context)
    return list(data.run_requests or []), data.skip_message or ""
