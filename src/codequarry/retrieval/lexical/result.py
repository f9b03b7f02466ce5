"""The answer of a lexical search as a document (vectorless.md 7)."""

from typing import Literal

import msgspec

from codequarry.retrieval.lexical.order import Capability

SCHEMA_VERSION = 1
DEFAULT_LIMIT, MAX_LIMIT = 20, 100
RANK_REASONS, EVIDENCE, NEIGHBORS, FOLLOW_UPS = 6, 5, 12, 8
TEXT_FILE_BYTES = 300_000
"""Files of more bytes are not text-searched."""

Kind = Literal["file", "symbol", "chunk", "sql_object", "graph_node"]


class Position(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A place: ``line`` from 1, ``column`` from 0 in UTF-16 units."""

    line: int
    column: int


class Range(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """From a place up to, not including, another."""

    start: Position
    end: Position


class Provenance(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Where a result comes from, and how sure it is."""

    surface: Literal["code", "docs", "config"]
    capability: Capability
    analysis_mode: str
    backend: str
    confidence: Literal["high", "medium"]


class Evidence(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What speaks for a result."""

    source: Literal["path", "symbol", "chunk", "graph", "sql"]
    label: str
    file: str | None = None
    line: int | None = None
    snippet: str | None = None


class Neighbor(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What a result is connected with."""

    relation: str
    target: str
    file: str | None = None
    confidence: float | None = None


class FollowUp(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A command of ours that goes on from here: ``codequarry TOOL ARGUMENTS…``."""

    tool: str
    arguments: list[str]
    label: str | None = None


class ResultOmitted(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """How much of a result's lists is not shown."""

    rank_reasons: int = 0
    evidence: int = 0
    neighbors: int = 0
    follow_ups: int = 0


class Result(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One result."""

    handle: str
    kind: Kind
    label: str
    project: str
    file: str
    score: float
    range: Range | None
    provenance: Provenance
    rank_reasons: list[str]
    evidence: list[Evidence]
    neighbors: list[Neighbor]
    follow_ups: list[FollowUp]
    omitted_counts: ResultOmitted


class Analysis(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What the index knows of the projects that were asked."""

    mode: Literal["semantic", "mixed", "reduced"]
    backend: Literal["native", "mixed", "graph-only", "unknown"]
    parser_degraded_files: int
    fallback_import_extraction_files: int
    native_files_used: int
    native_files_fell_back: int
    label: str


class Anchor(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What became of ``--from``.

    ``state`` is ``exact``, ``moved`` (found again elsewhere), ``changed`` (the same name with other
    content), ``none`` (not given) or ``unresolved``.
    """

    state: Literal["none", "exact", "moved", "changed", "unresolved"]
    files: list[str]


class Limits(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The bounds that were applied."""

    results: int
    depth: int
    rank_reasons: int = RANK_REASONS
    evidence: int = EVIDENCE
    neighbors: int = NEIGHBORS
    follow_ups: int = FOLLOW_UPS
    text_file_bytes: int = TEXT_FILE_BYTES


class Omitted(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """How much was found and is not shown, or was not looked at.

    Args:
        results: Found, and past the limit.
        query_terms: Terms of the query past the first 64.
        text_files: Files too large to be text-searched.
        sql_files: ``.sql`` files too large to be read for objects.
        sql_statements: Statements of the others that could not be read.
    """

    results: int
    query_terms: int = 0
    text_files: int = 0
    sql_files: int = 0
    sql_statements: int = 0


class Answer(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The envelope."""

    schema_version: int = SCHEMA_VERSION
    query: str
    mode: str
    root: str
    projects: list[str]
    anchor: Anchor
    analysis: Analysis
    limits: Limits
    result_count: int
    total_candidates: int
    omitted_counts: Omitted
    results: list[Result]
