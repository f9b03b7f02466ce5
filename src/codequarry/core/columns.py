"""Columns of text in blocks, so that memory stays bounded and every core has work."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

BLOCK_ROWS = 2048
"""Rows of one block: some 2 to 8 MB of chunk text."""

Texts: TypeAlias = Sequence[str] | pa.Array | pa.ChunkedArray
"""A column of texts; nulls count as empty."""

_Result = TypeVar("_Result")


@dataclass(frozen=True)
class TextBlock:
    """The bytes behind a column of texts.

    Args:
        data: The UTF-8 of all rows, one after the other.
        offsets: int64 (rows + 1): row ``i`` is ``data[offsets[i]:offsets[i + 1]]``.
    """

    data: bytes
    offsets: npt.NDArray[np.int64]


def strings(texts: Texts) -> pa.StringArray:
    """Give a column of texts as one Arrow string array without nulls."""
    if isinstance(texts, pa.ChunkedArray):
        texts = texts.combine_chunks()
    array = texts if isinstance(texts, pa.Array) else pa.array(texts, pa.string())
    if array.type != pa.string():
        array = array.cast(pa.string())
    return array.fill_null("") if array.null_count else array


def text_block(texts: pa.StringArray) -> TextBlock:
    """Give the bytes of a column without nulls, offsets counted from its own first row."""
    _, offset_buffer, data_buffer = texts.buffers()
    if len(texts) == 0 or data_buffer is None:
        return TextBlock(b"", np.zeros(len(texts) + 1, np.int64))
    offsets = np.frombuffer(offset_buffer, np.int32, len(texts) + 1, offset=texts.offset * 4)
    first, last = int(offsets[0]), int(offsets[-1])
    return TextBlock(data_buffer[first:last].to_pybytes(), offsets.astype(np.int64) - first)


def workers() -> int:
    """Give how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def map_blocks(
    build: Callable[[pa.StringArray], _Result], texts: Texts, rows: int = BLOCK_ROWS
) -> list[_Result]:
    """Apply ``build`` to blocks of a column, on all cores; results in row order.

    Args:
        build: Takes a string array without nulls; worth threads only where it leaves the GIL.
        texts: The column.
        rows: Rows of one block.
    """
    blocks = list(_blocks(texts, rows))
    threads = min(len(blocks), workers())
    if threads <= 1:
        return [build(block) for block in blocks]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(build, blocks))


def _blocks(texts: Texts, rows: int) -> Iterator[pa.StringArray]:
    for start in range(0, len(texts), rows):
        piece: Any = (
            texts.slice(start, rows)
            if isinstance(texts, pa.Array | pa.ChunkedArray)
            else texts[start : start + rows]
        )
        yield strings(piece)
