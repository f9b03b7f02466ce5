"""Which unchanged files a change may move an edge of."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from codequarry.graph.asking import (
    ANY,
    BOUND,
    METHOD,
    OWNED,
    TAKES_DEFAULT,
    Ask,
    word_key,
    words_of,
)
from codequarry.graph.cache import MentionsCache, content_key
from codequarry.graph.change import Change
from codequarry.graph.conventions import ECMASCRIPT, convention_of
from codequarry.graph.declarations import (
    declared_types,
    go_modules,
    is_go_module_file,
    namespaces,
)
from codequarry.graph.gather import fill, key_of, sources_of
from codequarry.graph.nodes import nodes_of
from codequarry.graph.queries import REFERENCE_GRAMMARS
from codequarry.graph.reach import Reach, reach_of
from codequarry.graph.sources import Source
from codequarry.graph.stored import StoredGraph
from codequarry.graph.symbols import IS_FILE, in_order
from codequarry.syntax.grammars import grammar_of

_AMBIGUOUS = 2


@dataclass
class Touched:
    """What a change touches.

    Args:
        names: The names of which a definition came, went or moved.
        asks: Checksums of asks whose answer may be another.
        anew: The imports that may mean other files.
        bound: Checksums of asks that count for who imports one of the changed files.
        importers: The imports that may mean one of these.
        takers: Files that import one of the changed files of ECMAScript, whose default export may
            be another.
    """

    names: set[str]
    asks: set[int]
    anew: Reach
    bound: set[int] = field(default_factory=set)
    importers: Reach = field(default_factory=Reach)
    takers: Set[str] = frozenset()


class _Definition(NamedTuple):
    key: int
    is_member: bool
    owner: str


def touched_by(change: Change) -> Touched:
    """Tell what a change touches."""
    root, snapshot, stored, gone = change.root, change.snapshot, change.stored, change.gone
    fresh = change.fresh
    before = in_order(pl.DataFrame(pl.from_arrow(change.before))).to_arrow()
    modules = _modules(root, snapshot, gone)
    anew = reach_of(_files(before) ^ _files(fresh), modules)
    if any(is_go_module_file(path) for path in gone):
        anew.family_beneath.add(("go", ""))
    homes, new_homes = _homes(before), _homes(fresh)
    anew.keys.update(word_key(_last(namespace)) for namespace, _ in homes ^ new_homes)

    moved = _moved(_definitions(before), _definitions(fresh))
    touched = Touched({name for _, name in moved}, _asks(moved, stored, gone), anew)
    touched.takers = _takers(before, stored, gone)
    if members := [place for place, found in moved.items() if any(d.is_member for d in found)]:
        touched.bound = {Ask(BOUND, name).key for _, name in members}
        touched.importers = reach_of({path for path, _ in members}, modules)
        touched.importers.keys.update(word_key(_last(name)) for name, _ in homes | new_homes)
    return touched


def affected_sources(
    change: Change, touched: Touched, cache: MentionsCache
) -> tuple[list[Source], list[Source]]:
    """Give the files of which an edge may move, changed ones among them.

    Args:
        change: The change.
        touched: What it touches.
        cache: The project's cache; files that it does not know are parsed.

    Returns:
        Those of which an import may mean other files than before, or of which nothing is known;
        and those that only mention what the change touches.
    """
    anew, importers = touched.anew, touched.importers
    if not (touched.asks or touched.takers) and anew.is_empty and importers.is_empty:
        return [], []
    contents = _contents(change.snapshot, cache)
    new = contents.keys() - cache.known(failed=True)
    if new:
        fill(sources_of(change.root, _rows(change.snapshot, contents, new)), cache)
    settled, quiet, unbound, strangers, untaking = cache.untouched(
        anew.keys, touched.asks, touched.bound, importers.keys, TAKES_DEFAULT
    )

    def mentions(source: Source) -> bool:
        key = key_of(source, cache)
        if key not in quiet:
            return True
        reached = key not in strangers or importers.covers(source.path, source.grammar)
        return key not in unbound and reached

    calm = set() if anew.beneath or anew.family_beneath else settled & quiet & unbound
    calm = calm & untaking if touched.takers else calm
    rows = _rows(change.snapshot, contents, contents.keys() - calm)
    rebound, suspects = [], []
    for source in sources_of(change.root, rows):
        takes = source.path in touched.takers and key_of(source, cache) not in untaking
        reached = anew.covers(source.path, source.grammar)
        if takes or reached or key_of(source, cache) not in settled:
            rebound.append(source)
        elif mentions(source):
            suspects.append(source)
    return rebound, suspects


def _contents(snapshot: pa.Table, cache: MentionsCache) -> Mapping[bytes, list[int]]:
    """Map the cache's key of each content that may hold references to the rows that have it."""
    rows: dict[bytes, list[int]] = defaultdict(list)
    hashed = zip(snapshot["path"].to_pylist(), snapshot["sha256"].to_pylist(), strict=True)
    for row, (path, sha256) in enumerate(hashed):
        if (grammar := grammar_of(path)) in REFERENCE_GRAMMARS:
            rows[content_key(cache.extractor, grammar, sha256)].append(row)
    return rows


def _rows(snapshot: pa.Table, contents: Mapping[bytes, list[int]], keys: Set[bytes]) -> pa.Table:
    """Give the files that have one of some contents, in the order of the snapshot."""
    rows = sorted(row for key in keys for row in contents[key])
    return snapshot.take(pa.array(rows, pa.int64()))


_Place = tuple[str, str]
"""A path and a name."""


def _definitions(symbols: pa.Table) -> Mapping[_Place, list[_Definition]]:
    nodes = nodes_of(symbols)
    found: dict[_Place, list[_Definition]] = defaultdict(list)
    for row, key in enumerate(symbols["symbol_id"].to_pylist()):
        if nodes.files[row] != row:
            definition = _Definition(key, nodes.members[row], nodes.owners[row])
            found[nodes.paths[row], nodes.names[row]].append(definition)
    return found


def _moved(
    old: Mapping[_Place, list[_Definition]], new: Mapping[_Place, list[_Definition]]
) -> Mapping[_Place, list[_Definition]]:
    """Give what was and is defined at each place where that is not the same."""
    places = [place for place in old.keys() | new.keys() if old.get(place) != new.get(place)]
    return {place: [*old.get(place, ()), *new.get(place, ())] for place in places}


def _asks(
    moved: Mapping[_Place, list[_Definition]], stored: StoredGraph, gone: Set[str]
) -> set[int]:
    ambiguous = _ambiguous({name for _, name in moved}, stored, gone)
    found: set[int] = set()
    for (path, name), definitions in moved.items():
        found.add(Ask(ANY, name).key)
        found.update(Ask(OWNED, name, definition.owner).key for definition in definitions)
        if not all(definition.is_member for definition in definitions):
            found.add(Ask(BOUND, name).key)
        is_method = any(definition.is_member for definition in definitions)
        if is_method and (_family(path), name) not in ambiguous:
            found.add(Ask(METHOD, name).key)
    return found


def _takers(before: pa.Table, stored: StoredGraph, gone: Set[str]) -> Set[str]:
    """Give the unchanged files that import one of the changed ones of ECMAScript."""
    files = pl.DataFrame(pl.from_arrow(before)).filter(IS_FILE)
    keys = [key for key, path in files.select("symbol_id", "path").iter_rows() if _is_script(path)]
    edges = stored.edges("target_id", keys)
    return set(edges["path"].filter(pc.equal(edges["kind"], "imports")).to_pylist()) - gone


def _is_script(path: str) -> bool:
    return _family(path) == ECMASCRIPT


def _ambiguous(names: set[str], stored: StoredGraph, gone: Set[str]) -> set[tuple[str, str]]:
    """Give the language families and names that mean several methods, whatever is changed."""
    rows = stored.symbols("symbol", names)
    rows = rows.filter(pc.equal(rows["kind"], "method"))
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for path, name in zip(rows["path"].to_pylist(), rows["symbol"].to_pylist(), strict=True):
        if path not in gone:
            counts[_family(path), name] += 1
    return {place for place, count in counts.items() if count >= _AMBIGUOUS}


def _family(path: str) -> str:
    return convention_of(grammar_of(path)).family


def _modules(root: Path, snapshot: pa.Table, paths: Iterable[str]) -> list[str]:
    """Give the project's Go modules, when one of some files is written in Go."""
    if any(grammar_of(path) == "go" for path in paths):
        return list(go_modules(root, snapshot).values())
    return []


def _files(symbols: pa.Table) -> set[str]:
    frame = pl.DataFrame(pl.from_arrow(symbols))
    return set(frame.filter(IS_FILE)["path"].to_list())


def _homes(symbols: pa.Table) -> set[tuple[str, str]]:
    """Give each C# namespace with each file that declares types in it."""
    found = namespaces(declared_types(symbols))
    return {(namespace, path) for namespace, paths in found.items() for path in paths}


def _last(namespace: str) -> str:
    return next(reversed(words_of(namespace)), "")
