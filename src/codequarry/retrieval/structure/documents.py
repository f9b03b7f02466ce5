"""Answers about the graph as documents for other programs (docs/graph-questions.md)."""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from codequarry.retrieval.documents import hit_document
from codequarry.retrieval.structure.batch import Answered
from codequarry.retrieval.structure.elsewhere import Elsewhere
from codequarry.retrieval.structure.evidence import Evidence
from codequarry.retrieval.structure.hotspots import Hotspot
from codequarry.retrieval.structure.impact import Dependent, Impact
from codequarry.retrieval.structure.lookup import Found, Lookup
from codequarry.retrieval.structure.neighbors import Neighbor, Neighborhood
from codequarry.retrieval.structure.rerank import Reranked
from codequarry.retrieval.structure.symbols import Symbol
from codequarry.schemas.search import SearchHit, Selector


class AnsweredDocument(msgspec.Struct, frozen=True):
    """One question of several; ``failure`` says why it has no answer, or is empty."""

    query: str
    hits: list[SearchHit]
    repeated: int
    warnings: list[str]
    failure: str


class SymbolDocument(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A symbol; ``selector`` is what to ask for it by."""

    project: str
    symbol: str
    fqn: str
    kind: str
    file: str
    start_line: int
    end_line: int
    signature: str = ""
    selector: Selector


class PlaceDocument(msgspec.Struct, frozen=True):
    """A place that mentions a name."""

    path: str
    line: int
    name: str


class EvidenceDocument(msgspec.Struct, frozen=True):
    """Whether the users that an answer lists are all: complete, lower_bound or unknown."""

    coverage: str
    reasons: list[str]
    unresolved: list[PlaceDocument]
    unresolved_count: int


class PlaceElsewhereDocument(PlaceDocument, frozen=True):
    """A place in another project that may use a symbol."""

    project: str


class ElsewhereDocument(msgspec.Struct, frozen=True):
    """What may use a symbol in other projects, where no edge leads."""

    places: list[PlaceElsewhereDocument]
    count: int
    projects_searched: int
    projects_left_out: int


class DependentDocument(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A symbol that depends on another, or stands next to it."""

    symbol: SymbolDocument
    depth: int
    kind: str = ""
    direction: str = ""
    path: str = ""
    line: int = 0
    resolution: str = ""
    confidence: float = 0.0


class LookupDocument(msgspec.Struct, frozen=True):
    """A text that does not name one symbol: ``ambiguous`` or ``not_found``."""

    state: str
    asked: str
    count: int
    candidates: list[SymbolDocument]


class ImpactDocument(msgspec.Struct, frozen=True):
    """What a change reaches; ``risk`` is never ``low`` unless ``evidence`` is complete."""

    state: str
    source: str
    note: str
    symbol: SymbolDocument
    depth: int
    risk: str
    untested: bool
    direct: int
    total: int
    dependents: list[DependentDocument]
    omitted: int
    tests: list[DependentDocument]
    tests_omitted: int
    truncated: bool
    evidence: EvidenceDocument
    elsewhere: ElsewhereDocument


class NeighborhoodDocument(msgspec.Struct, frozen=True):
    """What stands next to a symbol; ``evidence`` is about its users alone."""

    state: str
    symbol: SymbolDocument
    neighbors: list[DependentDocument]
    omitted: int
    truncated: bool
    evidence: EvidenceDocument | None
    elsewhere: ElsewhereDocument | None


class HotspotDocument(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A symbol that much hangs on, as contract.md A7 spells it, and the project beside it."""

    symbol: str
    fqn: str
    kind: str
    file: str
    start_line: int
    in_degree: int
    shared_name: int = 0
    effective_in_degree: float
    query_frequency: int = 0
    project: str


class SourceDocument(msgspec.Struct, frozen=True):
    """Who answered for a project, and why."""

    project: str
    source: str
    note: str


class HotspotsDocument(msgspec.Struct, frozen=True):
    """The hotspots of some projects."""

    hotspots: list[HotspotDocument]
    sources: list[SourceDocument]
    tests_excluded: bool


class RelatedFileDocument(msgspec.Struct, frozen=True):
    """A file that belongs with another (contract.md A8)."""

    relative_path: str
    reason: str
    confidence: float


class RelatedDocument(msgspec.Struct, frozen=True):
    """The files that belong with one (contract.md A8), and who told them."""

    project: str
    file: str
    related: list[RelatedFileDocument]
    omitted: int
    source: str
    note: str


def answered_document(one: Answered, roots: Mapping[str, Path]) -> AnsweredDocument:
    """Write the answer of one question of several, its hits as contract.md F7 spells them."""
    hits = [hit_document(hit, roots) for hit in one.hits]
    return AnsweredDocument(one.text, hits, one.repeated, list(one.warnings), one.failure)


def symbol_document(symbol: Symbol) -> SymbolDocument:
    """Write a symbol."""
    return SymbolDocument(
        project=symbol.project,
        symbol=symbol.symbol,
        fqn=symbol.fqn,
        kind=symbol.kind,
        file=symbol.path,
        start_line=symbol.start_line,
        end_line=symbol.end_line,
        signature=symbol.signature,
        selector=Selector(symbol.path, symbol.start_line, symbol.fqn, symbol.kind),
    )


def lookup_document(found: Lookup) -> LookupDocument:
    """Write a look-up that did not find one symbol."""
    candidates = [symbol_document(symbol) for symbol in found.candidates]
    return LookupDocument(found.state.value, found.text, found.count, candidates)


def impact_document(found: Impact) -> ImpactDocument:
    """Write what a change reaches."""
    return ImpactDocument(
        state=Found.ONE.value,
        source=found.source,
        note=found.note,
        symbol=symbol_document(found.symbol),
        depth=found.depth,
        risk=found.risk.value,
        untested=found.untested,
        direct=found.direct,
        total=found.total,
        dependents=[_dependent(one) for one in found.dependents],
        omitted=found.omitted,
        tests=[_dependent(one) for one in found.tests],
        tests_omitted=found.tests_omitted,
        truncated=found.truncated,
        evidence=_evidence(found.evidence),
        elsewhere=_elsewhere(found.elsewhere),
    )


def neighborhood_document(found: Neighborhood) -> NeighborhoodDocument:
    """Write what stands next to a symbol."""
    return NeighborhoodDocument(
        state=Found.ONE.value,
        symbol=symbol_document(found.symbol),
        neighbors=[_neighbor(one) for one in found.neighbors],
        omitted=found.omitted,
        truncated=found.truncated,
        evidence=None if found.evidence is None else _evidence(found.evidence),
        elsewhere=None if found.elsewhere is None else _elsewhere(found.elsewhere),
    )


def hotspot_document(spot: Hotspot) -> HotspotDocument:
    """Write a hotspot."""
    symbol = spot.symbol
    return HotspotDocument(
        symbol=symbol.symbol,
        fqn=symbol.fqn,
        kind=symbol.kind,
        file=symbol.path,
        start_line=symbol.start_line,
        in_degree=spot.in_degree,
        shared_name=spot.shared_name,
        effective_in_degree=spot.effective_in_degree,
        query_frequency=spot.query_frequency,
        project=symbol.project,
    )


def reranked_document(one: Reranked, roots: Mapping[str, Path], *, explained: bool) -> SearchHit:
    """Write a hit with what the graph says of it (contract.md F4, F7)."""
    document = hit_document(one.hit, roots, explained=explained)
    score = round(one.structural_score, 6)
    return msgspec.structs.replace(document, structural_score=score, reranked=one.reranked)


def _evidence(found: Evidence) -> EvidenceDocument:
    places = [PlaceDocument(place.path, place.line, place.name) for place in found.unresolved]
    return EvidenceDocument(
        found.coverage.value, list(found.reasons), places, found.unresolved_count
    )


def _elsewhere(found: Elsewhere) -> ElsewhereDocument:
    places = [
        PlaceElsewhereDocument(place.path, place.line, place.name, place.project)
        for place in found.places
    ]
    return ElsewhereDocument(places, found.count, found.searched, found.left_out)


def _dependent(one: Dependent) -> DependentDocument:
    return DependentDocument(
        symbol=symbol_document(one.symbol),
        depth=one.depth,
        kind=one.kind,
        line=one.line,
        resolution=one.resolution,
        confidence=one.confidence,
    )


def _neighbor(one: Neighbor) -> DependentDocument:
    return DependentDocument(
        symbol=symbol_document(one.symbol),
        depth=one.depth,
        kind=one.kind,
        direction=one.direction,
        path=one.path,
        line=one.line,
        resolution=one.resolution,
        confidence=one.confidence,
    )
