"""A node of the code graph as an answer names it, and the selector that names it exactly."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from codequarry.core.errors import UsageError
from codequarry.core.roles import is_test

SELECTOR_BYTES = 16 * 1024
"""A longer selector is refused (contract.md A6)."""

COLUMNS = (
    *("symbol_id", "project", "path", "symbol", "fqn", "kind", "language", "start_line"),
    *("end_line", "signature"),
)
"""The columns of SYMBOLS that a `Symbol` holds."""


@dataclass(frozen=True)
class Symbol:
    """One declaration, or one file.

    Args:
        symbol_id: Its key in SYMBOLS; 0 when a peer named it.
        project: Its project.
        path: Its file.
        symbol: Bare name.
        fqn: Qualified name; a file's is its path.
        kind: ``function``, ``method``, ``class``, … or ``file``.
        language: Language id.
        start_line: First line, 1-based.
        end_line: Last line.
        signature: Its head, or empty.
    """

    symbol_id: int
    project: str
    path: str
    symbol: str
    fqn: str
    kind: str
    language: str = ""
    start_line: int = 0
    end_line: int = 0
    signature: str = ""

    @property
    def selector(self) -> dict[str, Any]:
        """The selector of the declaration (contract.md D1), in its order of keys."""
        keys = {"file": self.path, "start_line": self.start_line}
        return {**keys, "fqn": self.fqn, "kind": self.kind}

    @property
    def is_test(self) -> bool:
        """Whether it is a test, by its kind or by the place of its file."""
        return self.kind == "test" or is_test(self.path)

    @property
    def is_file(self) -> bool:
        """Whether it is the node of a file."""
        return self.kind == "file" and self.fqn == self.path

    @property
    def order(self) -> tuple[bytes, bytes, int, int, bytes, bytes, int]:
        """Project, path, lines, qualified name, kind and key: a total order of symbols."""
        place = (self.project.encode(), self.path.encode(), self.start_line, self.end_line)
        return (*place, self.fqn.encode(), self.kind.encode(), self.symbol_id)


def identity(project: str, selector: Mapping[str, Any]) -> tuple[str, str, str, str]:
    """Give what of a selector survives line shifts: project, file, qualified name, kind."""
    names = (str(selector.get(name, "")) for name in ("file", "fqn", "kind"))
    file, fqn, kind = names
    return (project, file, fqn, kind)


def ordered(symbols: Iterable[Symbol]) -> tuple[Symbol, ...]:
    """Sort symbols by their total order."""
    return tuple(sorted(symbols, key=lambda symbol: symbol.order))


class Selector(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A selector that somebody gave; file with a line or a qualified name (contract.md A6)."""

    file: str
    start_line: int = 0
    fqn: str = ""
    kind: str = ""


def parse_selector(text: str) -> Selector:
    """Read a selector from JSON.

    Raises:
        UsageError: It is longer than 16 KiB, not one JSON object, has an unknown key or a value of
            the wrong type, or names neither a line nor a qualified name of a file.
    """
    remedy = 'give {"file": …, "start_line": …, "fqn": …, "kind": …}'
    raw = text.encode("utf-8", "replace")
    if len(raw) > SELECTOR_BYTES:
        raise UsageError(f"the selector is longer than {SELECTOR_BYTES} bytes", remedy)
    try:
        selector = msgspec.json.decode(raw, type=Selector)
    except (msgspec.MsgspecError, RecursionError) as error:
        reason = str(error).partition(" - at")[0] if isinstance(error, msgspec.MsgspecError) else ""
        raise UsageError(f"the selector cannot be read: {reason or 'too deep'}", remedy) from None
    if not selector.file.strip() or not (selector.start_line > 0 or selector.fqn.strip()):
        raise UsageError("the selector needs a file, and a line or a qualified name", remedy)
    return selector
