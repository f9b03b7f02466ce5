"""What readers find of a project, and whether it is what it should be."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass

from codequarry.core.errors import IndexMissing
from codequarry.core.hashing import sha256_hex
from codequarry.core.state import StateDirectory
from codequarry.index.reader import Reader, model_of
from codequarry.index.store import EDGES, FILES, SYMBOLS, of_project, rows
from codequarry.retrieval.model import configured_model
from codequarry.retrieval.query import Filters, Query
from codequarry.retrieval.search import QueryVector, search

QUESTION = "block chisel strike"

CHUNKS = "chunks"


@dataclass(frozen=True)
class Content:
    """What is published of one project.

    Args:
        rows: Table to the hashes of its rows, every column included, ascending.
        hits: Each hit of a search over it: path, hash of its file, first line; ascending.
    """

    rows: Mapping[str, tuple[str, ...]]
    hits: tuple[tuple[str, str, int], ...]

    def differences(self, other: "Content") -> list[str]:
        """Name the tables that differ, and by how many rows."""
        found = []
        for name, mine in self.rows.items():
            theirs = other.rows[name]
            if mine != theirs:
                extra, lost = len(set(mine) - set(theirs)), len(set(theirs) - set(mine))
                found.append(f"{name}: {extra} rows more and {lost} fewer")
        if self.hits != other.hits:
            found.append("search")
        return found


@functools.cache
def loaded_model() -> QueryVector:
    """Give the model, loaded once for a process and those forked from it."""
    return configured_model()


def look(state: StateDirectory, project: str) -> Content | None:
    """Give what readers find of a project; ``None`` when it is not indexed."""
    try:
        reader = Reader(state)
        entry = reader.published.entry(project)
    except IndexMissing:
        return None
    tables = {
        name: reader.table(table)
        for name, table in {
            FILES: FILES,
            SYMBOLS: SYMBOLS,
            EDGES: EDGES,
            CHUNKS: model_of(entry).chunk_table,
        }.items()
    }
    found = {}
    for name, table in tables.items():
        stored = rows(table, of_project(project), list(table.schema.names)).to_pylist()
        found[name] = tuple(sorted(sha256_hex(repr(sorted(row.items()))) for row in stored))
    return Content(found, hits(reader, project))


def hits(reader: Reader, project: str) -> tuple[tuple[str, str, int], ...]:
    """Ask a question of a project and give what identifies each hit."""
    answer = search(reader, Query(QUESTION, "hybrid", 1000, Filters()), [project], loaded_model())
    return tuple(sorted((hit.path, hit.source_hash, hit.start_line) for hit in answer.hits))
