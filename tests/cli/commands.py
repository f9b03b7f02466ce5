"""The command line as tests run it: in this process, or as the installed program."""

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from codequarry.cli.main import run
from codequarry.core.state import HOME_VARIABLE

PROGRAM = Path(sys.executable).with_name("codequarry")


@dataclass(frozen=True)
class Ran:
    """What a command left."""

    code: int
    out: str
    err: str


def here(capfd: pytest.CaptureFixture[str], *arguments: str | os.PathLike[str]) -> Ran:
    """Run a command in this process."""
    capfd.readouterr()
    code = run([os.fspath(argument) for argument in arguments])
    return Ran(code, *capfd.readouterr())


def environment(home: Path, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Give this process's environment with a deployment of its own and no producer settings."""
    kept = {name: value for name, value in os.environ.items() if "CODEQUARRY" not in name}
    return {**kept, HOME_VARIABLE: str(home), **(extra or {})}


def installed(
    home: Path,
    *arguments: str | bytes | os.PathLike[str],
    cwd: Path | None = None,
    extra: Mapping[str, str] | None = None,
) -> Ran:
    """Run the installed program."""
    done = subprocess.run(
        [PROGRAM, *arguments],
        cwd=cwd,
        env=environment(home, extra),
        capture_output=True,
        timeout=180,
        check=False,
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())
