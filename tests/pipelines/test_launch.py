"""The deployment's Dagster instance, and what is said of a run that failed."""

from pathlib import Path

import pytest
from dagster._core.errors import DagsterAssetCheckFailedError

from codequarry.assets.partitions import projects
from codequarry.core.registry import Project
from codequarry.core.state import StateDirectory
from codequarry.pipelines import launch
from codequarry.pipelines.launch import CheckFailed, instance_of


def test_partitions_are_the_projects_indexed(state: StateDirectory, tmp_path: Path) -> None:
    """The instance keeps its partitions, and adding one twice adds it once."""
    project = Project("demo", tmp_path)
    for _ in range(2):
        with instance_of(state) as instance:
            instance.add_dynamic_partitions(str(projects.name), [project.name])
            assert instance.get_dynamic_partitions(str(projects.name)) == ["demo"]


def test_the_queue_gives_two_places(state: StateDirectory) -> None:
    """New deployments run two at once, and so do those that have what we wrote at first."""
    settings = state.dagster / "dagster.yaml"
    for _ in range(2):
        with instance_of(state) as instance:
            assert not instance.telemetry_enabled
            queue = instance.get_concurrency_config().run_queue_config
            assert queue is not None
            assert queue.max_concurrent_runs == 2
        written = settings.read_text()
        settings.write_text(written[: written.index("concurrency:")])


def test_settings_of_others_stay(state: StateDirectory) -> None:
    """Who wrote a dagster.yaml of their own keeps it."""
    settings = state.dagster / "dagster.yaml"
    settings.parent.mkdir(parents=True)
    settings.write_text("run_queue:\n  max_concurrent_runs: 7\n")
    with instance_of(state) as instance:
        queue = instance.get_concurrency_config().run_queue_config
    assert queue is not None
    assert queue.max_concurrent_runs == 7


def test_a_failed_check_promises_nothing(
    state: StateDirectory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Checks of the receipt come after publication, so nobody says that all is as it was."""

    def checked(_state: StateDirectory) -> None:
        raise DagsterAssetCheckFailedError("1 blocking check failed:\n  receipt: unproven")

    monkeypatch.setattr(launch, "instance_of", checked)
    with pytest.raises(CheckFailed, match="check failed: receipt: unproven") as raised:
        launch.index_project(state, Project("demo", tmp_path), launch.Options())
    assert raised.value.remedy.endswith("`codequarry status` says what is published")
