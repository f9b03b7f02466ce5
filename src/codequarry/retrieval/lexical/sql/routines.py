"""Functions, procedures and triggers: their heads, and the statements of their bodies."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from codequarry.retrieval.lexical.sql.statements import statements

_PART = r"""(?:"(?:[^"]|"")+"|`(?:[^`]|``)+`|\[(?:[^\]]|\]\])+\]|[^\W\d][\w$#@]*)"""
NAME = rf"{_PART}(?:\s*\.\s*{_PART}){{0,2}}"
"""A name of up to three parts, quoted in any dialect's way."""

_QUOTES = {'"': '"', "`": "`", "[": "]"}
_HEAD = re.compile(
    rf"""\s*(?:CREATE|ALTER)\s+(?:OR\s+(?:REPLACE|ALTER)\s+)?
    (?:(?:TEMP|TEMPORARY|CONSTRAINT|AGGREGATE|EDITIONABLE|DEFINER\s*=\s*\S+)\s+)*
    (?P<kind>PROCEDURE|PROC|FUNCTION|TRIGGER|EVENT)\s+(?:IF\s+NOT\s+EXISTS\s+)?(?P<name>{NAME})""",
    re.VERBOSE | re.IGNORECASE,
)
_TABLE = re.compile(rf"\bON\s+(?P<name>{NAME})", re.IGNORECASE)
_CALLED = re.compile(rf"\bEXECUTE\s+(?:FUNCTION|PROCEDURE)\s+(?P<name>{NAME})", re.IGNORECASE)
_CALL = re.compile(
    rf"(?:^|;|\b(?:BEGIN|THEN|ELSE)\b)[ \t]*(?:CALL|EXEC|PERFORM)\s+"
    rf"(?:@\w+\s*=\s*)?(?P<name>{NAME})",
    re.IGNORECASE | re.MULTILINE,
)
_DOLLARS = re.compile(r"(?P<tag>\$(?:[^\W\d]\w*)?\$)(?P<body>.*?)(?P=tag)", re.DOTALL)
_BEGIN = re.compile(r"\bBEGIN\b(?:\s+ATOMIC\b)?(?P<body>.*)\bEND\b", re.IGNORECASE | re.DOTALL)
_AS = re.compile(r"\bAS\b(?P<body>.*)", re.IGNORECASE | re.DOTALL)
_WORK = re.compile(r"\b(?:SELECT|INSERT|UPDATE|DELETE|MERGE|WITH|TRUNCATE)\b", re.IGNORECASE)
_LINE = re.compile(
    r"\n[ \t]*(?=(?:SELECT|INSERT|UPDATE|DELETE|MERGE|TRUNCATE"
    r"|EXEC|DECLARE|PRINT|RETURN|IF|WHILE|BEGIN|END)\b)",
    re.IGNORECASE,
)
_BRANCH = re.compile(r"\b(?:LOOP|THEN|ELSE|DO)\b", re.IGNORECASE)
_AS_TEXT = re.compile(r"\bAS\s+[EN]?'(?P<body>(?:[^']|'')*)'", re.IGNORECASE)
_EACH_ROW = re.compile(r"\bFOR\s+EACH\s+ROW\b(?P<body>.*)", re.IGNORECASE | re.DOTALL)
_DO = re.compile(r"\s*DO\b", re.IGNORECASE)


@dataclass(frozen=True)
class Routine:
    """The head of a routine.

    Args:
        kind: function, procedure, trigger or event; empty of a block that is run at once.
        name: Unquoted; empty of a block.
        named: What it refers to: a trigger's table, the routines that it calls.
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
        block = _DOLLARS.search(text) if _DO.match(text) else None
        return Routine("", "", called(block["body"]), block["body"]) if block else None
    kind = "procedure" if head["kind"].upper() == "PROC" else head["kind"].lower()
    rest = text[head.end() :]
    found = (_TABLE.search(rest), _CALLED.search(rest)) if kind == "trigger" else ()
    named = tuple(unquoted(match["name"]) for match in found if match)
    work = _body(rest)
    return Routine(kind, unquoted(head["name"]), (*named, *called(work)), work)


def _body(rest: str) -> str:
    """Give the text of a body, which is quoted, or stands after a word of its dialect."""
    text = _AS_TEXT.search(rest)
    if text and not _WORK.search(rest, 0, text.start()):  # else it is a column: ``x AS 'Total'``
        return text["body"].replace("''", "'")
    for pattern in (_DOLLARS, _BEGIN, _EACH_ROW, _AS):
        if found := pattern.search(rest):
            return found["body"]
    return rest


def called(text: str) -> tuple[str, ...]:
    """Give the names of the routines that the statements of a text call."""
    return tuple(unquoted(match["name"]) for match in _CALL.finditer(text))


def body_statements(body: str) -> Iterator[str]:
    """Give the statements of a body that read or write, each from its first such word."""
    for statement in statements(body):
        if text := _work(statement.text):
            yield text


def pieces_by_line(text: str) -> list[str]:
    """Cut what T-SQL writes one after the other, for it needs no semicolon between statements."""
    return [piece for part in _LINE.split(text) if (piece := _work(part))]


def pieces_by_branch(text: str) -> list[str]:
    """Cut where a loop or a branch begins."""
    return [piece for part in _BRANCH.split(text) if (piece := _work(part))]


def _work(text: str) -> str:
    """Cut a text to where it reads or writes, up to the end of the brackets around that."""
    found = _WORK.search(text)
    if found is None:
        return ""
    depth = 0
    for bracket in re.finditer(r"[()]", text[found.start() :]):
        depth += 1 if bracket[0] == "(" else -1
        if depth < 0:
            return text[found.start() :][: bracket.start()]
    return text[found.start() :]


def unquoted(name: str) -> str:
    """Give a name without its quotes, its parts joined by dots."""
    parts = re.findall(_PART, name)
    return ".".join(_bare(part) for part in parts[-3:])


def _bare(part: str) -> str:
    if part[0] not in _QUOTES:
        return part
    end = _QUOTES[part[0]]
    return part[1:-1].replace(end * 2, end)
