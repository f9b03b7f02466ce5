"""Goals whose run failed, died, or was cancelled."""

from pathlib import Path
from types import SimpleNamespace

import dagster as dg
import pytest
from dagster import DagsterInstance, DagsterRunStatus

from codequarry.core.state import StateDirectory
from codequarry.pipelines import liveness, sensors
from codequarry.pipelines.sensors import may_retry
from tests.e2e.planting import write
from tests.pipelines.sensing import NOTHING, launch, plant, queue, requested, tick, why


def failing(request: dg.RunRequest) -> dg.RunRequest:
    """Give a request whose run ends in an error."""
    required = {"structural_chunks": "nonsense"}
    return request._replace(run_config={"ops": {"export_pages": {"config": required}}})


def test_failed_runs_are_tried_again(
    instance: DagsterInstance,
    state: StateDirectory,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A goal whose run failed waits, is tried twice more under new keys, and then succeeds."""
    plant(state, tmp_path)
    first = requested(tick(instance, state))
    assert not launch(instance, failing(first))
    assert "ended as FAILURE" in why(tick(instance, state))
    monkeypatch.setattr(sensors, "RETRY_SECONDS", (0.0, 0.0))
    second = requested(tick(instance, state))
    assert str(second.run_key).startswith(f"{first.run_key}#")
    assert not launch(instance, failing(second))
    oldest = instance.get_runs()[-1]
    instance.delete_run(oldest.run_id)
    third = requested(tick(instance, state))
    assert str(third.run_key).startswith(f"{first.run_key}#")
    assert third.run_key != second.run_key
    assert launch(instance, third)
    assert why(tick(instance, state)) == NOTHING


@pytest.mark.parametrize(
    ("statuses", "waited", "allowed"),
    [
        (["FAILURE"], 299, False),
        (["FAILURE"], 300, True),
        (["STARTED"], 9e9, False),
        (["CANCELED"], 9e9, False),
        (["CANCELING"], 9e9, False),
        (["SUCCESS"], 9e9, False),
        (["FAILURE", "FAILURE"], 1799, False),
        (["FAILURE", "FAILURE"], 1800, True),
        (["CANCELED", "FAILURE"], 9e9, False),
        (["FAILURE"] * 3, 9e9, False),
    ],
)
def test_what_is_tried_again(statuses: list[str], waited: float, allowed: bool) -> None:
    """Failed runs are, after 5 and after 30 minutes; living, cancelled and good ones never."""
    tried = [
        SimpleNamespace(
            end_time=1000.0, dagster_run=SimpleNamespace(status=DagsterRunStatus(status))
        )
        for status in statuses
    ]
    assert may_retry(tried, 1000.0 + waited) is allowed  # type: ignore[arg-type]


def test_hopeless_goals_are_given_up(
    instance: DagsterInstance,
    state: StateDirectory,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After three failures, or one cancellation, a goal waits until the tree moves on."""
    project = plant(state, tmp_path)
    monkeypatch.setattr(sensors, "RETRY_SECONDS", (0.0, 0.0))
    for _ in range(3):
        assert not launch(instance, failing(requested(tick(instance, state))))
    assert "ended as FAILURE" in why(tick(instance, state))
    write(project.root, {"c.py": b"c = 1\n"})
    instance.report_run_canceled(queue(instance, requested(tick(instance, state))))
    assert "ended as CANCELED" in why(tick(instance, state))
    write(project.root, {"c.py": b"c = 2\n"})
    assert "#" not in (requested(tick(instance, state)).run_key or "#")


def test_dead_runs_do_not_block_for_ever(
    instance: DagsterInstance,
    state: StateDirectory,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A run whose process is gone blocks its project until it counts as failed."""
    plant(state, tmp_path)
    run = queue(instance, requested(tick(instance, state)))
    assert run.run_id in why(tick(instance, state))
    monkeypatch.setattr(liveness, "STUCK_SECONDS", 0.0)
    assert "ended as FAILURE" in why(tick(instance, state))
    monkeypatch.setattr(sensors, "RETRY_SECONDS", (0.0, 0.0))
    assert str(requested(tick(instance, state)).run_key).endswith(f"#{run.run_id}")
