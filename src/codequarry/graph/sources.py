"""The unit of work of a graph: one file, read and parsed, in whichever process.

Apart from `codequarry.graph.gather`, so that workers import neither polars nor Arrow.
"""

from pathlib import Path
from typing import NamedTuple

from codequarry.core.files import read_contained
from codequarry.core.hashing import sha256_hex
from codequarry.graph.asking import asked
from codequarry.graph.packing import pack
from codequarry.graph.references import find_mentions
from codequarry.syntax.parsing import parse

SOURCE_BYTES = 16 * 1024 * 1024
"""A larger file is data, whatever its name."""


class Source(NamedTuple):
    """A file to read references from, as it travels to a worker.

    Args:
        root: The project's real path.
        path: The file.
        os_path: File system bytes below the root.
        grammar: Its grammar.
        size: Bytes.
        sha256: Hexadecimal hash of the raw file that the snapshot saw.
    """

    root: str
    path: str
    os_path: bytes
    grammar: str
    size: int
    sha256: str


class Extract(NamedTuple):
    """What was read of one file.

    Args:
        sha256: Hexadecimal hash of the raw file.
        mentions: What it mentions (`codequarry.graph.packing`).
        asked: What its edges may hang on (`codequarry.graph.asking`).
    """

    sha256: str
    mentions: bytes
    asked: bytes


def size_of(source: Source) -> int:
    """Give a source's bytes."""
    return source.size


def extract_of(source: Source) -> Extract | None:
    """Read and parse one file, in whatever process this is.

    Returns:
        What it mentions; ``None`` when the parser could not take it in time.

    Raises:
        OSError: It cannot be read.
    """
    content = read_contained(Path(source.root), source.os_path, SOURCE_BYTES)
    tree = parse(content, source.grammar)
    if tree is None:
        return None
    mentions = find_mentions(content, tree, source.grammar)
    return Extract(sha256_hex(content), pack(mentions), asked(mentions, source.grammar))
