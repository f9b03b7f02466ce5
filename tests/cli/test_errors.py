"""Errors are one sentence with a remedy on stderr, nothing on stdout, and exit code not 0."""

import os
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest

from codequarry.cli.main import DEBUG_VARIABLE, cli, run
from codequarry.core.state import StateDirectory
from tests.cli.commands import PROGRAM, Ran, environment, here

WRONG = {
    "unknown project in search": ["search", "-p", "nobody", "alpha"],
    "unknown project in status": ["status", "-p", "nobody"],
    "unknown project in remove": ["projects", "remove", "nobody"],
    "empty query": ["search", "-p", "demo", "  "],
    "limit of nothing": ["search", "-p", "demo", "-n", "0", "alpha"],
    "limit below": ["search", "-p", "demo", "-n", "-5", "alpha"],
    "limit too high": ["search", "-p", "demo", "-n", "1000001", "alpha"],
    "name that cannot be": ["projects", "add", ".", "--name", "../up"],
    "name with newline": ["projects", "add", ".", "--name", "a\nb"],
    "path that is missing": ["index", "nowhere"],
}
USAGE = {
    "unknown command": ["serach", "alpha"],
    "unknown option": ["search", "--colour", "alpha"],
    "unknown mode": ["search", "-m", "psychic", "alpha"],
    "unknown format": ["search", "-f", "xml", "alpha"],
    "unknown structural mode": ["index", "--structural-chunks", "maybe"],
    "unknown format of index": ["index", "--format", "yaml"],
    "no query": ["search"],
    "limit is no number": ["search", "-n", "ten", "alpha"],
    "too many paths": ["index", "a", "b"],
}


@pytest.mark.parametrize("what", WRONG)
def test_wrong(demo: Path, capfd: pytest.CaptureFixture[str], what: str) -> None:
    """What cannot be done is one sentence that names the remedy."""
    one_sentence(here(capfd, *WRONG[what]))


def one_sentence(ran: Ran) -> None:
    """Check that a command failed as commands fail."""
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("codequarry: ")
    assert "; " in ran.err
    assert ran.err.count("\n") == 1
    assert "Traceback" not in ran.err
    assert "internal error" not in ran.err


@pytest.mark.parametrize("what", USAGE)
def test_usage(demo: Path, capfd: pytest.CaptureFixture[str], what: str) -> None:
    """What cannot be understood shows the usage, says what was wrong, and exits 2."""
    ran = here(capfd, *USAGE[what])
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("Usage: codequarry")
    assert "Error: " in ran.err
    assert "Traceback" not in ran.err


def test_nothing_indexed(
    state: StateDirectory, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A search in a deployment without an index is an error, not an empty answer."""
    for arguments in (["-a"], []):
        ran = here(capfd, "search", "-f", "json", *arguments, "alpha")
        one_sentence(ran)
        assert "codequarry index" in ran.err
    assert not state.home.exists()


def test_registered_and_never_indexed(
    demo: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A project that is registered only is not searched as if it were empty."""
    (tmp_path / "fresh").mkdir()
    assert here(capfd, "projects", "add", tmp_path / "fresh").code == 0
    ran = here(capfd, "search", "-p", "fresh", "alpha")
    one_sentence(ran)
    assert "'fresh' is not indexed yet" in ran.err
    assert here(capfd, "search", "-a", "alpha").code == 0
    assert here(capfd, "projects", "remove", "fresh").code == 0


def test_status_outside_of_projects(
    demo: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Status outside of every project says how to name one."""
    monkeypatch.chdir(tmp_path)
    ran = here(capfd, "status")
    one_sentence(ran)
    assert "--project" in ran.err


def test_damaged_registry(state: StateDirectory, capfd: pytest.CaptureFixture[str]) -> None:
    """A damaged registry is named, and the doctor exits 1 because of it."""
    state.prepare()
    state.registry.write_text("{")
    one_sentence(here(capfd, "projects", "list"))
    doctor = here(capfd, "doctor")
    assert doctor.code == 1
    assert "bad  state" in doctor.out
    assert "projects.json" in doctor.out


def test_wrong_settings(
    demo: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wrong setting names its variable, in a search and by the doctor."""
    monkeypatch.setenv("CODEQUARRY_EMBEDDING_PROVIDER", "psychic")
    ran = here(capfd, "search", "-p", "demo", "alpha")
    one_sentence(ran)
    assert "CODEQUARRY_EMBEDDING_PROVIDER" in ran.err
    doctor = here(capfd, "doctor")
    assert doctor.code == 1
    assert "CODEQUARRY_EMBEDDING_PROVIDER" in doctor.out


def test_unexpected_errors(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A defect is one line that leaks nothing, and a traceback on demand."""

    @click.command()
    def broken() -> None:
        raise KeyError("secret source text")

    monkeypatch.setitem(cli.commands, "broken", broken)
    monkeypatch.delenv(DEBUG_VARIABLE, raising=False)
    ran = here(capfd, "broken")
    assert (ran.code, ran.out) == (1, "")
    assert "internal error (KeyError)" in ran.err
    assert "secret" not in ran.err
    monkeypatch.setenv(DEBUG_VARIABLE, "1")
    with pytest.raises(KeyError):
        here(capfd, "broken")


def test_reader_that_leaves(demo: Path) -> None:
    """A pipe that closes early ends the command without a traceback."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [PROGRAM, "search", "-p", "demo", "alpha"],
        env=environment(demo.parent / "home"),
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)
    assert b"Traceback" not in done.stderr
    assert b"internal error" not in done.stderr


def test_no_interrupt_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C that falls into a destructor, where Python drops it, still ends the command."""
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    ended = []

    class Interrupted:
        def __del__(self) -> None:
            raise KeyboardInterrupt

    def drop() -> None:
        Interrupted()
        for _ in range(1_000):
            time.sleep(0.001)
        ended.append(True)

    monkeypatch.setitem(cli.commands, "drop", click.Command("drop", callback=drop))
    assert (run(["drop"]), ended) == (130, [])
