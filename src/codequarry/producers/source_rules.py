"""Rules R12 and R13: records against the files they were made from (contract.md B3, C0, C3)."""

import hashlib
from pathlib import Path

import numpy as np

from codequarry.core.files import read_contained
from codequarry.core.hashing import sha256_hex
from codequarry.core.text import repair_bytes
from codequarry.producers.pages import ReceivedRecord

SOURCE_BYTES = 64 * 1024 * 1024
"""A larger file breaks R12. Producers omit the content of files far smaller (A1.4)."""


class SourceRules:
    """Reads each file when its records come, and holds the last one only.

    Args:
        root: The project's real path.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._file: str | None = None
        self._lines: _Lines | str = "R12"
        self.seen: dict[str, str] = {}
        """The sha256 of each raw file that was read."""

    def broken(self, record: ReceivedRecord, content: bytes) -> str | None:
        """Give the first of R12 and R13 that the record breaks; R9 holds for it already.

        Args:
            record: The record.
            content: ``record.content`` as UTF-8.
        """
        if record.file != self._file:
            self._lines = self._read(record.file)
            self._file = record.file
        if isinstance(self._lines, str):
            return self._lines
        text = self._lines.between(record.start_line, record.end_line)
        if not record.content_truncated:
            # R9 tied the hash to the content, so equal content has the equal hash.
            return None if text == content else "R13"
        same = hashlib.sha256(text).hexdigest() == record.content_hash
        return None if same and text.startswith(content) else "R13"

    def _read(self, file: str) -> "_Lines | str":
        try:
            raw = read_contained(self._root, file.encode(), SOURCE_BYTES)
        except (OSError, ValueError):
            return "R12"
        sha256 = sha256_hex(raw)
        # A file whose records are not adjacent is read again: it must still be the same.
        return _Lines(raw) if self.seen.setdefault(file, sha256) == sha256 else "R13"


class _Lines:
    """A repaired file that gives line ranges. Repair never crosses an LF (C0)."""

    def __init__(self, raw: bytes) -> None:
        self._text = repair_bytes(raw)
        feeds = np.flatnonzero(np.frombuffer(self._text, np.uint8) == ord("\n"))
        self._starts = [0, *(feeds + 1).tolist(), len(self._text) + 1]

    def between(self, start: int, end: int) -> bytes:
        """Give lines ``start`` to ``end`` joined with LF, as ``core.text.line_range`` does."""
        lines = len(self._starts) - 1
        if start > lines:
            return b""
        return self._text[self._starts[start - 1] : self._starts[min(end, lines)] - 1]
