import itertools
import shutil
from pathlib import Path

import dagster as dg
import pytest
from dagster import DagsterInstance

from codequarry.assets.resources import Deployment, Structure
from codequarry.core.registry import Project, Registry
from codequarry.core.state import StateDirectory
from codequarry.pipelines import sensors
from codequarry.pipelines.definitions import JOB, defs
from codequarry.pipelines.sensors import from_cursor, look
from codequarry.receipts.evidence import Evidence
from codequarry.receipts.status import status_of
from tests import fakes
from tests.e2e.planting import write
from tests.e2e.running import index
from tests.pipelines.sensing import FILES, NOTHING, launch, plant, queue, requested, tick, why


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
    write(project.root, {"latin.py": b"# caf\xe9\n"})  # no UTF-8: it cannot be indexed
    unread = requested(tick(instance, state))
    assert unread.tags["codequarry/moved"] == "unread_files"
    assert launch(instance, unread)
    assert why(tick(instance, state)) == NOTHING
    write(project.root, {"a.py": other})
    keys.add(requested(tick(instance, state)).run_key)
    assert len(keys) == 4
    assert all(str(key).startswith("shop:") for key in keys)

    Evidence(state, project.evidence_key).remove()
    assert requested(tick(instance, state)).tags["codequarry/moved"].endswith("missing")


def test_the_sensor_asks_as_before(
    instance: DagsterInstance, state: StateDirectory, tmp_path: Path
) -> None:
    """What was indexed without structural chunks stays so, and a change to it is a delta."""
    project = plant(state, tmp_path)
    index(state, project.root, structural_chunks="off")
    write(project.root, {"a.py": b"def other():\n    return 3\n"})
    assert launch(instance, requested(tick(instance, state)))
    assert instance.get_runs()[0].tags["codequarry/mode"] == "delta"
    receipt = Evidence(state, project.evidence_key).receipt().document
    assert receipt is not None
    assert receipt.requested_mode == "off"


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
    """A project of codemap's moves with its fingerprint, and stays where a run could not help."""
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

    faults: dict[str, dict[str, object]] = {
        "unavailable": {"fault": "quiet_death"},
        "invalid": {"manifest_patch": {"complete": False}},
        "mismatch": {"manifest_patch": {"project_key": "0" * 12}},
    }
    for verdict, fault in faults.items():
        fakes.install(tmp_path, fault)
        assert why(tick(instance, state)) == f"shop: structural_manifest_{verdict}"
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
