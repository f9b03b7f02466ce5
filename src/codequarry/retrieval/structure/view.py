"""The published code graph, read by keys: a question never loads a whole project."""

from collections.abc import Collection, Iterable, Iterator
from typing import Literal

import pyarrow as pa

from codequarry.core.state import StateDirectory
from codequarry.core.text import ascending
from codequarry.index.reader import Reader
from codequarry.index.store import EDGES, SYMBOLS, among, of_project, rows
from codequarry.retrieval.structure.symbols import COLUMNS, Symbol, ordered
from codequarry.schemas import tables as shapes

Direction = Literal["in", "out"]

EDGE_COLUMNS = ["kind", "source_id", "target_id", "path", "line", "resolution", "confidence"]
_KEYS_PER_READ = 2_000


class GraphView:
    """The graph of some projects at their published versions.

    Args:
        reader: The published state.
        state: The deployment; tells what files mention that the graph has no edge for.
        projects: Which projects; all when ``None``.

    Raises:
        IndexMissing: A project was never indexed.
    """

    def __init__(
        self, reader: Reader, state: StateDirectory, projects: Iterable[str] | None = None
    ) -> None:
        self.reader = reader
        self.state = state
        self.projects = ascending(reader.published.entries if projects is None else set(projects))
        for name in self.projects:
            reader.published.entry(name)
        self._within = among("project", self.projects)

    def symbols(self, where: str) -> tuple[Symbol, ...]:
        """Give the symbols that a filter selects, in their total order.

        Args:
            where: A filter over SYMBOLS, besides the projects.

        Raises:
            IndexMissing: No graph was published.
            IndexStateError: The stored table is damaged.
        """
        return ordered(symbols_of(self.symbol_rows(where, list(COLUMNS))))

    def symbol_rows(self, where: str, columns: list[str]) -> pa.Table:
        """Give columns of the symbols that a filter selects, in no particular order."""
        return rows(self.reader.table(SYMBOLS), f"{self._within} AND ({where})", columns)

    def by_ids(self, ids: Collection[int]) -> dict[int, Symbol]:
        """Give symbols by their keys; a key without a symbol is left out."""
        found: dict[int, Symbol] = {}
        for some in _batches(ids):
            for symbol in self.symbols(_keys("symbol_id", some)):
                found[symbol.symbol_id] = symbol
        return found

    def edges(self, ids: Collection[int], side: Direction, kinds: Iterable[str]) -> pa.Table:
        """Give the edges of some symbols.

        Args:
            ids: Keys of the symbols.
            side: ``in`` for the edges that end in them, ``out`` for those that begin there.
            kinds: Kinds of edges.

        Returns:
            `EDGE_COLUMNS`, ascending by kind, path, line, source and target.
        """
        column = "target_id" if side == "in" else "source_id"
        wanted = among("kind", tuple(kinds))
        parts = [self.edge_rows(f"{_keys(column, some)} AND {wanted}") for some in _batches(ids)]
        if not parts:
            return _no_edges(EDGE_COLUMNS)
        keys = ("kind", "path", "line", "source_id", "target_id")
        return pa.concat_tables(parts).sort_by([(name, "ascending") for name in keys])

    def chunk_texts(self, project: str, where: str) -> list[tuple[str, int, str]]:
        """Give path, first line and text of the chunks of a project that a filter selects.

        Args:
            project: The project.
            where: A filter over its chunks, besides the project.

        Raises:
            IndexMissing: The project was never indexed.
        """
        (group,) = self.reader.groups([project])
        columns = ["path", "start_line", "content"]
        within = f"{of_project(project)} AND ({where})"
        found = rows(self.reader.table(group.table_name), within, columns)
        return list(zip(*(found[name].to_pylist() for name in columns), strict=True))

    def edge_rows(self, where: str, columns: list[str] | None = None) -> pa.Table:
        """Give the edges that a filter selects, in no particular order."""
        table = self.reader.table(EDGES)
        return rows(table, f"{self._within} AND ({where})", columns or EDGE_COLUMNS)


def symbols_of(table: pa.Table) -> list[Symbol]:
    """Give the rows of a table with `COLUMNS` as symbols."""
    columns = (table[name].to_pylist() for name in COLUMNS)
    return [Symbol(*row) for row in zip(*columns, strict=True)]


def _keys(column: str, ids: Iterable[int]) -> str:
    return f"{column} IN ({', '.join(map(str, ids))})"


def _batches(ids: Collection[int]) -> Iterator[list[int]]:
    ascending_ids = sorted(set(ids))
    for start in range(0, len(ascending_ids), _KEYS_PER_READ):
        yield ascending_ids[start : start + _KEYS_PER_READ]


def _no_edges(columns: list[str]) -> pa.Table:
    return pa.schema([shapes.EDGES.field(name) for name in columns]).empty_table()
