"""The code graph of a project: containment, imports and references, from its files on disk."""

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from codequarry.core.files import read_contained
from codequarry.graph.edges import edges_table, missing_endpoints
from codequarry.graph.layout import Layout
from codequarry.graph.links import containment, file_links
from codequarry.graph.nodes import Nodes, nodes_of
from codequarry.graph.queries import REFERENCE_GRAMMARS
from codequarry.graph.sources import Source, mentions_of, size_of
from codequarry.graph.symbols import symbols_table
from codequarry.syntax.grammars import grammar_of
from codequarry.syntax.pool import TIMED_OUT, map_files

__all__ = ["Counts", "Graph", "build_graph", "missing_endpoints"]

_GO_MOD_BYTES = 1024 * 1024
_GO_MODULE = re.compile(rb"^module\s+\"?([^\s\"]+)", re.MULTILINE)


@dataclass(frozen=True)
class Counts:
    """What the making of a graph met.

    Args:
        files_parsed: Files whose references were read.
        files_failed: Files that could not be read, or not be parsed in time.
        references: Mentions of a name.
        resolved: Mentions that have an edge.
        ambiguous: Mentions that several nodes fit equally well.
        external: Mentions of what an import brings from outside of the project.
        unknown: Mentions that no node fits.
        imports: Names and modules imported.
        imports_external: Of these, from outside of the project.
    """

    files_parsed: int = 0
    files_failed: int = 0
    references: int = 0
    resolved: int = 0
    ambiguous: int = 0
    external: int = 0
    unknown: int = 0
    imports: int = 0
    imports_external: int = 0


@dataclass(frozen=True)
class Graph:
    """A project's code graph.

    Args:
        symbols: schemas.tables.SYMBOLS.
        edges: schemas.tables.EDGES.
        counts: What was met on the way.
        failures: Path and reason of each file that could not be read or parsed.
    """

    symbols: pa.Table
    edges: pa.Table
    counts: Counts
    failures: tuple[tuple[str, str], ...]


def build_graph(root: Path, project: str, snapshot: pa.Table, records: pa.Table) -> Graph:
    """Make the code graph of a project.

    Args:
        root: The project's real path.
        project: Its name.
        snapshot: schemas.tables.SNAPSHOT.
        records: schemas.tables.RECORDS.

    Returns:
        The graph; equal input gives equal tables, row for row.

    Raises:
        CodequarryError: The processes that parse cannot be started.
    """
    symbols = symbols_table(project, snapshot, records)
    nodes = nodes_of(symbols)
    layout = _layout(root, snapshot, symbols, nodes)
    met: Counter[str] = Counter()
    failures: list[tuple[str, str]] = []
    edges = list(containment(nodes))
    for outcome in map_files(mentions_of, _sources(root, snapshot), size_of):
        source = outcome.item
        if outcome.value is None:
            failures.append((source.path, outcome.failure or TIMED_OUT))
            continue
        met["files_parsed"] += 1
        edges.extend(file_links(nodes, layout, source.path, source.grammar, outcome.value, met))
    met["files_failed"] = len(failures)
    table = edges_table(project, symbols, edges)
    return Graph(symbols, table, Counts(**met), tuple(failures))


def _sources(root: Path, snapshot: pa.Table) -> Iterator[Source]:
    columns = (snapshot[name].to_pylist() for name in ("path", "os_path", "size"))
    for path, os_path, size in zip(*columns, strict=True):
        grammar = grammar_of(path)
        if grammar in REFERENCE_GRAMMARS:
            yield Source(str(root), path, os_path, grammar, size)


def _layout(root: Path, snapshot: pa.Table, symbols: pa.Table, nodes: Nodes) -> Layout:
    paths = snapshot["path"].to_pylist()
    manifests = [
        (path, os_path)
        for path, os_path in zip(paths, snapshot["os_path"].to_pylist(), strict=True)
        if path == "go.mod" or path.endswith("/go.mod")
    ]
    return Layout(
        tuple(nodes.file_rows),
        {path.rpartition("/")[0]: name for path, o in manifests if (name := _go_module(root, o))},
        _namespaces(symbols),
    )


def _go_module(root: Path, os_path: bytes) -> str:
    try:
        found = _GO_MODULE.search(read_contained(root, os_path, _GO_MOD_BYTES))
    except OSError:
        return ""
    return os.fsdecode(found[1]) if found else ""


def _namespaces(symbols: pa.Table) -> dict[str, tuple[str, ...]]:
    """Map each C# namespace to the files that declare types in it."""
    files: dict[str, dict[str, None]] = defaultdict(dict)
    rows = symbols.filter(pc.equal(symbols["language"], "csharp"))
    columns = (rows[name].to_pylist() for name in ("path", "fqn", "kind"))
    for path, fqn, kind in zip(*columns, strict=True):
        if kind in ("class", "type"):
            files[fqn.rpartition(".")[0]][path] = None
    return {namespace: tuple(found) for namespace, found in files.items()}
