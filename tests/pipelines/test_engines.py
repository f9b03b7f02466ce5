"""Syncs of other engines, as Dagster runs them."""

import logging
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest
from dagster import DagsterInstance

from codequarry.assets.partitions import projects
from codequarry.assets.resources import Deployment
from codequarry.core.registry import Registry
from codequarry.core.state import StateDirectory
from codequarry.pipelines.engines import JOB, engine_definitions
from codequarry.pipelines.launch import instance_of
from tests.e2e.planting import write
from tests.pipelines.ticks import tick

CODEGRAPH = "colbymchenry/codegraph"
KEY = dg.AssetKey(["engines", "colbymchenry", "codegraph"])


@pytest.fixture
def instance(state: StateDirectory, tmp_path: Path) -> Iterator[DagsterInstance]:
    """A deployment with one registered tree."""
    Registry(state).add(write(tmp_path / "tree", {"a.py": b"def a():\n    return 1\n"}))
    with instance_of(state) as opened:
        yield opened


def _defined(state: StateDirectory, settings: str) -> dg.Definitions:
    state.engine_settings.write_text(settings)
    deployment = Deployment()
    own = dg.Definitions(resources={"deployment": deployment})
    return dg.Definitions.merge(own, engine_definitions(deployment))


def _engine(command: object = "", sync: str = "hourly") -> str:
    command_line = f'command = "{command}"\n' if command else ""
    return f'[code_index.engines."{CODEGRAPH}"]\nsync = "{sync}"\n{command_line}'


@pytest.mark.parametrize("settings", ["", "[code_index", '[code_index]\ndeployment = "hobby"\n'])
def test_without_usable_settings_nothing_is_defined(
    instance: DagsterInstance, state: StateDirectory, settings: str
) -> None:
    """No engine, or a file that cannot be read, defines no asset and stops nothing else."""
    assert not list(_defined(state, settings).resolve_all_asset_specs())


def test_a_cadence_is_a_schedule(instance: DagsterInstance, state: StateDirectory) -> None:
    """An engine with a cadence asks for a sync of each project; a manual one has no schedule."""
    defs = _defined(state, _engine())
    assert [spec.key for spec in defs.resolve_all_asset_specs()] == [KEY]
    name = f"sync_{KEY.to_python_identifier()}"
    requests, _ = tick(defs, instance, name)
    assert [(one.partition_key, one.asset_selection) for one in requests] == [("tree", [KEY])]
    assert not _defined(state, _engine(sync="manual")).schedules


@pytest.mark.parametrize("body", [None, "sys.exit(3)", "print('{}')"])
def test_a_failed_sync_fails_its_run(
    instance: DagsterInstance, state: StateDirectory, tmp_path: Path, body: str | None
) -> None:
    """A program that is missing, fails, or says nothing of use fails the run of its asset."""
    program = tmp_path / "codegraph"
    if body is not None:
        program.write_text(f"#!{sys.executable}\nimport sys\n{body}\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
    defs = _defined(state, _engine(program))
    instance.add_dynamic_partitions(str(projects.name), ["tree"])
    done = defs.resolve_job_def(JOB).execute_in_process(
        instance=instance, partition_key="tree", raise_on_error=False
    )
    assert not done.success


def test_our_own_index_has_no_sync(instance: DagsterInstance, state: StateDirectory) -> None:
    """Settings of our own index define no asset: its pipeline is another."""
    settings = f'[code_index.engines."codequarry/index"]\nsync = "hourly"\n{_engine()}'
    assert [spec.key for spec in _defined(state, settings).resolve_all_asset_specs()] == [KEY]


def test_unusable_settings_are_told(
    instance: DagsterInstance, state: StateDirectory, caplog: pytest.LogCaptureFixture
) -> None:
    """Syncs that are not defined are named in the log, with the reason."""
    logger = logging.getLogger("dagster.builtin")
    logger.addHandler(caplog.handler)
    try:
        _defined(state, "[code_index")
    finally:
        logger.removeHandler(caplog.handler)
    assert "no engine is synced: engines.toml is no TOML" in caplog.text


def test_a_wrong_mapping_fails_the_run_with_its_key(
    instance: DagsterInstance, state: StateDirectory
) -> None:
    """The asset of an engine with a wrong mapping stays defined, and its run says what is wrong."""
    (state.home / "bad.toml").write_text("id = 3")
    defs = _defined(state, f'{_engine()}mapping = "bad.toml"\n')
    instance.add_dynamic_partitions(str(projects.name), ["tree"])
    done = defs.resolve_job_def(JOB).execute_in_process(
        instance=instance, partition_key="tree", raise_on_error=False
    )
    failure = next(event for event in done.all_node_events if event.is_step_failure)
    assert "bad.toml" in str(failure.step_failure_data.error)
