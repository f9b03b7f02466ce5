"""What T-SQL may write into the definition of a table, and sqlglot does not read."""

import re
from typing import NamedTuple

from codequarry.retrieval.lexical.sql.routines import NAME, unquoted

_TABLE = re.compile(r"\s*CREATE\s+TABLE\b", re.IGNORECASE)
_ASIDE = r"'(?:[^']|'')*+'|--[^\n]*|/\*.*?\*/"
_ROWS = r"(?:UNIQUE|(?:NON)?CLUSTERED|HASH|COLUMNSTORE)\b"
_INDEX = re.compile(
    rf"""(?P<aside>{_ASIDE}) | (?:,\s*)?\bINDEX\s+(?P<name>{NAME})(?:\s+{_ROWS})*
    (?:\s*\([^()]*\))?(?:\s+INCLUDE\s*\([^()]*\))?(?:\s+WHERE\s+[^,()]+)?""",
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_UNREAD = re.compile(
    rf"\b(?:NON)?CLUSTERED\b|\bPERSISTED\b|\b(?:TEXTIMAGE_|FILESTREAM_)?ON\s+{NAME}\s*\Z",
    re.IGNORECASE,
)


class Table(NamedTuple):
    """A statement as sqlglot can read it.

    Args:
        text: The statement; of a table's definition, without its indexes and places of storage.
        indexes: Names of the indexes that were in it.
    """

    text: str
    indexes: tuple[str, ...] = ()


def plain(text: str) -> Table:
    """Take out of a statement what sqlglot does not read; all but definitions stay as they are."""
    if not _TABLE.match(text):
        return Table(text)
    names = [found["name"] for found in _INDEX.finditer(text)]
    text = _INDEX.sub(lambda found: found["aside"] or "", text)
    while (shorter := _UNREAD.sub("", text).rstrip()) != text:
        text = shorter
    return Table(text, tuple(unquoted(name) for name in names if name))
