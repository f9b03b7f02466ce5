"""Where a project's programs begin, told from its published index alone."""

import re
from collections.abc import Iterable, Iterator
from typing import Final, Literal

import msgspec
import polars as pl

from codequarry.core.roles import is_test
from codequarry.core.text import cut
from codequarry.index.store import among, of_project, rows
from codequarry.retrieval.structure.manifests import MANIFESTS, scripts_of
from codequarry.retrieval.structure.view import GraphView

MAX_MANIFESTS: Final = 200
"""Manifests read at most, the shallowest first."""
MAX_SCANNED: Final = 300_000
"""Chunks of a project past which Python's ``__main__`` blocks are not looked for."""
_NAME_BYTES: Final = 200

_MAIN_NAMES: Final = ("main", "Main")
_MAIN_LANGUAGES: Final = frozenset(
    {"c", "cpp", "csharp", "cuda", "dart", "go", "java", "kotlin", "rust", "scala", "swift"}
)
_NEED_STATIC: Final = frozenset({"csharp", "java"})
_GO_MAIN: Final = re.compile(r"^package[ \t]+main\b", re.MULTILINE)
_PYTHON_MAIN: Final = re.compile(r"^if[ \t(]+__name__[ \t]*==[ \t]*(['\"])__main__\1", re.MULTILINE)
_RUST_BINARY: Final = re.compile(r"(^|/)(main|bin/[^/]+)\.rs$")

Kind = Literal["script", "main", "module"]


class EntryPoint(msgspec.Struct, frozen=True, omit_defaults=True):
    """One place where a program begins.

    Args:
        kind: ``script`` that a manifest declares, ``main`` function, or ``module`` that can be run.
        name: The command, the function's qualified name, or the module's.
        path: Its file; of a script, the manifest.
        line: 1-based; 1 of a script.
        runs: What a script runs, as the manifest says.
    """

    kind: Kind
    name: str
    path: str
    line: int
    runs: str = ""

    @property
    def order(self) -> tuple[bool, int, bytes, int, bytes, str]:
        """Scripts first, then the shallowest, then by path, line, name and kind: a total order."""
        place = (self.path.count("/"), self.path.encode(), self.line)
        return (self.kind != "script", *place, self.name.encode(), self.kind)


def entry_points_of(view: GraphView, project: str, files: pl.DataFrame) -> tuple[EntryPoint, ...]:
    """Find where a project's programs begin; tests are left out.

    Declared are ``[project.scripts]``, ``[project.gui-scripts]`` and Poetry's scripts of
    ``pyproject.toml``, ``bin`` of ``package.json`` and ``[[bin]]`` of ``Cargo.toml``; a manifest
    that cannot be read declares nothing.

    Args:
        view: The graph.
        project: The project.
        files: Its ``path``, ``language`` and ``chunks``.

    Returns:
        In their order.

    Raises:
        IndexMissing: The project, or its graph, was never published.
    """
    found = {
        *_declared(view, project, files["path"].to_list()),
        *_mains(view, project),
        *_modules(view, project, files),
    }
    return tuple(sorted(found, key=lambda one: one.order))


def is_scanned(files: pl.DataFrame) -> bool:
    """Tell whether a project is small enough to look for Python's ``__main__`` blocks."""
    return int(files["chunks"].sum()) <= MAX_SCANNED


def _declared(view: GraphView, project: str, paths: Iterable[str]) -> Iterator[EntryPoint]:
    named = [path for path in paths if _file_name(path) in MANIFESTS and not is_test(path)]
    named.sort(key=lambda path: (path.count("/"), path.encode()))
    chosen = named[:MAX_MANIFESTS]
    for path, text in _texts(view, project, among("path", chosen)) if chosen else ():
        for name, runs in scripts_of(_file_name(path), text).items():
            yield EntryPoint("script", cut(name, _NAME_BYTES), path, 1, cut(runs, _NAME_BYTES))


def _mains(view: GraphView, project: str) -> Iterator[EntryPoint]:
    where = f"{of_project(project)} AND {among('symbol', _MAIN_NAMES)}"
    wanted = among("language", sorted(_MAIN_LANGUAGES))
    found = [
        symbol
        for symbol in view.symbols(f"{where} AND {wanted} AND kind IN ('function', 'method')")
        if not symbol.is_test
    ]
    go = [symbol.path for symbol in found if symbol.language == "go"]
    programs = _go_programs(view, project, go) if go else frozenset()
    for symbol in found:
        if symbol.language == "go" and symbol.path not in programs:
            continue
        if symbol.language == "rust" and not _RUST_BINARY.search(symbol.path):
            continue
        if symbol.language in _NEED_STATIC and "static" not in symbol.signature:
            continue
        yield EntryPoint("main", symbol.fqn or symbol.symbol, symbol.path, symbol.start_line)


def _go_programs(view: GraphView, project: str, paths: Iterable[str]) -> frozenset[str]:
    where = f"{among('path', sorted(set(paths)))} AND content LIKE '%package%main%'"
    texts = _texts(view, project, where)
    return frozenset(path for path, text in texts if _GO_MAIN.search(text))


def _modules(view: GraphView, project: str, files: pl.DataFrame) -> Iterator[EntryPoint]:
    """Find Python's ``__main__`` blocks, and packages that can be run."""
    python = files.filter(pl.col("language") == "python")
    runnable = [path for path in python["path"] if _file_name(path) == "__main__.py"]
    blocks = "language = 'python' AND content LIKE '%__main__%'"
    scanned = _pieces(view, project, blocks) if python.height and is_scanned(files) else ()
    lines: dict[str, int] = dict.fromkeys(runnable, 1)
    for path, first, content in scanned:
        if match := _PYTHON_MAIN.search(content):
            line = first + content.count("\n", 0, match.start())
            lines.setdefault(path, line)
    for path, line in lines.items():
        if not is_test(path):
            yield EntryPoint("module", _module_name(path), path, line)


def _module_name(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__main__").replace("/", ".")


def _texts(view: GraphView, project: str, where: str) -> list[tuple[str, str]]:
    """Put the published pieces that a filter selects together: path and text, by path."""
    whole: dict[str, list[str]] = {}
    for path, _, content in _pieces(view, project, where):
        whole.setdefault(path, []).append(content)
    return [(path, "".join(parts)) for path, parts in whole.items()]


def _pieces(view: GraphView, project: str, where: str) -> list[tuple[str, int, str]]:
    """Give path, first line and content of chunks, by path and place."""
    (group,) = view.reader.groups([project])
    columns = ["path", "start_line", "start_byte", "content"]
    chunks = view.reader.table(group.table_name)
    found = pl.DataFrame(rows(chunks, f"{of_project(project)} AND {where}", columns))
    return found.sort("path", "start_byte").select("path", "start_line", "content").rows()


def _file_name(path: str) -> str:
    return path.rpartition("/")[2]
