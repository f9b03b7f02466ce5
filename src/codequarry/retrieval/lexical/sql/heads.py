"""What a statement says by its head alone, in every dialect, whatever follows it."""

import re

from codequarry.retrieval.lexical.sql.facts import FactKind, Said
from codequarry.retrieval.lexical.sql.routines import NAME, called, unquoted

_RENAME = re.compile(rf"\s*RENAME\s+TABLE\s+(?P<old>{NAME})\s+TO\s+(?P<new>{NAME})", re.IGNORECASE)
_SP_RENAME = re.compile(
    r"\s*EXEC(?:UTE)?\s+(?:sys\.)?sp_rename\s+N?'(?P<old>[^']+)'\s*,\s*N?'(?P<new>[^']+)'",
    re.IGNORECASE,
)
_INDEX = re.compile(
    rf"""\s*CREATE\s+(?:\w+\s+){{0,3}}?INDEX\s+(?:CONCURRENTLY\s+)?(?:IF\s+NOT\s+EXISTS\s+)?
    (?P<name>{NAME})\s+(?:USING\s+\w+\s+)?ON\s+(?:ONLY\s+)?(?P<table>{NAME})""",
    re.VERBOSE | re.IGNORECASE,
)
_DEFINED = re.compile(
    rf"""\s*CREATE\s+(?:[\w=@`'"%.]+\s+){{0,8}}?(?P<kind>TABLE|VIEW)\s+
    (?:IF\s+NOT\s+EXISTS\s+)?(?P<name>{NAME})""",
    re.VERBOSE | re.IGNORECASE,
)
_CALLS = re.compile(r"\s*(?:CALL|EXEC)\s", re.IGNORECASE)
_GUARD = re.compile(r"\s*IF\b", re.IGNORECASE)
_GUARDED = re.compile(
    r"(?:\bBEGIN\b|\n|\))[ \t]*(?=(?:CREATE|ALTER|DROP|INSERT|UPDATE|DELETE|MERGE|EXEC)\b)",
    re.IGNORECASE,
)
_END = re.compile(r"\bEND\s*\Z", re.IGNORECASE)
_VIEW_QUERY = re.compile(r"\s*CREATE\b[^;]*?\bVIEW\b.*?\bAS\b(?P<query>.*)", re.I | re.DOTALL)
_INSERT = re.compile(rf"\s*INSERT\s+(?:IGNORE\s+)?INTO\s+(?P<name>{NAME})", re.IGNORECASE)
_DEFINES: dict[str, FactKind] = {"TABLE": "defines_table", "VIEW": "defines_view"}


def said_by_name(text: str) -> list[Said]:
    """Give what a statement says that is all in its head: a new name, or an index on a table."""
    if renamed := _RENAME.match(text) or _SP_RENAME.match(text):
        return [("renames_object", unquoted(renamed["new"]), unquoted(renamed["old"]))]
    if index := _INDEX.match(text):
        table: Said = ("references_object", unquoted(index["table"]), "")
        return [("defines_index", unquoted(index["name"]), ""), table]
    if _CALLS.match(text):
        return [("references_object", name, "") for name in called(text)[:1]]
    return []


def said_by_head(text: str) -> list[Said]:
    """Give what the head of a statement says that is too long, or too odd, to be parsed."""
    if inserted := _INSERT.match(text):
        return [("writes_to", unquoted(inserted["name"]), "insert")]
    if defined := _DEFINED.match(text):
        return [(_DEFINES[defined["kind"].upper()], unquoted(defined["name"]), "")]
    return []


def guarded_by_if(text: str) -> list[str]:
    """Give the statements that an ``IF`` of T-SQL guards; nothing when the text is none."""
    return [_END.sub("", part) for part in _GUARDED.split(text)[1:]] if _GUARD.match(text) else []


def view_query(text: str) -> str:
    """Give the query of a view; empty when the text defines none."""
    found = _VIEW_QUERY.match(text)
    return found["query"] if found else ""
