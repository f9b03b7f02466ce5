"""Pieces of a file that has no usable records (contract.md D3, made lossless).

Blocks found by patterns, braces and indentation own lines as records do; what no block owns is
cut into windows of lines. Nothing overlaps and nothing is lost: CR stays (J-26) and a huge line is
split (J-15).
"""

from collections.abc import Iterator
from typing import NamedTuple

from codequarry.chunking.blocks import Block, find_blocks
from codequarry.chunking.partition import (
    NOBODY,
    Piece,
    Run,
    Span,
    cut_run,
    find_runs,
    line_bounds,
)
from codequarry.chunking.profile import PIECE_BYTES, WINDOW_BYTES, WINDOW_LINES


class LocalPieces(NamedTuple):
    """The pieces of one file.

    Args:
        pieces: In file order, blank ones included; ``owner`` points into ``blocks``.
        blocks: What was recognised.
    """

    pieces: list[Piece]
    blocks: list[Block]


def cut_locally(text: bytes, language: str) -> LocalPieces:
    """Cut a file without records into pieces that concatenate to it.

    Args:
        text: The repaired file.
        language: As `sources.languages.language_of` gives it.
    """
    if not text:
        return LocalPieces([], [])
    offsets = line_bounds(text)
    bounds = offsets.tolist()
    blocks = find_blocks(text, language, offsets)
    spans = [Span(block.start_line, block.end_line) for block in blocks]
    pieces: list[Piece] = []
    for run in find_runs(len(bounds) - 1, spans):
        start, stop = bounds[run.first], bounds[run.last + 1]
        if run.owner == NOBODY:
            pieces.extend(_windows(text, bounds, run))
        elif stop - start <= PIECE_BYTES:
            pieces.append(Piece(start, stop, run.first + 1, run.last + 1, run.owner))
        else:
            pieces.extend(cut_run(text, start, stop, run, WINDOW_BYTES))
    return LocalPieces(pieces, blocks)


def _windows(text: bytes, bounds: list[int], run: Run) -> Iterator[Piece]:
    first = run.first
    while first <= run.last:
        stop = min(first + WINDOW_LINES, run.last + 1)
        while stop > first + 1 and bounds[stop] - bounds[first] > WINDOW_BYTES:
            stop -= 1
        if stop <= run.last:
            stop = _after_blank_line(text, bounds, first, stop)
        yield from cut_run(
            text, bounds[first], bounds[stop], Run(first, stop - 1, NOBODY), WINDOW_BYTES
        )
        first = stop


def _after_blank_line(text: bytes, bounds: list[int], first: int, stop: int) -> int:
    """End a window behind the last blank line of its second half, if there is one."""
    for line in range(stop - 1, first + (stop - first) // 2 - 1, -1):
        if not text[bounds[line] : bounds[line + 1]].strip():
            return line + 1
    return stop
