"""Columns of a published state, which never changes, kept from one search of it to the next.

So a process that answers many questions reads names and texts once. What is kept goes with the
`Reader` it is of, and is bounded: of a larger state, all is read for each search.
"""

from collections.abc import Callable, Iterator
from weakref import WeakKeyDictionary

import polars as pl

from codequarry.index.reader import Reader

MOST_BYTES = 128 << 20
"""What is kept of one state: the texts of some 250,000 chunks."""

Frames = list[pl.DataFrame]

_KEPT: WeakKeyDictionary[Reader, dict[tuple[str, ...], Frames]] = WeakKeyDictionary()


def kept_frames(
    reader: Reader, key: tuple[str, ...], read: Callable[[], Iterator[pl.DataFrame]]
) -> Iterator[pl.DataFrame]:
    """Give frames that were kept, or read them, and keep them where there is room.

    Args:
        reader: The published state that they are of.
        key: What they are.
        read: Reads them, one after the other.
    """
    kept = _KEPT.setdefault(reader, {})
    if key in kept:
        yield from kept[key]
        return
    room = _room(kept)
    found: Frames = []
    for frame in read():
        yield frame
        room -= _bytes([frame])
        found = [*found, frame] if room >= 0 else []
    if room >= 0 and _bytes(found) <= _room(kept):  # another thread may have kept some meanwhile
        kept[key] = found


def _room(kept: dict[tuple[str, ...], Frames]) -> int:
    return MOST_BYTES - sum(map(_bytes, list(kept.values())))


def _bytes(frames: Frames) -> int:
    return sum(int(frame.estimated_size()) for frame in frames)
