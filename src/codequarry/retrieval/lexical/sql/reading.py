"""One script to its facts, in the dialect that reads most of it; for a process of its own.

sqlglot reads statement by statement; what it cannot read is looked at by our own patterns and by
tree-sitter, and is else an unknown statement.
"""

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Sequence

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from tree_sitter import QueryCursor

from codequarry.retrieval.lexical.sql.expressions import SELECTED, said_by
from codequarry.retrieval.lexical.sql.facts import DIALECTS, Dialect, Fact, FactKind, Said, Script
from codequarry.retrieval.lexical.sql.heads import (
    guarded_by_if,
    said_by_head,
    said_by_name,
    view_query,
)
from codequarry.retrieval.lexical.sql.routines import (
    body_statements,
    pieces_by_branch,
    pieces_by_line,
    routine_of,
    unquoted,
)
from codequarry.retrieval.lexical.sql.statements import is_mysql_like, statements
from codequarry.retrieval.lexical.sql.tsql import plain
from codequarry.syntax.parsing import parse
from codequarry.syntax.queries import symbol_query

LONG_STATEMENT = 20_000
"""Letters of a statement past which only its head is read."""

SAMPLE = 200
"""Statements of a script by which its dialect is chosen."""

_TSQL = re.compile(r"^[ \t]*GO[ \t]*\r?$|\[\w+\]\.\[|\bIDENTITY\s*\(", re.IGNORECASE | re.MULTILINE)
_SQLITE = re.compile(r"\bAUTOINCREMENT\b|\bWITHOUT\s+ROWID\b|^[ \t]*PRAGMA\b", re.I | re.MULTILINE)
_TABLE_OPTIONS = re.compile(r"\)\s*(?:(?:WITHOUT\s+ROWID|STRICT)\s*,?\s*)+$", re.IGNORECASE)
_TREE_KINDS: dict[str, tuple[FactKind, str]] = {
    "table": ("defines_table", ""),
    "view": ("defines_view", ""),
    "function": ("defines_routine", "function"),
    "query": ("defines_index", ""),
}
_UNKNOWN: Said = ("unknown_statement", "", "")
_NO_STATEMENT = (exp.Command, exp.Condition, exp.Alias)
"""What sqlglot makes of a text that it cannot read: ``SELEC x`` is a column and its alias."""

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
        unknown = sum(not _parsed(statement.text, dialect) for statement in sample)
        if best is None or unknown < best[0]:
            best = (unknown, dialect)
        if not unknown:
            break
    assert best is not None
    facts = [
        Fact(statement.line, statement.end_line, *said, number)
        for number, statement in enumerate(script)
        for said in dict.fromkeys(_said(statement.text, best[1]))
    ]
    return Script(best[1], sorted(dict.fromkeys(facts)))


def _in_order(text: str) -> list[Dialect]:
    marks: tuple[tuple[Dialect, bool], ...] = (
        ("tsql", _TSQL.search(text) is not None),
        ("mysql", is_mysql_like(text)),
        ("sqlite", _SQLITE.search(text) is not None),
    )
    first = [dialect for dialect, found in marks if found]
    return list(dict.fromkeys([*first, *DIALECTS]))


def _parsed(text: str, dialect: Dialect) -> list[_Tree]:
    """Parse a statement; nothing when the dialect does not know it."""
    if len(text) > LONG_STATEMENT or said_by_name(text) or routine_of(text):
        return [exp.Semicolon()]
    if dialect == "tsql":
        return _trees(plain(text).text, dialect)
    return _trees(_TABLE_OPTIONS.sub(")", text) if dialect == "sqlite" else text, dialect)


def _trees(text: str, dialect: Dialect) -> list[_Tree]:
    try:
        found = [tree for tree in sqlglot.parse(text, dialect=dialect) if tree is not None]
    except (SqlglotError, RecursionError, ValueError, TypeError, AttributeError, IndexError):
        return []
    return [] if any(isinstance(tree, _NO_STATEMENT) for tree in found) else found


def _said(text: str, dialect: Dialect) -> list[Said]:
    """Give what a statement says; that it is unknown, when it cannot be read."""
    if named := said_by_name(text):
        return named
    if routine := routine_of(text):
        head: list[Said] = []
        if routine.name:
            head.append(("defines_routine", routine.name, routine.kind))
        head += [("references_object", name, "") for name in routine.named]
        return head if len(text) > LONG_STATEMENT else [*head, *_of_body(routine.body, dialect)]
    if len(text) <= LONG_STATEMENT:
        if guarded := guarded_by_if(text):
            return [said for one in guarded for said in _said(one, dialect)]
        if trees := _parsed(text, dialect):
            inline = plain(text).indexes if dialect == "tsql" else ()
            said = [said for tree in trees for said in said_by(tree)]
            return [*said, *(("defines_index", name, "") for name in inline)]
        if said := _by_tree_sitter(text):
            return [*said, *_of_body(view_query(text), dialect)]
    return said_by_head(text) or [_UNKNOWN]


def _of_body(body: str, dialect: Dialect) -> Iterator[Said]:
    for statement in body_statements(body):
        for tree in _worked(statement, dialect, (pieces_by_line, pieces_by_branch)):
            yield from (said for said in said_by(tree) if said[2] != SELECTED or dialect == "tsql")


def _worked(
    text: str, dialect: Dialect, cuts: Sequence[Callable[[str], list[str]]]
) -> Iterable[_Tree]:
    """Parse a text; where that fails, its pieces, ever smaller."""
    trees = _trees(text, dialect)
    if trees or not cuts:
        return trees
    return [tree for piece in cuts[0](text) for tree in _worked(piece, dialect, cuts[1:])]


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
