"""Lines that name a symbol and that no edge, definition, import or comment explains."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from codequarry.graph.spans import Spans
from codequarry.index.store import among, of_project
from codequarry.retrieval.structure.aliases import EVERYWHERE, Alias
from codequarry.retrieval.structure.named import Named
from codequarry.retrieval.structure.symbols import Symbol
from codequarry.retrieval.structure.view import GraphView

_FILES_PER_READ = 500
_COMMENT = re.compile(r"\s*(?:#(?![a-z\[])|//|/\*(?!.*\*/)|\*(?=[\s/])|--\s|<!--)")
_IMPORT = re.compile(
    r"\s*(?:pub\s+)?(?:(?:from|import|use|using|include|require\w*)[\s{*]|#include\b|export\s*[*{]"
    r"|(?:const|let|var)\s.*=\s*require\()"
)


class _File(NamedTuple):
    """What the graph knows of one file.

    Args:
        symbols: The file's symbols in the order of lines, without its own node.
        node: Key of its own node.
        bound: Key of the source, and bare name of the target, of each edge that can be trusted.
        shown: Line and bare name of the target of each of these.
        imports: Whether it has imports of the project.
    """

    symbols: list[Symbol]
    node: int
    bound: set[tuple[int, str]]
    shown: set[tuple[int, str]]
    imports: bool


def unbound(
    view: GraphView,
    project: str,
    lines: Sequence[Named],
    asked: Collection[int],
    aliases: Collection[Alias] = (),
) -> tuple[Named, ...]:
    """Give the lines that nothing explains, in their order.

    A line is explained by an edge of the symbol around it to one so named, unless the edge was told
    by the name alone and leads elsewhere, or is the one that overloads share and leads to another;
    or by being a definition of the name, a comment, or an import.

    Args:
        view: The graph.
        project: The project.
        lines: Lines that name symbols, ascending by path.
        asked: Keys of the symbols that are asked about.
        aliases: Other names of these, as some lines may have them.
    """
    by_path = [(path, list(some)) for path, some in groupby(lines, key=lambda line: line.path)]
    found: list[Named] = []
    known = view.by_ids(asked)
    for start in range(0, len(by_path), _FILES_PER_READ):
        some = by_path[start : start + _FILES_PER_READ]
        files = _files(view, project, [path for path, _ in some], known)
        for path, named in some:
            meant = {a.local: a.name for a in aliases if a.path in (EVERYWHERE, path)}
            found += _unexplained(files[path], named, meant)
    return tuple(found)


def _files(
    view: GraphView, project: str, paths: Sequence[str], asked: Mapping[int, Symbol]
) -> dict[str, _File]:
    where = f"{of_project(project)} AND {among('path', paths)}"
    symbols: dict[str, list[Symbol]] = {path: [] for path in paths}
    for symbol in view.symbols(where):
        symbols[symbol.path].append(symbol)
    edges = view.edge_rows(f"{where} AND kind != 'contains'").to_pylist()
    targets = view.by_ids({row["target_id"] for row in edges if row["kind"] != "imports"})
    bound: dict[str, set[tuple[int, str]]] = {path: set() for path in paths}
    shown: dict[str, set[tuple[int, str]]] = {path: set() for path in paths}
    overloaded = {(symbol.path, symbol.fqn) for symbol in asked.values()}
    importing = {row["path"] for row in edges if row["kind"] == "imports"}
    for row in edges:
        target = targets.get(row["target_id"])
        if target is None:
            continue
        leads_elsewhere = row["resolution"] == "name" or (target.path, target.fqn) in overloaded
        if target.symbol_id in asked or not leads_elsewhere:
            bound[row["path"]].add((row["source_id"], target.symbol))
            shown[row["path"]].add((row["line"], target.symbol))
    return {
        path: _File(
            [symbol for symbol in inside if not symbol.is_file],
            next((symbol.symbol_id for symbol in inside if symbol.is_file), 0),
            bound[path],
            shown[path],
            path in importing,
        )
        for path, inside in symbols.items()
    }


def _unexplained(file: _File, lines: Sequence[Named], meant: Mapping[str, str]) -> Iterable[Named]:
    spans = Spans(
        [symbol.start_line for symbol in file.symbols],
        [symbol.end_line for symbol in file.symbols],
        [symbol.fqn for symbol in file.symbols],
    )
    around = spans.owners([line.line for line in lines])
    keys = [*(symbol.symbol_id for symbol in file.symbols), file.node]
    definitions = _definitions(file, lines)
    for line, owner in zip(lines, around, strict=True):
        names = {line.name, meant.get(line.name, line.name)}
        if (line.line, line.name) in definitions or any(
            (line.line, name) in file.shown or (keys[owner], name) in file.bound for name in names
        ):
            continue
        if not _COMMENT.match(line.text) and not (file.imports and _is_import(line)):
            yield line


def _is_import(line: Named) -> bool:
    return bool(_IMPORT.match(line.text) or _IMPORT.match(line.head))


def _definitions(file: _File, lines: Sequence[Named]) -> set[tuple[int, str]]:
    """Give, of each symbol of the names, the first line from its own beginning that names it."""
    numbers: dict[str, list[int]] = {}
    for line in lines:
        numbers.setdefault(line.name, []).append(line.line)
    found = set()
    for symbol in file.symbols:
        inside = (n for n in numbers.get(symbol.symbol, ()) if n >= symbol.start_line)
        first = next(inside, 0)
        if 0 < first <= symbol.end_line:
            found.add((first, symbol.symbol))
    return found
