"""What the statements of a script say (vectorless.md 9): facts, never "the current schema"."""

from typing import Literal

import msgspec

Dialect = Literal["postgres", "mysql", "sqlite", "tsql"]
DIALECTS: tuple[Dialect, ...] = ("postgres", "mysql", "sqlite", "tsql")
"""In the order in which they are tried: of equally good ones, the first is taken."""

FactKind = Literal[
    "defines_table",
    "defines_view",
    "defines_index",
    "defines_constraint",
    "defines_routine",
    "alters_table",
    "drops_object",
    "renames_object",
    "reads_from",
    "writes_to",
    "joins",
    "references_object",
    "unknown_statement",
]
DEFINITIONS = ("defines_table", "defines_view", "defines_index", "defines_routine")
"""The kinds of facts that make an object which can be found."""

RELATIONS = ("reads_from", "writes_to", "joins", "references_object", "alters_table")
"""The kinds of facts that lead from a statement to an object."""


Said = tuple[FactKind, str, str]
"""Kind, name and detail of a fact."""


class Fact(msgspec.Struct, frozen=True, order=True):
    """One fact, said by one statement.

    Args:
        line: First line of the statement.
        end_line: Its last line.
        kind: What is said.
        name: Of what: up to three parts, unquoted, joined by dots; empty for an unknown statement.
        detail: function, procedure or trigger; insert, update, delete, truncate or merge; the kind
            of what is dropped; the new name.
        statement: 0-based position of the statement in its script; several can share a line.
    """

    line: int
    end_line: int
    kind: FactKind
    name: str = ""
    detail: str = ""
    statement: int = 0


class Script(msgspec.Struct, frozen=True):
    """What was read of one file.

    Args:
        dialect: The dialect in which most of it could be read.
        facts: In the order of lines.
    """

    dialect: Dialect
    facts: list[Fact]


Role = Literal[
    "schema_snapshot", "migration", "seed", "query", "routine", "fixture", "dump", "unknown"
]


def base_name(name: str) -> str:
    """Give the last part of a name."""
    return name.rpartition(".")[2]
