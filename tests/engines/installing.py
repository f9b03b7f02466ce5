"""Real engines of other projects, installed once into a folder that git ignores.

Nothing is skipped: an engine that cannot be installed fails the tests that need it.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import filelock

FOLDER = Path(__file__).parents[2] / ".engines"
CODEGRAPH = "@colbymchenry/codegraph@1.6.1"
AXON = ("axoniq==1.0.1", "mcp<2")
_SECONDS = 600


def codegraph() -> Path:
    """Give the program of the real codegraph."""
    folder = FOLDER / "codegraph-1.6.1"
    program = folder / "node_modules" / ".bin" / "codegraph"
    with _installing("codegraph"):
        if not (folder / ".installed").exists():
            _run("npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), CODEGRAPH)
            (folder / ".installed").touch()
    return program


def axon() -> Path:
    """Give the program of the real axon, in a virtual environment of its own."""
    folder = FOLDER / "axoniq-1.0.1"
    with _installing("axoniq"):
        if not (folder / ".installed").exists():
            _run(sys.executable, "-m", "venv", str(folder))
            python = str(folder / "bin" / "python")
            if uv := shutil.which("uv", path=str(Path(sys.executable).parent)):
                _run(uv, "pip", "install", "--quiet", "--python", python, *AXON)
            else:
                _run(python, "-m", "pip", "install", "--quiet", *AXON)
            (folder / ".installed").touch()
    return folder / "bin" / "axon"


def _installing(name: str) -> filelock.FileLock:
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / ".gitignore").write_text("*\n")
    return filelock.FileLock(FOLDER / f"{name}.lock", timeout=_SECONDS)


def _run(*command: str) -> None:
    environment = {**os.environ, "DO_NOT_TRACK": "1"}
    done = subprocess.run(
        command, capture_output=True, timeout=_SECONDS, check=False, env=environment
    )
    assert done.returncode == 0, f"{command[0]} failed: {done.stderr.decode()[-2000:]}"
