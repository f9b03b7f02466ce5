"""Other names under which files may use a symbol: renaming imports, and default exports."""

import posixpath
import re
from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple

from codequarry.graph.conventions import ECMASCRIPT, convention_of
from codequarry.index.store import among, of_project, rows
from codequarry.retrieval.structure.named import CHUNKS_READ, Named, lines_naming
from codequarry.retrieval.structure.symbols import Symbol
from codequarry.retrieval.structure.view import GraphView
from codequarry.syntax.grammars import grammar_of

ROUNDS: Final = 4
"""How many times in a row a name is followed from one file to the next."""

EVERYWHERE: Final = ""

_RENAMED = re.compile(r"\s+as\s+([\w$]+)|\s*=>\s*([\w$]+)|\s*:\s*([\w$]+)\s*[,}].*require\(")
_USING = re.compile(r"\s*(?:global\s+)?using\s+(\w+)\s*=")
_PASSED_ON = re.compile(r"\s*(?:export|pub|global)\b")
_DEFAULT = re.compile(
    r"\s*(?:export\s+default\b|export\s*\{.*\bas\s+default\b|export\s*=|(?:module\.)?exports\s*=)"
)
_ALONE = re.compile(
    r"\s*(?:export\s+default\s|export\s*=|(?:module\.)?exports\s*=)\s*([\w$]+)\s*;?\s*\Z"
)
_FROM = r"[^;'\"]{0,2000}?\bfrom\s{0,9}['\"]([^'\"\n]{1,999})['\"]"
_WHOLE = re.compile(rf"\bexport\s{{0,9}}\{{[^}}]{{0,2000}}?\bdefault\s{{0,9}}[,}}]{_FROM}")
_TAKEN = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b(import)\s{{1,9}}(?:type\s{{1,9}})?([\w$]{{1,200}})\s{{0,9}}(?:,{_FROM}|{_FROM})",
        rf"\b(import|export)\s{{0,9}}[^;'\"()=]{{0,2000}}?(?:\bdefault|\*)\s{{1,9}}as\s{{1,9}}"
        rf"([\w$]{{1,200}}){_FROM}",
        r"\b(const|let|var|import)\s{1,9}([\w$]{1,200})\s{0,9}=\s{0,9}(?:await\s{1,9})?"
        r"(?:require|import)\(\s{0,9}['\"]([^'\"\n]{1,999})['\"]",
    )
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


def exports_only(line: Named) -> bool:
    """Tell whether all that a line does is to export what it names as the default."""
    alone = _ALONE.match(line.text) if _is_script(line.path) else None
    return alone is not None and alone[1] == line.name


def aliases_of(
    view: GraphView,
    symbols: Sequence[Symbol],
    lines: Sequence[Named],
    languages: Collection[str],
) -> tuple[frozenset[Alias], tuple[Named, ...]]:
    """Find other names of some symbols of one project, and the lines that hold these names.

    Args:
        view: The graph.
        symbols: The symbols.
        lines: The lines that name them.
        languages: Languages of the files to look at.
    """
    project, homes = symbols[0].project, {(s.path, s.symbol) for s in symbols}
    defaults = [line for line in lines if _is_default(line) and (line.path, line.name) in homes]
    new = _renamed(lines, {}) | _taken(view, project, defaults)
    found, held = set(new), list[Named]()
    for _ in range(ROUNDS):
        if not new:
            break
        meant = {alias.local: alias.name for alias in new}
        named = lines_naming(view, project, set(meant), languages).lines
        fresh = [line for line in named if _reaches(line, new)]
        held += fresh
        new = _renamed(fresh, meant) - found
        found |= new
    distinct = sorted(set(held), key=lambda one: (one.path.encode(), one.line, one.name))
    return frozenset(found), tuple(distinct)


def _reaches(line: Named, aliases: Collection[Alias]) -> bool:
    return any(a.local == line.name and a.path in (EVERYWHERE, line.path) for a in aliases)


def _renamed(lines: Iterable[Named], meant: dict[str, str]) -> set[Alias]:
    """Give the aliases that lines declare for the names they hold."""
    found = set()
    for line in lines:
        name = meant.get(line.name, line.name)
        for local in _locals(line):
            is_open = grammar_of(line.path) == "python" or any(
                _PASSED_ON.match(text) for text in (line.text, line.head)
            )
            found.add(Alias(local, EVERYWHERE if is_open else line.path, name))
    return {alias for alias in found if alias.local not in (alias.name, "default", "_")}


def _locals(line: Named) -> Iterable[str]:
    for place in re.finditer(rf"(?<![\w$]){re.escape(line.name)}(?![\w$])", line.text):
        if found := _RENAMED.match(line.text, place.end()):
            yield next(filter(None, found.groups()))
    if using := _USING.match(line.text):
        yield using[1]


def _taken(view: GraphView, project: str, defaults: Sequence[Named]) -> set[Alias]:
    """Give the names under which files import the default exports of some lines."""
    found: set[Alias] = set()
    homes = dict.fromkeys((line.path, line.name) for line in defaults)
    waiting = list(homes)
    for path, name in waiting:
        for importer, content in _importers(view, project, path):
            passed_on = any(_may_mean(f[1], path) for f in _WHOLE.finditer(content))
            if passed_on and (importer, name) not in homes:
                homes[importer, name] = None
                waiting.append((importer, name))
            for pattern in _TAKEN:
                for taken in pattern.finditer(content):
                    how, local, *modules = taken.groups()
                    if _may_mean(next(filter(None, modules)), path):
                        place = EVERYWHERE if how == "export" else importer
                        found.add(Alias(local, place, name))
    return found


def _importers(view: GraphView, project: str, path: str) -> Iterable[tuple[str, str]]:
    """Give path and text of each chunk of the files that import a file."""
    files = [s.symbol_id for s in view.symbols(_place(project, [path])) if s.is_file]
    paths = sorted(set(view.edges(files, "in", ("imports",))["path"].to_pylist()))
    if not paths:
        return []
    (group,) = view.reader.groups([project])
    table = rows(view.reader.table(group.table_name), _place(project, paths), ["path", "content"])
    columns = (column.to_pylist() for column in table.slice(0, CHUNKS_READ))
    return list(zip(*columns, strict=True))


def _place(project: str, paths: Sequence[str]) -> str:
    return f"{of_project(project)} AND {among('path', paths)}"


def _may_mean(module: str, path: str) -> bool:
    """Tell whether a module may be a file, by the last part of its name."""
    folder, name = posixpath.split(path)
    last = posixpath.basename(module)
    stems = {name.partition(".")[0], posixpath.basename(folder), "", ".", ".."}
    return last.partition(".")[0] in stems


def _is_default(line: Named) -> bool:
    return _is_script(line.path) and _DEFAULT.match(line.text) is not None


def _is_script(path: str) -> bool:
    return convention_of(grammar_of(path)).family == ECMASCRIPT
