"""``code_search`` and ``code_status``."""

import msgspec

from codequarry.core.errors import IndexStateError, UsageError
from codequarry.receipts.status import Status
from codequarry.retrieval.freshness import freshness_of
from codequarry.retrieval.lexical.result import Result
from codequarry.retrieval.lexical.search import LexicalQuery
from codequarry.retrieval.lexical.search import search as lexical_search
from codequarry.retrieval.query import MODES, Filters, Query
from codequarry.retrieval.search import Hit, search
from codequarry.retrieval.structure.scope import narrowed, scope_of
from codequarry.retrieval.structure.usage import count
from codequarry.retrieval.structure.view import GraphView
from codequarry.serving.arguments import SearchArguments, StatusArguments
from codequarry.serving.deployment import Deployment
from codequarry.serving.tools import Tool

SNIPPET_BYTES = 1_500


class Found(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One piece of code that answers."""

    project: str
    path: str
    start_line: int
    end_line: int
    kind: str
    language: str
    score: float
    snippet: str
    symbol: str = ""
    cut: bool = False
    reasons: list[str] = []


class SearchAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Hits, best first; the last known state of each project; what to know about the answer."""

    hits: list[Found]
    states: dict[str, str]
    notes: list[str]


class ProjectStatus(msgspec.Struct, frozen=True, kw_only=True):
    """One project's index against its tree."""

    project: str
    state: str
    reason: str
    files: int
    chunks: int
    changed: int
    remedy: str


class StatusAnswer(msgspec.Struct, frozen=True):
    """Every project asked for."""

    projects: list[ProjectStatus]


def code_search(deployment: Deployment, given: SearchArguments) -> SearchAnswer:
    """Answer a question from the published index.

    Raises:
        CodequarryError: The question or the index is not usable.
    """
    projects = deployment.chosen(given.projects)
    notes: list[str] = []
    if given.freshness != "ignore":
        names = deployment.reader().published.entries if projects is None else projects
        trees = freshness_of(deployment.state, deployment.registry, sorted(names))
        notes += trees.notes
        if given.freshness == "error" and not trees.is_fresh:
            raise IndexStateError(
                "; ".join(trees.notes), "index again, or ask with freshness ignore or warn"
            )
    ask = _ranked if given.mode in MODES else _listed
    found, more = ask(deployment, given, projects)
    states = {hit.project: _last_state(deployment, hit.project) for hit in found}
    return SearchAnswer(hits=found, states=states, notes=[*notes, *more])


def _ranked(
    deployment: Deployment, given: SearchArguments, projects: tuple[str, ...] | None
) -> tuple[list[Found], list[str]]:
    """Rank pieces of code."""
    reader, notes = deployment.reader(), []
    filters = Filters(tuple(given.languages), tuple(given.kinds), tuple(given.globs))
    question = Query(given.query, given.mode, given.limit, filters)
    if given.symbol:
        view = GraphView(reader, deployment.state, projects)
        scope = scope_of(view, deployment.peer, given.symbol)
        question, projects = narrowed(question, scope, projects)
        notes.append(scope.note)
    model = None if given.mode == "keyword" else deployment.model
    answer = search(reader, question, projects, model)
    heard = deployment.voices.heard(projects or (), question, answer)
    count(deployment.state.usage, heard.answer.hits)
    return [_found(hit) for hit in heard.answer.hits], [*notes, *heard.notes]


def _listed(
    deployment: Deployment, given: SearchArguments, projects: tuple[str, ...] | None
) -> tuple[list[Found], list[str]]:
    """List names, paths or lines, without a model."""
    if given.languages or given.kinds or given.globs or given.symbol:
        raise UsageError(f"mode {given.mode} takes no filters", "leave them out")
    query = LexicalQuery(given.query, given.mode, given.limit)
    answer = lexical_search(deployment.reader(), query, projects, deployment.state)
    omitted = answer.omitted_counts.results
    return [_result(one) for one in answer.results], [f"{omitted} more match"] if omitted else []


def code_status(deployment: Deployment, given: StatusArguments) -> StatusAnswer:
    """Take the status of projects now.

    Raises:
        ProjectError: A name is unknown.
    """
    names = deployment.chosen(given.projects)
    if names is None:
        names = tuple(project.name for project in deployment.registry.all())
    return StatusAnswer([_status(deployment.status(name)) for name in names])


def _found(hit: Hit) -> Found:
    snippet = hit.content.encode()[:SNIPPET_BYTES].decode("utf-8", "ignore")
    return Found(
        project=hit.project,
        path=hit.path,
        start_line=hit.start_line,
        end_line=hit.end_line,
        kind=hit.chunk_type,
        language=hit.language,
        score=round(hit.score, 4),
        snippet=snippet,
        symbol=hit.symbol_name,
        cut=len(snippet) < len(hit.content),
    )


def _result(one: Result) -> Found:
    shown = [piece.snippet for piece in one.evidence if piece.snippet]
    return Found(
        project=one.project,
        path=one.file,
        start_line=one.range.start.line if one.range else 1,
        end_line=one.range.end.line if one.range else 1,
        kind=one.kind,
        language="",
        score=one.score,
        snippet="\n".join(shown)[:SNIPPET_BYTES],
        symbol=one.label,
        reasons=one.rank_reasons,
    )


def _last_state(deployment: Deployment, name: str) -> str:
    last = deployment.last_status(name)
    return last.verdict.state if last else "unchecked"


def _status(found: Status) -> ProjectStatus:
    stats = found.health.stats if found.health else None
    return ProjectStatus(
        project=found.project.name,
        state=found.verdict.state,
        reason=found.verdict.reason,
        files=stats.files if stats else 0,
        chunks=stats.chunks if stats else 0,
        changed=found.verdict.drift.total,
        remedy=found.remedy,
    )


def _search_summary(answer: SearchAnswer) -> list[str]:
    lines = [
        f"{hit.project}:{hit.path}:{hit.start_line}-{hit.end_line} {hit.symbol or hit.kind}"
        for hit in answer.hits
    ]
    return [*(lines or ["nothing found"]), *(f"note: {note}" for note in answer.notes)]


def _status_summary(answer: StatusAnswer) -> list[str]:
    lines = [
        f"{one.project}: {one.state} ({one.reason}), {one.files} files, {one.changed} changed"
        + (f"; {one.remedy}" if one.remedy else "")
        for one in answer.projects
    ]
    return lines or ["no project is registered; run `codequarry index PATH`"]


SEARCH = Tool(
    "code_search",
    "Find code by meaning, words or name. Give an identifier for its definition, or a question.",
    SearchArguments,
    SearchAnswer,
    code_search,
    _search_summary,
)
STATUS = Tool(
    "code_status",
    "Tell whether the indexes equal their working trees, and how to mend it.",
    StatusArguments,
    StatusAnswer,
    code_status,
    _status_summary,
)
