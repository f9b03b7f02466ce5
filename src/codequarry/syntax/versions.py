"""A hash that changes when our own code, or a parser, makes something else of a file."""

import functools
import hashlib
import re
from collections.abc import Iterator
from importlib import metadata, resources
from importlib.resources.abc import Traversable

_CODE = (".py", ".scm")


@functools.cache
def reader_version(package: str, *wheels: str) -> bytes:
    """Give the SHA-256 of all that a package makes of a parsed file.

    Args:
        package: The package that reads files; its code counts, and that of `codequarry.syntax`.
        wheels: What it reads them with besides tree-sitter and its grammars.

    Raises:
        OSError: A file of ours cannot be read.
        PackageNotFoundError: A wheel is not installed.
    """
    digest = hashlib.sha256()
    for name in (package, __package__):
        for place, file in _code(resources.files(name), name):
            digest.update(f"{place}\0".encode() + file.read_bytes() + b"\0")
    for wheel in (*_grammars(), *wheels):
        digest.update(f"{wheel}={metadata.version(wheel)}\0".encode())
    return digest.digest()


def _code(folder: Traversable, place: str) -> Iterator[tuple[str, Traversable]]:
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.is_dir():
            yield from _code(file, f"{place}/{file.name}")
        elif file.name.endswith(_CODE):
            yield f"{place}/{file.name}", file


def _grammars() -> list[str]:
    """Give the wheels of tree-sitter that we require; to look at all that are here is slow."""
    names = {re.split(r"[^\w.-]", wanted)[0] for wanted in metadata.requires("codequarry") or ()}
    return sorted(name for name in names if name.startswith("tree-sitter"))
