"""What codemap prints when it is asked (contract.md A5 to A8, A10); unknown keys are ignored."""

import msgspec


class PeerSelector(msgspec.Struct, frozen=True):
    """A declaration, as codemap names it."""

    file: str = ""
    start_line: int = 0
    fqn: str = ""
    kind: str = ""


class PeerPosition(msgspec.Struct, frozen=True):
    """The symbol at a line (A5)."""

    file: str = ""
    line: int = 0
    symbol: str = ""
    fqn: str = ""
    kind: str = ""
    start_line: int = 0
    end_line: int = 0
    selector: PeerSelector | None = None
    resolution: str = "none"
    indexed: bool = True


class PeerSymbol(msgspec.Struct, frozen=True):
    """A symbol of a list; ``depth`` in a blast radius, the degrees among hotspots (A6, A7)."""

    symbol: str = ""
    fqn: str = ""
    kind: str = ""
    file: str = ""
    start_line: int = 0
    end_line: int = 0
    signature: str = ""
    depth: int = 1
    heuristic: bool = False
    in_degree: int = 0
    shared_name: int = 0
    effective_in_degree: float | None = None
    query_frequency: int = 0


class PeerImpact(msgspec.Struct, frozen=True):
    """What depends on one symbol (A6)."""

    symbol: str = ""
    selector: PeerSelector | None = None
    error: str = ""
    found: bool = False
    locations: list[PeerSymbol] = []
    direct_callers: list[PeerSymbol] = []
    blast_radius: list[PeerSymbol] = []
    tests: list[PeerSymbol] = []
    untested: bool = False
    note: str = ""
    resolution: str = ""
    call_graph: str = ""


class PeerFreshness(msgspec.Struct, frozen=True):
    """Whether codemap's index equals the tree."""

    checked: bool = False
    stale: bool = False


class PeerImpacts(msgspec.Struct, frozen=True):
    """What ``impact --selector`` answers: always a batch."""

    indexed: bool = True
    results: list[PeerImpact] = []
    freshness: PeerFreshness | None = None


class PeerHotspots(msgspec.Struct, frozen=True):
    """The symbols that most hangs on (A7)."""

    hotspots: list[PeerSymbol] = []
    call_graph: str = ""
    note: str = ""
    tests_excluded: bool = False


class PeerRelatedFile(msgspec.Struct, frozen=True):
    """A file that belongs with another (A8)."""

    relative_path: str = ""
    reason: str = ""
    confidence: float = 0.0


class PeerRelated(msgspec.Struct, frozen=True):
    """The files that belong with one (A8)."""

    file: str = ""
    indexed: bool = False
    related: list[PeerRelatedFile] = []


class PeerAnnotation(msgspec.Struct, frozen=True):
    """What an annotation did (A10)."""

    id: int | str = 0
    target: str = ""
    action: str = ""
