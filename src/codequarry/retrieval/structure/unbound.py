"""Mentions of a symbol that no edge, definition, import or comment explains."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from codequarry.graph.conventions import ECMASCRIPT
from codequarry.graph.spans import Spans
from codequarry.index.store import among, of_project
from codequarry.retrieval.structure.aliases import Alias
from codequarry.retrieval.structure.named import Named
from codequarry.retrieval.structure.statements import (
    family_of,
    is_comment,
    is_handed_on,
    is_import,
    is_renamed,
    occurrences,
    spelled,
)
from codequarry.retrieval.structure.symbols import Symbol
from codequarry.retrieval.structure.taken import EVERYWHERE
from codequarry.retrieval.structure.view import GraphView

_FILES_PER_READ = 500
_SHAPES = frozenset({"type", "interface"})
_CALLABLE = frozenset({"function", "method"})


class _File(NamedTuple):
    """What the graph knows of one file.

    Args:
        symbols: The file's symbols in the order of lines, without its own node.
        node: Key of its own node.
        users: Key of the source, and bare name of the target, of each edge to a symbol asked about.
        shown: Line and bare name of the target of each of these.
        functions: Bare names of the functions asked about.
        others: Line and bare name to the targets of the other edges that can be trusted.
        imports: Whether it has imports of the project.
    """

    symbols: list[Symbol]
    node: int
    users: set[tuple[int, str]]
    shown: set[tuple[int, str]]
    functions: frozenset[str]
    others: dict[tuple[int, str], set[int]]
    imports: bool


def unbound(
    view: GraphView,
    project: str,
    lines: Sequence[Named],
    asked: Collection[int],
    aliases: Collection[Alias] = (),
) -> tuple[Named, ...]:
    """Give the lines with a mention that nothing explains, in their order.

    Each mention is explained by being a definition of the name, a comment, or an import; by
    standing in a symbol that has an edge to what is asked about, unless it is a function and is no
    call, or a variable takes it; or by an edge to another symbol so named, on its line or where the
    same chain of names stands before it in the same symbol. An edge that was told by the name
    alone, that overloads share, or that leads to a shape which anything may have (an interface of
    TypeScript, a protocol of Python) explains nothing else.

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
            meant: dict[str, set[str]] = defaultdict(set)
            for alias in aliases:
                if alias.path in (EVERYWHERE, path):
                    meant[alias.local].add(alias.name)
            found += _unexplained(files[path], named, meant)
    return tuple(found)


def _files(
    view: GraphView, project: str, paths: Sequence[str], asked: Mapping[int, Symbol]
) -> dict[str, _File]:
    where = f"{of_project(project)} AND {among('path', paths)}"
    inside: dict[str, list[Symbol]] = {path: [] for path in paths}
    for symbol in view.symbols(where):
        inside[symbol.path].append(symbol)
    edges = view.edge_rows(f"{where} AND kind != 'contains'").to_pylist()
    targets = view.by_ids({row["target_id"] for row in edges if row["kind"] != "imports"})
    shapes = _shapes(view, targets.values(), asked)
    importing = {row["path"] for row in edges if row["kind"] == "imports"}
    functions = frozenset(s.symbol for s in asked.values() if s.kind in _CALLABLE)
    files = {
        path: _File(
            [symbol for symbol in symbols if not symbol.is_file],
            next((symbol.symbol_id for symbol in symbols if symbol.is_file), 0),
            set(),
            set(),
            functions,
            defaultdict(set),
            path in importing,
        )
        for path, symbols in inside.items()
    }
    overloaded = {(symbol.path, symbol.fqn) for symbol in asked.values()}
    for row in edges:
        target = targets.get(row["target_id"])
        if target is not None:
            is_shared = (target.path, target.fqn) in overloaded or target.symbol_id in shapes
            _note(files[row["path"]], row, target, target.symbol_id in asked, is_shared)
    return files


def _note(
    file: _File, row: Mapping[str, Any], target: Symbol, is_asked: bool, is_shared: bool
) -> None:
    place = (row["line"], target.symbol)
    if is_asked:
        file.users.add((row["source_id"], target.symbol))
        file.shown.add(place)
    elif row["resolution"] != "name" and not is_shared:
        file.others[place].add(target.symbol_id)


def _shapes(
    view: GraphView, targets: Iterable[Symbol], asked: Mapping[int, Symbol]
) -> frozenset[int]:
    """Give the targets whose callers may call a method asked about, whatever its type declares."""
    names = {symbol.symbol for symbol in asked.values() if symbol.kind == "method"}
    methods = [
        target.symbol_id
        for target in targets
        if target.symbol in names and family_of(target.path) in ("python", ECMASCRIPT)
    ]
    if not methods:
        return frozenset()
    holds = view.edges(methods, "in", ("contains",))
    holders = view.by_ids(set(holds["source_id"].to_pylist()))
    shapes = {k for k, s in holders.items() if s.kind in _SHAPES or "Protocol" in s.signature}
    pairs = zip(holds["source_id"].to_pylist(), holds["target_id"].to_pylist(), strict=True)
    return frozenset(target for holder, target in pairs if holder in shapes)


class _Mention(NamedTuple):
    """One mention that is neither a definition, nor a comment, nor an import.

    Args:
        line: Its line.
        owner: Key of the symbol around it.
        names: The bare names of what it may mean.
        chain: What stands before it; ``None`` for an expression.
        is_handed_on: Whether it is surely no call.
        is_renamed: Whether a variable takes it as it is.
    """

    line: Named
    owner: int
    names: frozenset[str]
    chain: str | None
    is_handed_on: bool
    is_renamed: bool


def _unexplained(
    file: _File, lines: Sequence[Named], meant: Mapping[str, Collection[str]]
) -> Iterable[Named]:
    mentions = _mentions(file, lines, meant)
    told_lines, told_chains = _told(file, mentions)
    found = {
        mention.line: None
        for mention in mentions
        if not any(
            _is_users(file, mention, name)
            or (mention.line.line, name) in told_lines
            or (mention.owner, name, mention.chain) in told_chains
            for name in mention.names
        )
    }
    return list(found)


def _is_users(file: _File, mention: _Mention, name: str) -> bool:
    """Tell whether a mention is one of a user that has an edge."""
    if mention.is_renamed or (mention.is_handed_on and name in file.functions):
        return False
    return (mention.owner, name) in file.users or (mention.line.line, name) in file.shown


def _mentions(
    file: _File, lines: Sequence[Named], meant: Mapping[str, Collection[str]]
) -> list[_Mention]:
    spans = Spans(
        [symbol.start_line for symbol in file.symbols],
        [symbol.end_line for symbol in file.symbols],
        [symbol.fqn for symbol in file.symbols],
    )
    keys = [*(symbol.symbol_id for symbol in file.symbols), file.node]
    definitions = _definitions(file, lines)
    found = []
    for line, owner in zip(lines, spans.owners([line.line for line in lines]), strict=True):
        names = frozenset({line.name, *meant.get(line.name, ())})
        places = list(occurrences(line)) or [(0, len(line.text))]
        if (line.line, line.name) in definitions:
            del places[0]
        for start, end in places:
            if not is_comment(line, end) and not (file.imports and is_import(line, start, end)):
                looks = [tells(line, start, end) for tells in (is_handed_on, is_renamed)]
                chain = spelled(line.text, start)
                found.append(_Mention(line, keys[owner], names, chain, *looks))
    return found


def _told(
    file: _File, mentions: Sequence[_Mention]
) -> tuple[set[tuple[int, str]], set[tuple[int, str, str | None]]]:
    """Give the lines whose mentions lead elsewhere, and the chains that do so in a symbol."""
    on_line: dict[tuple[int, str], list[_Mention]] = defaultdict(list)
    for mention in mentions:
        for name in mention.names:
            if (mention.line.line, name) in file.others:
                on_line[mention.line.line, name].append(mention)
    lines: set[tuple[int, str]] = set()
    chains: set[tuple[int, str, str | None]] = set()
    for place, some in on_line.items():
        plain = {mention.chain for mention in some if mention.chain is not None}
        unknown = sum(mention.chain is None for mention in some)
        if len(plain) + unknown <= len(file.others[place]):
            lines.add(place)
            chains.update((some[0].owner, place[1], chain) for chain in plain)
    return lines, chains


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
