"""Who takes the default export of a module of ECMAScript: it has whatever name the taker gives it.

So the module's own name is looked for in place of the symbol's, in every string that may mean the
module. A mention of it that does not say under which name it takes the default is open.
"""

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from codequarry.graph.fronts import specifiers
from codequarry.graph.imports import DEFAULT
from codequarry.index.store import among, of_project
from codequarry.retrieval.structure.computed import ASIDE, AllComputed
from codequarry.retrieval.structure.named import Named, line_around, lines_naming
from codequarry.retrieval.structure.view import GraphView

EVERYWHERE: Final = ""
"""The place of a name that any file may use."""

_MODULES: Final = 64
"""Modules that pass one default export on, at most."""

_IMPORTERS: Final = 2_000
"""Files that may mention one module, at most."""

# What begins at any quote is looked at: where there is an apostrophe, none can tell what closes.
_STRING = re.compile(r"(['\"`])(?=([^'\"`\n]{1,999})\1)")
_TAKES = re.compile(rf"\b(?:from|import|(?:import|require|mock)\s{{0,9}}\(){ASIDE}\Z")
_BEFORE = 400
_DYNAMIC = re.compile(r"[$*{\[].*")
_FOLLOWING = re.compile(r"[.?#].*")
_INDEX = "index"
_PLACE = r"['\"`](?P<module>[^'\"`\n]{1,999})['\"`]"
_FROM = rf"\s{{0,9}}from\s{{0,9}}{_PLACE}"
_NAME = r"(?P<{}>[\w$]{{1,200}})"
_BRACED = r"\{(?P<braced>[^}]{0,2000})\}"
_TYPE = r"(?:type\s{1,9})?"
_SHAPES = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        rf"\bimport\s{{1,9}}{_TYPE}{_NAME.format('local')}"
        rf"(?:\s{{0,9}},\s{{0,9}}(?:\*\s{{0,9}}as\s{{1,9}}{_NAME.format('other')}|{_BRACED}))?{_FROM}",
        rf"\bimport\s{{0,9}}{_TYPE}{_BRACED}{_FROM}",
        rf"\bimport\s{{0,9}}{_TYPE}\*\s{{0,9}}as\s{{1,9}}{_NAME.format('local')}{_FROM}",
        rf"\bimport\s{{0,9}}{_PLACE}",
        rf"\b(?P<export>export)\s{{0,9}}{_TYPE}{_BRACED}{_FROM}",
        rf"\b(?P<export>export)\s{{0,9}}\*\s{{0,9}}as\s{{1,9}}{_NAME.format('local')}{_FROM}",
        rf"\bexport\s{{0,9}}{_TYPE}\*{_FROM}",
        rf"\b(?:const|let|var|import)\s{{1,9}}{_NAME.format('local')}\s{{0,9}}=\s{{0,9}}"
        rf"(?:await\s{{1,9}})?(?:require|import)\(\s{{0,9}}{_PLACE}\s{{0,9}}\)"
        r"(?:\.default)?[ \t]{0,99}(?=;|\r?$)",
    )
)


class Taken(NamedTuple):
    """Who takes some default exports.

    Args:
        names: Each name given, the one file that may use it or `EVERYWHERE`, and the bare name of
            what it means.
        open: Lines that mention a module in another way than an import that says what it takes.
        is_all: Whether all that may mention them was read.
    """

    names: frozenset[tuple[str, str, str]]
    open: tuple[Named, ...]
    is_all: bool


class _Shape(NamedTuple):
    """One statement that says what it takes of a module."""

    module: int
    names: tuple[str, ...]
    is_passed_on: bool
    is_whole: bool


def taken(
    view: GraphView,
    project: str,
    homes: Iterable[tuple[str, str]],
    languages: Collection[str],
    computed: AllComputed,
) -> Taken:
    """Find under which names files take some default exports, or modules as a whole.

    Args:
        view: The graph.
        project: The project.
        homes: File and bare name of each.
        languages: Languages of the files to look at.
        computed: The computed imports of these.
    """
    waiting = list(dict.fromkeys(homes))
    names: set[tuple[str, str, str]] = set()
    unsure: set[Named] = set()
    is_all = True
    for path, name in waiting:
        unsure.update(one.line._replace(name=name) for one in computed() if one.may_mean(path))
        found = _mentions(view, project, path, languages)
        is_all &= found.is_all
        for importer, line, shape in found.mentions:
            if shape is None:
                unsure.add(line._replace(name=name))
                continue
            scope = EVERYWHERE if shape.is_passed_on else importer
            names.update((local, scope, name) for local in shape.names)
            if shape.is_whole and (importer, name) not in waiting:
                waiting.append((importer, name))
        if len(waiting) > _MODULES:
            return Taken(frozenset(names), _ordered(unsure), False)
    return Taken(frozenset(names), _ordered(unsure), is_all)


class _Mentions(NamedTuple):
    """The mentions of one module: file, line, and what the statement says it takes."""

    mentions: list[tuple[str, Named, _Shape | None]]
    is_all: bool


def _mentions(view: GraphView, project: str, path: str, languages: Collection[str]) -> _Mentions:
    words = _words(view, path)
    importers, is_all = _importers(view, project, path, words, languages)
    elsewhere = _elsewhere(view, project, path, importers)
    found = []
    chunks = view.chunk_texts(project, among("path", importers)) if importers else []
    for importer, first, content in chunks:
        shapes = {shape.module: shape for shape in _shapes(content)}
        for place in _STRING.finditer(content):
            if not _may_mean(place, words):
                continue
            line = line_around(content, place.span(), "", (project, importer, first))
            if (importer, line.line) not in elsewhere:
                found.append((importer, line, shapes.get(place.start(2))))
    return _Mentions(found, is_all)


def _ordered(lines: Iterable[Named]) -> tuple[Named, ...]:
    return tuple(sorted(lines, key=lambda one: one.place))


def _shapes(content: str) -> Iterator[_Shape]:
    for pattern in _SHAPES:
        for found in pattern.finditer(content):
            groups = found.groupdict()
            names = [groups[group] for group in ("local", "other") if groups.get(group)]
            is_whole, is_passed_on = False, bool(groups.get("export"))
            for name, local in specifiers(groups.get("braced") or ""):
                if name == DEFAULT and local == DEFAULT:
                    is_whole = is_passed_on
                elif name == DEFAULT:
                    names.append(local)
            yield _Shape(found.start("module"), tuple(names), is_passed_on, is_whole)


def _words(view: GraphView, path: str) -> frozenset[str]:
    """Give the last parts of all strings that may mean a file: its own name, or a folder's."""
    folder, name = posixpath.split(path)
    stem = name.partition(".")[0]
    manifests = view.symbols("kind = 'file' AND symbol = 'package.json'")
    packages = [posixpath.dirname(one.path) for one in manifests]
    around = [package for package in packages if f"{folder}/".startswith(f"{package}/")]
    own = posixpath.basename(folder) if stem == _INDEX else stem
    return frozenset(filter(None, [own, *map(posixpath.basename, around)]))


def _may_mean(place: re.Match[str], words: Collection[str]) -> bool:
    """Tell whether a string may mean a module: a path does, and what is taken."""
    last = _last(place)
    if last and last not in words:
        return False
    is_path = last and "/" in place[2] and " " not in place[2]
    return bool(
        is_path or _TAKES.search(place.string, max(place.start() - _BEFORE, 0), place.start())
    )


def _last(place: re.Match[str]) -> str:
    """Give the last part of a path that is no variable, as files are named; empty without one."""
    parts = [_FOLLOWING.sub("", part) for part in _DYNAMIC.sub("", place[2]).split("/")]
    while parts and parts[-1] in ("", _INDEX):
        parts.pop()
    return parts[-1] if parts else ""


def _importers(
    view: GraphView, project: str, path: str, words: Collection[str], languages: Collection[str]
) -> tuple[list[str], bool]:
    """Give the files that may mention a module: by its name, or as the folder they lie in.

    At most `_IMPORTERS`; the flag tells whether these are all.
    """
    named = lines_naming(view, project, words, languages)
    may = {
        line.path
        for line in named.lines
        if any(_last(place) in ("", *words) for place in _STRING.finditer(line.text))
    }
    files = [s.symbol_id for s in view.symbols(_place(project, [path])) if s.is_file]
    may.update(view.edges(files, "in", ("imports",))["path"].to_pylist())
    ordered = sorted(may, key=str.encode)
    return ordered[:_IMPORTERS], named.is_all and len(ordered) <= _IMPORTERS


def _elsewhere(
    view: GraphView, project: str, path: str, importers: Sequence[str]
) -> set[tuple[str, int]]:
    """Give where files import another file than this one."""
    if not importers:
        return set()
    edges = view.edge_rows(f"{_place(project, importers)} AND kind = 'imports'")
    targets = view.by_ids(set(edges["target_id"].to_pylist()))
    places = zip(*(edges[name].to_pylist() for name in ("path", "line", "target_id")), strict=True)
    led: dict[tuple[str, int], set[str]] = {}
    for importer, line, target in places:
        led.setdefault((importer, line), set()).add(targets[target].path)
    return {place for place, paths in led.items() if path not in paths}


def _place(project: str, paths: Sequence[str]) -> str:
    return f"{of_project(project)} AND {among('path', paths)}"
