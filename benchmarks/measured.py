"""Run a command and measure it: wall time, and the peak memory of its whole process tree."""

import os
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

SAMPLE_SECONDS = 0.05


@dataclass(frozen=True)
class Measured:
    """What one command took.

    Args:
        seconds: Wall time.
        cpu_seconds: User and system time of all its processes.
        peak_mb: Largest sum of resident memory over its process tree, in MiB, shared pages
            counted once (PSS).
        stdout: What it printed.
    """

    seconds: float
    cpu_seconds: float
    peak_mb: float
    stdout: str


def measure(argv: Sequence[str], cwd: Path, environment: Mapping[str, str]) -> Measured:
    """Run a command to its end.

    Raises:
        subprocess.CalledProcessError: It failed.
    """
    before = os.times()
    started = time.monotonic()
    with subprocess.Popen(
        list(argv),
        cwd=cwd,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        sampler = _Sampler(process.pid)
        sampler.start()
        out, err = process.communicate()
        sampler.stop()
    after = os.times()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, argv, out, err)
    cpu = after.children_user + after.children_system - before.children_user
    return Measured(
        time.monotonic() - started, cpu - before.children_system, sampler.peak / 1024, out
    )


class _Sampler(threading.Thread):
    def __init__(self, root: int) -> None:
        super().__init__(daemon=True)
        self._root = root
        self._over = threading.Event()
        self.peak = 0

    def run(self) -> None:
        while not self._over.wait(SAMPLE_SECONDS):
            self.peak = max(self.peak, sum(map(_pss, _tree(self._root))))

    def stop(self) -> None:
        self._over.set()
        self.join()


def _tree(root: int) -> list[int]:
    found, waiting = [], [root]
    while waiting:
        process = waiting.pop()
        found.append(process)
        try:
            for task in os.listdir(f"/proc/{process}/task"):
                children = Path(f"/proc/{process}/task/{task}/children").read_text()
                waiting.extend(map(int, children.split()))
        except OSError:
            continue
    return found


def _pss(process: int) -> int:
    try:
        for line in Path(f"/proc/{process}/smaps_rollup").read_text().split("\n"):
            if line.startswith("Pss:"):
                return int(line.split()[1])
    except OSError:
        pass
    return 0
