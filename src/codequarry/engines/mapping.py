"""Mapping files: what an engine calls the things we ask for. Data, so that an engine needs no code.

One TOML file an engine (``data/*.toml``). `Mapping` is its schema; every error names the key.

An *operation* says how to ask (an MCP tool, a command's arguments, or an HTTP tool) and how to read
the reply. What goes in is written with placeholders (`VALUES`); one that stands alone keeps its
type, and an argument whose placeholder has no value is left out. In ``argv`` a nested list is left
out as a whole.

What comes out is found by *paths* into the decoded reply: ``a.b`` goes down keys, ``a[]`` over a
list, ``*`` over all keys of an object. ``structured:``, ``json:`` or ``text:`` before a path picks
the part of the reply; without it the first part that was decoded is read.
"""

from importlib import resources
from pathlib import Path
from typing import Any, Literal

import msgspec

from codequarry.core.errors import UsageError
from codequarry.engines.licence import Linkage
from codequarry.engines.types import CodeEdgeKind, ScoreKind

VALUES = frozenset(
    """text symbol symbol_only file line kind native_id selector limit depth mode
    root project""".split()
)
"""The placeholders of arguments."""

FIELDS = frozenset(
    """name path start_line end_line fqn kind language native_id score snippet signature depth
    confidence source_hash reason""".split()
)
"""What a row may be read for."""

STATUS_FIELDS = frozenset(
    """root files nodes edges added modified deleted indexed_commit engine_version index_bytes
    worktree_mismatch""".split()
)
"""What a status may be read for."""

OPERATIONS = frozenset(
    {"search", "context", "impact", "status", "sync", "first_sync", *CodeEdgeKind}
)
"""What an engine may be asked; an edge kind asks for neighbours. ``first_sync``, where an engine
has it, builds what ``sync`` then keeps up."""


class LineRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How one kind of line of a text reply reads.

    Args:
        reads: ``subject`` and ``context`` keep their groups (``context`` for the rows that follow),
            ``row`` opens a row, ``more`` adds its groups to the last row, ``ignore`` drops it.
        pattern: A regular expression over the whole line, with named groups.
    """

    reads: Literal["subject", "context", "row", "more", "ignore"] = msgspec.field(name="as")
    pattern: str


class Condition(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What holds of a reply when ``path`` leads to a value.

    Args:
        path: Where to look.
        equals: The value must be this; without it any true value will do.
        gives: What follows: a completeness or a state.
    """

    path: str
    gives: str
    equals: bool | int | str | None = None


class EdgeRows(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where the neighbours of one kind stand in a context.

    Args:
        rows: Path to them.
        where: Only rows whose value at this path is, or holds, this text.
    """

    rows: str
    where: dict[str, str] = {}


class Operation(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One question to an engine, and how to read its answer.

    Args:
        via: How it is asked.
        tool: The MCP or HTTP tool.
        arguments: Of the tool, with placeholders.
        argv: Of the command, with placeholders, after the engine's own command.
        grammar: Which grammar reads a text reply.
        rows: Paths to the rows; within ``groups`` when that is given. Of ``status``: the projects
            an engine lists, told apart by their field ``root``.
        groups: Path to what an ambiguous name is split into, one a definition.
        subject: Path to the thing asked about, whose name is checked.
        fields: Field of a row to its path in the row.
        subject_fields: The same for the subject, where it reads otherwise; without ``subject`` the
            whole group is the subject.
        found: Path in a group to what is true when the thing was found.
        candidates: Path in a group to the definitions an ambiguous name could mean.
        candidate_fields: Field of a candidate to its path.
        where: Only rows whose value at this path is, or holds, this text.
        drop_kinds: Rows of these kinds are not wanted.
        completeness: When the answer is less than complete.
        edges: Of ``context``: kind of edge to its rows.
        states: Of ``status``: first that holds gives the state.
        line_base: Of this operation's lines, by field; the mapping's own otherwise.
        seconds: Deadline; 0 means that of the operation's kind.
        success: Of ``sync``: what stdout must match; an exit code of 0 proves nothing.
    """

    via: Literal["mcp", "command", "http"]
    tool: str = ""
    arguments: dict[str, Any] = {}
    argv: list[str | list[str]] = []
    grammar: str = ""
    rows: list[str] = []
    groups: str = ""
    subject: str = ""
    fields: dict[str, str] = {}
    subject_fields: dict[str, str] = {}
    found: str = ""
    candidates: str = ""
    candidate_fields: dict[str, str] = {}
    where: dict[str, str] = {}
    drop_kinds: list[str] = []
    completeness: list[Condition] = []
    edges: dict[str, EdgeRows] = {}
    states: list[Condition] = []
    line_base: dict[str, int] = {}
    seconds: float = 0.0
    success: str = ""


class EvidenceTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One place where a licence was read (`licence.Evidence`)."""

    source: str
    spdx: str
    sha256: str = ""
    read_at: str = ""


class LicenceTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Licence of the engine, and where it was read."""

    spdx: str
    evidence: list[EvidenceTable] = []
    transitive: dict[str, str] = {}
    linkage: Linkage = "subprocess"
    note: str = ""


class Program(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The engine's program.

    Args:
        binary: Its name on ``PATH``; empty for an engine that is only reached over HTTP.
        mcp: Arguments that start its MCP server on stdio.
        version: Arguments that print its version.
        version_pattern: Finds the version in what that prints; the first group, and only then is
            the program this engine.
        versions: Beginnings of the versions that can be used; empty allows any.
        tree: What it reads as the project: a copy of the eligible files, or the project itself.
        home: Whether it gets a HOME of its own, or keeps the user's, where its index lies.
        server_name: What its MCP server calls itself.
        url: Default address of an HTTP engine.
        memory: Bytes of resident memory of its process; 0 takes `bench.MEMORY`.
    """

    binary: str = ""
    mcp: list[str] = []
    version: list[str] = []
    version_pattern: str = ""
    versions: list[str] = []
    tree: Literal["copy", "project"] = "copy"
    home: Literal["private", "user"] = "private"
    server_name: str = ""
    url: str = ""
    memory: int = 0


class Abilities(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is known of an engine beyond its operations."""

    incremental_sync: bool = False
    freshness: bool = False
    deletes: bool = False
    multi_repo: bool = False
    worktrees: Literal["none", "per_worktree", "shared", "overlay"] = "none"
    offline: Literal["yes", "no", "unknown"] = "unknown"
    writes_into_repo: bool = True
    index_dir: str | None = None
    score_kind: ScoreKind = "rank_only"
    line_base: int = 1
    max_depth: int | None = None


class Mapping(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One engine's mapping file."""

    id: str
    display_name: str
    program: Program
    license: LicenceTable
    abilities: Abilities = Abilities()
    environment: dict[str, str] = {}
    error_patterns: list[str] = []
    not_found_patterns: list[str] = []
    not_indexed_patterns: list[str] = []
    stale_patterns: list[str] = []
    empty_patterns: list[str] = []
    kinds: dict[str, str] = {}
    grammars: dict[str, list[LineRule]] = {}
    operations: dict[str, Operation]

    @property
    def edges(self) -> frozenset[CodeEdgeKind]:
        """The kinds of edge it can be asked for."""
        return frozenset(kind for kind in CodeEdgeKind if kind in self.operations)


def shipped() -> tuple[Mapping, ...]:
    """Give the mappings that come with codequarry, ascending by id."""
    folder = resources.files("codequarry.engines") / "data"
    found = [
        parse(file.read_bytes(), file.name)
        for file in folder.iterdir()
        if file.name.endswith(".toml")
    ]
    return tuple(sorted(found, key=lambda mapping: mapping.id.encode()))


def load(path: Path) -> Mapping:
    """Read a mapping file.

    Raises:
        UsageError: It cannot be read, or breaks the schema; the message names the key.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise UsageError(
            f"the mapping file {path} cannot be read: {error.strerror}", "correct its path"
        ) from error
    return parse(raw, path.name)


def parse(raw: bytes, name: str) -> Mapping:
    """Decode and check a mapping.

    Args:
        raw: The TOML.
        name: What to call it in messages.

    Raises:
        UsageError: It breaks the schema; the message names the key.
    """
    try:
        mapping = msgspec.toml.decode(raw, type=Mapping)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _bad(name, str(error)) from error
    from codequarry.engines.mapping_rules import problems

    problem = next(problems(mapping), None)
    if problem is not None:
        raise _bad(name, problem)
    return mapping


def _bad(name: str, problem: str) -> UsageError:
    return UsageError(f"the mapping file {name} is wrong: {problem}", "correct that key")
