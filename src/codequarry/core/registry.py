"""The registered projects of a deployment.

A project is its real path; its name is only a label, unique in the deployment, and the Dagster
partition key.
"""

import contextlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from codequarry.core.errors import ProjectError, StateError
from codequarry.core.files import locked, write_atomically
from codequarry.core.hashing import evidence_key, producer_key
from codequarry.core.state import HOME_VARIABLE, StateDirectory
from codequarry.core.text import ascending

_UNSAFE = re.compile(r"[^\w.+-]+")
_NAME = re.compile(r"\w[\w.+-]{0,99}")


@dataclass(frozen=True)
class Project:
    """One registered source tree."""

    name: str
    root: Path

    @property
    def producer_key(self) -> str:
        """Key A (contract.md C1)."""
        return producer_key(self.root)

    @property
    def evidence_key(self) -> str:
        """Key B (contract.md C5)."""
        return evidence_key(self.root)


class _Document(msgspec.Struct, frozen=True):
    schema_version: int
    projects: dict[str, str]


class Registry:
    """Names and roots of the projects, kept in one file of the state directory."""

    def __init__(self, state: StateDirectory) -> None:
        self._state = state

    def all(self) -> tuple[Project, ...]:
        """Give every project, ascending by the bytes of its name.

        Raises:
            StateError: The registry file is damaged.
        """
        names = self._load()
        return tuple(Project(name, Path(names[name])) for name in ascending(names))

    def get(self, name: str) -> Project:
        """Give the project called ``name``.

        Raises:
            ProjectError: There is none.
        """
        for project in self.all():
            if project.name == name:
                return project
        known = ", ".join(project.name for project in self.all()) or "none"
        raise ProjectError(
            f"no project is called {name!r} (registered: {known})",
            "run `codequarry projects list`, or register it with `codequarry projects add PATH`",
        )

    def meant(self, names: tuple[str, ...], around: Path) -> tuple[str, ...] | None:
        """Give the projects that a question is put to; ``None`` means all.

        Args:
            names: Those that were named; each once.
            around: Without any, the folder whose project is meant.

        Raises:
            ProjectError: A name is unknown.
        """
        if names:
            return tuple(dict.fromkeys(self.get(name).name for name in names))
        found = self.enclosing(around)
        return (found.name,) if found else None

    def enclosing(self, directory: Path) -> Project | None:
        """Give the nearest registered project at or above ``directory``, symlinks resolved."""
        by_root = {project.root: project for project in self.all()}
        real = Path(os.path.realpath(directory))
        return next((by_root[path] for path in (real, *real.parents) if path in by_root), None)

    def add(self, root: Path, name: str | None = None) -> Project:
        """Register ``root``; a tree that is registered already keeps its name.

        Without ``name`` the directory's name is taken, and where another tree has that name, the
        first six digits of Key A are added to it.

        Raises:
            ProjectError: The path is no directory, holds the state directory, or another tree has
                the name asked for.
        """
        real = checked_root(root)
        if real in (home := Path(os.path.realpath(self._state.home)), *home.parents):
            raise ProjectError(
                f"the state directory {self._state.home} lies inside {real}",
                f"set {HOME_VARIABLE} to a directory elsewhere: a project is never written to",
            )
        if name is not None and not _NAME.fullmatch(name):
            raise ProjectError(
                f"{name!r} cannot name a project", "use up to 100 letters, digits, and . _ + -"
            )
        with self._exclusive():
            names = self._load()
            held = next((known for known, path in names.items() if path == str(real)), None)
            if held is not None and name in (None, held):
                return Project(held, real)
            chosen = name or _free_name(real, names)
            if chosen in names:
                raise ProjectError(
                    f"the name {chosen!r} belongs to {names[chosen]}",
                    "choose another with --name",
                )
            if held is not None:
                raise ProjectError(
                    f"{real} is registered as {held!r}",
                    f"use that name, or run `codequarry projects remove {held}` first",
                )
            self._save({**names, chosen: str(real)})
        return Project(chosen, real)

    def remove(self, name: str) -> Project:
        """Forget the project called ``name``.

        Raises:
            ProjectError: There is none.
        """
        with self._exclusive():
            project = self.get(name)
            self._save({k: path for k, path in self._load().items() if k != name})
        return project

    @contextlib.contextmanager
    def _exclusive(self) -> Iterator[None]:
        self._state.prepare()
        with locked(self._state.registry.with_suffix(".lock"), 10):
            yield

    def _load(self) -> dict[str, str]:
        try:
            raw = self._state.registry.read_bytes()
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise StateError(
                f"cannot read {self._state.registry}: {error.strerror}", "make it readable"
            ) from error
        try:
            return msgspec.json.decode(raw, type=_Document).projects
        except msgspec.DecodeError as error:
            raise StateError(
                f"the project registry {self._state.registry} is damaged",
                "move it away and register the projects again",
            ) from error

    def _save(self, names: dict[str, str]) -> None:
        ordered = {name: names[name] for name in ascending(names)}
        body = msgspec.json.encode(_Document(1, ordered))
        write_atomically(self._state.registry, msgspec.json.format(body, indent=2) + b"\n")


def checked_root(root: Path) -> Path:
    """Resolve a project's root.

    Raises:
        ProjectError: It does not exist, is no directory, or its path is not UTF-8.
    """
    real = Path(os.path.realpath(root))
    if not real.exists():
        raise ProjectError(f"{root} does not exist", "give the directory of a source tree")
    if not real.is_dir():
        raise ProjectError(f"{root} is not a directory", "give the directory of a source tree")
    try:
        str(real).encode("utf-8")
    except UnicodeEncodeError as error:
        raise ProjectError(
            f"the path {os.fsencode(real)!r} is not UTF-8", "rename the directory"
        ) from error
    return real


def _free_name(root: Path, names: dict[str, str]) -> str:
    plain = _UNSAFE.sub("-", root.name).strip("-.")[:80] or "root"
    return f"{plain}-{producer_key(root)[:6]}" if plain in names else plain
