"""The programs that build manifests declare."""

import tomllib
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

Scripts = Mapping[str, str]
"""Name of a command to what it runs."""


class _Project(msgspec.Struct, rename="kebab"):
    scripts: dict[str, str] = {}
    gui_scripts: dict[str, str] = {}


class _Poetry(msgspec.Struct):
    scripts: dict[str, Any] = {}


class _Tool(msgspec.Struct):
    poetry: _Poetry = msgspec.field(default_factory=_Poetry)


class _Pyproject(msgspec.Struct):
    project: _Project = msgspec.field(default_factory=_Project)
    tool: _Tool = msgspec.field(default_factory=_Tool)


class _Package(msgspec.Struct):
    name: str = ""
    bin: str | dict[str, str] = {}


class _Binary(msgspec.Struct):
    name: str
    path: str = ""


class _Cargo(msgspec.Struct):
    bin: list[_Binary] = []


def scripts_of(manifest: str, text: str) -> Scripts:
    """Give what a manifest declares.

    Args:
        manifest: The name of its file; others than `MANIFESTS` declare nothing.
        text: Its text; when it cannot be read it declares nothing.
    """
    try:
        return _READERS[manifest](text) if manifest in _READERS else {}
    except (msgspec.MsgspecError, tomllib.TOMLDecodeError, RecursionError, ValueError):
        return {}


def _pyproject(text: str) -> Scripts:
    found = msgspec.convert(tomllib.loads(text), _Pyproject)
    poetry = {
        name: target if isinstance(target, str) else ""
        for name, target in found.tool.poetry.scripts.items()
    }
    return poetry | found.project.scripts | found.project.gui_scripts


def _package(text: str) -> Scripts:
    found = msgspec.json.decode(text, type=_Package)
    if isinstance(found.bin, dict):
        return found.bin
    return {found.name.rpartition("/")[2]: found.bin} if found.name and found.bin else {}


def _cargo(text: str) -> Scripts:
    found = msgspec.convert(tomllib.loads(text), _Cargo)
    return {binary.name: binary.path for binary in found.bin}


_READERS: Final[Mapping[str, Callable[[str], Scripts]]] = {
    "pyproject.toml": _pyproject,
    "package.json": _package,
    "Cargo.toml": _cargo,
}
MANIFESTS: Final = frozenset(_READERS)
