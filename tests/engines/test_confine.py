"""What an engine's process may not have: memory without bound, the network, our priority."""

import json
import socket
import sys
from pathlib import Path

import pytest

from codequarry.core.process import run
from codequarry.core.registry import Project
from codequarry.engines.bench import Bench


def confined(folder: Path, code: str, memory: int = 0, *, network: bool = False) -> str:
    """Run Python code as an engine would run, and give what it printed."""
    bench = Bench(Project("p", folder), folder, folder / "home", {}, memory, network)
    command = bench.command(sys.executable, "-I", "-S", "-c", code)
    done = run(command, folder, 30, 100_000)
    return done.stdout.decode() + done.stderr.decode()


def test_memory_is_bounded(tmp_path: Path) -> None:
    """A process that holds more than it was given is ended; what it only reserves is free."""
    hold = "x = b'x' * 300_000_000; import time; time.sleep(20); print(len(x))"
    assert exit_code(tmp_path, hold, 150_000_000) == -9
    reserve = "import mmap; x = mmap.mmap(-1, 8_000_000_000); print('done')"
    assert confined(tmp_path, reserve, 150_000_000).strip() == "done"


@pytest.mark.parametrize("memory", [0, 1_000_000_000])
def test_exit_code_is_the_programs(tmp_path: Path, memory: int) -> None:
    """Watched or not, a program's exit code arrives."""
    assert exit_code(tmp_path, "raise SystemExit(7)", memory) == 7


def exit_code(folder: Path, code: str, memory: int) -> int:
    bench = Bench(Project("p", folder), folder, folder / "home", {}, memory)
    command = bench.command(sys.executable, "-I", "-S", "-c", code)
    return run(command, folder, 60, 100_000).returncode


def test_engine_is_less_urgent_than_we_are(tmp_path: Path) -> None:
    """An engine runs at low priority, so that it never slows a search."""
    assert int(confined(tmp_path, "import os; print(os.nice(0))")) >= 10


def test_network_is_denied_where_the_kernel_can(tmp_path: Path) -> None:
    """Where network namespaces are allowed, an engine reaches nobody, not even this machine."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        code = (
            "import socket, json, os\n"
            "try:\n"
            f"    socket.create_connection(('127.0.0.1', {server.getsockname()[1]}), 5).close()\n"
            "    reached = True\n"
            "except OSError:\n"
            "    reached = False\n"
            "print(json.dumps([reached, os.readlink('/proc/self/ns/net')]))"
        )
        allowed, ours = json.loads(confined(tmp_path, code, network=True))
        reached, theirs = json.loads(confined(tmp_path, code))
    assert allowed
    assert reached == (theirs == ours)


@pytest.mark.parametrize("argument", ["a b", "$(touch x)", "*", "-c", ""])
def test_arguments_arrive_as_they_are(tmp_path: Path, argument: str) -> None:
    """Nothing between us and the engine reads an argument."""
    bench = Bench(Project("p", tmp_path), tmp_path, tmp_path / "home")
    code = "import sys, json; print(json.dumps(sys.argv[1:]))"
    command = bench.command(sys.executable, "-I", "-S", "-c", code, argument)
    assert json.loads(run(command, tmp_path, 30, 10_000).stdout) == [argument]
