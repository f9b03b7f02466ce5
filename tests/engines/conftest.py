"""Deployments with a small project, and engines that are fakes or real programs."""

import json
import os
import shutil
import stat
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from codequarry.core.registry import Project, Registry
from codequarry.core.state import StateDirectory
from codequarry.engines.adapter import MappedIndex
from codequarry.engines.deployment import engines_of

FAKES = Path(__file__).parents[1] / "fakes" / "engines"
SHOP = Path(__file__).parents[1] / "trees" / "shop"

MAPPING = """
id = "fake/engine"
display_name = "Fake"
not_found_patterns = ['^Symbol .* not found']
not_indexed_patterns = ['^not indexed']
[program]
binary = "fake"
mcp = ["serve"]
version = ["--version"]
version_pattern = '^fake (\\d+\\.\\d+\\.\\d+)$'
versions = ["1."]
server_name = "fake"
[license]
spdx = "MIT"
[abilities]
score_kind = "calibrated"
[operations.search]
via = "mcp"
tool = "search"
arguments = { query = "{text}", limit = "{limit}" }
rows = ["rows[]"]
fields = { name = "name", path = "path", start_line = "line", score = "score" }
[operations.context]
via = "mcp"
tool = "context"
arguments = { symbol = "{symbol}" }
subject = "symbol"
fields = { name = "name", path = "path" }
[operations.status]
via = "mcp"
tool = "status"
fields = { files = "files" }
[operations.sync]
via = "command"
argv = ["--version"]
success = 'fake'
"""


def pytest_configure(config: pytest.Config) -> None:
    """Name the tests that install and run real engines."""
    config.addinivalue_line("markers", "engines: installs and runs real engines of other projects")


@pytest.fixture
def shop(tmp_path: Path, state: StateDirectory) -> Project:
    """A registered project of its own: a copy of the shop."""
    root = tmp_path / "shop"
    shutil.copytree(SHOP, root)
    return Registry(state).add(root, "shop")


@dataclass
class Fake:
    """A fake engine and the deployment that has it.

    Args:
        engine: It, through the generic adapter.
        journal: Where it writes what it was asked.
    """

    engine: MappedIndex
    journal: Path

    @property
    def asked(self) -> list[dict[str, Any]]:
        """Give the calls that reached it."""
        if not self.journal.exists():
            return []
        return [json.loads(line) for line in self.journal.read_text().split("\n") if line]


@dataclass
class Settings:
    """What a fake engine says, and how it is configured."""

    calls: dict[str, Any] = field(default_factory=dict)
    more: dict[str, Any] = field(default_factory=dict)
    version: str = "fake 1.2.3"
    seconds: float = 20.0
    extra: str = ""


@pytest.fixture
def fake(tmp_path: Path, state: StateDirectory, shop: Project) -> Callable[[Settings], Fake]:
    """Configure a fake engine of the shop."""

    def build(settings: Settings) -> Fake:
        program = tmp_path / "fake"
        shutil.copyfile(FAKES / "mcp_stdio.py", tmp_path / "fake.py")
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{tmp_path}/fake.py" "$@"\n')
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        document = {"calls": settings.calls, **settings.more}
        (tmp_path / "replies.json").write_text(json.dumps(document))
        journal = tmp_path / "journal"
        state.prepare()
        (state.home / "fake.toml").write_text(MAPPING)
        state.engine_settings.write_text(
            f"""
            [code_index.engines."fake/engine"]
            command = "{program}"
            mapping = "fake.toml"
            deadlines = {{ search = {settings.seconds}, context = 20.0, status = 20.0 }}
            {settings.extra}
            [code_index.engines."fake/engine".environment]
            FAKE_REPLIES = "{tmp_path}/replies.json"
            FAKE_JOURNAL = "{journal}"
            FAKE_VERSION = "{settings.version}"
            """
        )
        engine = engines_of(state).registry.resolve("fake/engine")
        assert isinstance(engine, MappedIndex), engine
        return Fake(engine, journal)

    return build


def alive(pid: int) -> bool:
    """Tell whether a process runs; one that waits to be reaped does not."""
    try:
        os.kill(pid, 0)
        status = Path(f"/proc/{pid}/stat").read_text()
    except (ProcessLookupError, FileNotFoundError):
        return False
    return status.rpartition(")")[2].split()[0] != "Z"
