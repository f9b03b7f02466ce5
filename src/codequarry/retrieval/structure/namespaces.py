"""Modules that are looked through as a whole: ``Object.values(all)``, ``getattr(all, name)``.

What is found there goes by the symbol's own name, but no text says so.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from pathlib import PurePosixPath
from typing import Final

from codequarry.graph.conventions import ECMASCRIPT
from codequarry.index.store import among, of_project, quote, rows
from codequarry.retrieval.structure.computed import AllComputed
from codequarry.retrieval.structure.named import Named, line_around
from codequarry.retrieval.structure.statements import family_of, is_comment
from codequarry.retrieval.structure.symbols import Symbol
from codequarry.retrieval.structure.view import GraphView

_IMPORTERS: Final = 2_000
"""Files that import some modules and are looked at, at most."""

_FRONTS: Final = frozenset({"__init__", "index"})
_NO_LITERAL: Final = r"(?!\s{0,99}['\"`][^'\"`\n$]{0,200}['\"`]\s{0,99}[\]),])"
_THROUGH = {
    "python": re.compile(
        r"\b(?:getmembers|vars|dir)\(\s{0,9}(?:\w{1,99}\.){0,9}(?P<given>\w{1,99})\s{0,9}[,)]"
        r"|\bgetattr\(\s{0,9}(?:\w{1,99}\.){0,9}(?P<asked>\w{1,99})\s{0,9},"
        rf"{_NO_LITERAL}|\b(?P<held>\w{{1,99}})\.__dict__\b"
        r"|\b(?P<own>globals\(\)|sys\.modules\[__name__\])"
    ),
    ECMASCRIPT: re.compile(
        r"\b(?:Object|Reflect)\.\w{1,40}\((?:[^()\n]{0,99},)?\s{0,9}(?P<given>[\w$]{1,99})\s{0,9}[,)]"
        r"|\.\.\.(?P<asked>[\w$]{1,99})(?![\w$.(])"
        r"|\b(?:in|of)\s{1,9}(?P<each>[\w$]{1,99})\s{0,9}\)"
        rf"|(?<![\w$.])(?P<held>[\w$]{{1,99}})\[(?!\]){_NO_LITERAL}"
    ),
}
"""Language family to what looks through a module."""
_MAY_LOOK_THROUGH: Final = (
    r"\b(?:getmembers|vars|dir|getattr|globals)\(|\.__dict__|\bsys\.modules\["
    r"|\b(?:Object|Reflect)\.\w+\(|\.\.\.[\w$]|\b(?:in|of)\s+[\w$]+\s*\)|[\w$]\[[^\]]"
)
_LOCAL = {
    "python": (
        r"\bimport\s{{1,9}}(?:\([^)]{{0,2000}}|[^\n(]{{0,500}})\b({0})\b(?:\s{{1,9}}as\s{{1,9}}(\w{{1,99}}))?"
    ),
    ECMASCRIPT: (
        r"(?:\*\s{{1,9}}as\s{{1,9}}([\w$]{{1,99}})\s{{1,9}}from\s{{0,9}}"
        r"|(?<![\w$])([\w$]{{1,99}})\s{{0,9}}=\s{{0,9}}(?:await\s{{1,9}})?(?:require|import)\(\s{{0,9}})"
        r"['\"`](?:[^'\"`\n]{{0,999}}/)?{0}(?:\.\w{{1,9}})?['\"`]"
    ),
}
"""Language family to what gives a module a local name."""
_GIVEN = re.compile(
    r"(?<![\w$])([\w$]{1,99})\s{0,9}=\s{0,9}(?:await\s{1,9})?(?:require|import)\s{0,9}\("
)
_ALL = re.compile(r"\bimport\s{1,9}\*")

_Chunks = list[tuple[int, str]]
"""First line and text of each chunk of a file."""


def looked_through(
    view: GraphView, symbols: Iterable[Symbol], computed: AllComputed
) -> tuple[tuple[Named, ...], bool]:
    """Find lines that look through a module of Python or ECMAScript, and so may find a symbol.

    Args:
        view: The graph.
        symbols: Symbols of one project; methods among them are not found so.
        computed: The computed imports of the files to look at.

    Returns:
        The lines, each with the name of one symbol of the module; and whether all were read.
    """
    homes: dict[str, Symbol] = {}
    for symbol in symbols:
        if symbol.kind != "method" and family_of(symbol.path) in _THROUGH:
            homes.setdefault(symbol.path, symbol)
    if not homes:
        return (), True
    project = next(iter(homes.values())).project
    importing = _importing(view, project, homes)
    given = _given(homes, computed)
    read = sorted({path for path, _ in importing | given.keys()}, key=str.encode)
    found: set[Named] = set()
    for path, chunks in _texts(view, project, read[:_IMPORTERS]).items():
        for home, symbol in homes.items():
            names, is_own = given.get((path, home), set()), path == home
            if (path, home) in importing:
                names = names | _locals(chunks, home)
                is_own = is_own or any(_ALL.search(text) for _, text in chunks)
            for first, text, place in _places(chunks, family_of(home), names, is_own=is_own):
                found.add(line_around(text, place, symbol.symbol, (project, path, first)))
    lines = (line for line in found if not is_comment(line, len(line.text)))
    return tuple(sorted(lines, key=lambda one: one.place)), len(read) <= _IMPORTERS


def _importing(view: GraphView, project: str, homes: Collection[str]) -> set[tuple[str, str]]:
    """Give the pairs of a file and the module that it imports, each module itself among them."""
    within = f"{of_project(project)} AND {among('path', sorted(homes))}"
    known = {file.symbol_id: file.path for file in view.symbols(f"{within} AND kind = 'file'")}
    edges = view.edges(known, "in", ("imports",))
    pairs = zip(edges["path"].to_pylist(), edges["target_id"].to_pylist(), strict=True)
    return {(path, known[target]) for path, target in pairs} | {(home, home) for home in homes}


def _given(homes: Collection[str], computed: AllComputed) -> dict[tuple[str, str], set[str]]:
    """Give the names by which files know what may be a module and is put together there."""
    scripts = [home for home in homes if family_of(home) == ECMASCRIPT]
    names: dict[tuple[str, str], set[str]] = defaultdict(set)
    for one in computed() if scripts else ():
        # Where no folder is sure, it may be any module, and would be for every question.
        if one.folder and (local := _GIVEN.search(one.line.text)):
            for home in filter(one.may_mean, scripts):
                names[one.line.path, home].add(local[1])
    return names


def _texts(view: GraphView, project: str, paths: Collection[str]) -> dict[str, _Chunks]:
    """Read the files, of some, that may look through anything."""
    (group,) = view.reader.groups([project])
    table = view.reader.table(group.table_name)
    within = of_project(project)
    may = (
        f"{within} AND {among('path', paths)} AND regexp_like(content, {quote(_MAY_LOOK_THROUGH)})"
    )
    looking = sorted(set(rows(table, may, ["path"])["path"].to_pylist()))
    texts: dict[str, _Chunks] = defaultdict(list)
    if looking:
        for path, first, content in view.chunk_texts(project, among("path", looking)):
            texts[path].append((first, content))
    return texts


def _locals(chunks: _Chunks, home: str) -> set[str]:
    """Give the names by which a file knows a module that it imports."""
    file = PurePosixPath(home)
    stem = file.name.partition(".")[0]
    word = file.parent.name if stem in _FRONTS else stem
    local = re.compile(_LOCAL[family_of(home)].format(re.escape(word)))
    return {found[found.lastindex or 0] for _, text in chunks for found in local.finditer(text)}


def _places(
    chunks: _Chunks, family: str, names: Collection[str], *, is_own: bool
) -> Iterator[tuple[int, str, tuple[int, int]]]:
    """Give where a file looks through what has one of some names, or through what is its own."""
    for first, text in chunks if names or is_own else ():
        for found in _THROUGH[family].finditer(text):
            if is_own if found.lastgroup == "own" else found[found.lastgroup or 0] in names:
                yield first, text, found.span()
