"""Commands of engines: nobody waits for one that is no longer wanted."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from codequarry.core.registry import Project
from codequarry.engines.bench import Bench
from codequarry.engines.cli_client import CommandChannel
from tests.engines.conftest import alive

SLEEPER = """#!/bin/sh
echo $$ > "{pid}"
exec sleep 600
"""
WAITING = """
import asyncio, sys
from pathlib import Path
from codequarry.core.registry import Project
from codequarry.engines.bench import Bench
from codequarry.engines.cli_client import CommandChannel
folder = Path(sys.argv[1])
bench = Bench(Project("shop", folder), folder / "tree", folder / "home", {"PATH": "/usr/bin:/bin"})
asyncio.run(CommandChannel(bench, str(folder / "sleeper")).run([], 600))
"""


@pytest.fixture
def sleeper(tmp_path: Path) -> Path:
    """A program that writes its process id, and sleeps."""
    program = tmp_path / "sleeper"
    program.write_text(SLEEPER.format(pid=tmp_path / "pid"))
    program.chmod(0o755)
    return program


def pid_in(folder: Path) -> int:
    for _ in range(400):
        text = (folder / "pid").read_text() if (folder / "pid").exists() else ""
        if text.endswith("\n"):
            return int(text)
        time.sleep(0.05)
    raise AssertionError("the program never ran")


def ends(pid: int) -> bool:
    for _ in range(200):
        if not alive(pid):
            return True
        time.sleep(0.05)
    return False


def test_a_deadline_around_a_command_ends_it(shop: Project, tmp_path: Path, sleeper: Path) -> None:
    """When the asker's time is up the program is gone before the asker goes on."""
    bench = Bench(shop, tmp_path / "tree", tmp_path / "home", {"PATH": os.environ["PATH"]})

    async def ask() -> int:
        call = asyncio.create_task(CommandChannel(bench, str(sleeper)).run([], 600))
        pid = await asyncio.to_thread(pid_in, tmp_path)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        return pid

    started = time.monotonic()
    assert not alive(asyncio.run(ask()))
    assert time.monotonic() - started < 60


def test_an_interrupt_ends_the_engine(tmp_path: Path, sleeper: Path) -> None:
    """Ctrl-C in a sync leaves no engine running."""
    (tmp_path / "tree").mkdir()
    waiting = subprocess.Popen(
        [sys.executable, "-c", WAITING, str(tmp_path)], stderr=subprocess.DEVNULL
    )
    pid = pid_in(tmp_path)
    waiting.send_signal(signal.SIGINT)
    assert waiting.wait(60) != 0
    assert ends(pid)
