"""``codequarry status``: its fields, its words, all projects, and the past."""

import json
from pathlib import Path

import pytest

from codequarry.core.state import StateDirectory
from codequarry.index.ledger import read
from codequarry.index.store import Store
from tests.cli.commands import here
from tests.cli.test_errors import one_sentence
from tests.e2e.planting import write
from tests.fakes import install

CODEMAP = {"a.py": b"def alpha():\n    return 1\n"}


def test_fields(demo: Path, demo_state: StateDirectory, capfd: pytest.CaptureFixture[str]) -> None:
    """The document has the fields of contract.md E10, the profile of the index among them."""
    found = json.loads(here(capfd, "status", "-p", "demo", "-f", "json").out)
    entry = [entry for entry in read(Store(demo_state)) if entry.project == "demo"][-1]
    assert found["project_root"] == str(demo)
    assert found["database"] == str(demo_state.lance)
    assert (found["provider"], found["dimensions"]) == ("house", 256)
    assert found["stored_profile"] == found["current_profile"] == entry.embedding_profile
    assert (found["profile_status"], found["profile_matches"]) == ("ok", True)
    assert found["readiness"]["profile_matches"] is True
    assert found["freshness"]["receipt_last_success"] == found["ingestion_receipt"]["last_success"]
    assert found["pending_changes"]["total_pending"] == 0
    assert found["lightweight"] is True


def test_another_model(
    demo: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An index of another embedding profile is no ready one, whatever its proof; both are named."""
    monkeypatch.setenv("CODEQUARRY_EMBEDDING_PROVIDER", "ollama")
    found = json.loads(here(capfd, "status", "-p", "demo", "-f", "json").out)
    assert found["freshness"]["state"] == "fresh"
    assert found["readiness"]["state"] == "profile_mismatch"
    assert found["profile_status"] == "mismatch"
    text = here(capfd, "status", "-p", "demo").out
    assert "is not the configured one" in text
    assert f"remedy    codequarry index --full {demo}" in text


def test_wrong_settings(
    demo: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wrong setting is told, and the proof too: an index may be fresh without a model."""
    monkeypatch.setenv("CODEQUARRY_EMBEDDING_PROVIDER", "psychic")
    found = json.loads(here(capfd, "status", "-p", "demo", "-f", "json").out)
    assert "CODEQUARRY_EMBEDDING_PROVIDER" in found["profile_status"]
    assert found["index_fresh"] is True
    text = here(capfd, "status", "-p", "demo").out
    assert text.startswith("demo: fresh (")
    assert "  profile   CODEQUARRY_EMBEDDING_PROVIDER is 'psychic'" in text


def test_all_projects(demo: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """With --all every registered project is told, one that was never indexed too."""
    other = write(tmp_path / "another", CODEMAP)
    assert here(capfd, "projects", "add", other).code == 0
    try:
        rows = json.loads(here(capfd, "status", "--all", "-f", "json").out)
        assert [row["project"] for row in rows] == ["another", "demo"]
        assert [row["readiness"]["state"] for row in rows] == ["empty", "ready"]
        text = here(capfd, "status", "-a").out
        assert text.startswith("another: unknown (index_health_manifest_missing)\n")
        assert f"  remedy    codequarry index {other}\n" in text
        assert "\ndemo: fresh (fresh)\n  index     2 files, " in text
        past = json.loads(here(capfd, "status", "-a", "--as-of", "1", "-f", "json").out)
        assert [row["project"] for row in past] == ["demo"]
    finally:
        assert here(capfd, "projects", "remove", "another").code == 0
    one_sentence(here(capfd, "status", "-a", "-p", "demo"))


def test_no_project(state: StateDirectory, capfd: pytest.CaptureFixture[str]) -> None:
    """Without any project --all says so on stderr, and JSON is an empty array."""
    ran = here(capfd, "status", "-a", "-f", "json")
    assert (ran.code, json.loads(ran.out)) == (0, [])
    assert "codequarry index PATH" in ran.err


def test_as_of(demo: Path, demo_state: StateDirectory, capfd: pytest.CaptureFixture[str]) -> None:
    """The past is named as a search names it: position, receipt, attempt, time, kept name."""
    entry = read(Store(demo_state))[0]
    assert here(capfd, "ledger", "keep", "old", "--as-of", "1").code == 0
    moments = ("1", entry.receipt_hash[:12], entry.attempt_id, entry.appended_at, "old")
    try:
        for moment in moments:
            ran = here(capfd, "status", "-p", "demo", "--as-of", moment, "-f", "json")
            assert json.loads(ran.out)["entry_hash"] == entry.entry_hash, moment
    finally:
        assert here(capfd, "ledger", "release", "old").code == 0
    for moment in ("yesterday", "2001-01-01T00:00:00Z", "9" * 5000):
        one_sentence(here(capfd, "status", "-p", "demo", "--as-of", moment))


def test_before_the_project_was_there(
    demo: Path, demo_state: StateDirectory, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Asked about a time before its first run, a project's first entry is named, not a remedy."""
    late = write(tmp_path / "late", CODEMAP)
    assert here(capfd, "index", late).code == 0
    first = next(entry for entry in read(Store(demo_state)) if entry.project == "late")
    try:
        for command in (["status"], ["search", "alpha"], ["callers", "alpha"]):
            ran = here(capfd, *command, "-p", "late", "--as-of", "1")
            one_sentence(ran)
            assert "'late' was not indexed as of entry 1 of the ledger" in ran.err
            assert f"its next entry is {first.sequence}, of {first.appended_at}" in ran.err
    finally:
        assert here(capfd, "projects", "remove", "late").code == 0


def test_a_producer_that_is_behind(
    state: StateDirectory,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where only codemap's index is stale, its files are listed, and codemap is to go first."""
    root = write(tmp_path / "tree", CODEMAP)
    monkeypatch.setenv("CODEQUARRY_CODEMAP", str(install(tmp_path)))
    assert here(capfd, "index", root).code == 0
    behind = {"checked": True, "fresh": False, "changed": 1, "new": 0, "deleted": 0}
    patch = {"freshness": {**behind, "changed_files": ["a.py"]}}
    install(tmp_path, {"manifest_patch": patch})
    text = here(capfd, "status", "-p", "tree").out
    assert text.startswith("tree: stale (structural_manifest_stale)\n  index     1 file, 1 chunk\n")
    assert "  modified  a.py\n" in text
    assert f"  remedy    cd {root} && codemap index && codequarry index\n" in text


def test_never_exports(
    state: StateDirectory,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Status asks codemap for its manifest, and for nothing else."""
    root = write(tmp_path / "tree", CODEMAP)
    monkeypatch.setenv("CODEQUARRY_CODEMAP", str(install(tmp_path)))
    assert here(capfd, "index", root).code == 0
    journal = tmp_path / "journal"
    install(tmp_path, {"journal": str(journal)})
    for content in (b"def other():\n    return 2\n", CODEMAP["a.py"]):
        write(root, {"a.py": content})
        here(capfd, "status", "-p", "tree")
    asked = [json.loads(line)["argv"][0] for line in journal.read_text().split("\n")[:-1]]
    assert asked == ["structural-manifest"]
