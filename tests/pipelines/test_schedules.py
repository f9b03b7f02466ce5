import hashlib
import re
import time
from datetime import timedelta
from pathlib import Path

import dagster as dg
import pytest
from dagster import DagsterInstance, DagsterRunStatus

from codequarry.assets import maintenance
from codequarry.assets.maintenance import KEEP_VARIABLE, MaintenanceOptions
from codequarry.core.errors import UsageError
from codequarry.core.registry import Registry
from codequarry.core.state import StateDirectory
from codequarry.index import ledger
from codequarry.index.maintenance import Retention
from codequarry.index.reader import Reader
from codequarry.index.store import Store
from codequarry.pipelines.asked import as_before, run_config
from codequarry.pipelines.definitions import JOB, defs
from codequarry.pipelines.launch import QUIET
from codequarry.receipts.ledger import broken_entry
from codequarry.receipts.status import status_of
from codequarry.sources.hash_cache import (
    GRANULARITY_NS,
    StatusHashes,
    cache_path,
    remembered,
)
from codequarry.sources.walk import inventory
from tests.e2e.planting import write
from tests.e2e.running import index
from tests.index.test_maintenance import publish
from tests.pipelines.ticks import tick


def evaluate(instance: DagsterInstance, name: str) -> tuple[list[dg.RunRequest], str]:
    return tick(defs, instance, name)


def test_every_night_every_project_in_full(
    instance: DagsterInstance, state: StateDirectory, tmp_path: Path
) -> None:
    """The nightly schedule asks for one full run of each project and date."""
    assert evaluate(instance, "nightly_verification") == ([], "no project is registered")
    for name in ("b", "a"):
        Registry(state).add(write(tmp_path / name, {"x.py": b"x = 1\n"}))
    requests, _ = evaluate(instance, "nightly_verification")
    assert [request.run_key for request in requests] == [
        "nightly:2026-01-05:a",
        "nightly:2026-01-05:b",
    ]
    assert [request.partition_key for request in requests] == ["a", "b"]
    assert defs.resolve_schedule_def("nightly_verification").cron_schedule == "0 2 * * *"


def test_unattended_runs_ask_as_before(
    instance: DagsterInstance, state: StateDirectory, tmp_path: Path
) -> None:
    """A project indexed without structural chunks stays so, by day and by night."""
    root = write(tmp_path / "a", {"x.py": b"x = 1\n"})
    project = Registry(state).add(root)
    assert as_before(state, project) == run_config("auto")
    assert index(state, root, structural_chunks="off").mode == "full"
    assert as_before(state, project) == run_config("off")
    (nightly,), _ = evaluate(instance, "nightly_verification")
    assert nightly.run_config == run_config("off", full=True)


def test_nightly_run_trusts_no_hash(
    instance: DagsterInstance, state: StateDirectory, tmp_path: Path
) -> None:
    """The run that the night asks for reads every file, and so finds what a wrong cache hides."""
    project = Registry(state).add(write(tmp_path / "a", {"x.py": b"x = 1\n"}))
    cached = cache_path(state, project.root)
    liar = StatusHashes(cached, now=lambda: time.time_ns() + 10 * GRANULARITY_NS)
    liar.learn(b"x.py", (project.root / "x.py").stat(), "0" * 64)
    liar.save()
    raw = bytearray(cached.read_bytes()[32:])
    at = raw.index(b"started_ns")
    written = re.search(rb"\d{19}", raw[at - 40 : at + 40])
    assert written is not None
    body = bytes(raw).replace(written[0], b"1" * 19)
    cached.write_bytes(hashlib.sha256(body).digest() + body)
    with remembered(state, project.root) as hashes:
        assert inventory(project.root, None, hashes).files["sha256"].to_pylist() == ["0" * 64]
    requests, _ = evaluate(instance, "nightly_verification")
    done = defs.resolve_job_def(JOB).execute_in_process(
        instance=instance, partition_key="a", run_config={**QUIET, **requests[0].run_config}
    )
    run = instance.get_run_by_id(done.run_id)
    assert run is not None
    assert run.tags["codequarry/mode"] == "full"
    assert status_of(state, project).verdict.state == "fresh"


def test_maintenance_when_due(instance: DagsterInstance, state: StateDirectory) -> None:
    """After 50 publications maintenance is asked for once; the job compacts and reports."""
    store = Store(state)
    message = "only {} publications since the last maintenance"
    assert evaluate(instance, "due_maintenance") == ([], message.format(0))
    publish(store, "base", "base", rows=200)
    for number in range(48):
        publish(store, "a", f"word{number}", rows=1)
    assert evaluate(instance, "due_maintenance") == ([], message.format(49))
    publish(store, "a", "last", rows=1)
    (request,), _ = evaluate(instance, "due_maintenance")
    assert request.run_key == "maintenance:50"
    keeping = {"keep_receipts": 2, "grace_minutes": 0}
    done = defs.resolve_job_def("maintain_index").execute_in_process(
        instance=instance,
        run_config={**QUIET, "ops": {"maintenance": {"config": keeping}}},
    )
    assert done.success
    (made,) = done.asset_materializations_for_node("maintenance")
    assert made.metadata["kept_receipts"].value == [1, 49, 50]
    assert made.metadata["ledger_sequence"].value == 51
    assert made.metadata["files"].value < made.metadata["files_before"].value
    assert made.metadata["removed_versions"].value > 40
    assert Reader(state).published.versions == made.metadata["table_versions"].value
    assert broken_entry(ledger.read(store)) is None
    assert evaluate(instance, "due_maintenance") == ([], message.format(0))


def test_maintenance_removes_old_runs(
    instance: DagsterInstance,
    state: StateDirectory,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of the old runs those stay that are among the newest of their kind, or of a kept receipt."""
    root = write(tmp_path / "a", {"x.py": b"x = 1\n"})
    certified = index(state, root).run_id
    monkeypatch.setattr(maintenance, "KEPT_RUNS", 2)
    job = defs.resolve_job_def(JOB)
    for status in (*["SUCCESS"] * 4, *["FAILURE"] * 3, "STARTED"):
        tags = {"dagster/partition": "a"}
        instance.create_run_for_job(job, status=DagsterRunStatus(status), tags=tags)
    before = [run.run_id for run in instance.get_runs()]
    for age, removed in ((timedelta(weeks=2), 0), (timedelta(0), 3)):
        monkeypatch.setattr(maintenance, "RUN_AGE", age)
        done = defs.resolve_job_def("maintain_index").execute_in_process(
            instance=instance, run_config=QUIET
        )
        (made,) = done.asset_materializations_for_node("maintenance")
        assert made.metadata["removed_runs"].value == removed
    left = {run.run_id for run in instance.get_runs()}
    gone = [run_id for run_id in before if run_id not in left]
    assert gone == [*before[3:4], *before[6:8]]
    assert certified in left
    files = {path.name.partition(".")[0] for path in state.dagster.glob("history/runs/*-*.db")}
    assert not files & set(gone)
    assert certified in files


@pytest.mark.parametrize(("asked", "number"), [("", 5), ("12", 12)])
def test_retention_setting(monkeypatch: pytest.MonkeyPatch, asked: str, number: int) -> None:
    """How many receipts are kept is the run's option, else the variable, else five."""
    monkeypatch.setenv(KEEP_VARIABLE, asked)
    assert MaintenanceOptions().retention == Retention(number, timedelta(hours=1))
    assert MaintenanceOptions(keep_receipts=3).retention.receipts == 3


def test_senseless_retention_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    """A setting that is no number is an error, not a clean-up of everything."""
    monkeypatch.setenv(KEEP_VARIABLE, "-1")
    with pytest.raises(UsageError, match="positive number"):
        _ = MaintenanceOptions().retention


def test_broken_ledger_stops_maintenance(instance: DagsterInstance, state: StateDirectory) -> None:
    """Where the ledger does not verify, nothing is removed."""
    store = Store(state)
    for number in range(3):
        publish(store, "a", f"word{number}")
    store.open("receipts").update(where="sequence = 2", values={"reason": "forged"})
    before = store.open("receipts").count_rows(), sorted(state.lance.rglob("*.manifest"))
    done = defs.resolve_job_def("maintain_index").execute_in_process(
        instance=instance, run_config=QUIET, raise_on_error=False
    )
    assert not done.success
    assert (store.open("receipts").count_rows(), sorted(state.lance.rglob("*.manifest"))) == before
