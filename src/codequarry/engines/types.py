"""The canonical types of every code index engine (engines.md 2).

Whatever an engine calls its things, its adapter speaks these. Paths are project-relative with
``/`` and NFC; lines are 1-based; scores are finite and in 0 to 1.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, Literal, Protocol, TypeVar

from codequarry.engines.licence import Decision, EngineLicense

ENGINE_ID = re.compile(r"[\w.-]+/[\w.-]+")
"""``publisher/name``."""

Resolution = Literal["exact", "enclosing", "name", "unverified"]
ScoreKind = Literal["calibrated", "within_set", "rank_only"]
Completeness = Literal["complete", "truncated", "lower_bound", "degraded", "unknown"]
Outcome = Literal[
    "answered",  # the engine looked; an empty list is an answer
    "not_found",  # it looked for the named thing, and there is none
    "ambiguous",  # the name means several things; they are listed, or can be told apart by file
    "not_indexed",  # it has no index of this project
    "stale",  # it refuses, because its index is older than the tree
    "unsupported",  # it cannot be asked this
    "unavailable",  # it is missing, refused by the licence gate, or resting after failures
    "failed",  # it was asked and broke
]
State = Literal["fresh", "stale", "indexing", "absent", "unknown", "unavailable", "error"]
Trust = Literal["usable", "lower_bound", "unusable"]


class CodeEdgeKind(StrEnum):
    """How two pieces of code hang together; directed, but for the last two."""

    CALLS = "calls"
    CALLED_BY = "called_by"
    IMPORTS = "imports"
    IMPORTED_BY = "imported_by"
    EXTENDS = "extends"
    EXTENDED_BY = "extended_by"
    IMPLEMENTS = "implements"
    IMPLEMENTED_BY = "implemented_by"
    USES_TYPE = "uses_type"
    TYPE_USED_BY = "type_used_by"
    REFERENCES = "references"
    REFERENCED_BY = "referenced_by"
    CONTAINS = "contains"
    CONTAINED_IN = "contained_in"
    TESTS = "tests"
    TESTED_BY = "tested_by"
    READS = "reads"
    READ_BY = "read_by"
    WRITES = "writes"
    WRITTEN_BY = "written_by"
    COUPLED = "coupled"
    CO_TOUCHED = "co_touched"


@dataclass(frozen=True)
class CodeRef:
    """One declaration, or a file; known by (project_key, path, start_line, fqn, kind).

    Args:
        project_key: The project's Key A, or ``""``.
        path: Project-relative.
        start_line: 1-based; ``None`` when the engine did not say.
        end_line: Inclusive; ``None`` when the engine did not say.
        fqn: Qualified name; ``None`` when the engine did not say.
        name: Bare name; a file's is its base name.
        kind: Such as ``function``, ``class``, ``file``.
        language: Language id.
        source_hash: sha256 of the raw file that the engine claims to describe.
        engine: Who said so.
        native_id: The engine's own id; never used to join engines.
        resolution: How the ref was tied to source.
        confidence: 0 to 1.
        depth: Steps from the asked node, from 1.
    """

    project_key: str
    path: str
    start_line: int | None
    end_line: int | None
    fqn: str | None
    name: str
    kind: str
    language: str | None = None
    source_hash: str | None = None
    engine: str = ""
    native_id: str = ""
    resolution: Resolution = "exact"
    confidence: float | None = None
    depth: int | None = None

    @property
    def identity(self) -> tuple[str, str, int | None, str | None, str]:
        """What two engines mean the same by."""
        return (self.project_key, self.path, self.start_line, self.fqn, self.kind)


@dataclass(frozen=True)
class CodeHit:
    """One result of a search.

    Args:
        ref: What was found.
        rank: 1-based position in the engine's own answer.
        score: 0 to 1, finite.
        native_score: As the engine gave it.
        score_kind: What ``score`` can be compared with.
        snippet: Source text; data, never an instruction.
        reasons: Why it was found.
    """

    ref: CodeRef
    rank: int
    score: float
    native_score: float | None
    score_kind: ScoreKind
    snippet: str | None
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class CodeContext:
    """One declaration and what hangs on it.

    Args:
        ref: The declaration.
        signature: Its signature, or ``""``.
        snippet: Its source or a piece of it; data, never an instruction.
        edges: Its neighbours by kind of edge.
    """

    ref: CodeRef
    signature: str = ""
    snippet: str | None = None
    edges: Mapping[CodeEdgeKind, tuple[CodeRef, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class CodeQuery:
    """A question to an engine's search.

    Args:
        text: The question.
        workspace_id: The project's name.
        limit: Hits wanted.
        mode: ``hybrid``, ``semantic`` or ``keyword``; an engine may have one mode only.
        paths: Only below these path prefixes; empty allows all.
        languages: Only these languages.
        kinds: Only these kinds.
        deadline_s: Seconds for the answer, if they shall be fewer than the engine is given.
        as_of: A published state; only our own index knows any.
    """

    text: str
    workspace_id: str
    limit: int = 20
    mode: str = "hybrid"
    paths: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    deadline_s: float | None = None
    as_of: str | None = None


Item_co = TypeVar("Item_co", covariant=True)


@dataclass(frozen=True)
class CodeAnswer(Generic[Item_co]):
    """What an engine answered, and how far to believe it.

    An empty list says "there is none" only when `nothing_there` holds: the worst failure of such
    engines is the empty list that means "I could not look".

    Args:
        items: The answer, best first.
        completeness: Whether more may exist than ``items``.
        omitted: How many were left out; ``None`` when unknown.
        warnings: For the asker, in our words.
        elapsed_s: Seconds it took.
        outcome: What kind of answer, or of no answer, this is.
        engine: Who answered.
        licence: The gate's decision on that engine; ``None`` for our own index.
    """

    items: tuple[Item_co, ...] = ()
    completeness: Completeness = "complete"
    omitted: int | None = None
    warnings: tuple[str, ...] = ()
    elapsed_s: float = 0.0
    outcome: Outcome = "answered"
    engine: str = ""
    licence: Decision | None = None

    @property
    def nothing_there(self) -> bool:
        """Whether the engine looked everywhere and found nothing."""
        looked = self.outcome in ("answered", "not_found") and self.completeness == "complete"
        return looked and not self.items


def no_answer(outcome: Outcome, *warnings: str, engine: str = "") -> CodeAnswer[Item_co]:
    """Give the empty answer that claims nothing."""
    return CodeAnswer((), "unknown", None, warnings, outcome=outcome, engine=engine)


@dataclass(frozen=True)
class CodeIndexCapabilities:
    """What an engine can be asked; probed by calling, never assumed.

    Args:
        deadlines: Seconds it is given, by operation; ``start`` is those before its first question.
        probed: Operation to ``listed``, ``callable``, ``answered`` or ``failed: …``.
    """

    search: bool = True
    edges: frozenset[CodeEdgeKind] = frozenset()
    impact: bool = False
    context: bool = False
    incremental_sync: bool = False
    sync: bool = True
    freshness: bool = False
    deletes: bool = False
    multi_repo: bool = False
    worktrees: str = "none"
    offline: str = "unknown"
    writes_into_repo: bool = True
    index_dir: str | None = None
    score_kind: ScoreKind = "rank_only"
    line_base: int = 1
    max_depth: int | None = None
    deadlines: Mapping[str, float] = field(default_factory=dict)
    probed: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class CodeIndexStatus:
    """The state of an engine's index of one project.

    Args:
        trust: How far recall may use it.
        pending: Files added, modified, deleted since; ``None``: the engine cannot say, not zero.
        checked_at: RFC 3339, UTC; ``""`` when nobody looked.
        evidence: What the state was concluded from.
        hint: What to do about it.
    """

    state: State
    trust: Trust
    indexed_commit: str | None = None
    pending: Mapping[str, int] | None = None
    files: int | None = None
    nodes: int | None = None
    edges: int | None = None
    index_bytes: int | None = None
    engine_version: str | None = None
    worktree_mismatch: str | None = None
    checked_at: str = ""
    evidence: str = ""
    hint: str | None = None


TRUST: Mapping[State, Trust] = {
    "fresh": "usable",
    "stale": "lower_bound",
    "unknown": "lower_bound",
    "indexing": "unusable",
    "absent": "unusable",
    "unavailable": "unusable",
    "error": "unusable",
}
"""How far recall may use an index in each state."""


@dataclass(frozen=True)
class SyncReport:
    """What one sync did.

    Args:
        ok: Whether the engine's index covers the tree now; an exit code of 0 alone is not that.
        reason: Why not, in our words; ``""`` when ok.
        seconds: Wall time.
        returncode: Of its process; ``None`` without one.
        stderr_tail: The last lines it wrote to stderr, secrets and addresses blanked.
    """

    engine: str
    workspace_id: str
    ok: bool
    reason: str
    before: CodeIndexStatus
    after: CodeIndexStatus
    seconds: float
    returncode: int | None = None
    stderr_tail: str = ""
    licence: Decision | None = None


class CodeIndex(Protocol):
    """One code index, whoever built it.

    An optional call that `capabilities` does not offer gives an ``unsupported`` answer.
    """

    @property
    def id(self) -> str:
        """``publisher/name``."""

    @property
    def display_name(self) -> str:
        """Its name before a person."""

    @property
    def license(self) -> EngineLicense:
        """What its licence is, and how that is known."""

    async def init(self, workspace_id: str) -> None:
        """Make ready to be asked about a project: start what a question needs.

        Raises:
            CodequarryError: It cannot be asked.
        """

    def capabilities(self) -> CodeIndexCapabilities:
        """Tell what it can be asked."""

    async def status(self, workspace_id: str) -> CodeIndexStatus:
        """Ask for the state of its index of one project."""

    async def sync(self, workspace_id: str) -> SyncReport:
        """Bring its index up to the tree; long, and never on a request's path."""

    async def probe(self, workspace_id: str) -> CodeIndexCapabilities:
        """Call every question it offers, for a name that nothing has, and tell which answer."""

    async def search(self, q: CodeQuery) -> CodeAnswer[CodeHit]:
        """Answer a search."""

    async def neighbors(
        self, node: CodeRef, edge: CodeEdgeKind, depth: int = 1
    ) -> CodeAnswer[CodeRef]:
        """Give what ``node`` is tied to by ``edge``."""

    async def impact(self, node: CodeRef) -> CodeAnswer[CodeRef]:
        """Give what depends on ``node``, with depth."""

    async def context(self, node: CodeRef) -> CodeAnswer[CodeContext]:
        """Give ``node`` and what hangs on it."""

    async def close(self) -> None:
        """End every process and connection."""
