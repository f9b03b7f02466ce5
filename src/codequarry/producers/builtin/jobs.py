"""The unit of work of an index run: one file, read and extracted, in whichever process."""

import os
from pathlib import Path
from typing import NamedTuple

from codequarry.core.files import read_contained
from codequarry.core.hashing import sha256_hex
from codequarry.producers.builtin.extract import extract
from codequarry.producers.builtin.symbols import Symbol

TOO_SLOW = "the parser's time ran out"


class FileJob(NamedTuple):
    """A file to extract. ``size`` in bytes, ``os_path`` as the file system spells it."""

    root: bytes
    path: str
    os_path: bytes
    size: int


class FileSymbols(NamedTuple):
    """What a file held when it was read: its hash, its symbols, and why there are none."""

    sha256: str
    symbols: tuple[Symbol, ...]
    failure: str


def extract_file(job: FileJob) -> FileSymbols:
    """Read one file and find its symbols.

    Raises:
        OSError: The file is gone, unreadable or outside the project.
    """
    source = read_contained(Path(os.fsdecode(job.root)), job.os_path)
    symbols = extract(job.path, source)
    failure = TOO_SLOW if symbols is None else ""
    return FileSymbols(sha256_hex(source), symbols or (), failure)


def size_of(job: FileJob) -> int:
    """Give the bytes of work a job stands for."""
    return job.size
