"""A hash that changes when our own code, or a wheel, makes something else of a content."""

import hashlib
from collections.abc import Iterable
from importlib import metadata
from importlib.resources.abc import Traversable


def version_of(code: Iterable[Traversable], wheels: Iterable[str]) -> bytes:
    """Give the SHA-256 of some files of ours, in the order given, and of some wheels' versions.

    Raises:
        OSError: A file cannot be read.
        PackageNotFoundError: A wheel is not installed.
    """
    digest = hashlib.sha256()
    for file in code:
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    for name in wheels:
        digest.update(f"{name}={metadata.version(name)}\0".encode())
    return digest.digest()
