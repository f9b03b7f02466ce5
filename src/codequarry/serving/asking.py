"""``code_context`` and ``code_impact``: what the code graph says of one symbol."""

from collections.abc import Iterable

import msgspec

from codequarry.retrieval.structure.evidence import Evidence
from codequarry.retrieval.structure.impact import Dependent
from codequarry.retrieval.structure.neighbors import Neighbor, callees, callers
from codequarry.retrieval.structure.peer_first import find_symbol, impact
from codequarry.retrieval.structure.source import source_of
from codequarry.retrieval.structure.symbols import Symbol
from codequarry.retrieval.structure.view import GraphView
from codequarry.serving.arguments import ContextArguments, ImpactArguments
from codequarry.serving.deployment import Deployment
from codequarry.serving.tools import Tool

SOURCE_BYTES = 6_000


class Definition(msgspec.Struct, frozen=True):
    """A symbol and where it stands."""

    project: str
    path: str
    start_line: int
    end_line: int
    name: str
    kind: str


class Related(msgspec.Struct, frozen=True, omit_defaults=True):
    """A symbol that is related to the one asked for, and the line that shows it."""

    path: str
    start_line: int
    name: str
    kind: str
    depth: int
    line: int = 0
    confidence: float = 0.0


class ContextAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A symbol, its source, and who it works with; ``coverage`` says whether callers are all."""

    symbol: Definition
    signature: str
    source: str
    callers: list[Related]
    callers_omitted: int
    callees: list[Related]
    callees_omitted: int
    coverage: str
    notes: list[str]


class ImpactAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What a change of a symbol reaches; ``risk`` is never low unless ``coverage`` is complete."""

    symbol: Definition
    risk: str
    untested: bool
    dependents: list[Related]
    omitted: int
    tests: list[Related]
    coverage: str
    source: str
    notes: list[str]


def code_context(deployment: Deployment, given: ContextArguments) -> ContextAnswer:
    """Tell what a symbol is, who calls it, and what it calls.

    Raises:
        CodequarryError: The symbol is not one, or nothing is indexed.
    """
    view = _view(deployment, given.project)
    symbol = find_symbol(view, deployment.peer, given.symbol).one()
    coming = callers(view, symbol, 1, given.limit)
    going = callees(view, symbol, 1, given.limit)
    return ContextAnswer(
        symbol=_definition(symbol),
        signature=symbol.signature,
        source=source_of(view, symbol, SOURCE_BYTES).text,
        callers=_related(coming.neighbors),
        callers_omitted=coming.omitted,
        callees=_related(going.neighbors),
        callees_omitted=going.omitted,
        coverage=_coverage(coming.evidence),
        notes=[
            *deployment.stale_notes(symbol.project),
            *(coming.evidence.reasons if coming.evidence else ()),
        ],
    )


def code_impact(deployment: Deployment, given: ImpactArguments) -> ImpactAnswer:
    """Tell what depends on a symbol, how far away, and which tests cover it.

    Raises:
        CodequarryError: The symbol is not one, or nothing is indexed.
    """
    view = _view(deployment, given.project)
    symbol = find_symbol(view, deployment.peer, given.symbol).one()
    peer = deployment.peer(symbol.project)
    found = impact(view, peer, symbol, given.depth, given.limit)
    told = found.note if peer is not None and not peer.is_silent else ""
    return ImpactAnswer(
        symbol=_definition(found.symbol),
        risk=found.risk.value,
        untested=found.untested,
        dependents=_related(found.dependents),
        omitted=found.omitted,
        tests=_related(found.tests),
        coverage=_coverage(found.evidence),
        source=found.source,
        notes=[
            *deployment.stale_notes(symbol.project),
            *(note for note in (told, *found.evidence.reasons) if note),
        ],
    )


def _view(deployment: Deployment, project: str) -> GraphView:
    names = deployment.chosen([project] if project else [])
    return GraphView(deployment.reader(), deployment.state, names)


def _definition(symbol: Symbol) -> Definition:
    return Definition(
        symbol.project,
        symbol.path,
        symbol.start_line,
        symbol.end_line,
        symbol.fqn or symbol.symbol,
        symbol.kind,
    )


def _related(found: Iterable[Neighbor | Dependent]) -> list[Related]:
    return [
        Related(
            one.symbol.path,
            one.symbol.start_line,
            one.symbol.fqn or one.symbol.symbol,
            one.symbol.kind,
            one.depth,
            one.line,
            round(one.confidence, 2),
        )
        for one in found
    ]


def _coverage(evidence: Evidence | None) -> str:
    return evidence.coverage.value if evidence else "unknown"


def _place(one: Related) -> str:
    return f"  {one.path}:{one.line or one.start_line} {one.name}"


def _context_summary(answer: ContextAnswer) -> list[str]:
    one = answer.symbol
    return [
        f"{one.kind} {one.name} at {one.project}:{one.path}:{one.start_line}",
        f"callers ({answer.coverage}): {len(answer.callers) + answer.callers_omitted}",
        *map(_place, answer.callers),
        f"callees: {len(answer.callees) + answer.callees_omitted}",
        *map(_place, answer.callees),
    ]


def _impact_summary(answer: ImpactAnswer) -> list[str]:
    one = answer.symbol
    total = len(answer.dependents) + answer.omitted
    return [
        f"{one.kind} {one.name} at {one.project}:{one.path}:{one.start_line}: risk "
        f"{answer.risk}, {total} dependents ({answer.coverage}), {len(answer.tests)} tests",
        *map(_place, answer.dependents),
        *(f"{_place(test)} (test)" for test in answer.tests),
    ]


CONTEXT = Tool(
    "code_context",
    "Show one symbol: its source, its callers and what it calls.",
    ContextArguments,
    ContextAnswer,
    code_context,
    _context_summary,
)
IMPACT = Tool(
    "code_impact",
    "Tell what a change of one symbol reaches, and which tests cover it.",
    ImpactArguments,
    ImpactAnswer,
    code_impact,
    _impact_summary,
)
