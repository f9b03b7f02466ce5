"""Proof that chunks hold every byte of their files."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from codequarry.core.files import read_contained
from codequarry.core.hashing import sha256_hex
from codequarry.core.text import is_blank, repair_bytes


class Problem(NamedTuple):
    """A file whose chunks do not make it up.

    Args:
        path: The file.
        what: ``unreadable``, ``changed`` (since it was cut), ``rows`` (chunks missing, too many,
            out of order or of an unknown file), ``bounds`` (bytes overlap or do not fit the
            content), ``content`` (differs from the file) or ``dropped`` (a gap is not blank, or
            not as large as stated).
    """

    path: str
    what: str


def verify_lossless(chunks: pa.Table, files: pa.Table, root: Path) -> list[Problem]:
    """Compare chunks and dropped blank pieces with the repaired files, byte for byte.

    Args:
        chunks: Table `CHUNKS` of one project, in the order of ``files``.
        files: Table `FILES`.
        root: The project's directory.

    Returns:
        At most one problem a file, in the order of ``files``; empty when all is well.
    """
    base = Path(os.path.realpath(root))
    counts = files["chunks"].to_numpy()
    stops = np.cumsum(counts).tolist()
    named = np.repeat(np.arange(len(files)), counts)
    expected = pc.take(files["path"].combine_chunks(), pa.array(named))
    if len(expected) != len(chunks) or not expected.equals(_whole(chunks["path"])):
        return list(_misplaced(chunks, files))
    problems = []
    columns = zip(
        *(files[name].to_pylist() for name in ("path", "os_path", "source_hash", "dropped_bytes")),
        counts.tolist(),
        stops,
        strict=True,
    )
    for path, os_path, source_hash, dropped, count, stop in columns:
        try:
            raw = read_contained(base, os_path)
        except OSError:
            problems.append(Problem(path, "unreadable"))
            continue
        if sha256_hex(raw) != source_hash:
            problems.append(Problem(path, "changed"))
            continue
        what = _compare(repair_bytes(raw), chunks.slice(stop - count, count), dropped)
        if what:
            problems.append(Problem(path, what))
    return problems


def _compare(text: bytes, chunks: pa.Table, dropped: int) -> str:
    if chunks["chunk_index"].to_pylist() != list(range(len(chunks))):
        return "rows"
    starts = chunks["start_byte"].to_numpy()
    ends = chunks["end_byte"].to_numpy()
    content = _whole(chunks["content"])
    sizes = pc.binary_length(content).to_numpy()
    gaps = np.append(starts, len(text)) - np.append(0, ends)
    if np.any(gaps < 0) or np.any(ends - starts != sizes):
        return "bounds"
    kept = text if not gaps.any() else b"".join(map(text.__getitem__, map(slice, starts, ends)))
    if _joined(content) != kept:
        return "content"
    places = np.flatnonzero(gaps).tolist()
    befores = np.append(0, ends).tolist()
    lost = (text[befores[i] : befores[i] + int(gaps[i])] for i in places)
    return "" if gaps.sum() == dropped and all(map(is_blank, lost)) else "dropped"


def _joined(content: pa.Array) -> bytes:
    """Give a string column's values one after the other, as they lie in memory."""
    if not len(content):
        return b""
    _, offsets, values = content.buffers()
    places = np.frombuffer(offsets, np.int32)
    first, last = places[content.offset], places[content.offset + len(content)]
    return b"" if values is None else values.slice(int(first), int(last - first)).to_pybytes()


def _whole(column: pa.ChunkedArray) -> pa.Array:
    return column.combine_chunks()


def _misplaced(chunks: pa.Table, files: pa.Table) -> Iterator[Problem]:
    """Name the files whose chunks are too few, too many or not where they belong."""
    stated = dict(zip(files["path"].to_pylist(), files["chunks"].to_pylist(), strict=True))
    found = {row["values"]: row["counts"] for row in pc.value_counts(chunks["path"]).to_pylist()}
    wrong = [path for path in stated if found.get(path, 0) != stated[path]]
    wrong += [path for path in found if path not in stated]
    yield from (Problem(path, "rows") for path in wrong or list(stated)[:1])
