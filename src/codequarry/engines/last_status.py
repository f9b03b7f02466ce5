"""The last status of each engine and project: one small file, read on request paths.

Reading starts no process, asks no engine and walks no tree.
"""

import contextlib
from pathlib import Path

import msgspec

from codequarry.core.files import write_atomically
from codequarry.core.registry import Project
from codequarry.core.state import StateDirectory
from codequarry.engines.bench import engine_folder
from codequarry.engines.types import CodeIndexStatus

UNSEEN = CodeIndexStatus(
    "unknown", "lower_bound", evidence="nobody asked it yet", hint="run `codequarry engines status`"
)


def keep(state: StateDirectory, engine: str, project: Project, status: CodeIndexStatus) -> None:
    """Keep a status.

    Raises:
        StateError: It cannot be written.
    """
    write_atomically(_file(state, engine, project), msgspec.json.encode(status))


def last_status(state: StateDirectory, engine: str, project: Project) -> CodeIndexStatus:
    """Give the status that was kept last; `UNSEEN` when there is none, or it is damaged."""
    with contextlib.suppress(OSError, msgspec.DecodeError):
        raw = _file(state, engine, project).read_bytes()
        return msgspec.json.decode(raw, type=CodeIndexStatus)
    return UNSEEN


def _file(state: StateDirectory, engine: str, project: Project) -> Path:
    return engine_folder(state, engine) / project.producer_key / "status.json"
