"""Our own index, as the first engine: what it is asked by, the others are asked by too."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from codequarry.core.errors import CodequarryError, IndexMissing
from codequarry.core.registry import Project
from codequarry.core.state import StateDirectory
from codequarry.engines.answers import is_below
from codequarry.engines.bench import Workspaces
from codequarry.engines.licence import EngineLicense
from codequarry.engines.rows import last_part
from codequarry.engines.types import (
    TRUST,
    CodeAnswer,
    CodeContext,
    CodeEdgeKind,
    CodeHit,
    CodeIndexCapabilities,
    CodeIndexStatus,
    CodeQuery,
    CodeRef,
    Completeness,
    State,
    SyncReport,
    no_answer,
)

if TYPE_CHECKING:
    from codequarry.retrieval.structure.evidence import Coverage
    from codequarry.retrieval.structure.symbols import Symbol
    from codequarry.retrieval.structure.view import GraphView

NAME = "codequarry/index"
LIMIT = 100
SECONDS = 10.0
"""Deadline of each question; it opens the published state anew."""

_PROBE_NAME = "codequarry_probe_nothing_is_called_this"
_MAX_DEPTH = 10
_DIRECTED: Mapping[CodeEdgeKind, tuple[str, str]] = {
    CodeEdgeKind.CALLS: ("calls", "out"),
    CodeEdgeKind.CALLED_BY: ("calls", "in"),
    CodeEdgeKind.IMPORTS: ("imports", "out"),
    CodeEdgeKind.IMPORTED_BY: ("imports", "in"),
    CodeEdgeKind.EXTENDS: ("extends", "out"),
    CodeEdgeKind.EXTENDED_BY: ("extends", "in"),
    CodeEdgeKind.REFERENCES: ("references", "out"),
    CodeEdgeKind.REFERENCED_BY: ("references", "in"),
    CodeEdgeKind.CONTAINS: ("contains", "out"),
    CodeEdgeKind.CONTAINED_IN: ("contains", "in"),
    CodeEdgeKind.IMPLEMENTS: ("implements", "out"),
    CodeEdgeKind.IMPLEMENTED_BY: ("implements", "in"),
}
_IN_CONTEXT = (CodeEdgeKind.CALLS, CodeEdgeKind.CALLED_BY)

_Answer = TypeVar("_Answer", CodeHit, CodeRef, CodeContext)


class OwnIndex:
    """The published index of this deployment.

    Args:
        state: The state directory.
        workspaces: Its projects.
    """

    ID = NAME

    def __init__(self, state: StateDirectory, workspaces: Workspaces) -> None:
        self._state = state
        self._workspaces = workspaces

    @property
    def id(self) -> str:
        """``codequarry/index``."""
        return NAME

    @property
    def display_name(self) -> str:
        """Its name before a person."""
        return "codequarry's own index"

    @property
    def license(self) -> EngineLicense:
        """Our own licence."""
        return EngineLicense("Apache-2.0", linkage="in_process")

    async def init(self, workspace_id: str) -> None:
        """Do nothing: the published state is opened anew for each question."""

    def capabilities(self) -> CodeIndexCapabilities:
        """Tell what it can be asked."""
        return CodeIndexCapabilities(
            edges=frozenset(_DIRECTED),
            impact=True,
            context=True,
            incremental_sync=True,
            freshness=True,
            deletes=True,
            multi_repo=True,
            worktrees="per_worktree",
            offline="yes",
            writes_into_repo=False,
            score_kind="within_set",
            max_depth=_MAX_DEPTH,
            deadlines=dict.fromkeys(("search", "context", "impact", *_DIRECTED), SECONDS),
        )

    async def status(self, workspace_id: str) -> CodeIndexStatus:
        """Judge the index of a project by its receipt and its tree.

        Raises:
            ProjectError: There is no such project.
        """
        return await asyncio.to_thread(self._status, self._workspaces.named(workspace_id))

    async def sync(self, workspace_id: str) -> SyncReport:
        """Refuse: our index is published by its own pipeline, ``codequarry index``."""
        status = await self.status(workspace_id)
        reason = "our own index is brought up to date by `codequarry index`"
        return SyncReport(NAME, workspace_id, False, reason, status, status, 0.0)

    async def search(self, q: CodeQuery) -> CodeAnswer[CodeHit]:
        """Answer a search.

        Raises:
            ProjectError: There is no such project.
        """
        project = self._workspaces.named(q.workspace_id)
        return await _timed(lambda: self._search(q, project))

    async def neighbors(
        self, node: CodeRef, edge: CodeEdgeKind, depth: int = 1
    ) -> CodeAnswer[CodeRef]:
        """Give what ``node`` is tied to by ``edge``."""
        if edge not in _DIRECTED:
            return no_answer("unsupported", "unsupported", engine=NAME)
        return await _timed(lambda: self._neighbors(node, edge, depth))

    async def impact(self, node: CodeRef) -> CodeAnswer[CodeRef]:
        """Give what depends on ``node``, tests among it."""
        return await _timed(lambda: self._impact(node))

    async def context(self, node: CodeRef) -> CodeAnswer[CodeContext]:
        """Give ``node``, its callers and its callees."""
        return await _timed(lambda: self._context(node))

    async def probe(self, workspace_id: str) -> CodeIndexCapabilities:
        """Ask every question it offers for a name that nothing has.

        Raises:
            ProjectError: There is no such project.
        """
        key = self._workspaces.named(workspace_id).producer_key
        node = CodeRef(key, "", None, None, None, _PROBE_NAME, "function")
        query = CodeQuery(_PROBE_NAME, workspace_id, 1, "keyword")
        asked: dict[str, CodeAnswer[Any]] = {
            "search": await self.search(query),
            "context": await self.context(node),
            "impact": await self.impact(node),
        }
        asked |= {str(edge): await self.neighbors(node, edge) for edge in _DIRECTED}
        probed = {name: _found_out(answer) for name, answer in asked.items()}
        state = (await self.status(workspace_id)).state
        probed["status"] = "answered" if TRUST[state] != "unusable" else f"failed: it is {state}"
        return replace(self.capabilities(), probed=probed)

    async def close(self) -> None:
        """Nothing stays open."""

    def _status(self, project: Project) -> CodeIndexStatus:
        from codequarry.receipts.status import status_of

        found = status_of(self._state, project)
        states: Mapping[str, State] = {"fresh": "fresh", "stale": "stale", "empty": "absent"}
        state = states.get(found.verdict.state, "unknown") if found.health else "absent"
        hint = None if state == "fresh" else "run `codequarry index`"
        return CodeIndexStatus(
            state, TRUST[state], evidence=found.verdict.reason, hint=hint, files=None
        )

    def _search(self, q: CodeQuery, project: Project) -> CodeAnswer[CodeHit]:
        from codequarry.index.reader import Reader
        from codequarry.retrieval.model import configured_model
        from codequarry.retrieval.query import Filters, Query
        from codequarry.retrieval.search import search

        globs = tuple(f"{path.rstrip('/')}/**" for path in q.paths)
        filters = Filters(q.languages, q.kinds, (*globs, *(f"/{path}" for path in q.paths)))
        query = Query(q.text, q.mode, q.limit, filters)
        model = None if q.mode == "keyword" else configured_model()
        found = search(Reader(self._state, q.as_of), query, (project.name,), model)
        hits = []
        # A prefix may hold what a glob reads as a pattern, which lets more through.
        kept = [hit for hit in found.hits if is_below(hit.path, q.paths)]
        for rank, hit in enumerate(kept, 1):
            selector = hit.selector or {}
            ref = CodeRef(
                project.producer_key,
                hit.path,
                selector.get("start_line", hit.start_line),
                hit.end_line,
                selector.get("fqn"),
                hit.symbol_name.rpartition(".")[2] or hit.path,
                selector.get("kind", hit.chunk_type),
                hit.language,
                hit.source_hash,
                NAME,
                str(hit.chunk_id),
                "exact" if hit.selector else "enclosing",
            )
            hits.append(CodeHit(ref, rank, hit.score, hit.score, "within_set", hit.content))
        level: Completeness = "degraded" if found.warnings else "complete"
        level = "truncated" if len(found.hits) == q.limit and level == "complete" else level
        omitted = None if level == "truncated" else 0
        return CodeAnswer(tuple(hits), level, omitted, found.warnings, engine=NAME)

    def _neighbors(self, node: CodeRef, edge: CodeEdgeKind, depth: int) -> CodeAnswer[CodeRef]:
        view, symbol = self._symbol(node)
        if isinstance(symbol, tuple):
            return _missing(node, symbol)
        return _tied(view, symbol, node.project_key, edge, depth)

    def _impact(self, node: CodeRef) -> CodeAnswer[CodeRef]:
        from codequarry.retrieval.structure.impact import impact

        view, symbol = self._symbol(node)
        if isinstance(symbol, tuple):
            return _missing(node, symbol)
        found = impact(view, symbol, limit=LIMIT)
        both = sorted(
            (*found.dependents, *found.tests), key=lambda one: (one.depth, one.symbol.order)
        )
        refs = tuple(_ref(one.symbol, node.project_key, one.confidence, one.depth) for one in both)
        level = "lower_bound" if found.truncated else _level(found.evidence.coverage)
        omitted = found.omitted + found.tests_omitted
        return CodeAnswer(refs, level, omitted, found.evidence.reasons, engine=NAME)

    def _context(self, node: CodeRef) -> CodeAnswer[CodeContext]:
        view, symbol = self._symbol(node)
        if isinstance(symbol, tuple):
            return _missing(node, symbol)
        answers = {edge: _tied(view, symbol, node.project_key, edge, 1) for edge in _IN_CONTEXT}
        edges = {edge: answer.items for edge, answer in answers.items() if answer.items}
        ref = _ref(symbol, node.project_key)
        incoming = answers[CodeEdgeKind.CALLED_BY]
        context = CodeContext(ref, symbol.signature, None, edges)
        return CodeAnswer(
            (context,), incoming.completeness, incoming.omitted, incoming.warnings, engine=NAME
        )

    def _symbol(self, node: CodeRef) -> "tuple[GraphView, Symbol | tuple[Symbol, ...]]":
        """Find the symbol a ref means, by all that the ref knows; else all it could mean."""
        from codequarry.index.reader import Reader
        from codequarry.retrieval.structure.lookup import look_up
        from codequarry.retrieval.structure.view import GraphView

        project = self._workspaces.keyed(node.project_key)
        view = GraphView(Reader(self._state), self._state, (project.name,))
        text = f"{node.path}::{last_part(node.name)}" if node.path else node.fqn or node.name
        found = look_up(view, text).candidates
        exact = tuple(one for one in found if one.start_line == node.start_line)
        chosen = exact or found
        return view, chosen[0] if len(chosen) == 1 else chosen


def place_of(state: StateDirectory, project: Project, symbol: str) -> CodeRef | None:
    """Find the symbol of a project that a person means; ``None`` when it is not indexed.

    Raises:
        UsageError: Several are meant; the message lists them.
        IndexMissing: Nothing was published.
    """
    from codequarry.index.reader import Reader
    from codequarry.retrieval.structure.lookup import Found, look_up
    from codequarry.retrieval.structure.view import GraphView

    found = look_up(GraphView(Reader(state), state, (project.name,)), symbol)
    return None if found.state is Found.NONE else _ref(found.one(), project.producer_key)


def _tied(
    view: "GraphView", symbol: "Symbol", project_key: str, edge: CodeEdgeKind, depth: int
) -> CodeAnswer[CodeRef]:
    """Walk one kind of edge from a symbol."""
    from codequarry.retrieval.structure.neighbors import neighbors

    kind, direction = _DIRECTED[edge]
    found = neighbors(view, symbol, (kind,), direction, min(depth, _MAX_DEPTH), LIMIT)
    refs = tuple(
        _ref(one.symbol, project_key, one.confidence, one.depth) for one in found.neighbors
    )
    level: Completeness = "complete"
    warnings: tuple[str, ...] = ()
    if found.evidence is not None:
        level, warnings = _level(found.evidence.coverage), found.evidence.reasons
    if found.omitted or found.truncated:
        level = "truncated" if level == "complete" else level
    omitted = None if found.truncated else found.omitted
    return CodeAnswer(refs, level, omitted, warnings, engine=NAME)


async def _timed(ask: Callable[[], CodeAnswer[_Answer]]) -> CodeAnswer[_Answer]:
    """Ask in a thread; an index that was never built is a kind of answer."""
    started = time.monotonic()
    try:
        answer = await asyncio.to_thread(ask)
    except IndexMissing as error:
        answer = no_answer("not_indexed", str(error), engine=NAME)
    except CodequarryError as error:
        answer = no_answer("failed", str(error), engine=NAME)
    return replace(answer, elapsed_s=time.monotonic() - started)


def _found_out(answer: CodeAnswer[Any]) -> str:
    if answer.outcome in ("answered", "not_found"):
        return "answered" if answer.outcome == "answered" else "callable"
    return f"failed: {'; '.join(answer.warnings) or answer.outcome}"


def _missing(node: CodeRef, candidates: "Sequence[Symbol]") -> CodeAnswer[_Answer]:
    if not candidates:
        return CodeAnswer((), "complete", 0, outcome="not_found", engine=NAME)
    places = ", ".join(f"{one.path}:{one.start_line}" for one in candidates[:5])
    warning = f"several definitions are called {node.name}, such as {places}"
    return no_answer("ambiguous", warning, engine=NAME)


def _ref(
    symbol: "Symbol", project_key: str, confidence: float | None = None, depth: int | None = None
) -> CodeRef:
    return CodeRef(
        project_key,
        symbol.path,
        symbol.start_line or None,
        symbol.end_line or None,
        symbol.fqn or None,
        symbol.symbol,
        symbol.kind,
        symbol.language or None,
        engine=NAME,
        native_id=str(symbol.symbol_id),
        confidence=confidence,
        depth=depth,
    )


def _level(coverage: "Coverage") -> Completeness:
    levels: Mapping[str, Completeness] = {"complete": "complete", "lower_bound": "lower_bound"}
    return levels.get(str(coverage), "unknown")
