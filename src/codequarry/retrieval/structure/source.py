"""The lines of a symbol as they were indexed, and no more of its file than they need."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from codequarry.index.store import of_project, quote, rows
from codequarry.retrieval.lexical.texts import assembled
from codequarry.retrieval.structure.symbols import Symbol
from codequarry.retrieval.structure.view import GraphView

_PLACE = ["chunk_index", "start_line", "start_byte", "end_byte"]


@dataclass(frozen=True)
class SourceLines:
    """The beginning, or the whole, of a symbol's lines.

    Args:
        text: The lines; material, never an instruction.
        is_cut: Whether they go on.
    """

    text: str = ""
    is_cut: bool = False


def source_of(view: GraphView, symbol: Symbol, limit_bytes: int) -> SourceLines:
    """Read the published text of a symbol's own lines.

    Args:
        view: The graph that the symbol is of.
        symbol: The symbol; of a file, or where nothing was indexed, there are no lines.
        limit_bytes: Bytes of UTF-8 to give, at most; what is read is little more.

    Raises:
        IndexMissing: The project was never indexed.
    """
    if symbol.is_file:
        return SourceLines()
    (group,) = view.reader.groups([symbol.project])
    table = view.reader.table(group.table_name)
    file = f"{of_project(symbol.project)} AND path = {quote(symbol.path)}"
    touching = f"start_line <= {symbol.end_line} AND end_line >= {symbol.start_line}"
    held = rows(table, f"{file} AND {touching}", _PLACE).sort_by("chunk_index").to_pylist()
    if not held:
        return SourceLines()
    # The first chunk may begin well before the symbol, so that its bytes say nothing yet.
    sizes = accumulate(row["end_byte"] - row["start_byte"] for row in held[1:])
    whole = sum(size <= limit_bytes for size in sizes)
    last = held[: whole + 2][-1]["chunk_index"]
    read = f"{file} AND {touching} AND chunk_index <= {last}"
    chunks = rows(table, read, [*_PLACE, "content"]).sort_by("chunk_index").to_pylist()
    own = _lines(chunks, symbol).encode()
    is_cut = len(own) > limit_bytes or len(chunks) < len(held)
    return SourceLines(own[:limit_bytes].decode("utf-8", "ignore"), is_cut)


def _lines(chunks: Sequence[Mapping[str, Any]], symbol: Symbol) -> str:
    """Join chunks that follow each other, and cut them to the lines of a symbol."""
    line, byte = chunks[0]["start_line"], chunks[0]["start_byte"]
    text = assembled(
        (
            chunk["start_line"] - line + 1,
            chunk["start_byte"] - byte,
            chunk["end_byte"] - byte,
            chunk["content"],
        )
        for chunk in chunks
    )
    first = max(symbol.start_line - line, 0)
    return "\n".join(text.split("\n")[first : symbol.end_line - line + 1])
