"""Runs that live, and runs whose process is gone."""

import time
from types import SimpleNamespace

import dagster as dg
import pytest
from dagster import DagsterInstance, DagsterRunStatus

from codequarry.pipelines.liveness import STUCK_SECONDS, is_dead, living


@dg.op
def embed() -> None:
    """Stand for work."""


@dg.job
def work() -> None:
    """Stand for the job."""
    embed()


def made(instance: DagsterInstance, status: str) -> dg.DagsterRun:
    """Make a run of some status, of which no more is heard."""
    run = instance.create_run_for_job(work, status=DagsterRunStatus(status))
    assert [record.dagster_run.run_id for record in living(instance, time.time())] == [run.run_id]
    return run


@pytest.mark.parametrize(
    ("status", "ends_as"),
    [
        ("NOT_STARTED", "FAILURE"),
        ("STARTING", "FAILURE"),
        ("STARTED", "FAILURE"),
        ("CANCELING", "CANCELED"),
    ],
)
def test_dead_runs_are_ended(instance: DagsterInstance, status: str, ends_as: str) -> None:
    """A run that was not heard of for long is reported as ended."""
    run = made(instance, status)
    for waited, wanted in ((STUCK_SECONDS - 60, status), (STUCK_SECONDS + 60, ends_as)):
        alive = living(instance, time.time() + waited)
        found = instance.get_run_by_id(run.run_id)
        assert found is not None
        assert found.status.value == wanted
        assert bool(alive) is (wanted == status)


def test_queued_runs_may_wait(instance: DagsterInstance) -> None:
    """A run in the queue has no process that could be gone."""
    made(instance, "STARTED")
    (record,) = instance.get_run_records()
    later = record.update_timestamp.timestamp() + 10 * STUCK_SECONDS
    assert is_dead(instance, record, later)
    queued = SimpleNamespace(
        update_timestamp=record.update_timestamp,
        dagster_run=SimpleNamespace(status=DagsterRunStatus.QUEUED, run_id="queued"),
    )
    assert not is_dead(instance, queued, later)  # type: ignore[arg-type]


def test_a_run_that_tells_something_lives(instance: DagsterInstance) -> None:
    """A run of hours, whose status stays as it is, lives by the events that it writes."""
    run = made(instance, "STARTED")
    (record,) = instance.get_run_records()
    assert is_dead(instance, record, record.update_timestamp.timestamp() + STUCK_SECONDS)
    time.sleep(0.1)
    instance.report_engine_event("8192 rows so far", run)
    (later,) = instance.get_run_records()
    assert later.update_timestamp == record.update_timestamp
    assert not is_dead(instance, later, later.update_timestamp.timestamp() + STUCK_SECONDS)
