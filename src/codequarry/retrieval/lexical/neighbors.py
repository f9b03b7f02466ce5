"""What a symbol is connected with in the published code graph."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from codequarry.index.reader import Reader
from codequarry.index.store import EDGES, SYMBOLS, rows
from codequarry.retrieval.lexical.handles import HASH_DIGITS, Handle
from codequarry.retrieval.lexical.surfaces import frame
from codequarry.retrieval.lexical.texts import Place

_COLUMNS = ["symbol_id", "project", "path", "symbol", "fqn", "kind", "start_line", "content_hash"]


@dataclass(frozen=True)
class End:
    """The other end of an edge.

    Args:
        relation: The edge's kind, with ``incoming:`` before it when it leads to the symbol.
        place: The file of the other end.
        name: Its bare name.
        fqn: Its qualified name.
        is_file: It is a file, not a symbol in one.
        line: Where it is declared.
        content: The first digits of its content hash.
    """

    relation: str
    place: Place
    name: str
    fqn: str
    is_file: bool
    line: int
    content: str

    def handle(self, column: int) -> Handle:
        """Give its handle, with the column of its name."""
        if self.is_file:
            return Handle("file", self.place[1])
        return Handle("symbol", self.place[1], self.name, self.line, column, self.content, self.fqn)


def symbol_ends(reader: Reader, keys: Sequence[int]) -> dict[int, list[End]]:
    """Give what some symbols are connected with, containment apart.

    Returns:
        Each symbol's id to its ends: ascending by relation, files first, then by path and place.
    """
    if not keys:
        return {}
    ids = ", ".join(map(str, keys))
    where = f"kind <> 'contains' AND (source_id IN ({ids}) OR target_id IN ({ids}))"
    edges = frame(rows(reader.table(EDGES), where, ["kind", "source_id", "target_id"]))
    out = edges.select(
        pl.col("kind").alias("relation"), of=pl.col("source_id"), end=pl.col("target_id")
    )
    into = edges.select(
        pl.format("incoming:{}", "kind").alias("relation"),
        of=pl.col("target_id"),
        end=pl.col("source_id"),
    )
    both = pl.concat([out, into]).filter(pl.col("of").is_in(list(keys))).unique()
    wanted = ", ".join(map(str, both["end"].unique().sort()))
    if not wanted:
        return {}
    nodes = frame(rows(reader.table(SYMBOLS), f"symbol_id IN ({wanted})", _COLUMNS))
    joined = both.join(nodes, left_on="end", right_on="symbol_id")
    joined = joined.with_columns(is_symbol=pl.col("kind") != "file")
    order = ["relation", "is_symbol", "path", "symbol", "start_line", "fqn", "project"]
    found: dict[int, list[End]] = {}
    for row in joined.sort(order).rows(named=True):
        end = End(
            row["relation"],
            (row["project"], row["path"]),
            row["symbol"],
            row["fqn"],
            not row["is_symbol"],
            row["start_line"],
            row["content_hash"][:HASH_DIGITS],
        )
        found.setdefault(row["of"], []).append(end)
    return found
