"""Evidence that is damaged, foreign or missing: its state, what answers, and what mends it."""

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from codequarry.core.hashing import evidence_key
from codequarry.core.state import HOME_VARIABLE, StateDirectory
from codequarry.index.store import RECEIPTS, Store
from codequarry.receipts import lifecycle
from codequarry.sources import hash_cache
from tests.cli.commands import here
from tests.e2e.planting import write
from tests.e2e.running import index, names, search
from tests.fakes import Scenario, install

TREE = {"a.py": b"def alpha():\n    return 1\n", "b.py": b"def beta():\n    return 2\n"}


@dataclass(frozen=True)
class Demo:
    """An indexed tree, and ways to harm its evidence."""

    state: StateDirectory
    root: Path

    @property
    def receipt(self) -> Path:
        return self.state.receipt(evidence_key(self.root))

    @property
    def health(self) -> Path:
        return self.state.health(evidence_key(self.root))

    def alter(self, path: Path, **changes: Any) -> None:
        path.write_text(json.dumps(json.loads(path.read_bytes()) | changes))


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    folder = tmp_path_factory.mktemp("evidence")
    demo = Demo(StateDirectory(folder / "home"), write(folder / "demo", TREE).resolve())
    index(demo.state, demo.root)
    return demo


@pytest.fixture
def demo(indexed: Demo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Demo:
    home = shutil.copytree(indexed.state.home, tmp_path / "home")
    monkeypatch.setenv(HOME_VARIABLE, str(home))
    return Demo(StateDirectory(home), indexed.root)


def status(capfd: pytest.CaptureFixture[str]) -> str:
    """Give the state and reason that the program tells."""
    ran = here(capfd, "status", "--project", "demo", "--format", "json")
    assert ran.code == 0, ran.err
    freshness = json.loads(ran.out)["freshness"]
    return f"{freshness['state']} {freshness['reason']}"


def unreadable(path: Path) -> None:
    path.unlink()
    path.mkdir()


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


def forged(demo: Demo) -> None:
    """Rewrite receipt and sidecar by hand, so that they agree and are complete."""
    now = "2026-11-30T00:00:00.000000Z"
    demo.alter(demo.receipt, attempt_id="e" * 32, last_attempt=now, last_success=now)
    demo.alter(demo.health, attempt_id="e" * 32)


HARMS: dict[str, tuple[Callable[[Demo], object], str, str]] = {
    "receipt corrupt": (
        lambda demo: truncated(demo.receipt),
        "unknown ingestion_receipt_invalid",
        "receipt_invalid",
    ),
    "receipt of another project": (
        lambda demo: demo.alter(demo.receipt, project_key="0" * 64),
        "unknown ingestion_receipt_invalid",
        "receipt_invalid",
    ),
    "receipt of another schema": (
        lambda demo: demo.alter(demo.receipt, schema_version=2),
        "unknown ingestion_receipt_invalid",
        "receipt_invalid",
    ),
    "receipt from the future": (
        lambda demo: demo.alter(demo.receipt, last_attempt="2099-01-01T00:00:00Z"),
        "unknown ingestion_receipt_incomplete",
        "receipt_incomplete",
    ),
    "receipt of another attempt": (
        lambda demo: demo.alter(demo.receipt, attempt_id="f" * 32),
        "unknown index_health_manifest_mismatch",
        "health_manifest_mismatch",
    ),
    "receipt with another producer's key": (
        lambda demo: demo.alter(demo.receipt, producer_project_key="0" * 12),
        "unknown ingestion_receipt_unpublished",
        "receipt_not_published",
    ),
    "receipt and sidecar forged alike": (
        forged,
        "unknown ingestion_receipt_unpublished",
        "receipt_not_published",
    ),
    "sidecar forged to the tree": (
        lambda demo: demo.alter(demo.health, indexed_bytes=1),
        "unknown ingestion_receipt_unpublished",
        "receipt_not_published",
    ),
    "ledger's head missing": (
        lambda demo: demo.state.ledger_head.unlink(),
        "unknown ingestion_receipt_unpublished",
        "receipt_not_published",
    ),
    "ledger's head forged": (
        lambda demo: demo.state.ledger_head.write_bytes(b"{}"),
        "unknown ingestion_receipt_unpublished",
        "receipt_not_published",
    ),
    "sidecar without receipt": (
        lambda demo: demo.receipt.unlink(),
        "unknown ingestion_receipt_missing",
        "receipt_missing",
    ),
    "receipt without sidecar": (
        lambda demo: demo.health.unlink(),
        "unknown index_health_manifest_missing",
        "health_manifest_missing",
    ),
    "sidecar corrupt": (
        lambda demo: truncated(demo.health),
        "unknown index_health_manifest_invalid",
        "health_manifest_invalid",
    ),
    "sidecar unreadable": (
        lambda demo: unreadable(demo.health),
        "unknown index_health_manifest_invalid",
        "health_manifest_missing",
    ),
    "receipt unreadable": (
        lambda demo: unreadable(demo.receipt),
        "unknown ingestion_receipt_invalid",
        "receipt_missing",
    ),
}


@pytest.mark.parametrize("harm", HARMS)
def test_harm(demo: Demo, capfd: pytest.CaptureFixture[str], harm: str) -> None:
    """Harmed evidence is unknown for its own reason; search answers; one full run mends it.

    What lies where a file should be is refused in one sentence, until somebody removes it.
    """
    act, told, reason = HARMS[harm]
    act(demo)
    assert status(capfd) == told
    assert names(search(demo.state, "alpha", "demo"))[0] == "alpha"
    if harm.endswith("unreadable"):
        refused = here(capfd, "index", demo.root)
        assert (refused.code, refused.out) == (1, "")
        assert refused.err.startswith("codequarry: cannot write ")
        assert refused.err.count("\n") == 1
        (demo.receipt if harm.startswith("receipt") else demo.health).rmdir()
    ran = here(capfd, "index", demo.root, "--format", "json")
    assert ran.code == 0, ran.err
    document = json.loads(ran.out)
    assert (document["mode"], document["reason"]) == ("full", reason)
    assert status(capfd) == "fresh fresh"


def test_broken_chain(demo: Demo, capfd: pytest.CaptureFixture[str]) -> None:
    """A run refuses and names the entry, as doctor and ledger do; search and proof stay."""
    write(demo.root, {"a.py": TREE["a.py"]})
    index(demo.state, demo.root, full=True)
    table = Store(demo.state).open(RECEIPTS)
    table.update(where="sequence = 1", values={"reason": "altered"})
    proof = demo.receipt.read_bytes()
    for command in (("index", demo.root, "--full"), ("ledger",)):
        ran = here(capfd, *command)
        assert ran.code == 1
        assert "the ledger's chain breaks at entry 1 (project demo)" in ran.err
        assert ran.err.count("\n") == 1
    doctor = here(capfd, "doctor")
    assert doctor.code == 1
    assert "chain breaks at entry 1" in doctor.out
    assert names(search(demo.state, "alpha", "demo"))[0] == "alpha"
    assert demo.receipt.read_bytes() == proof


@pytest.mark.parametrize("column", ["versions", "details", "receipt"])
def test_newest_entry_is_garbage(
    demo: Demo, capfd: pytest.CaptureFixture[str], column: str
) -> None:
    """An entry that cannot be read is one sentence in every command, never an internal error."""
    Store(demo.state).open(RECEIPTS).update(where="sequence = 1", values={column: "garbage"})
    refused = here(capfd, "index", demo.root)
    assert refused.code == 1
    assert "chain breaks at entry 1" in refused.err
    for command in (("search", "-p", "demo", "alpha"), ("ledger",), ("ledger", "-f", "json")):
        ran = here(capfd, *command)
        assert "internal error" not in ran.err
        assert ran.code == 0 or (ran.err.startswith("codequarry: ") and ran.err.count("\n") == 1)


MANIFESTS: dict[str, tuple[Scenario, str]] = {
    "huge": ({"fault": "flood"}, "unknown structural_manifest_unavailable"),
    "truncated": ({"fault": "die"}, "unknown structural_manifest_unavailable"),
    "garbage": ({"fault": "garbage"}, "unknown structural_manifest_invalid"),
    "contradicts itself": (
        {
            "manifest_patch": {
                "freshness": {"checked": True, "fresh": True, "changed": 3, "new": 0, "deleted": 0}
            }
        },
        "unknown structural_manifest_invalid",
    ),
    "of another index": (
        {"manifest_patch": {"index_fingerprint": "f" * 64}},
        "unknown structural_manifest_mismatch",
    ),
    "says stale": (
        {
            "manifest_patch": {
                "freshness": {"checked": True, "fresh": False, "changed": 1, "new": 0, "deleted": 0}
            }
        },
        "stale structural_manifest_stale",
    ),
    "lists are null or missing": (
        {
            "manifest_patch": {
                "freshness": {
                    "checked": True,
                    "fresh": True,
                    "changed": 0,
                    "new": 0,
                    "deleted": 0,
                    "changed_files": None,
                    "new_files": [],
                },
                "reindex_delta": None,
            }
        },
        "fresh fresh",
    ),
}


@pytest.fixture(scope="module")
def peered(tmp_path_factory: pytest.TempPathFactory) -> tuple[Demo, Path]:
    """A tree indexed from a codemap that stands in its folder."""
    folder = tmp_path_factory.mktemp("peered")
    demo = Demo(StateDirectory(folder / "home"), write(folder / "demo", TREE).resolve())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CODEQUARRY_CODEMAP", str(install(folder)))
        assert index(demo.state, demo.root).notes["receipt"]["producer"] == "codemap"
    return demo, folder


@pytest.mark.parametrize("kind", MANIFESTS)
def test_manifest(
    peered: tuple[Demo, Path],
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
) -> None:
    """Whatever manifest codemap gives, status has the word of E5 for it and search answers."""
    demo, folder = peered
    monkeypatch.setenv(HOME_VARIABLE, str(demo.state.home))
    scenario, told = MANIFESTS[kind]
    monkeypatch.setenv("CODEQUARRY_CODEMAP", str(install(folder, scenario)))
    assert status(capfd) == told
    assert names(search(demo.state, "alpha", "demo"))[0] == "alpha"


CONTRADICTION = {
    "from_fingerprint": "",
    "to_fingerprint": "",
    "changed_files": ["a.py", "gone.py"],
    "new_files": ["a.py"],
    "deleted_files": ["a.py", "b.py"],
    "created_at": "2026-01-05T10:00:00Z",
}


def test_contradictory_delta(
    peered: tuple[Demo, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A delta that calls files changed, new and deleted at once ends in the rows of the tree."""
    demo, folder = peered
    state = StateDirectory(shutil.copytree(demo.state.home, tmp_path / "home"))
    monkeypatch.setenv(HOME_VARIABLE, str(state.home))
    before = json.loads(demo.receipt.read_bytes())["index_fingerprint"]
    write(demo.root, {"a.py": b"def gamma():\n    return 3\n"})
    binary = install(folder)
    monkeypatch.setenv("CODEQUARRY_CODEMAP", str(binary))
    reached = index(StateDirectory(tmp_path / "other"), demo.root).notes["to_fingerprint"]
    delta = {**CONTRADICTION, "from_fingerprint": before, "to_fingerprint": reached}
    install(folder, {"manifest_patch": {"reindex_delta": delta}})
    monkeypatch.setenv(HOME_VARIABLE, str(state.home))
    done = index(state, demo.root)
    write(demo.root, TREE)
    assert done.notes["receipt"]["success"] is True
    assert set(names(search(state, "alpha beta gamma", "demo", limit=50))) == {"gamma", "beta"}


def test_clock_goes_backwards(
    demo: Demo, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a run in the future, runs of today work, notice changes, and chain their receipts."""
    ahead = timedelta(days=365)

    class Later(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> "Later":
            return cls.fromtimestamp((datetime.now(UTC) + ahead).timestamp(), tz)

    with monkeypatch.context() as future:
        future.setattr(lifecycle, "datetime", Later)
        real = hash_cache.time.time_ns
        late = int(ahead.total_seconds()) * 10**9
        future.setattr(hash_cache.time, "time_ns", lambda: real() + late)
        for _ in range(2):
            index(demo.state, demo.root, full=True)
    for path in demo.state.home.rglob("*"):
        moment = path.stat().st_mtime + ahead.total_seconds()
        os.utime(path, (moment, moment))
    assert json.loads(demo.receipt.read_bytes())["last_success"] > lifecycle.utc_now()
    assert status(capfd) == "fresh fresh"
    write(demo.root, {"b.py": b"def gone_back():\n    return 4\n"})
    try:
        assert status(capfd) == "stale raw_source_drift"
        done = index(demo.state, demo.root)
        assert done.mode == "delta"
        assert status(capfd) == "fresh fresh"
        assert "gone_back" in names(search(demo.state, "gone back", "demo"))
    finally:
        write(demo.root, TREE)
    ledger = here(capfd, "ledger")
    assert ledger.code == 0
    assert "the chain holds" in ledger.out
