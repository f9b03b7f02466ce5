"""Changesets between steps: on disk, one folder an attempt, never mixed."""

import time
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pyarrow as pa
import pytest

from codequarry.assets.partitions import projects
from codequarry.assets.resources import Deployment
from codequarry.core import changeset
from codequarry.core.changeset import Changeset, ChangesetStream, Header, tables
from codequarry.core.errors import StateError
from codequarry.core.state import StateDirectory
from codequarry.pipelines import io_manager
from codequarry.pipelines.io_manager import KEPT_ATTEMPTS, ChangesetIOManager

SCHEMA = pa.schema([pa.field("path", pa.string(), metadata={"unit": "below the root"})])
SEEN: list[list[str]] = []


@dg.asset(partitions_def=projects)
def upstream(context: dg.AssetExecutionContext) -> ChangesetStream:
    header = Header(attempt_id="a" * 32, project=context.partition_key, root="/r")
    table = pa.table({"path": [context.run.run_id]}, schema=SCHEMA)
    return tables(header, {"files": table}, counted=1)


@dg.asset(partitions_def=projects)
def downstream(upstream: Changeset) -> ChangesetStream:
    SEEN.append(upstream.tables["files"]["path"].to_pylist())
    return tables(upstream.header, {})


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.ephemeral() as made:
        made.add_dynamic_partitions("projects", ["one", "two"])
        yield made


def run(
    state: StateDirectory,
    instance: dg.DagsterInstance,
    *assets: dg.AssetsDefinition,
    partition: str = "one",
) -> dg.ExecuteInProcessResult:
    """Materialise some of the assets."""
    manager = ChangesetIOManager(deployment=Deployment(home=str(state.home)))
    return dg.materialize(
        [upstream, downstream],
        selection=list(assets),
        partition_key=partition,
        instance=instance,
        resources={"io_manager": manager},
    )


def test_a_step_reads_its_own_run(state: StateDirectory, instance: dg.DagsterInstance) -> None:
    """What a step reads is what the step before it wrote in the same run; it is described."""
    SEEN.clear()
    done = [run(state, instance, upstream, downstream) for _ in range(2)]
    assert [[result.run_id] for result in done] == SEEN
    folder = state.changesets / "upstream" / "one" / done[0].run_id
    assert sorted(path.name for path in folder.iterdir()) == ["changeset.json", "files.arrow"]
    [event] = done[0].asset_materializations_for_node("upstream")
    metadata = event.metadata
    assert metadata["dagster/row_count"].value == 1
    assert metadata["counted"].value == 1
    [column] = metadata["dagster/column_schema"].value.columns
    assert (column.name, column.type, column.description) == ("path", "string", "below the root")


def test_attempts_never_mix(state: StateDirectory, instance: dg.DagsterInstance) -> None:
    """A step alone, in a run that resumes nothing, does not take what another run left."""
    run(state, instance, upstream)
    with pytest.raises(StateError, match="missing or damaged"):
        run(state, instance, downstream)
    with pytest.raises(StateError, match="missing or damaged"):
        run(state, instance, downstream, partition="two")


def line() -> dg.JobDefinition:
    """Give the two assets as a job; its deployment is the environment's."""
    deployment = Deployment()
    return dg.Definitions(
        assets=[upstream, downstream],
        jobs=[dg.define_asset_job("line", executor_def=dg.in_process_executor)],
        resources={"io_manager": ChangesetIOManager(deployment=deployment)},
    ).resolve_job_def("line")


def test_a_resumed_run_reads_its_parent(state: StateDirectory, tmp_path: Path) -> None:
    """A run that resumes another one reads what that one wrote."""
    SEEN.clear()
    tags = {"dagster/partition": "one"}
    with dg.DagsterInstance.local_temp(str(tmp_path)) as instance:
        instance.add_dynamic_partitions("projects", ["one"])
        job = dg.reconstructable(line)
        parent = dg.execute_job(job, instance, tags=tags).run_id
        again = dg.ReexecutionOptions(parent, step_selection=["downstream"])
        resumed = dg.execute_job(job, instance, tags=tags, reexecution_options=again)
    assert resumed.success
    assert [[parent], [parent]] == SEEN


def test_old_attempts_go(state: StateDirectory, instance: dg.DagsterInstance) -> None:
    """Only the newest attempts of a project are kept, and other projects keep theirs."""
    run(state, instance, upstream, partition="two")
    made = [run(state, instance, upstream).run_id for _ in range(KEPT_ATTEMPTS + 2)]
    kept = {path.name for path in (state.changesets / "upstream" / "one").iterdir()}
    assert kept == set(made[-KEPT_ATTEMPTS:])
    assert len(list((state.changesets / "upstream" / "two").iterdir())) == 1


def test_long_steps_tell_that_they_go_on(
    state: StateDirectory, instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What takes long writes events, by which it is known to live; what is short writes none."""
    quick = run(state, instance, upstream)
    honest = changeset.write

    def slowly(directory: Path, stream: ChangesetStream) -> None:
        time.sleep(0.5)
        honest(directory, stream)

    monkeypatch.setattr(changeset, "write", slowly)
    monkeypatch.setattr(io_manager, "TELL_SECONDS", 0.1)
    slow = run(state, instance, upstream)
    for done, told in ((quick, False), (slow, True)):
        messages = {event.user_message for event in instance.all_logs(done.run_id)}
        assert ("still at work" in messages) is told


def test_no_pickles(state: StateDirectory, instance: dg.DagsterInstance) -> None:
    """Everything that passes between steps is Arrow or JSON."""
    run(state, instance, upstream, downstream)
    files = [path for path in Path(state.changesets).rglob("*") if path.is_file()]
    assert {path.suffix for path in files} == {".arrow", ".json"}
