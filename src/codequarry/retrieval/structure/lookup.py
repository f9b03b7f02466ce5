"""From what a person types to one symbol; several that fit are listed, never guessed between."""

import re
from dataclasses import dataclass
from enum import StrEnum

from codequarry.core.errors import UsageError
from codequarry.index.store import quote
from codequarry.retrieval.structure.symbols import Selector, Symbol, parse_selector
from codequarry.retrieval.structure.view import GraphView

SHOWN = 20
"""Candidates that an ambiguous answer lists, at most."""

NAME_BYTES = 4_096
_PLACE = re.compile(r"(.+):([1-9]\d{0,8})")
_SEPARATOR = re.compile(r"::|[.#/\\]")


class Found(StrEnum):
    """How a look-up ended."""

    ONE = "found"
    SEVERAL = "ambiguous"
    NONE = "not_found"


@dataclass(frozen=True)
class Lookup:
    """What a text names.

    Args:
        text: The text.
        state: How it ended.
        candidates: The symbol, or the first `SHOWN` that fit, in their total order.
        count: How many fit.
        how: ``selector``, ``exact`` (a declaration's line), ``enclosing``, ``path``, ``fqn`` or
            ``name``.
        source: ``codequarry`` or ``codemap``.
    """

    text: str
    state: Found
    candidates: tuple[Symbol, ...] = ()
    count: int = 0
    how: str = ""
    source: str = "codequarry"

    def one(self) -> Symbol:
        """Give the symbol.

        Raises:
            UsageError: There is none, or there are several; the message lists them.
        """
        if self.state is Found.ONE:
            return self.candidates[0]
        shown = self.text if len(self.text) <= 100 else f"{self.text[:100]}…"
        if self.state is Found.NONE:
            raise UsageError(
                f"no symbol is called {shown!r} in what is indexed",
                "check the name, or give path:line or path::name",
            )
        several = len({symbol.project for symbol in self.candidates}) > 1
        listed = ", ".join(_told(symbol, labelled=several) for symbol in self.candidates)
        more = f", and {self.count - SHOWN} more" if self.count > SHOWN else ""
        remedy = "give path:line, path::name or the qualified name of one"
        raise UsageError(
            f"{shown!r} names {self.count} symbols: {listed}{more}",
            f"name one project with --project, or {remedy}" if several else remedy,
        )


def _told(symbol: Symbol, *, labelled: bool) -> str:
    label = f"{symbol.project}:" if labelled else ""
    return f"{label}{symbol.path}:{symbol.start_line} {symbol.fqn} ({symbol.kind})"


def look_up(view: GraphView, text: str) -> Lookup:
    """Find the symbol that a text names.

    In this order, the first that fits anything wins: a selector in JSON, ``path:line`` (the
    narrowest symbol there), a file's path, ``path::name``, a qualified name, a bare name or the end
    of a qualified name.

    Raises:
        UsageError: The text is empty, too long, or a selector that breaks a rule of
            contract.md A6.
        IndexMissing: No graph was published.
    """
    wanted = text.strip()
    if wanted.startswith("{"):
        return selected(view, parse_selector(wanted), wanted)
    if not wanted:
        raise UsageError("the symbol is empty", "name one, or give path:line")
    if len(wanted.encode("utf-8", "replace")) > NAME_BYTES:
        raise UsageError(f"the symbol is longer than {NAME_BYTES} bytes", "give its name")
    for way in (_by_line, _by_path, _in_path, _by_name):
        found = way(view, wanted)
        if found.state is not Found.NONE:
            return found
    return _found(wanted, [], "")


def file_of(view: GraphView, path: str) -> Symbol:
    """Give the node of a file.

    Raises:
        UsageError: No indexed file has that path below its project's root, or several have.
        IndexMissing: No graph was published.
    """
    found = _by_path(view, path)
    if found.state is Found.NONE:
        raise UsageError(f"no file {path[:200]!r} is indexed", "give its path below the root")
    if found.state is Found.SEVERAL:
        projects = ", ".join(symbol.project for symbol in found.candidates)
        raise UsageError(f"{path[:200]!r} is a file of {projects}", "name one with --project")
    return found.one()


def place_in(text: str) -> tuple[str, int] | None:
    """Give the path and the line of a text that is ``path:line``."""
    place = _PLACE.fullmatch(text.strip())
    return (place[1].removeprefix("./"), int(place[2])) if place else None


def selected(view: GraphView, selector: Selector, text: str) -> Lookup:
    """Find the symbol of a selector: its name and kind survive line shifts, its line breaks ties.

    Args:
        view: The graph.
        selector: The selector.
        text: What somebody typed for it.
    """
    where = f"path = {quote(selector.file.strip().removeprefix('./'))}"
    if selector.fqn:
        where += f" AND fqn = {quote(selector.fqn)}"
    if selector.kind:
        where += f" AND kind = {quote(selector.kind)}"
    fitting = list(view.symbols(where))
    at_line = [symbol for symbol in fitting if symbol.start_line == selector.start_line]
    if not selector.fqn or (len(fitting) > 1 and at_line):
        fitting = at_line
    return _found(text, fitting, "selector")


def _by_line(view: GraphView, text: str) -> Lookup:
    place = place_in(text)
    if place is None:
        return _found(text, [], "")
    path, line = place
    holding = f"path = {quote(path)} AND start_line <= {line} AND end_line >= {line}"
    inside = [symbol for symbol in view.symbols(holding) if not symbol.is_file]
    narrowest = min((symbol.end_line - symbol.start_line for symbol in inside), default=0)
    fitting = [s for s in inside if s.end_line - s.start_line == narrowest]
    exact = any(symbol.start_line == line for symbol in fitting)
    return _found(text, fitting, "exact" if exact else "enclosing")


def _by_path(view: GraphView, text: str) -> Lookup:
    path = text.removeprefix("./")
    return _found(text, view.symbols(f"path = {quote(path)} AND kind = 'file'"), "path")


def _in_path(view: GraphView, text: str) -> Lookup:
    path, separator, name = text.partition("::")
    if not separator or not name:
        return _found(text, [], "")
    inside = view.symbols(f"path = {quote(path.removeprefix('./'))} AND kind != 'file'")
    return _best(text, [symbol for symbol in inside if _ends(symbol, name)], name)


def _by_name(view: GraphView, text: str) -> Lookup:
    bare = _SEPARATOR.split(text)[-1] or text
    named = view.symbols(
        f"(symbol IN ({quote(bare)}, {quote(text)}) OR fqn = {quote(text)}) AND kind != 'file'"
    )
    return _best(text, [symbol for symbol in named if _ends(symbol, text)], text)


def _best(text: str, fitting: list[Symbol], name: str) -> Lookup:
    exact = [symbol for symbol in fitting if symbol.fqn == name]
    return _found(text, exact or fitting, "fqn" if exact else "name")


def _ends(symbol: Symbol, name: str) -> bool:
    """Tell whether a name is the bare one, or whole parts at the end of the qualified one."""
    if name in (symbol.symbol, symbol.fqn):
        return True
    parts, wanted = _SEPARATOR.split(symbol.fqn), _SEPARATOR.split(name)
    return len(wanted) > 1 and parts[-len(wanted) :] == wanted


def _found(text: str, symbols: tuple[Symbol, ...] | list[Symbol], how: str) -> Lookup:
    if not symbols:
        return Lookup(text, Found.NONE)
    state = Found.ONE if len(symbols) == 1 else Found.SEVERAL
    return Lookup(text, state, tuple(symbols[:SHOWN]), len(symbols), how)
