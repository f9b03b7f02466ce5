"""The owner partition: every byte of a file belongs to one piece (contract.md D1).

Pure; knows spans and bytes, not records or languages. The bytes given are the repaired file's.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from codequarry.chunking.profile import PIECE_BYTES

NOBODY = -1

Offsets = npt.NDArray[np.int64]


class Span(NamedTuple):
    """Lines that something owns.

    Args:
        start_line: 1-based.
        end_line: Inclusive; may lie past the end of the file.
        limit: Most bytes of a piece.
    """

    start_line: int
    end_line: int
    limit: int = PIECE_BYTES


class Run(NamedTuple):
    """Consecutive lines of one owner.

    Args:
        first: 0-based line.
        last: 0-based line, inclusive.
        owner: Position in the spans, or `NOBODY`.
    """

    first: int
    last: int
    owner: int


class Piece(NamedTuple):
    """A run, or part of one.

    Args:
        start_byte: Into the repaired file.
        end_byte: Exclusive.
        start_line: 1-based.
        end_line: Inclusive.
        owner: Position in the spans, or `NOBODY`.
    """

    start_byte: int
    end_byte: int
    start_line: int
    end_line: int
    owner: int


def line_bounds(text: bytes) -> Offsets:
    """Give where each line starts and, last, where the file ends; a final LF opens no line."""
    bounds = np.flatnonzero(np.frombuffer(text, np.uint8) == 0x0A) + 1
    tail = [] if len(bounds) and bounds[-1] == len(text) else [len(text)]
    return np.concatenate([[0], bounds, tail]).astype(np.int64)


def find_runs(lines: int, spans: Sequence[Span]) -> list[Run]:
    """Give each line to the narrowest span over it, of equals the earliest, and group lines.

    Args:
        lines: Of the file; at least 1.
        spans: In export order.
    """
    owner = np.full(lines, NOBODY, np.int32)
    clamped = [(max(s.start_line, 1) - 1, min(s.end_line, lines)) for s in spans]
    # Painted from the widest to the narrowest, of equals the last first: what stays on top owns.
    order = sorted(range(len(spans)), key=lambda i: (clamped[i][0] - clamped[i][1], -i))
    for i in order:
        start, stop = clamped[i]
        if start < stop:
            owner[start:stop] = i
    edges = np.flatnonzero(owner[1:] != owner[:-1]) + 1
    firsts = [0, *edges.tolist()]
    lasts = [*(edges - 1).tolist(), lines - 1]
    return [Run(*run) for run in zip(firsts, lasts, owner[firsts].tolist(), strict=True)]


def partition(text: bytes, spans: Sequence[Span]) -> list[Piece]:
    """Cut a file into pieces that concatenate to it (contract.md D1, steps 1 to 6).

    Args:
        text: The repaired file.
        spans: In export order.

    Returns:
        Pieces in file order, blank ones included; none for an empty file.
    """
    if not text:
        return []
    bounds = line_bounds(text)
    runs = find_runs(len(bounds) - 1, spans)
    starts = bounds[[run.first for run in runs]].tolist()
    stops = [*starts[1:], len(text)]
    pieces: list[Piece] = []
    for run, start, stop in zip(runs, starts, stops, strict=True):
        limit = PIECE_BYTES if run.owner == NOBODY else min(PIECE_BYTES, spans[run.owner].limit)
        if stop - start <= limit:
            pieces.append(Piece(start, stop, run.first + 1, run.last + 1, run.owner))
        else:
            pieces.extend(cut_run(text, start, stop, run, limit))
    return pieces


def cut_run(text: bytes, start: int, stop: int, run: Run, limit: int) -> Iterator[Piece]:
    """Cut bytes ``start`` to ``stop`` into pieces of at most ``limit`` bytes (D1, steps 5 and 6).

    A cut falls after the last LF of a window when that lies in its second half, else at the last
    whole rune; a limit smaller than the next rune takes that rune.
    """
    line = run.first + 1
    while start < stop:
        end = _cut(text, start, stop, limit)
        feeds = text.count(b"\n", start, end)
        closed = feeds > 0 and text[end - 1] == 0x0A
        yield Piece(start, end, line, line + feeds - closed, run.owner)
        line += feeds
        start = end


def _cut(text: bytes, start: int, stop: int, limit: int) -> int:
    if stop - start <= limit:
        return stop
    end = start + limit
    while end > start and text[end] & 0xC0 == 0x80:
        end -= 1
    feed = text.rfind(b"\n", start, end)
    if feed >= 0 and feed - start >= (end - start) // 2:
        return feed + 1
    if end > start:
        return end
    end += 1
    while end < stop and text[end] & 0xC0 == 0x80:
        end += 1
    return end
