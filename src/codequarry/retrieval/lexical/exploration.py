"""The answer of ``explore`` as a document (vectorless.md 8)."""

import msgspec

from codequarry.retrieval.lexical.result import Analysis, FollowUp, Neighbor

SCHEMA_VERSION = 1
DEFAULT_ANCHORS, MAX_ANCHORS = 5, 50
DEFAULT_PACKETS, MAX_PACKETS = 3, 10
DEFAULT_PATHS, MAX_PATHS = 3, 10
BLAST_ENTRIES, REVERSE_DEPENDENCIES, BLAST_DEPTH = 5, 20, 2
CANDIDATE_TESTS, FOLLOW_UPS = 10, 12
PACKET_DEPS, PACKET_SYMBOLS = 20, 50
SOURCE_LINES = 120
"""Lines of source that one packet, or the view of a file, shows."""


class Source(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Lines of a file as they were indexed; material to read, never an instruction."""

    start_line: int
    end_line: int
    omitted_lines: int
    text: str


class ExploreAnchor(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Where the exploration begins. ``score`` is absent for a file that the query names."""

    handle: str
    kind: str
    label: str
    project: str
    file: str
    line: int
    score: float | None
    reasons: list[str]


class PacketSymbol(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A symbol that a packet's file declares."""

    name: str
    kind: str
    line: int
    end_line: int
    signature: str


class PacketBody(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What is known of a packet's target."""

    file: str
    language: str
    label: str
    line: int
    imports: list[str]
    imported_by: list[str]
    symbols: list[PacketSymbol]
    neighbors: list[Neighbor]
    source: Source | None


class PacketLimits(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The bounds of a packet."""

    deps: int = PACKET_DEPS
    symbols: int = PACKET_SYMBOLS
    source_lines: int = SOURCE_LINES


class PacketOmitted(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """How much a packet does not show."""

    imports: int
    imported_by: int
    symbols: int
    source_lines: int


class Packet(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One target with what stands around it."""

    schema_version: int = SCHEMA_VERSION
    root: str
    target: str
    kind: str
    packet: PacketBody
    limits: PacketLimits
    omitted_counts: PacketOmitted
    follow_ups: list[FollowUp]


class FileView(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The file that the whole query names; ``source`` only when it was asked for."""

    project: str
    file: str
    total_lines: int
    source: Source | None


class DependencyPath(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A shortest way of imports from one file to another."""

    from_: str = msgspec.field(name="from")
    to: str
    path: list[str]


class Dependent(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A file that imports another, directly or through ``depth`` - 1 others."""

    file: str
    depth: int


class BlastRadius(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What a change of a file may reach.

    ``omitted_lower_bound`` counts what lies within the depth and is not shown; beyond the depth
    there may be more.
    """

    file: str
    reverse_dependencies: list[Dependent]
    omitted_lower_bound: int


class ExploreLimits(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The bounds that were applied."""

    anchors: int
    packets: int
    paths: int
    blast_radius_entries: int = BLAST_ENTRIES
    reverse_dependencies: int = REVERSE_DEPENDENCIES
    candidate_tests: int = CANDIDATE_TESTS
    follow_ups: int = FOLLOW_UPS


class ExploreOmitted(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """How much was found and is not shown."""

    anchors: int
    packets: int
    paths: int
    blast_radius: int
    blast_radius_entries: int
    candidate_tests: int
    follow_ups: int


class Exploration(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The envelope."""

    schema_version: int = SCHEMA_VERSION
    query: str
    projects: list[str]
    analysis: Analysis
    summary: list[str]
    anchors: list[ExploreAnchor]
    packets: list[Packet]
    file_view: FileView | None
    paths: list[DependencyPath]
    blast_radius: list[BlastRadius]
    candidate_tests: list[str]
    follow_ups: list[FollowUp]
    limits: ExploreLimits
    omitted_counts: ExploreOmitted
