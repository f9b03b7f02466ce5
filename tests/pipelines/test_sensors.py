import itertools
import shutil
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import dagster as dg
import pytest
from dagster import DagsterEventType, DagsterInstance, DagsterRunStatus

from codequarry.assets.resources import Deployment, Structure
from codequarry.core.registry import Project, Registry
from codequarry.core.state import StateDirectory
from codequarry.pipelines import sensors
from codequarry.pipelines.definitions import JOB, defs
from codequarry.pipelines.launch import QUIET, instance_of
from codequarry.pipelines.sensors import (
    STUCK_SECONDS,
    busy_projects,
    from_cursor,
    look,
    may_retry,
    moved_projects,
)
from codequarry.receipts.evidence import Evidence
from codequarry.receipts.status import status_of
from tests import fakes
from tests.e2e.planting import write

NOTHING = "nothing moved in 1 project"
READ = ("embeddings", DagsterEventType.STEP_SUCCESS)
FILES = {"a.py": b"def first():\n    return 1\n", "b.py": b"def second():\n    return 2\n"}


@pytest.fixture
def instance(state: StateDirectory) -> Iterator[DagsterInstance]:
    with instance_of(state) as opened:
        yield opened


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


def test_removed_projects_lose_their_partition(
    instance: DagsterInstance, state: StateDirectory, tmp_path: Path
) -> None:
    """The partition of a project that was removed goes, unless a run of it has not ended."""
    plant(state, tmp_path)
    plant(state, tmp_path, "other")
    request = next(r for r in tick(instance, state).run_requests or [] if r.partition_key == "shop")
    run = queue(instance, request)
    Registry(state).remove("shop")
    tick(instance, state)
    assert set(instance.get_dynamic_partitions("projects")) == {"shop", "other"}
    instance.report_run_canceled(run)
    tick(instance, state)
    assert instance.get_dynamic_partitions("projects") == ["other"]


def test_a_project_lives_under_the_sensor(
    instance: DagsterInstance, state: StateDirectory, tmp_path: Path
) -> None:
    """Registered, indexed, edited and put back, a project gets one run each time it moved."""
    assert why(tick(instance, state)) == "no project is registered"
    project = plant(state, tmp_path)
    first = tick(instance, state)
    assert instance.get_dynamic_partitions("projects") == ["shop"]
    assert requested(first).partition_key == "shop"
    assert requested(first).tags["codequarry/moved"] == "index_health_manifest_missing"
    assert launch(instance, requested(first))
    assert why(tick(instance, state)) == NOTHING

    keys = {requested(first).run_key}
    other = b"def other():\n    return 3\n"
    for content in (other, FILES["a.py"]):
        write(project.root, {"a.py": content})
        moved = requested(tick(instance, state))
        assert moved.tags["codequarry/moved"] == "raw_source_drift"
        assert moved.run_key == requested(tick(instance, state)).run_key
        assert launch(instance, moved)
        assert status_of(state, project).verdict.state == "fresh"
        assert why(tick(instance, state)) == NOTHING
        keys.add(moved.run_key)
    write(project.root, {"a.py": other})
    keys.add(requested(tick(instance, state)).run_key)
    assert len(keys) == 4
    assert all(str(key).startswith("shop:") for key in keys)

    Evidence(state, project.evidence_key).remove()
    assert requested(tick(instance, state)).tags["codequarry/moved"].endswith("missing")


def test_a_storm_makes_two_runs(
    instance: DagsterInstance, state: StateDirectory, tmp_path: Path
) -> None:
    """1,000 file events before, while queued and during a run: one run, and one for the rest."""
    project = plant(state, tmp_path)
    assert launch(instance, requested(tick(instance, state)))
    counter = itertools.count()
    requests: list[dg.RunRequest] = []

    def storm(events: int) -> None:
        for number in itertools.islice(counter, events):
            name = f"storm{number % 40}.py"
            write(project.root, {name: b"def event():\n    return %d\n" % number})
            if number % 50 == 0:
                requests.extend(tick(instance, state).run_requests or [])

    storm(1)
    waiting = queue(instance, requests[0])
    storm(499)
    assert waiting.run_id in why(tick(instance, state))
    instance.delete_run(waiting.run_id)
    assert launch(instance, requests[0], during=lambda: storm(500))
    assert len(requests) == 1

    requests.extend(tick(instance, state).run_requests or [])
    assert len(requests) == 2
    assert launch(instance, requests[1])
    assert why(tick(instance, state)) == NOTHING
    assert status_of(state, project).verdict.state == "fresh"


def test_trouble_of_one_stops_no_other(
    instance: DagsterInstance, state: StateDirectory, tmp_path: Path
) -> None:
    """A root that vanished, is a file now, or breaks the look: the others still get their runs."""
    gone, filed, good = (plant(state, tmp_path, name) for name in ("gone", "filed", "good"))
    shutil.rmtree(gone.root)
    shutil.rmtree(filed.root)
    filed.root.write_bytes(b"")
    result = tick(instance, state)
    assert requested(result).partition_key == good.name
    assert set(instance.get_dynamic_partitions("projects")) == {"gone", "filed", "good"}
    assert launch(instance, requested(result))
    message = why(tick(instance, state))
    assert f"gone: there is no directory {gone.root}" in message
    assert f"filed: {filed.root} is not a directory" in message


def test_unforeseen_trouble_is_named(
    instance: DagsterInstance,
    state: StateDirectory,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Even a defect of our own in one project's look is reported by its kind alone."""
    plant(state, tmp_path, "bad")
    plant(state, tmp_path, "good")
    honest = sensors.look

    def faulty(state: StateDirectory, project: Project, codemap: str) -> sensors.Sight:
        if project.name == "bad":
            raise ZeroDivisionError("with private text")
        return honest(state, project, codemap)

    monkeypatch.setattr(sensors, "look", faulty)
    assert requested(tick(instance, state)).partition_key == "good"


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
        (["STARTED"], 300, True),
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
    """Failed and dead runs are, after 5 and after 30 minutes; cancelled and ended ones never."""
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
    instance: DagsterInstance, state: StateDirectory, tmp_path: Path
) -> None:
    """A run that was not heard of for long blocks no more, a queued one does however old."""
    plant(state, tmp_path)
    run = queue(instance, requested(tick(instance, state)))
    assert run.run_id in why(tick(instance, state))
    (record,) = instance.get_run_records()
    heard = record.update_timestamp.timestamp()
    assert busy_projects([record], heard + STUCK_SECONDS - 1) == {"shop": run.run_id}
    assert busy_projects([record], heard + STUCK_SECONDS + 1) == {}
    queued = SimpleNamespace(
        update_timestamp=record.update_timestamp,
        dagster_run=SimpleNamespace(
            status=DagsterRunStatus.QUEUED, tags=run.tags, run_id=run.run_id
        ),
    )
    assert busy_projects([queued], heard + 10 * STUCK_SECONDS) == {"shop": run.run_id}


def test_long_rounds_go_on_at_the_next_tick(
    instance: DagsterInstance,
    state: StateDirectory,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """When time is short, each tick looks at one project more, in turn, with a small cursor."""
    for name in ("a", "b", "c"):
        plant(state, tmp_path, name)
    monkeypatch.setattr(sensors, "TICK_SECONDS", -1.0)
    cursor, seen = None, []
    for _ in range(5):
        result = tick(instance, state, cursor)
        cursor = result.cursor
        seen.append(requested(result).partition_key)
        assert len(cursor or "") <= 100
    assert seen == ["a", "b", "c", "a", "b"]


def test_cursor_of_a_removed_project(state: StateDirectory, tmp_path: Path) -> None:
    """A cursor that names a project which is gone goes on with the one after it."""
    registered = [plant(state, tmp_path, name) for name in ("a", "c")]
    assert [project.name for project in from_cursor(registered, "b")] == ["c", "a"]
    assert [project.name for project in from_cursor(registered, None)] == ["a", "c"]
    assert [project.name for project in from_cursor(registered, "z")] == ["a", "c"]


def test_codemap_projects_follow_their_manifest(
    instance: DagsterInstance,
    state: StateDirectory,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A project of codemap's moves with its fingerprint, and stays when codemap is silent."""
    binary = fakes.install(tmp_path)
    monkeypatch.setenv("CODEQUARRY_PRODUCER", "codemap")
    monkeypatch.setenv("CODEQUARRY_CODEMAP", str(binary))
    project = plant(state, tmp_path)
    assert launch(instance, requested(tick(instance, state)))
    receipt = Evidence(state, project.evidence_key).receipt().document
    assert receipt is not None
    assert receipt.producer == "codemap"
    assert why(tick(instance, state)) == NOTHING

    fakes.install(tmp_path, {"manifest_patch": {"index_fingerprint": "f" * 64}})
    moved = requested(tick(instance, state))
    assert str(moved.run_key).endswith(f"..{'f' * 64}")
    assert moved.tags["codequarry/moved"] == "fingerprint_moved"

    fakes.install(tmp_path, {"fault": "quiet_death"})
    assert why(tick(instance, state)) == "shop: structural_manifest_unavailable"
    monkeypatch.setenv("CODEQUARRY_CODEMAP", str(tmp_path / "nowhere"))
    assert "does not exist" in why(tick(instance, state))


def test_looking_exports_and_writes_nothing(state: StateDirectory, tmp_path: Path) -> None:
    """A look leaves the tree as it is, and in the state directory only the hash cache."""
    project = plant(state, tmp_path)
    before = sorted(project.root.rglob("*"))
    look(state, project)
    assert sorted(project.root.rglob("*")) == before
    kept = {path.relative_to(state.home).parts[0] for path in state.home.rglob("*")}
    assert kept <= {"cache", "projects.json", "projects.lock"}


def test_daemon_accepts_the_sensor(
    instance: DagsterInstance, state: StateDirectory, tmp_path: Path
) -> None:
    """Evaluated whole, as the daemon does it, a new project's partition and run come together."""
    plant(state, tmp_path)
    sensor = defs.resolve_sensor_def("moved_projects")
    assert sensor.minimum_interval_seconds == 30
    assert sensor.default_status is dg.DefaultSensorStatus.RUNNING
    assert sensor.job_name == JOB
    with dg.SensorEvaluationContext(
        instance_ref=instance.get_ref(),
        last_tick_completion_time=None,
        last_run_key=None,
        cursor=None,
        repository_name=None,
        repository_def=defs.get_repository_def(),
        resources={"deployment": Deployment(), "structure": Structure()},
    ) as context:
        data = sensor.evaluate_tick(context)
    assert [request.partition_key for request in data.run_requests or []] == ["shop"]
    assert len(data.dynamic_partitions_requests) == 1
