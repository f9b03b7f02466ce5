"""The sensor, called as the daemon calls it, and the runs it asks for."""

import uuid
from collections.abc import Callable
from pathlib import Path

import dagster as dg
from dagster import DagsterEventType, DagsterInstance

from codequarry.assets.resources import Deployment, Structure
from codequarry.core.registry import Project, Registry
from codequarry.core.state import StateDirectory
from codequarry.pipelines.definitions import JOB, defs
from codequarry.pipelines.launch import QUIET
from codequarry.pipelines.sensors import moved_projects
from tests.e2e.planting import write

NOTHING = "nothing moved in 1 project"
READ = ("embeddings", DagsterEventType.STEP_SUCCESS)
FILES = {"a.py": b"def first():\n    return 1\n", "b.py": b"def second():\n    return 2\n"}


def plant(state: StateDirectory, folder: Path, name: str = "shop") -> Project:
    return Registry(state).add(write(folder / name, FILES))


def tick(
    instance: DagsterInstance, state: StateDirectory, cursor: str | None = None
) -> dg.SensorResult:
    """Call the sensor as the daemon does, and add and delete the partitions that it asks for."""
    resources = {"deployment": Deployment(home=str(state.home)), "structure": Structure()}
    with dg.build_sensor_context(instance=instance, cursor=cursor, resources=resources) as context:
        result = moved_projects(context)
    assert isinstance(result, dg.SensorResult)
    for request in result.dynamic_partitions_requests or []:
        if isinstance(request, dg.AddDynamicPartitionsRequest):
            instance.add_dynamic_partitions("projects", request.partition_keys)
        else:
            for key in request.partition_keys:
                instance.delete_dynamic_partition("projects", key)
    return result


def requested(result: dg.SensorResult) -> dg.RunRequest:
    (request,) = result.run_requests or []
    return request


def why(result: dg.SensorResult) -> str:
    assert not result.run_requests
    assert result.skip_reason is not None
    return result.skip_reason.skip_message or ""


def launch(
    instance: DagsterInstance,
    request: dg.RunRequest,
    during: Callable[[], None] = lambda: None,
) -> bool:
    """Run what was requested, as the daemon does; call ``during`` once it has read the tree."""
    run_id = str(uuid.uuid4())

    def listen(entry: dg.EventLogEntry) -> None:
        event = entry.dagster_event
        if event and (event.step_key, event.event_type) == READ:
            during()

    instance.add_event_listener(run_id, listen)
    done = defs.resolve_job_def(JOB).execute_in_process(
        instance=instance,
        partition_key=request.partition_key,
        run_id=run_id,
        run_config={**QUIET, **request.run_config},
        tags={**request.tags, "dagster/run_key": request.run_key or ""},
        raise_on_error=False,
    )
    return done.success


def queue(instance: DagsterInstance, request: dg.RunRequest) -> dg.DagsterRun:
    """Leave a run that is made and not yet started, as the daemon does before it launches it."""
    return instance.create_run_for_job(
        defs.resolve_job_def(JOB),
        run_config=QUIET,
        tags={"dagster/partition": str(request.partition_key), **request.tags},
    )
