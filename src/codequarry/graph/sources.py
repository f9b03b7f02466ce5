"""The unit of work of a graph: one file, read and parsed, in whichever process.

Apart from `codequarry.graph.build`, so that workers import neither polars nor Arrow.
"""

from pathlib import Path
from typing import NamedTuple

from codequarry.core.files import read_contained
from codequarry.graph.references import Mentions, find_mentions
from codequarry.syntax.parsing import parse

SOURCE_BYTES = 16 * 1024 * 1024
"""A larger file is data, whatever its name."""


class Source(NamedTuple):
    """A file to read references from, as it travels to a worker."""

    root: str
    path: str
    os_path: bytes
    grammar: str
    size: int


def size_of(source: Source) -> int:
    """Give a source's bytes."""
    return source.size


def mentions_of(source: Source) -> Mentions | None:
    """Read and parse one file, in whatever process this is.

    Returns:
        What it mentions; ``None`` when the parser could not take it in time.

    Raises:
        OSError: It cannot be read, or is no longer what the snapshot saw.
    """
    content = read_contained(Path(source.root), source.os_path, SOURCE_BYTES)
    tree = parse(content, source.grammar)
    return None if tree is None else find_mentions(content, tree, source.grammar)
