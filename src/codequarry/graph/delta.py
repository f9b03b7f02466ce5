"""The changes of a code graph, at a cost that grows with the files that changed.

An unchanged file is linked anew only when a change elsewhere may move one of its edges:
`codequarry.graph.touched` tells which, and where these are many, `codequarry.graph.suspects` tells
of which none moves. Of the stored graph only the nodes that the linked files may look up are taken
into memory.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pyarrow as pa

from codequarry.core.memory import uncollected
from codequarry.core.text import ascending
from codequarry.graph.asking import asks
from codequarry.graph.beyond import beyond_fronts, names_taken
from codequarry.graph.build import Counts, link
from codequarry.graph.cache import MentionsCache
from codequarry.graph.change import Change
from codequarry.graph.edges import edges_table
from codequarry.graph.gather import Gathered, gather, sources_of
from codequarry.graph.sources import Source
from codequarry.graph.stored import StoredGraph, left_dangling, of_paths
from codequarry.graph.suspects import with_moved_edges
from codequarry.graph.symbols import symbols_table
from codequarry.graph.touched import affected_sources, touched_by

FEW = 100
"""So many files that mention a changed name are linked anew sooner than judged beforehand."""

_MANY = 1000
"""Linked files from which on their names are not gathered first: most nodes would be wanted."""


@dataclass(frozen=True)
class GraphDelta:
    """What changes in the stored graph.

    Args:
        symbols: schemas.tables.SYMBOLS: all rows of the changed files.
        symbol_paths: Files whose stored symbols these replace: the changed and the deleted ones.
        edges: schemas.tables.EDGES: all rows seen in ``edge_paths``.
        edge_paths: Files whose stored edges these replace: ``symbol_paths``, and the unchanged
            files of which an edge moved.
        affected: How many unchanged files were linked anew.
        counts: What was met in all files that were linked.
        failures: Path and reason of each of these that could not be read or parsed.
    """

    symbols: pa.Table
    symbol_paths: tuple[str, ...]
    edges: pa.Table
    edge_paths: tuple[str, ...]
    affected: int
    counts: Counts
    failures: tuple[tuple[str, str], ...]


@uncollected()
def build_delta(
    root: Path,
    project: str,
    snapshot: pa.Table,
    records: pa.Table,
    changed: Iterable[str],
    deleted: Iterable[str],
    stored: StoredGraph,
    cache: MentionsCache | None = None,
) -> GraphDelta:
    """Tell how the code graph changes with some of its files.

    Applied to the stored graph, the delta gives the rows of `codequarry.graph.build.build_graph`
    over the whole.

    Args:
        root: The project's real path.
        project: Its name.
        snapshot: schemas.tables.SNAPSHOT of the whole project, after the change.
        records: schemas.tables.RECORDS of the changed files.
        changed: Files whose content or records are new.
        deleted: Files that are no more.
        stored: The graph before the change.
        cache: The project's cache; without one every file is parsed, unless no definition and no
            file came or went, and nobody imports a changed module of ECMAScript.

    Raises:
        CodequarryError: The processes that parse cannot be started.
    """
    cache = cache or MentionsCache(None)
    renewed = set(changed)
    gone = renewed | set(deleted)
    fresh = symbols_table(project, of_paths(snapshot, renewed), records)
    change = Change(root, project, snapshot, stored, fresh, renewed, gone)
    affected = _affected(change, cache)
    paths = {source.path for source in affected}
    met: Counter[str] = Counter()
    work = [*sources_of(root, of_paths(snapshot, renewed)), *affected]
    names, gathered = _gathered(work, change, cache, met)
    symbols, nodes, layout = change.around(paths, names)
    failures: list[tuple[str, str]] = []
    edges = edges_table(project, symbols, link(nodes, layout, gathered, met, failures))
    edge_paths = gone | _moved(stored, edges, paths)
    return GraphDelta(
        symbols=fresh,
        symbol_paths=ascending(gone),
        edges=of_paths(edges, edge_paths),
        edge_paths=ascending(edge_paths),
        affected=len(affected),
        counts=Counts(**met),
        failures=tuple(sorted(failures)),
    )


def _affected(change: Change, cache: MentionsCache) -> list[Source]:
    """Give the unchanged files of which an edge may move."""
    touched = touched_by(change)
    rebound, suspects = affected_sources(change, touched, cache)
    beyond = beyond_fronts(change, bool(touched.names), {source.path for source in rebound})
    if len(suspects) > FEW:
        suspects = with_moved_edges(suspects, touched.names, change, cache)
    found = {source.path: source for source in (*rebound, *suspects)}
    # No file should dangle that was not found already; an edge into nothing would be worse.
    loose = left_dangling(change.stored, change.before, change.fresh)
    more = sources_of(change.root, of_paths(change.snapshot, {*loose, *beyond}))
    found.update((source.path, source) for source in more)
    return [found[path] for path in ascending(found.keys() - change.gone)]


def _gathered(
    work: list[Source], change: Change, cache: MentionsCache, met: Counter[str]
) -> tuple[set[str] | None, Iterable[Gathered]]:
    """Give what files mention, and which names these look up elsewhere; ``None`` for any name."""
    gathered = gather(work, cache, met, retry=False)
    if len(work) > _MANY:
        return None, gathered
    few = list(gathered)
    wanted = [asks(g.mentions, g.source.grammar) for g in few if g.mentions is not None]
    names = {ask.name for file in wanted for ask in file}
    return names.union(*(names_taken(file, change.modules) for file in few)), few


def _moved(stored: StoredGraph, edges: pa.Table, affected: set[str]) -> set[str]:
    """Give the affected files whose edges are not the stored ones."""
    key = ["path", "edge_id"]
    old, new = (
        pl.DataFrame(pl.from_arrow(table.select(key)))
        for table in (stored.edges("path", affected), of_paths(edges, affected))
    )
    different = pl.concat([old.join(new, key, "anti"), new.join(old, key, "anti")])
    return set(different["path"].to_list())
