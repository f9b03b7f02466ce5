"""What a search reads of every candidate, in one stored column.

Reading a column of a few hundred scattered rows costs a search two milliseconds however small its
values are (docs/retrieval.md), so all that ranks a chunk, and all that a hit shows but its text,
lies in one.
"""

import re
from collections.abc import Iterable

import msgspec
import pyarrow as pa

from codequarry.core.errors import IndexStateError
from codequarry.core.roles import MARK_LINES, is_marked_generated

_FIVE_LINES = re.compile(r"\s*(?:\S[^\n]*\n\s*){4}\S")


class Selector(msgspec.Struct, frozen=True, array_like=True):
    """schemas.tables.SELECTOR."""

    file: str
    start_line: int
    fqn: str
    kind: str


class Card(msgspec.Struct, frozen=True, array_like=True):
    """The columns of schemas.tables.CHUNKS that a search reads, and what it asks of the content.

    Args:
        is_brief: The content has at most four lines that are not blank.
        is_marked: The content stands in the file's first lines and says that it was generated.
    """

    project: str
    path: str
    chunk_index: int
    chunk_id: int
    start_line: int
    end_line: int
    chunk_type: str
    origin: str
    symbol: str
    symbol_name: str
    language: str
    source_hash: str
    selector: Selector | None
    is_brief: bool
    is_marked: bool

    @property
    def place(self) -> tuple[bytes, bytes, int]:
        """The key of the total order of chunks: project, path, chunk index."""
        return self.project.encode(), self.path.encode(), self.chunk_index


_COLUMNS = Card.__struct_fields__[:-3]
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Card).decode


def cards(chunks: pa.Table) -> pa.BinaryArray:
    """Write the card of each chunk of schemas.tables.CHUNKS; equal chunks give equal bytes."""
    columns = [chunks[name].to_pylist() for name in _COLUMNS]
    contents = chunks["content"].to_pylist()
    selectors = (row and Selector(**row) for row in chunks["selector"].to_pylist())
    brief = (not _FIVE_LINES.match(content) for content in contents)
    marked = (
        start <= MARK_LINES and is_marked_generated(content)
        for start, content in zip(chunks["start_line"].to_pylist(), contents, strict=True)
    )
    rows = zip(*columns, selectors, brief, marked, strict=True)
    return pa.array([_encode(row) for row in rows], pa.binary())


def read_cards(column: Iterable[bytes]) -> list[Card]:
    """Read what `cards` wrote.

    Raises:
        IndexStateError: It is damaged, or of another version of codequarry.
    """
    try:
        return [_decode(card) for card in column]
    except msgspec.DecodeError as error:
        raise IndexStateError(
            "the stored chunks cannot be read: they are damaged, or of another version",
            "run `codequarry index --full` to build them again",
        ) from error
