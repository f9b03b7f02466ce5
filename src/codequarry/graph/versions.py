"""What our own code, and the grammars, make of a file: hashes that change when they do."""

import functools
import hashlib
import re
from collections.abc import Iterable
from importlib import metadata, resources
from importlib.resources.abc import Traversable

_EXTRACTOR = (
    *("references.py", "typed.py", "imports.py", "asking.py", "conventions.py", "packing.py"),
)


@functools.cache
def extractor_version() -> bytes:
    """Give the hash of all that tells what is found in a file: our own code, and the grammars."""
    return _digest(_here(_EXTRACTOR))


@functools.cache
def rules_version() -> str:
    """Give 12 digits of the hash of all that tells which edges a tree has.

    Edges that other rules made are no start for a delta.
    """
    code = (file for file in resources.files(__package__).iterdir() if file.name.endswith(".py"))
    return _digest(code).hex()[:12]


def _digest(code: Iterable[Traversable]) -> bytes:
    digest = hashlib.sha256()
    queries = resources.files(__package__).joinpath("queries").iterdir()
    for file in [*_by_name(code), *_by_name(queries)]:
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    for name in sorted(_grammars()):
        digest.update(f"{name}={metadata.version(name)}\0".encode())
    return digest.digest()


def _here(names: Iterable[str]) -> list[Traversable]:
    return [resources.files(__package__).joinpath(name) for name in names]


def _by_name(files: Iterable[Traversable]) -> list[Traversable]:
    return sorted(files, key=lambda file: file.name)


def _grammars() -> set[str]:
    """Give the wheels of tree-sitter that we require; to look at all that are here is slow."""
    names = (re.split(r"[^\w.-]", wanted)[0] for wanted in metadata.requires("codequarry") or ())
    return {name for name in names if name.startswith("tree-sitter")}
