"""Run the job in this process, against the deployment's persistent Dagster instance."""

import contextlib
import io
import os
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dagster as dg
from dagster import DagsterEventType, DagsterInstance
from dagster._core.errors import DagsterAssetCheckFailedError  # not exported, as of 1.13
from sqlalchemy.exc import DBAPIError

from codequarry.assets.partitions import projects
from codequarry.core import changeset
from codequarry.core.errors import CodequarryError, StateError
from codequarry.core.files import unwritable, write_atomically
from codequarry.core.registry import Project
from codequarry.core.state import HOME_VARIABLE, StateDirectory
from codequarry.index.store import faults_worded
from codequarry.pipelines.asked import USUAL_MODE, run_config
from codequarry.pipelines.definitions import ASSETS, JOB, defs

# Assets print nothing, and capturing what they print costs two processes a step, to which a
# terminal's Ctrl-C goes as well.
_FIRST_SETTINGS = b"""\
telemetry:
  enabled: false
compute_logs:
  module: dagster._core.storage.noop_compute_log_manager
  class: NoOpComputeLogManager
"""

# A full run takes a gigabyte and more, and the night asks for one of every project at once.
_INSTANCE_SETTINGS = (
    _FIRST_SETTINGS
    + b"""\
concurrency:
  runs:
    max_concurrent_runs: 2
"""
)

QUIET: Mapping[str, Any] = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


@dataclass(frozen=True)
class Options:
    """What a run is asked."""

    full: bool = False
    structural_chunks: str = USUAL_MODE


@dataclass(frozen=True)
class Outcome:
    """What a successful run did.

    Args:
        run_id: The Dagster run.
        mode: full, delta or none.
        reason: Why this mode.
        seconds: Asset name to wall time.
        notes: The notes of the `receipt` changeset.
    """

    run_id: str
    mode: str
    reason: str
    seconds: Mapping[str, float]
    notes: Mapping[str, Any]


class CheckFailed(CodequarryError):
    """A blocking check found the run's data wrong; those of `receipt` look at what is published."""


def instance_of(state: StateDirectory) -> DagsterInstance:
    """Open the deployment's Dagster instance, creating it on first use.

    Raises:
        StateError: It cannot be created.
    """
    # Here the resources of every run find their deployment, in this process or in a child.
    os.environ |= {"DAGSTER_HOME": str(state.dagster), HOME_VARIABLE: str(state.home)}
    try:
        _settle(state.dagster / "dagster.yaml")
        return DagsterInstance.get()
    except OSError as error:
        raise unwritable(state.dagster, error) from error
    except dg.DagsterError as error:
        raise StateError(
            f"the Dagster instance {state.dagster} cannot be opened: {error}",
            "correct its dagster.yaml, or move the directory away",
        ) from error


def _settle(settings: Path) -> None:
    """Write the instance's settings, unless somebody made them their own."""
    if not settings.exists() or settings.read_bytes() == _FIRST_SETTINGS:
        write_atomically(settings, _INSTANCE_SETTINGS)


def index_project(
    state: StateDirectory,
    project: Project,
    options: Options,
    on_step: Callable[[str, bool], None] = lambda _name, _done: None,
) -> Outcome:
    """Run the whole job on one project.

    Args:
        state: The state directory.
        project: A registered project.
        options: What the run is asked.
        on_step: Called with an asset's name when its step starts (False) and ends (True).

    Raises:
        CheckFailed: A blocking check failed.
        CodequarryError: A step failed. Nothing was published, unless it was the last, `receipt`.
        KeyboardInterrupt: The run was interrupted; the same holds.
    """
    run_id = str(uuid.uuid4())
    seconds: dict[str, float] = {}
    with _worded(state), faults_worded(state), instance_of(state) as instance:
        instance.add_dynamic_partitions(str(projects.name), [project.name])
        instance.add_event_listener(run_id, _listener(seconds, on_step))
        defs.resolve_job_def(JOB).execute_in_process(
            instance=instance,
            partition_key=project.name,
            run_id=run_id,
            run_config={**QUIET, **run_config(options.structural_chunks, full=options.full)},
        )
    stored = changeset.read(state.changesets / "receipt" / project.name / run_id)
    plan = stored.header.plan
    return Outcome(run_id, plan.mode, plan.reason, seconds, stored.notes)


@contextlib.contextmanager
def _worded(state: StateDirectory) -> Iterator[None]:
    """Word for a person what Dagster raises; it prints the same on stderr, which is dropped."""
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            yield
    except dg.DagsterExecutionInterruptedError as error:
        raise KeyboardInterrupt from error
    except DagsterAssetCheckFailedError as error:
        raise CheckFailed(
            " ".join(str(error).split()),
            "look at the run in `codequarry dev`; `codequarry status` says what is published",
        ) from error
    except DBAPIError as error:
        raise StateError(
            f"the Dagster instance {state.dagster} cannot be used: {error.orig}",
            "free space or permissions there, or point CODEQUARRY_HOME to another directory",
        ) from error


def _listener(
    seconds: dict[str, float], on_step: Callable[[str, bool], None]
) -> Callable[[dg.EventLogEntry], None]:
    started: dict[str, float] = {}

    def listen(entry: dg.EventLogEntry) -> None:
        event = entry.dagster_event
        if event is None or event.step_key not in ASSETS:
            return
        if event.event_type is DagsterEventType.STEP_START:
            started[event.step_key] = entry.timestamp
            on_step(event.step_key, False)
        elif event.event_type is DagsterEventType.STEP_SUCCESS:
            seconds[event.step_key] = round(entry.timestamp - started[event.step_key], 3)
            on_step(event.step_key, True)

    return listen
