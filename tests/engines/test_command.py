"""``codequarry engines``, as its group is called."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from codequarry.cli.main import cli
from codequarry.core.errors import EngineUnavailable
from codequarry.core.registry import Project
from codequarry.core.state import StateDirectory
from tests.engines.conftest import Fake, Settings

Build = Callable[[Settings], Fake]
GOOD = {
    "search": {"text": '{"rows": []}'},
    "context": {"text": "Symbol x not found"},
    "status": {"text": '{"files": 3}'},
}


def called(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["engines", *arguments], catch_exceptions=True)


def test_list_starts_no_process(fake: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list shows every engine, its licence decision and why it cannot be used."""
    monkeypatch.setenv("PATH", "")
    engine = fake(Settings(GOOD))
    rows = {row["id"]: row for row in json.loads(called("list", "-f", "json").stdout)}
    assert rows["fake/engine"]["available"]
    assert rows["codequarry/index"]["licence"] is None
    gitnexus = rows["abhigyanpatwari/gitnexus"]
    assert (gitnexus["available"], gitnexus["licence"]["rule"]) == (False, "noncommercial")
    assert "not on PATH" in rows["harshkedia177/axon"]["hint"]
    assert engine.asked == []
    text = called("list").stdout
    assert "GPL-3.0-or-later" in text
    assert "not on PATH" in text


def test_probe_sync_and_status(fake: Build, shop: Project) -> None:
    """Each answers for a person and as JSON, and status keeps what it was told."""
    fake(Settings(GOOD))
    assert called("status", "fake/engine", "-p", "shop", "--last").stdout.startswith("fake/engine")
    probed = json.loads(called("probe", "fake/engine", "-p", "shop", "-f", "json").stdout)
    assert probed["probed"] == {"search": "answered", "context": "callable", "status": "answered"}
    synced = called("sync", "fake/engine", "-p", "shop")
    assert (synced.exit_code, "indexed shop" in synced.stdout) == (0, True)
    told = json.loads(called("status", "fake/engine", "-p", "shop", "-f", "json").stdout)
    assert told["fake/engine"]["state"] == "fresh"
    last = json.loads(called("status", "fake/engine", "-p", "shop", "--last", "-f", "json").stdout)
    assert last == told


def test_failed_probe_exits_1(fake: Build, shop: Project) -> None:
    """A question that fails is named, and the exit code tells a script."""
    fake(Settings({**GOOD, "status": {"is_error": True, "text": "kaput"}}))
    ran = called("probe", "fake/engine", "-p", "shop")
    assert ran.exit_code == 1
    assert "failed: it reported an error" in ran.stdout


def test_approve_accepts_changed_tools(fake: Build, shop: Project) -> None:
    """After a tool's schema changed, --approve lets the engine be asked again."""
    for schema in ({"type": "object"}, {"type": "object", "properties": {"more": {}}}):
        fake(Settings(GOOD, {"tools": {"search": schema}}))
        ran = called("probe", "fake/engine", "-p", "shop")
    assert ran.exit_code == 1
    assert "changed since approval" in ran.stdout
    assert called("probe", "fake/engine", "-p", "shop", "--approve").exit_code == 0


def test_unavailable_engine_is_an_error_with_a_remedy(state: StateDirectory, shop: Project) -> None:
    """An engine that cannot be used is refused in one sentence, with its hint."""
    for command in ("probe", "status", "sync"):
        ran = called(command, "abhigyanpatwari/gitnexus", "-p", "shop")
        assert isinstance(ran.exception, EngineUnavailable)
        assert "code_index.grants" in str(ran.exception)


def test_granted_engine_is_looked_for(state: StateDirectory, tmp_path: Path) -> None:
    """With a grant GitNexus passes the gate, and what is missing then is its program."""
    state.prepare()
    state.engine_settings.write_text(
        '[[code_index.grants]]\nengine = "abhigyanpatwari/gitnexus"\n'
        'spdx = "PolyForm-Noncommercial-1.0.0"\ngranted_by = "legal"\nreference = "LIC-17"\n'
        "expires = 2999-01-01\n"
    )
    rows = {row["id"]: row for row in json.loads(called("list", "-f", "json").stdout)}
    gitnexus = rows["abhigyanpatwari/gitnexus"]
    assert (gitnexus["licence"]["rule"], gitnexus["licence"]["grant"]) == ("granted", "LIC-17")
    assert "PATH" in gitnexus["hint"]


def test_probe_of_our_own_index_asks_it(state: StateDirectory, shop: Project) -> None:
    """An index that was never built answers no question, and the exit code tells so."""
    ran = called("probe", "codequarry/index", "-p", "shop", "-f", "json")
    assert ran.exit_code == 1
    assert json.loads(ran.stdout)["probed"]["search"].startswith("failed")
