"""The code graph of a project: containment, imports and references, from its files on disk."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from codequarry.core.memory import uncollected
from codequarry.graph.cache import MentionsCache
from codequarry.graph.declarations import declared_types, go_modules, namespaces
from codequarry.graph.defaults import Defaults
from codequarry.graph.edges import Edge, edges_table, missing_endpoints
from codequarry.graph.fronts import Fronts
from codequarry.graph.gather import Gathered, gather, key_of, sources_of
from codequarry.graph.layout import Layout
from codequarry.graph.links import containment, file_links
from codequarry.graph.nodes import Nodes, nodes_of
from codequarry.graph.symbols import symbols_table

__all__ = ["Counts", "Graph", "build_graph", "missing_endpoints"]


@dataclass(frozen=True)
class Counts:
    """What the making of a graph met.

    Args:
        files_parsed: Files whose references were read.
        files_cached: Of these, files that did not have to be parsed.
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
    files_cached: int = 0
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


@uncollected()
def build_graph(
    root: Path,
    project: str,
    snapshot: pa.Table,
    records: pa.Table,
    cache: MentionsCache | None = None,
) -> Graph:
    """Make the code graph of a project.

    Args:
        root: The project's real path.
        project: Its name.
        snapshot: schemas.tables.SNAPSHOT.
        records: schemas.tables.RECORDS.
        cache: The project's cache; files it knows are not parsed, the others are put into it.

    Returns:
        The graph; equal input gives equal tables, row for row.

    Raises:
        CodequarryError: The processes that parse cannot be started.
    """
    symbols = symbols_table(project, snapshot, records)
    nodes = nodes_of(symbols)
    types = declared_types(symbols)
    layout = Layout(
        tuple(nodes.file_rows),
        go_modules(root, snapshot),
        namespaces(types),
        Defaults(root, snapshot),
        Fronts(root, snapshot),
    )
    sources = sources_of(root, snapshot)
    met: Counter[str] = Counter()
    failures: list[tuple[str, str]] = []
    gathered = gather(sources, cache, met, retry=True)
    table = edges_table(project, symbols, link(nodes, layout, gathered, met, failures))
    if cache is not None:
        cache.prune({key_of(source, cache) for source in sources})
    return Graph(symbols, table, Counts(**met), tuple(sorted(failures)))


def link(
    nodes: Nodes,
    layout: Layout,
    gathered: Iterable[Gathered],
    met: Counter[str],
    failures: list[tuple[str, str]],
) -> Iterator[Edge]:
    """Give the edges of the linked files (`codequarry.graph.nodes`).

    Args:
        nodes: The nodes.
        layout: The project's files.
        gathered: What the linked files mention.
        met: Counts to add to; the keys are those of `Counts`.
        failures: To be extended by path and reason of each file without mentions.
    """
    yield from containment(nodes)
    for source, mentions, failure in gathered:
        if mentions is None:
            failures.append((source.path, failure))
            met["files_failed"] += 1
            continue
        met["files_parsed"] += 1
        yield from file_links(nodes, layout, source.path, source.grammar, mentions, met)
