"""Other names under which files may use a symbol: renaming imports, default exports, spellings."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from functools import cache
from typing import Final, NamedTuple

from codequarry.graph.conventions import ECMASCRIPT
from codequarry.retrieval.structure.beside import languages_beside, parted
from codequarry.retrieval.structure.computed import computed_imports
from codequarry.retrieval.structure.named import Named, lines_naming
from codequarry.retrieval.structure.namespaces import looked_through
from codequarry.retrieval.structure.spellings import spellings
from codequarry.retrieval.structure.statements import family_of, is_import, occurrences
from codequarry.retrieval.structure.symbols import Symbol
from codequarry.retrieval.structure.taken import EVERYWHERE, taken
from codequarry.retrieval.structure.view import GraphView

ROUNDS: Final = 4
"""How many times in a row a name is followed from one file to the next."""

_RENAMED = re.compile(r"\s+as\s+([\w$]+)|\s*=>\s*([\w$]+)|\s*:\s*([\w$]+)\s*[,}].*require\(")
_USING = re.compile(r"\s*(?:global\s+)?using\s+(\w+)\s*=")
_RUBY = re.compile(r"\balias(?:_method)?\b[\s(]*:?([\w?!=]+)\s*,?\s*:?\Z")
_PASSED_ON = re.compile(r"\s*(?:export|pub|global)\b")
_DEFAULT = re.compile(
    r"\s*(?:export\s+default\b|export\s*\{.*\bas\s+default\b|export\s*=|(?:module\.)?exports\s*=)"
)
_ALONE = re.compile(
    r"\s*(?:export\s+default\s|export\s*=|(?:module\.)?exports\s*=)\s*([\w$]+)\s*;?\s*\Z"
)


class Alias(NamedTuple):
    """Another name of a symbol.

    Args:
        local: The name.
        path: The only file that may use it, or `EVERYWHERE`.
        name: The symbol's bare name.
    """

    local: str
    path: str
    name: str


class Aliases(NamedTuple):
    """All other names that were found.

    Args:
        names: The names.
        lines: The lines that hold them.
        open: Lines that take a default export and do not say under which name, that look through
            the whole of a module, or that hold one of the names in another language.
        reasons: Why there may be more, one sentence each.
    """

    names: frozenset[Alias]
    lines: tuple[Named, ...]
    open: tuple[Named, ...] = ()
    reasons: tuple[str, ...] = ()


def exports_only(line: Named) -> bool:
    """Tell whether all that a line does is to export what it names as the default."""
    alone = _ALONE.match(line.text) if family_of(line.path) == ECMASCRIPT else None
    return alone is not None and alone[1] == line.name


def aliases_of(
    view: GraphView,
    symbols: Sequence[Symbol],
    lines: Sequence[Named],
    languages: Set[str],
) -> Aliases:
    """Find other names of some symbols of one project, and the lines that hold these names.

    Args:
        view: The graph.
        symbols: The symbols.
        lines: The lines that name them.
        languages: Languages of the files to look at.
    """
    project, homes = symbols[0].project, {(s.path, s.symbol) for s in symbols}
    defaults = [line for line in lines if _is_default(line) and (line.path, line.name) in homes]
    computed = cache(lambda: computed_imports(view, project, languages))
    places = [(line.path, line.name) for line in defaults]
    found = taken(view, project, places, languages, computed)
    new = _renamed(lines, {}) | {Alias(*one) for one in found.names}
    new |= {Alias(local, EVERYWHERE, name) for local, name in spellings(symbols)}
    through, is_all = looked_through(view, symbols, computed)
    known, held, loose = set(new), list[Named](), [*found.open, *through]
    is_all &= found.is_all
    asked = languages | languages_beside(symbols)
    for _ in range(ROUNDS):
        if not new:
            break
        meant: dict[str, set[Alias]] = defaultdict(set)
        for alias in new:
            meant[alias.local].add(alias)
        named = lines_naming(view, project, set(meant), asked)
        is_all &= named.is_all
        meaning = [line for line in named.lines if _meanings(line, meant)]
        fresh, beside = parted(meaning, languages, symbols)
        held += fresh
        loose += beside
        new = _renamed(fresh, meant) - known
        known |= new
    reasons = [] if is_all else ["not all files were read that may use it under another name"]
    if new:
        reasons.append(f"it is renamed more than {ROUNDS} times")
    lines, opened = (tuple(sorted(set(some), key=lambda one: one.place)) for some in (held, loose))
    return Aliases(frozenset(known), lines, opened, tuple(reasons))


def _meanings(line: Named, meant: Mapping[str, Collection[Alias]]) -> set[str]:
    """Give the bare names of what the name in a line may mean there."""
    return {a.name for a in meant.get(line.name, ()) if a.path in (EVERYWHERE, line.path)}


def _renamed(lines: Iterable[Named], meant: Mapping[str, Collection[Alias]]) -> set[Alias]:
    """Give the aliases that imports declare for the names they hold."""
    found: set[Alias] = set()
    for line in lines:
        names = _meanings(line, meant) or {line.name}
        for local in _locals(line):
            is_open = family_of(line.path) in ("python", "ruby") or any(
                _PASSED_ON.match(text) for text in (line.text, line.head)
            )
            place = EVERYWHERE if is_open else line.path
            found.update(Alias(local, place, name) for name in names)
    return {alias for alias in found if alias.local not in (alias.name, "default", "_")}


def _locals(line: Named) -> Iterable[str]:
    for start, end in occurrences(line):
        if alias := family_of(line.path) == "ruby" and _RUBY.search(line.text[:start]):
            yield alias[1]
        if is_import(line, start, end):
            if found := _RENAMED.match(line.text, end):
                yield next(filter(None, found.groups()))
            if using := _USING.match(line.text):
                yield using[1]


def _is_default(line: Named) -> bool:
    return family_of(line.path) == ECMASCRIPT and _DEFAULT.match(line.text) is not None
