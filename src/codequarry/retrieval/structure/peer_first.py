"""Answers of codemap where it answers, else ours; each says which, and why."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from codequarry.producers.paths import is_clean
from codequarry.retrieval.structure import hotspots as ours
from codequarry.retrieval.structure.bounds import checked_limit, clamped_depth, limit_or_all
from codequarry.retrieval.structure.codemap import CodemapPeer, Outcome, Peers, Reply
from codequarry.retrieval.structure.codemap_documents import PeerImpact, PeerSymbol
from codequarry.retrieval.structure.elsewhere import elsewhere
from codequarry.retrieval.structure.evidence import Coverage, Evidence
from codequarry.retrieval.structure.history import coupled_with
from codequarry.retrieval.structure.hotspots import Hotspot, Usage
from codequarry.retrieval.structure.impact import DEFAULT_DEPTH, Dependent, Impact
from codequarry.retrieval.structure.impact import impact as our_impact
from codequarry.retrieval.structure.lookup import Found, Lookup, look_up, place_in, selected
from codequarry.retrieval.structure.related import RelatedFile, RelatedFiles
from codequarry.retrieval.structure.related import related_files as our_related
from codequarry.retrieval.structure.symbols import Selector, Symbol
from codequarry.retrieval.structure.view import GraphView

OURS: Final = "codequarry"
CODEMAP: Final = "codemap"

_COVERAGE = {"resolved": Coverage.COMPLETE, "name": Coverage.LOWER_BOUND}


@dataclass(frozen=True)
class Hotspots:
    """Hotspots, and who told them."""

    spots: tuple[Hotspot, ...]
    source: str
    note: str


def impact(
    view: GraphView,
    peer: CodemapPeer | None,
    symbol: Symbol,
    depth: float = DEFAULT_DEPTH,
    limit: float | None = 100,
) -> Impact:
    """Tell what depends on a symbol, and what may in the other projects of the view.

    Args:
        view: The graph.
        peer: codemap in the symbol's project; ``None`` when it is not to be asked, as of the past.
        symbol: The symbol; codemap is asked by its selector.
        depth: Steps.
        limit: Dependents to give, and tests to give; ``None`` for all.

    Raises:
        UsageError: The depth or the limit is none.
        IndexMissing: No graph was published.
    """
    steps, most = clamped_depth(depth), limit_or_all(limit)
    reply: Reply[PeerImpact] | None = None
    if peer is not None and not symbol.is_file:
        reply = peer.impact(symbol.selector, steps)
    if reply is not None and reply.document is not None:
        found = _impact_of(symbol, reply, steps, most)
    else:
        found = replace(our_impact(view, symbol, steps, most), note=_why(reply))
    beyond = elsewhere(view, symbol)
    return replace(found, elsewhere=beyond, evidence=beyond.judged(found.evidence))


def hotspots(
    view: GraphView,
    peer: CodemapPeer | None,
    project: str,
    limit: float = 20,
    usage: Usage | None = None,
    include_tests: bool = False,
) -> Hotspots:
    """Rank the symbols of a project by what hangs on them; codemap ranks without tests only.

    Raises:
        UsageError: The limit is none.
        IndexMissing: No graph was published.
    """
    most = checked_limit(limit)
    reply = peer.hotspots(most) if peer is not None and not include_tests else None
    if reply is not None and reply.document is not None:
        spots = [_hotspot(project, one) for one in reply.document.hotspots if is_clean(one.file)]
        return Hotspots(tuple(spots[:most]), CODEMAP, "codemap answered")
    found = ours.hotspots(view, project, most, usage, include_tests)
    return Hotspots(found, OURS, _why(reply))


def related_files(
    view: GraphView,
    peer: CodemapPeer | None,
    project: str,
    path: str,
    limit: float = 10,
    root: Path | None = None,
) -> RelatedFiles:
    """Tell which files belong with one; an answer of codemap is final, also an empty one.

    Args:
        view: The graph.
        peer: codemap in the project; ``None`` when it is not to be asked.
        project: The project.
        path: The file.
        limit: Files to give.
        root: The project's root, whose history counts too; ``None`` leaves history out.

    Raises:
        UsageError: The limit is none, or no indexed file has that path.
        IndexMissing: No graph was published.
    """
    most = checked_limit(limit)
    reply = peer.related_files(path) if peer is not None else None
    if reply is not None and reply.document is not None:
        listed = [
            RelatedFile(one.relative_path, one.reason[:40], min(max(one.confidence, 0.0), 1.0))
            for one in reply.document.related
            if is_clean(one.relative_path)
        ]
        listed.sort(key=lambda one: one.order)
        shown, omitted = tuple(listed[:most]), max(len(listed) - most, 0)
        return RelatedFiles(path, shown, omitted, CODEMAP, "codemap answered")
    coupled = coupled_with(view.state, root, path) if root is not None else None
    return replace(our_related(view, project, path, most, coupled), note=_why(reply))


def find_symbol(view: GraphView, peers: Peers, text: str) -> Lookup:
    """Find the symbol that a text names (`lookup.look_up`); at a line, codemap says which it is.

    What codemap says is followed where our graph has that symbol in that file, so that all which
    is asked of the symbol then can be answered.

    Args:
        view: The graph.
        peers: codemap in each project.
        text: What a person types for a symbol.

    Raises:
        UsageError: The text is empty, too long, or a selector that breaks a rule.
        IndexMissing: No graph was published.
    """
    place = place_in(text)
    file = look_up(view, place[0]) if place else None
    if place and file and file.state is Found.ONE and file.one().is_file:
        project = file.one().project
        told = _told_at(peers(project), *place)
        if told is not None:
            alone = GraphView(view.reader, view.state, [project])
            found = selected(alone, told, text.strip())
            if found.state is Found.ONE:
                return replace(found, source=CODEMAP)
    return look_up(view, text)


def _told_at(peer: CodemapPeer | None, path: str, line: int) -> Selector | None:
    position = peer.symbol_at(path, line).document if peer is not None else None
    told = position.selector if position is not None else None
    if told is None or told.file != path or not told.fqn:
        return None
    return Selector(told.file, told.start_line, told.fqn, told.kind)


def _impact_of(symbol: Symbol, reply: Reply[PeerImpact], depth: int, most: int | None) -> Impact:
    answer = reply.document
    assert answer is not None
    project = symbol.project
    direct = [replace(one, depth=1) for one in _dependents(project, answer.direct_callers)]
    told = _distinct([*direct, *_dependents(project, answer.blast_radius)])
    named = _dependents(project, answer.tests)
    tests = _distinct([*named, *(one for one in told if one.symbol.is_test)])
    covered = {_key(test) for test in tests}
    code = [one for one in told if _key(one) not in covered]
    return Impact(
        symbol=symbol,
        dependents=tuple(code[:most]),
        direct=sum(one.depth == 1 for one in code),
        omitted=len(code) - len(code[:most]),
        tests=tuple(tests[:most]),
        tests_omitted=len(tests) - len(tests[:most]),
        depth=depth,
        truncated=False,
        evidence=_evidence_of(answer, reply.detail),
        source=CODEMAP,
        note="codemap answered",
    )


def _evidence_of(answer: PeerImpact, staleness: str) -> Evidence:
    coverage = _COVERAGE.get(answer.call_graph, Coverage.UNKNOWN)
    reasons = [staleness] if staleness else []
    places = [*answer.direct_callers, *answer.blast_radius, *answer.tests]
    if any(not is_clean(place.file) for place in places):
        reasons.append("codemap named places outside of the project, which are left out")
    if coverage is Coverage.LOWER_BOUND:
        reasons.append("codemap told the calls by name")
    elif coverage is Coverage.UNKNOWN:
        reasons.append("codemap could not tell the calls")
    elif reasons:
        coverage = Coverage.LOWER_BOUND
    return Evidence(coverage, tuple(reasons))


def _dependents(project: str, told: Iterable[PeerSymbol]) -> list[Dependent]:
    inside = (place for place in told if is_clean(place.file))
    return [Dependent(_symbol(project, place), max(place.depth, 1)) for place in inside]


def _distinct(dependents: Iterable[Dependent]) -> list[Dependent]:
    """Give each symbol once, at its least depth, in the order of `Impact`."""
    first: dict[tuple[str, str, str], Dependent] = {}
    for one in sorted(dependents, key=lambda one: (one.depth, one.symbol.order)):
        first.setdefault(_key(one), one)
    return list(first.values())


def _key(one: Dependent) -> tuple[str, str, str]:
    return (one.symbol.path, one.symbol.fqn or one.symbol.symbol, one.symbol.kind)


def _hotspot(project: str, told: PeerSymbol) -> Hotspot:
    effective = told.effective_in_degree
    if effective is None:
        effective = told.in_degree / max(told.shared_name, 1)
    usage = max(told.query_frequency, 0)
    degrees = (max(told.in_degree, 0), max(told.shared_name, 0), max(effective, 0.0))
    return Hotspot(_symbol(project, told), *degrees, usage)


def _symbol(project: str, told: PeerSymbol) -> Symbol:
    place = (told.start_line, max(told.end_line, told.start_line))
    names = (told.file, told.symbol, told.fqn, told.kind)
    return Symbol(0, project, *names, "", *place, told.signature)


def _why(reply: Reply[Any] | None) -> str:
    if reply is None:
        return "codemap was not asked"
    if reply.outcome is Outcome.MISSING:
        return f"our own graph: {reply.detail}"
    # What codemap printed is its own text, and might be anybody's: a note of ours never repeats it.
    return f"our own graph: codemap did not answer ({reply.outcome.value})"
