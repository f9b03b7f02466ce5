"""Hashes that change when our own code, or a grammar, makes something else of a file."""

import functools
import re
from collections.abc import Iterable
from importlib import metadata, resources
from importlib.resources.abc import Traversable

from codequarry.core.versions import version_of

_HERE = resources.files(__package__)
_EXTRACTOR = (
    *("references.py", "typed.py", "imports.py", "asking.py", "conventions.py", "packing.py"),
)


@functools.cache
def extractor_version() -> bytes:
    """Give the hash of all that tells what is found in a file: our own code, and the grammars."""
    return _version(_HERE.joinpath(name) for name in _EXTRACTOR)


@functools.cache
def rules_version() -> str:
    """Give 12 digits of the hash of all that tells which edges a tree has.

    Edges that other rules made are no start for a delta.
    """
    code = (file for file in _HERE.iterdir() if file.name.endswith(".py"))
    return _version(code).hex()[:12]


def _version(code: Iterable[Traversable]) -> bytes:
    queries = _HERE.joinpath("queries").iterdir()
    return version_of([*_by_name(code), *_by_name(queries)], sorted(_grammars()))


def _by_name(files: Iterable[Traversable]) -> list[Traversable]:
    return sorted(files, key=lambda file: file.name)


def _grammars() -> set[str]:
    """Give the wheels of tree-sitter that we require; to look at all that are here is slow."""
    names = (re.split(r"[^\w.-]", wanted)[0] for wanted in metadata.requires("codequarry") or ())
    return {name for name in names if name.startswith("tree-sitter")}
