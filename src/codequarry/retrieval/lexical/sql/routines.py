"""Functions, procedures and triggers: their heads, and the statements of their bodies."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from codequarry.retrieval.lexical.sql.statements import statements

_PART = r"""(?:"(?:[^"]|"")+"|`[^`]+`|\[[^\]]+\]|[^\W\d][\w$#@]*)"""
NAME = rf"{_PART}(?:\s*\.\s*{_PART}){{0,2}}"
"""A name of up to three parts, quoted in any dialect's way."""

_HEAD = re.compile(
    rf"""\s*(?:CREATE|ALTER)\s+(?:OR\s+(?:REPLACE|ALTER)\s+)?
    (?:(?:TEMP|TEMPORARY|CONSTRAINT|AGGREGATE|EDITIONABLE|DEFINER\s*=\s*\S+)\s+)*
    (?P<kind>PROCEDURE|PROC|FUNCTION|TRIGGER)\s+(?:IF\s+NOT\s+EXISTS\s+)?(?P<name>{NAME})""",
    re.VERBOSE | re.IGNORECASE,
)
_TABLE = re.compile(rf"\bON\s+(?P<name>{NAME})", re.IGNORECASE)
_CALLED = re.compile(rf"\bEXECUTE\s+(?:FUNCTION|PROCEDURE)\s+(?P<name>{NAME})", re.IGNORECASE)
_DOLLARS = re.compile(r"(?P<tag>\$(?:[^\W\d]\w*)?\$)(?P<body>.*?)(?P=tag)", re.DOTALL)
_BEGIN = re.compile(r"\bBEGIN\b(?:\s+ATOMIC\b)?(?P<body>.*)\bEND\b", re.IGNORECASE | re.DOTALL)
_AS = re.compile(r"\bAS\b(?P<body>.*)", re.IGNORECASE | re.DOTALL)
_WORK = re.compile(r"\b(?:SELECT|INSERT|UPDATE|DELETE|MERGE|WITH|TRUNCATE)\b", re.IGNORECASE)
_WORK_LINE = re.compile(r"\n\s*(?=(?:SELECT|INSERT|UPDATE|DELETE|MERGE|TRUNCATE)\b)", re.IGNORECASE)


@dataclass(frozen=True)
class Routine:
    """The head of a routine.

    Args:
        kind: function, procedure or trigger.
        name: Unquoted.
        named: What its head refers to: a trigger's table, the function it calls.
        body: The text of its body.
    """

    kind: str
    name: str
    named: tuple[str, ...]
    body: str


def routine_of(text: str) -> Routine | None:
    """Read a statement as a routine, or give ``None`` when it is none."""
    head = _HEAD.match(text)
    if head is None:
        return None
    kind = "procedure" if head["kind"].upper() == "PROC" else head["kind"].lower()
    rest = text[head.end() :]
    found = (_TABLE.search(rest), _CALLED.search(rest)) if kind == "trigger" else ()
    named = tuple(unquoted(match["name"]) for match in found if match)
    body = _DOLLARS.search(rest) or _BEGIN.search(rest) or _AS.search(rest)
    return Routine(kind, unquoted(head["name"]), named, body["body"] if body else "")


def body_statements(body: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Give the statements of a body that read or write, each from its first such word.

    Besides each, the pieces that it may be instead: T-SQL needs no semicolon between statements.
    """
    for statement in statements(body):
        found = _WORK.search(statement.text)
        if found:
            text = statement.text[found.start() :]
            yield text, tuple(_WORK_LINE.split(text))


def unquoted(name: str) -> str:
    """Give a name without its quotes, its parts joined by dots."""
    parts = re.findall(_PART, name)
    return ".".join(_bare(part) for part in parts[-3:])


def _bare(part: str) -> str:
    if part[0] in "`[":
        return part[1:-1]
    return part[1:-1].replace('""', '"') if part[0] == '"' else part
