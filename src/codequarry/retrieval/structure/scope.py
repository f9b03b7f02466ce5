"""A search within reach: only the files that a symbol's change reaches, or some given files.

Whatever keeps a scope from being found makes the search one of the whole project, with a note; it
is never an error (contract.md F6).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from codequarry.core.errors import CodequarryError
from codequarry.producers.paths import is_clean
from codequarry.retrieval.query import Query
from codequarry.retrieval.search import Answer, QueryVector, search
from codequarry.retrieval.structure.bounds import USAGE_SHARE, WEIGHT
from codequarry.retrieval.structure.codemap import Peers
from codequarry.retrieval.structure.hotspots import Hotspot
from codequarry.retrieval.structure.impact import DEFAULT_DEPTH, Impact
from codequarry.retrieval.structure.lookup import Found
from codequarry.retrieval.structure.peer_first import find_symbol, hotspots, impact
from codequarry.retrieval.structure.rerank import FEED, Reranked, rerank
from codequarry.retrieval.structure.standpoint import (
    NOWHERE,
    Standpoint,
    in_index,
    text_in_index,
)
from codequarry.retrieval.structure.symbols import Symbol
from codequarry.retrieval.structure.usage import frequencies
from codequarry.retrieval.structure.view import GraphView

MAX_FILES = 10_000
NAMED = 5
"""Given files that a note names, at most."""


@dataclass(frozen=True)
class Scope:
    """Where a search looks.

    Args:
        paths: The files; empty for the whole project.
        note: What the scope is, or why there is none.
        symbol: The symbol whose reach it is.
        radius: How many dependents that symbol has.
    """

    paths: tuple[str, ...]
    note: str
    symbol: Symbol | None = None
    radius: int = 0


@dataclass(frozen=True)
class Investigation:
    """The answer of a search within a scope.

    Args:
        scope: Where it looked.
        hits: Best first, the graph's say included.
        warnings: What the asker should know.
    """

    scope: Scope
    hits: tuple[Reranked, ...]
    warnings: tuple[str, ...]


def scope_of(
    view: GraphView,
    peers: Peers,
    symbol: str = "",
    files: Sequence[str] = (),
    depth: float = DEFAULT_DEPTH,
    here: Standpoint = NOWHERE,
) -> Scope:
    """Find the files of a scope; given files go before a symbol.

    Args:
        view: The graph.
        peers: codemap in each project.
        symbol: What a person types for a symbol (`peer_first.find_symbol`).
        files: Their paths.
        depth: Steps of the symbol's reach.
        here: Where the paths, also that of a symbol, were typed.
    """
    try:
        if files:
            return _of_files(view, here, files)
        if not symbol.strip():
            return Scope((), "")
        meant, text = text_in_index(view, here, symbol)
        found = find_symbol(meant, peers, text)
        if found.state is not Found.ONE:
            why = "names several symbols" if found.state is Found.SEVERAL else "names no symbol"
            return Scope((), f"not scoped: {symbol[:100]!r} {why}")
        one = found.one()
        reach = impact(view, peers(one.project), one, depth, limit=None)
    except CodequarryError as error:
        return Scope((), f"not scoped: {error.message}")
    inside = [reach.symbol, *(dependent.symbol for dependent in reach.dependents)]
    paths = tuple(dict.fromkeys(one.path for one in inside if is_clean(one.path)))
    note = f"scoped to {_files(len(paths[:MAX_FILES]))} that {reach.symbol.fqn} reaches"
    told = f"{reach.total} {'dependent' if reach.total == 1 else 'dependents'}, {reach.source}"
    return Scope(paths[:MAX_FILES], f"{note} ({told}){_left_out(reach, paths)}", one, reach.total)


def narrowed(
    query: Query, scope: Scope, projects: tuple[str, ...] | None
) -> tuple[Query, tuple[str, ...] | None]:
    """Narrow a question, and where it is put, to a scope.

    A path is a place in one project; so the reach of a symbol ends with the symbol's project, where
    another may have a file of the same path.

    Args:
        query: The question; what its filters say besides paths still holds.
        scope: Of `scope_of`; one without paths narrows nothing.
        projects: The projects asked; ``None`` for all.
    """
    if not scope.paths:
        return query, projects
    filters = replace(query.filters, paths=scope.paths)
    inside = projects if scope.symbol is None else (scope.symbol.project,)
    return replace(query, filters=filters), inside


def search_within(view: GraphView, scope: Scope, query: Query, model: QueryVector | None) -> Answer:
    """Search within a scope.

    Args:
        view: The graph.
        scope: Of `scope_of`.
        query: The question.
        model: Makes the query's vector; ``None`` searches by text alone.

    Raises:
        IndexMissing: A project was never indexed.
        EmbeddingError: Mode ``semantic`` cannot be answered.
    """
    question, projects = narrowed(query, scope, view.projects)
    return search(view.reader, question, projects, model)


def investigate(
    view: GraphView,
    peers: Peers,
    scope: Scope,
    query: Query,
    model: QueryVector | None,
    weight: float = WEIGHT,
    usage_share: float = USAGE_SHARE,
) -> Investigation:
    """Search within a scope, and let what hangs on each hit speak (contract.md F4).

    Args:
        view: The graph.
        peers: codemap in each project.
        scope: Of `scope_of`.
        query: The question.
        model: Makes the query's vector; ``None`` searches by text alone.
        weight: Share of the structural score; 0 leaves the order alone.
        usage_share: Share of the query frequency in it.

    Raises:
        UsageError: A share is none.
        IndexMissing: A project was never indexed.
        EmbeddingError: Mode ``semantic`` cannot be answered.
    """
    answer = search_within(view, scope, query, model)
    projects = dict.fromkeys(hit.project for hit in answer.hits)
    feed: list[Hotspot] = []
    for project in projects if weight and len(answer.hits) > 1 else ():
        counted = frequencies(view.state.usage, project)
        feed += hotspots(view, peers(project), project, FEED, counted).spots
    return Investigation(scope, rerank(answer.hits, feed, weight, usage_share), answer.warnings)


def _left_out(reach: Impact, paths: Sequence[str]) -> str:
    """Say what a scope lacks of a reach; nothing where it lacks nothing."""
    if len(paths) > MAX_FILES:
        return f"; {len(paths) - MAX_FILES} more are left out"
    return "; it reaches more, which was not looked for" if reach.truncated else ""


def _of_files(view: GraphView, here: Standpoint, files: Iterable[str]) -> Scope:
    given = list(dict.fromkeys(path.strip() for path in files if path.strip()))
    places = in_index(view, here, given)
    paths = tuple(dict.fromkeys(places[path] for path in given if path in places))
    missing = [path for path in given if path not in places]
    if not paths:
        return Scope((), f"not scoped: none of the given files is indexed{_named(missing)}")
    kept = paths[:MAX_FILES]
    note = f"scoped to {_files(len(kept))} given"
    note += f"; {len(missing)} not indexed{_named(missing)}" if missing else ""
    note += f"; {len(paths) - MAX_FILES} more are left out" if len(paths) > MAX_FILES else ""
    return Scope(kept, note)


def _named(paths: Sequence[str]) -> str:
    """Name the first of some files, after a colon."""
    if not paths:
        return ""
    more = f" and {len(paths) - NAMED} more" if len(paths) > NAMED else ""
    return f": {', '.join(repr(path[:100]) for path in paths[:NAMED])}{more}"


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count} files"
