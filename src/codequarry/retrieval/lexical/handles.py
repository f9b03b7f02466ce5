"""Handles: short names of results that a person or an agent can give back (vectorless.md 7).

A handle is a kind and percent-encoded parts, joined by colons. Beyond the original's parts it ends
with the digits of a content hash and, for a symbol, with its qualified name, so that it can be
anchored again after lines above it changed. Handles without these are read too.
"""

from dataclasses import dataclass
from urllib.parse import quote, unquote

from codequarry.core.errors import UsageError

HASH_DIGITS = 12

_PARTS = {
    "file": ("path",),
    "graph": ("path",),
    "chunk": ("path", "line", "content"),
    "symbol": ("path", "name", "line", "column", "content", "fqn"),
    "sql": ("name", "path", "line", "content"),
}
_NEEDED = {"file": 1, "graph": 1, "chunk": 2, "symbol": 4, "sql": 3}


@dataclass(frozen=True)
class Handle:
    """What a handle says.

    Args:
        kind: file, graph, chunk, symbol or sql.
        path: Project-relative.
        name: A symbol's bare name, or an SQL object's.
        line: 1-based; 0 when the kind has none.
        column: 0-based, in UTF-16 units.
        content: First digits of the SHA-256 of its lines, or empty.
        fqn: A symbol's qualified name, or empty.
    """

    kind: str
    path: str
    name: str = ""
    line: int = 0
    column: int = 0
    content: str = ""
    fqn: str = ""

    def __str__(self) -> str:
        """Spell the handle."""
        parts = [str(getattr(self, part)) for part in _PARTS[self.kind]]
        while len(parts) > _NEEDED[self.kind] and not parts[-1]:
            parts.pop()
        return ":".join([self.kind, *(quote(part, safe="/") for part in parts)])


def is_handle(text: str) -> bool:
    """Tell whether a text begins like a handle."""
    return text.partition(":")[0] in _PARTS and ":" in text


def parse_handle(text: str) -> Handle:
    """Read a handle, or ``path::symbol``.

    Raises:
        UsageError: It is none.
    """
    kind, _, rest = text.partition(":")
    if kind not in _PARTS:
        path, separator, name = text.rpartition("::")
        if not separator or not path or not name:
            raise _not_a_handle()
        return Handle("symbol", path, name)
    values = [unquote(part) for part in rest.split(":")]
    if not _NEEDED[kind] <= len(values) <= len(_PARTS[kind]) or not all(values[: _NEEDED[kind]]):
        raise _not_a_handle()
    found = dict(zip(_PARTS[kind], values, strict=False))
    return Handle(
        kind,
        found["path"],
        found.get("name", ""),
        _number(found.get("line", "0")),
        _number(found.get("column", "0")),
        found.get("content", ""),
        found.get("fqn", ""),
    )


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise _not_a_handle()
    return int(text)


def _not_a_handle() -> UsageError:
    return UsageError("that is not a handle", "take one from a result, such as file:src/app.py")
