"""Rows of `CHUNKS`, gathered column by column."""

import hashlib
from typing import NamedTuple

import pyarrow as pa

from codequarry.chunking.partition import Piece
from codequarry.chunking.text import embedding_text
from codequarry.core.hashing import sha256_hex
from codequarry.schemas.tables import CHUNKS, SELECTOR

_POSITIVE = 2**63 - 1
_NO_SELECTOR = (0, "", "")
_PLAIN = [name for name in CHUNKS.names if name != "selector"]


class Label(NamedTuple):
    """What all chunks of one owner have in common.

    Args:
        chunk_type: ``function``, ``class``, ``block`` or ``generic``.
        origin: ``structural``, ``gap`` or ``local``.
        symbol: Bare name, or empty.
        symbol_name: Qualified name, or empty.
        selector: Line, qualified name and kind of the declaration, or ``None``.
        heading: First line of the embedding text.
        prologue: What stands before the source in it.
    """

    chunk_type: str
    origin: str
    symbol: str = ""
    symbol_name: str = ""
    selector: tuple[int, str, str] | None = None
    heading: str = ""
    prologue: str = ""


def chunk_id(project: str, path: str, chunk_index: int) -> int:
    """Give a chunk's key: SHA-256 over project, path and index with a NUL between them.

    Of it the first eight bytes, big-endian, without the highest bit.
    """
    digest = hashlib.sha256(f"{project}\0{path}\0{chunk_index}".encode()).digest()
    return int.from_bytes(digest[:8], "big") & _POSITIVE


class ChunkRows:
    """A batch of chunks that grows.

    Args:
        project: Its name.
    """

    def __init__(self, project: str) -> None:
        self._project = project
        self._rows: list[tuple[object, ...]] = []

    def __len__(self) -> int:
        """Give the number of chunks."""
        return len(self._rows)

    def append(
        self,
        path: str,
        language: str,
        source_hash: str,
        index: int,
        piece: Piece,
        content: str,
        label: Label,
    ) -> None:
        """Add one chunk; the arguments are columns of `CHUNKS`."""
        text = embedding_text(label.heading, label.prologue, content)
        self._rows.append(
            (
                chunk_id(self._project, path, index),
                self._project,
                path,
                language,
                index,
                piece.start_line,
                piece.end_line,
                piece.start_byte,
                piece.end_byte,
                label.chunk_type,
                label.origin,
                label.symbol,
                label.symbol_name,
                content,
                text,
                sha256_hex(text),
                source_hash,
                label.selector is None,
                *(label.selector or _NO_SELECTOR),
            )
        )

    def to_batch(self) -> pa.RecordBatch:
        """Give the chunks as one batch of `CHUNKS`."""
        columns = [list(column) for column in zip(*self._rows, strict=True)] or [
            [] for _ in range(len(_PLAIN) + 4)
        ]
        *plain, absent, line, fqn, kind = columns
        arrays = {
            name: pa.array(values, CHUNKS.field(name).type)
            for name, values in zip(_PLAIN, plain, strict=True)
        }
        parts = [arrays["path"], pa.array(line, pa.int32()), pa.array(fqn), pa.array(kind)]
        arrays["selector"] = pa.StructArray.from_arrays(
            [part.cast(field.type) for part, field in zip(parts, SELECTOR, strict=True)],
            fields=list(SELECTOR),
            mask=pa.array(absent, pa.bool_()),
        )
        return pa.record_batch([arrays[name] for name in CHUNKS.names], schema=CHUNKS)
