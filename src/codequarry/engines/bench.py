"""Where an engine works: its copy of the tree, its own HOME, its environment (engines.md 8)."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from codequarry.core.errors import ProjectError
from codequarry.core.files import unwritable
from codequarry.core.registry import Project, Registry
from codequarry.core.state import StateDirectory

MEMORY = 4 * 1024**3
"""Bytes of resident memory of an engine's process, where neither mapping nor settings say."""

_INHERITED = ("PATH", "LANG", "LC_ALL", "TZ")
_QUIET = {"DO_NOT_TRACK": "1", "HF_HUB_OFFLINE": "1", "SCARF_ANALYTICS": "false", "NO_COLOR": "1"}


@dataclass(frozen=True)
class Bench:
    """One engine's place for one project; no two of either share one.

    Args:
        project: The project.
        tree: What the engine reads as the project: a copy, or the project's root itself.
        home: Its HOME, and below it its temporary files.
        environment: All of its environment.
        memory: Bytes of resident memory; 0 sets no limit.
        network: Whether it may use the network.
        copied: Whether `tree` is a copy.
    """

    project: Project
    tree: Path
    home: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    memory: int = 0
    network: bool = False
    copied: bool = True

    @property
    def roots(self) -> tuple[str, ...]:
        """The absolute paths by which the engine may name the project's root."""
        return (str(self.tree), str(self.project.root))

    def command(self, program: str, *arguments: str) -> list[str]:
        """Give the argument list that runs a program confined (`confine`)."""
        network = "allow" if self.network else "deny"
        script = Path(__file__).with_name("confine.py")
        own = [sys.executable, "-I", "-S", str(script), str(self.memory), network]
        return [*own, program, *arguments]

    def prepare(self) -> None:
        """Create its folders.

        Raises:
            StateError: They cannot be created.
        """
        for folder in (self.tree, self.home, self.home / "tmp"):
            try:
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            except OSError as error:
                raise unwritable(folder, error) from error


def engine_folder(state: StateDirectory, engine: str) -> Path:
    """Give the folder of everything an engine is given and leaves."""
    return state.engines / engine.replace("/", "--")


def folders_of(state: StateDirectory, project: Project) -> list[Path]:
    """Give the folders of a project on the benches of all engines, ascending."""
    return sorted(state.engines.glob(f"*/{project.producer_key}"))


@dataclass(frozen=True)
class Needs:
    """What an engine's bench is made from, beside the project.

    Args:
        engine: Its id.
        environment: Of its mapping and the settings; ``{home}`` in a value is its HOME.
        copied: Whether it gets a copy of the tree rather than the tree.
        own_home: Whether it gets a HOME of its own.
        memory: Bytes of resident memory; 0 sets no limit.
        network: Whether it may use the network.
    """

    engine: str
    environment: Mapping[str, str] = field(default_factory=dict)
    copied: bool = True
    own_home: bool = True
    memory: int = MEMORY
    network: bool = False


def bench_for(state: StateDirectory, needs: Needs, project: Project) -> Bench:
    """Lay out an engine's bench for a project; nothing is created yet."""
    folder = engine_folder(state, needs.engine) / project.producer_key
    home = folder / "home"
    kept = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    own = {"HOME": str(home), "TMPDIR": str(home / "tmp"), "XDG_CACHE_HOME": str(home / ".cache")}
    if not needs.own_home:
        own = {"HOME": os.environ.get("HOME", str(home))}
    filled = {name: value.replace("{home}", str(home)) for name, value in needs.environment.items()}
    tree = folder / "tree" / project.root.name if needs.copied else project.root
    environment = {**kept, **_QUIET, **own, **filled}
    return Bench(project, tree, home, environment, needs.memory, needs.network, needs.copied)


class Workspaces:
    """The projects that engines are asked about."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def named(self, name: str) -> Project:
        """Give the project called ``name``.

        Raises:
            ProjectError: There is none.
        """
        return self._registry.get(name)

    def keyed(self, project_key: str) -> Project:
        """Give the project with Key A ``project_key``.

        Raises:
            ProjectError: There is none.
        """
        for project in self._registry.all():
            if project.producer_key == project_key:
                return project
        raise ProjectError(
            "a piece of code belongs to no registered project", "run `codequarry projects list`"
        )
