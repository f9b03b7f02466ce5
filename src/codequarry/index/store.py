"""The LanceDB database of a deployment and the tables in it (design.md 4)."""

import contextlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

os.environ.setdefault("LANCE_LOG", "error")  # else every query prints a Rust warning to stderr
# Lance leaves two cores to reading. Of two that is all: vectors and full text then take turns.
os.environ.setdefault("LANCE_CPU_THREADS", str(os.cpu_count() or 1))

import lancedb
import pyarrow as pa
from lancedb.table import Table

from codequarry.core.errors import IndexStateError, StateError
from codequarry.core.hashing import sha256_hex
from codequarry.core.state import StateDirectory
from codequarry.schemas import tables as shapes

FILES, SYMBOLS, EDGES, RECEIPTS = "files", "symbols", "edges", "receipts"
CHUNKS_PREFIX = "chunks_"
KEYS = {FILES: "path", SYMBOLS: "symbol_id", EDGES: "edge_id"}
SCHEMAS = {
    FILES: shapes.FILES,
    SYMBOLS: shapes.SYMBOLS,
    EDGES: shapes.EDGES,
    RECEIPTS: shapes.RECEIPTS,
}


def chunk_table(provider: str, model: str, dimensions: int) -> str:
    """Name the chunks table of one embedding model; vectors of two models never share a table."""
    return f"{CHUNKS_PREFIX}{sha256_hex(f'{provider}:{model}:{dimensions}')[:8]}"


_SURROGATE = re.compile("[\ud800-\udfff]")


def quote(value: str) -> str:
    """Write a text as an SQL literal of LanceDB's filter language.

    An argument that is not UTF-8 reaches us with surrogates in it; no stored text has any.
    """
    return "'" + _SURROGATE.sub("\ufffd", value).replace("'", "''") + "'"


def among(column: str, values: Iterable[str]) -> str:
    """Write the filter of the rows that have one of some values."""
    return f"{column} IN ({', '.join(map(quote, values))})"


def of_project(project: str) -> str:
    """Write the filter that selects one project's rows."""
    return f"project = {quote(project)}"


_CAUSE = re.compile(r"([A-Z][\w ]+) \(os error \d+\)")


@contextlib.contextmanager
def faults_worded(state: StateDirectory) -> Iterator[None]:
    """Word what LanceDB raises when the tables cannot be written.

    Raises:
        StateError: A disk is full, say; LanceDB raises a bare RuntimeError then.
    """
    try:
        yield
    except RuntimeError as error:
        if not str(error).startswith("lance error"):
            raise
        cause = _CAUSE.search(str(error))
        raise StateError(
            f"cannot write the tables in {state.lance}: {cause[1] if cause else 'LanceDB failed'}",
            "free space or permissions there, and run again: what was published still answers",
        ) from error


class Store:
    """A connection to the tables below ``<state>/lance``."""

    def __init__(self, state: StateDirectory) -> None:
        self.state = state
        self._path: Path = state.lance
        try:
            self._path.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            if not self._path.is_dir():
                raise StateError(
                    f"cannot create {self._path}: {error.strerror}",
                    "make the state directory writable, or set CODEQUARRY_HOME to another one",
                ) from error
        self._database = lancedb.connect(str(self._path))

    def names(self) -> tuple[str, ...]:
        """Give the names of the tables that exist, ascending."""
        return tuple(sorted(path.stem for path in self._path.glob("*.lance")))

    def open(self, name: str, version: int | None = None) -> Table:
        """Open a table, at its newest version or at a given one.

        Raises:
            IndexStateError: There is no such table or version.
        """
        try:
            table = self._database.open_table(name)
            if version is not None:
                table.checkout(version)
        except (ValueError, RuntimeError, OSError) as error:
            at = "" if version is None else f" at version {version}"
            raise IndexStateError(
                f"the stored table {name!r}{at} cannot be opened",
                "run `codequarry index --full` to build it again",
            ) from error
        return table

    def ensure(self, name: str, schema: pa.Schema) -> Table:
        """Open a table, creating it empty when it does not exist.

        Raises:
            IndexStateError: It has other columns: another version of codequarry made it.
        """
        if name in self.names():
            table = self.open(name)
            confirm_columns(table, schema)
            return table
        return self._database.create_table(name, schema=schema)

    def drop(self, name: str) -> None:
        """Remove a table with all its versions."""
        self._database.drop_table(name)


def confirm_columns(table: Table, schema: pa.Schema) -> None:
    """Make sure that a table has the columns that this version of codequarry writes.

    Raises:
        IndexStateError: It has others.
    """
    if table.schema.names != schema.names:
        raise _of_another_version(table)


def _of_another_version(table: Table) -> IndexStateError:
    return IndexStateError(
        f"the stored table {table.name!r} was made by another version of codequarry",
        "move the state directory away, or set CODEQUARRY_HOME to a new one, and index again",
    )


_MISASKED = re.compile(
    r"Invalid input, (?:Error (?:parsing|resolving|optimizing)|Schema error)"
    r"|lance error: Query Execution error: Error applying filter"
)


_BATCH_ROWS = 16_384
"""LanceDB's own measure is 1,024 rows, which costs a whole scan three times the processor time."""


def rows(table: Table, where: str | None, columns: list[str]) -> pa.Table:
    """Read columns of the rows that a filter selects, in no particular order.

    A filter that the table cannot take is the caller's fault, and the error stays what it is.

    Raises:
        IndexStateError: The table's files are damaged, or it lacks a column.
    """
    query = table.search().select(columns)
    if where is not None:
        query = query.where(where)
    try:
        return query.to_batches(_BATCH_ROWS).read_all()
    except (RuntimeError, OSError, ValueError) as error:
        if not {*columns} <= {*table.schema.names}:
            raise _of_another_version(table) from error
        if _MISASKED.match(str(error)):
            raise
        raise IndexStateError(
            f"the stored table {table.name!r} is damaged and cannot be read",
            "keep this state directory as evidence, and index into a new one (CODEQUARRY_HOME)",
        ) from error


Versions = Mapping[str, int]
"""Table name to version."""
