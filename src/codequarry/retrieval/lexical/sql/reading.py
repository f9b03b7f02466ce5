"""One script to its facts, in the dialect that reads most of it; for a process of its own.

sqlglot reads statement by statement; what it cannot read is looked at by our own patterns and by
tree-sitter, and is else an unknown statement.
"""

import logging
import re
from collections.abc import Iterator

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from tree_sitter import QueryCursor

from codequarry.retrieval.lexical.sql.expressions import SELECTED, Said, said_by
from codequarry.retrieval.lexical.sql.facts import DIALECTS, Dialect, Fact, FactKind, Script
from codequarry.retrieval.lexical.sql.routines import NAME, body_statements, routine_of, unquoted
from codequarry.retrieval.lexical.sql.statements import Statement, is_mysql_like, statements
from codequarry.syntax.parsing import parse
from codequarry.syntax.queries import symbol_query

LONG_STATEMENT = 20_000
"""Letters of a statement past which only its head is read."""

SAMPLE = 200
"""Statements of a script by which its dialect is chosen."""

_TSQL = re.compile(r"^[ \t]*GO[ \t]*\r?$|\[\w+\]\.\[|\bIDENTITY\s*\(", re.IGNORECASE | re.MULTILINE)
_SQLITE = re.compile(r"\bAUTOINCREMENT\b|\bWITHOUT\s+ROWID\b|^\s*PRAGMA\b", re.I | re.MULTILINE)
_TABLE_OPTIONS = re.compile(r"\)\s*(?:(?:WITHOUT\s+ROWID|STRICT)\s*,?\s*)+$", re.IGNORECASE)
_INSERT = re.compile(rf"\s*INSERT\s+(?:IGNORE\s+)?INTO\s+(?P<name>{NAME})", re.IGNORECASE)
_RENAME = re.compile(rf"\s*RENAME\s+TABLE\s+(?P<old>{NAME})\s+TO\s+(?P<new>{NAME})", re.IGNORECASE)
_SP_RENAME = re.compile(
    r"\s*EXEC(?:UTE)?\s+(?:sys\.)?sp_rename\s+N?'(?P<old>[^']+)'\s*,\s*N?'(?P<new>[^']+)'",
    re.IGNORECASE,
)
_TREE_KINDS: dict[str, tuple[FactKind, str]] = {
    "table": ("defines_table", ""),
    "view": ("defines_view", ""),
    "function": ("defines_routine", "function"),
    "query": ("defines_index", ""),
}
_UNKNOWN: Said = ("unknown_statement", "", "")
_Tree = exp.Expr


def read_script(text: str) -> Script:
    """Read the facts of a script.

    The dialects are tried in a fixed order, the one that the script's own marks speak for first;
    the first of those with the fewest unknown statements is taken.
    """
    logging.getLogger("sqlglot").setLevel(logging.CRITICAL)  # it warns of what it cannot read
    script = list(statements(text))
    sample = script[:SAMPLE]
    best: tuple[int, Dialect] | None = None
    for dialect in _in_order(text):
        unknown = sum(not _parsed(statement, dialect) for statement in sample)
        if best is None or unknown < best[0]:
            best = (unknown, dialect)
        if not unknown:
            break
    assert best is not None
    facts = [fact for statement in script for fact in _facts(statement, best[1])]
    return Script(best[1], sorted(dict.fromkeys(facts)))


def _in_order(text: str) -> list[Dialect]:
    marks: tuple[tuple[Dialect, bool], ...] = (
        ("tsql", _TSQL.search(text) is not None),
        ("mysql", is_mysql_like(text)),
        ("sqlite", _SQLITE.search(text) is not None),
    )
    first = [dialect for dialect, found in marks if found]
    return list(dict.fromkeys([*first, *DIALECTS]))


def _parsed(statement: Statement, dialect: Dialect) -> list[_Tree]:
    """Parse a statement; nothing when the dialect does not know it."""
    text = statement.text
    if len(text) > LONG_STATEMENT or routine_of(text):
        return [exp.Semicolon()]
    return _trees(_TABLE_OPTIONS.sub(")", text) if dialect == "sqlite" else text, dialect)


def _trees(text: str, dialect: Dialect) -> list[_Tree]:
    try:
        found = [tree for tree in sqlglot.parse(text, dialect=dialect) if tree is not None]
    except (SqlglotError, RecursionError, ValueError, TypeError, AttributeError, IndexError):
        return []
    return [] if any(isinstance(tree, exp.Command) for tree in found) else found


def _facts(statement: Statement, dialect: Dialect) -> Iterator[Fact]:
    said = _said(statement, dialect)
    for kind, name, detail in dict.fromkeys([_UNKNOWN] if said is None else said):
        yield Fact(statement.line, statement.end_line, kind, name, detail)


def _said(statement: Statement, dialect: Dialect) -> list[Said] | None:
    """Give what a statement says, or ``None`` when it cannot be read."""
    text = statement.text
    if renamed := _RENAME.match(text) or _SP_RENAME.match(text):
        return [("renames_object", unquoted(renamed["new"]), unquoted(renamed["old"]))]
    if len(text) > LONG_STATEMENT:
        inserted = _INSERT.match(text)
        return [("writes_to", unquoted(inserted["name"]), "insert")] if inserted else None
    if routine := routine_of(text):
        head: list[Said] = [("defines_routine", routine.name, routine.kind)]
        named: list[Said] = [("references_object", name, "") for name in routine.named]
        return [*head, *named, *_of_body(routine.body, dialect)]
    if trees := _parsed(statement, dialect):
        return [said for tree in trees for said in said_by(tree)]
    return _by_tree_sitter(text) or None


def _of_body(body: str, dialect: Dialect) -> Iterator[Said]:
    for whole, pieces in body_statements(body):
        trees = _trees(whole, dialect)
        for tree in trees or [tree for piece in pieces for tree in _trees(piece, dialect)]:
            yield from (said for said in said_by(tree) if said[2] != SELECTED or dialect == "tsql")


def _by_tree_sitter(text: str) -> list[Said]:
    tree = parse(text.encode(errors="replace"), "sql", 1.0)
    if tree is None:
        return []
    said: list[Said] = []
    for _, captures in QueryCursor(symbol_query("sql")).matches(tree.root_node):
        for name in captures.get("name", []):
            spelled = (name.text or b"").decode(errors="replace")
            for kind in _TREE_KINDS.keys() & captures.keys():
                said.append((_TREE_KINDS[kind][0], unquoted(spelled), _TREE_KINDS[kind][1]))
    return [item for item in said if item[1]]
