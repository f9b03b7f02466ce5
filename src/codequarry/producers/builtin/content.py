"""The source text of records, read from disk file by file (contract.md A1.4, C3)."""

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from codequarry.core.files import UnsafeFile, read_contained
from codequarry.core.hashing import sha256_file, sha256_hex
from codequarry.core.text import cut, repair

LARGEST_FILE = 1024 * 1024
EMPTY_HASH = sha256_hex(b"")


@dataclass(frozen=True)
class Omission:
    """Why a file's records carry no content.

    Args:
        reason: A reason of contract.md A1.4.
        stale: The file on disk is not the one that was indexed.
    """

    reason: str
    stale: bool


@dataclass(frozen=True)
class SourceText:
    """A file as it was indexed.

    Args:
        raw: Its bytes.
        starts: int64 (lines): byte offset of each line; lines end at LF only, and a final LF
            opens one more, empty line.
        is_valid: Whether ``raw`` is UTF-8 throughout.
    """

    raw: bytes
    starts: npt.NDArray[np.int64]
    is_valid: bool

    def window(self, start_line: int, end_line: int, limit: int) -> tuple[str, str, bool]:
        """Give lines ``start_line`` to ``end_line``: the text cut to ``limit`` bytes, the hash of
        the uncut text, and whether it was cut.
        """  # noqa: D205 - what it gives needs all of it
        first = max(start_line, 1) - 1
        if first >= len(self.starts) or end_line < start_line:
            return "", EMPTY_HASH, False
        last = len(self.raw) if end_line >= len(self.starts) else int(self.starts[end_line]) - 1
        raw = self.raw[int(self.starts[first]) : last]
        if self.is_valid and len(raw) <= limit:
            return raw.decode("utf-8"), sha256_hex(raw), False
        text = repair(raw)
        kept = cut(text, limit)
        return kept, sha256_hex(text), len(kept) < len(text)


def read_source(root: Path, path: str, indexed_hash: str) -> SourceText | Omission:
    """Read a file of an index, or tell why its content is left out.

    Args:
        root: The project's real path.
        path: The record's file.
        indexed_hash: SHA-256 of the file when it was indexed.
    """
    relative = path.encode()
    try:
        raw = read_contained(root, relative, LARGEST_FILE)
    except (FileNotFoundError, NotADirectoryError):
        return Omission("file_missing", stale=True)
    except UnsafeFile:
        return _unsafe(root, relative, indexed_hash)
    except OSError:
        return Omission("file_unreadable", stale=False)
    if sha256_hex(raw) != indexed_hash:
        return Omission("stale_index", stale=True)
    ends = np.flatnonzero(np.frombuffer(raw, np.uint8) == ord("\n"))
    starts = np.concatenate([np.zeros(1, np.int64), ends + 1])
    return SourceText(raw, starts, _is_valid(raw))


def _unsafe(root: Path, relative: bytes, indexed_hash: str) -> Omission:
    """Tell the three ways apart in which a file cannot be taken as it is."""
    base = os.fsencode(root).rstrip(b"/") + b"/"
    real = os.path.realpath(base + relative)
    if not real.startswith(base):
        return Omission("unsafe_path", stale=False)
    if not os.path.isfile(real):
        return Omission("file_unreadable", stale=False)
    try:
        is_same = sha256_file(real) == indexed_hash
    except OSError:
        return Omission("file_unreadable", stale=False)
    return (
        Omission("file_too_large", stale=False) if is_same else Omission("stale_index", stale=True)
    )


def _is_valid(raw: bytes) -> bool:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
