"""Which unchanged files a change may move an edge of."""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import polars as pl
import pyarrow as pa

from codequarry.graph.asking import name_key, word_key, words_of
from codequarry.graph.cache import MentionsCache
from codequarry.graph.declarations import (
    declared_types,
    go_modules,
    is_go_module_file,
    namespaces,
)
from codequarry.graph.gather import fill, key_of, sources_of
from codequarry.graph.nodes import nodes_of
from codequarry.graph.reach import Reach, reach_of
from codequarry.graph.sources import Source
from codequarry.graph.symbols import IS_FILE, in_order
from codequarry.syntax.grammars import grammar_of


def reach_of_change(
    root: Path, snapshot: pa.Table, before: pa.Table, fresh: pa.Table, gone: set[str]
) -> Reach:
    """Tell how far a change reaches.

    Args:
        root: The project's real path.
        snapshot: schemas.tables.SNAPSHOT after the change.
        before: schemas.tables.SYMBOLS of the changed and deleted files before it, in any order.
        fresh: The same after it.
        gone: The changed and deleted files.
    """
    frame = in_order(pl.DataFrame(pl.from_arrow(before)))
    before = frame.to_arrow()
    came_or_went = sorted(_files(before) ^ _files(fresh))
    is_go = any(grammar_of(path) == "go" for path in came_or_went)
    reach = reach_of(came_or_went, go_modules(root, snapshot).values() if is_go else ())
    if any(is_go_module_file(path) for path in gone):
        reach.family_beneath.add(("go", ""))
    old, new = _definitions(before), _definitions(fresh)
    changed = (place for place in old.keys() | new.keys() if old.get(place) != new.get(place))
    reach.keys.update(name_key(name) for _, name in changed)
    for namespace in _pairs(before) ^ _pairs(fresh):
        reach.keys.update(word_key(word) for word in words_of(namespace[0])[-1:] or [""])
    return reach


def affected_sources(
    root: Path, snapshot: pa.Table, reach: Reach, cache: MentionsCache
) -> list[Source]:
    """Give the files that a change reaches, changed ones among them.

    Args:
        root: The project's real path.
        snapshot: schemas.tables.SNAPSHOT after the change.
        reach: How far the change reaches.
        cache: The project's cache; files that it does not know are parsed.
    """
    if reach.is_empty:
        return []
    sources = sources_of(root, snapshot)
    fill(sources, cache)
    untouched = cache.untouched(reach.keys)
    return [
        source
        for source in sources
        if key_of(source, cache) not in untouched or reach.covers(source.path, source.grammar)
    ]


def _files(symbols: pa.Table) -> set[str]:
    frame = pl.DataFrame(pl.from_arrow(symbols))
    return set(frame.filter(IS_FILE)["path"].to_list())


def _pairs(symbols: pa.Table) -> set[tuple[str, str]]:
    found = namespaces(declared_types(symbols))
    return {(namespace, path) for namespace, paths in found.items() for path in paths}


def _definitions(symbols: pa.Table) -> Mapping[tuple[str, str], list[tuple[int, bool]]]:
    """Give, for each name in a file, the key of each node of it and whether it lies in a type."""
    nodes = nodes_of(symbols)
    found: dict[tuple[str, str], list[tuple[int, bool]]] = defaultdict(list)
    ids = symbols["symbol_id"].to_pylist()
    for row, identity in enumerate(ids):
        if nodes.files[row] != row:
            found[nodes.paths[row], nodes.names[row]].append((identity, nodes.members[row]))
    return dict(found)
