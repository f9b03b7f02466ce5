"""What of a change reaches files through the fronts of packages that they import."""

from collections.abc import Iterable, Iterator, Set

import polars as pl
import pyarrow.compute as pc

from codequarry.graph.asking import takes_default
from codequarry.graph.chains import behind
from codequarry.graph.change import Change
from codequarry.graph.conventions import ECMASCRIPT, convention_of
from codequarry.graph.fronts import is_front
from codequarry.graph.gather import Gathered
from codequarry.graph.imports import Import
from codequarry.graph.layout import Layout
from codequarry.graph.modules import bind
from codequarry.graph.symbols import IS_FILE

_LOOKED_THROUGH = frozenset({"python", "rust", ECMASCRIPT})


def beyond_fronts(change: Change, is_moved: bool, rebound: Set[str]) -> set[str]:
    """Give the unchanged files that a change may reach through fronts.

    These are who imports a front that changed or may mean other files; and who imports a front that
    passes a name on under another one, once a definition in a file behind it changed, or a default
    export may have. Who takes a name as it is asks for it by that name (`codequarry.graph.asking`).

    Args:
        change: The change.
        is_moved: Whether a definition came, went or moved.
        rebound: Unchanged files of which an import may mean other files than before.
    """
    matters = change.fronts.renames if is_moved else change.fronts.takes_default
    telling = set(filter(is_front, {*change.gone, *rebound}))
    telling |= set(filter(matters, _fronts_above(change, change.gone)))
    return _importers(change, telling | _fronts_above(change, telling)) - change.gone


def _fronts_above(change: Change, paths: Set[str]) -> set[str]:
    """Give the unchanged fronts that import some files, or a front that does."""
    found: set[str] = set()
    waiting = set(paths)
    while waiting:
        waiting = set(filter(is_front, _importers(change, waiting))) - found - change.gone
        found |= waiting
    return found


def names_taken(file: Gathered, layout: Layout) -> set[str]:
    """Give the names, in their own files, of what a file imports as a default or through fronts."""
    grammar = file.source.grammar
    if file.mentions is None or convention_of(grammar).family not in _LOOKED_THROUGH:
        return set()
    used = {reference.name for reference in file.mentions.references}
    found: set[str] = set()
    for what in file.mentions.imports:
        found.update(_names(file.source.path, grammar, what, used, layout))
    return found


def _names(path: str, grammar: str, what: Import, used: Set[str], layout: Layout) -> Iterator[str]:
    bound = bind(layout, path, grammar, what)
    if takes_default(what):
        yield bound.default
    for front in filter(is_front, bound.files):
        for name in {what.imported, *used} & layout.passed_on(front).keys():
            for meaning in behind(layout, front, name):
                yield from (meaning.imported, meaning.default)


def _importers(change: Change, paths: Iterable[str]) -> set[str]:
    """Give the files that import some files, before the change."""
    symbols = pl.DataFrame(pl.from_arrow(change.stored.symbols("path", list(paths))))
    keys = symbols.filter(IS_FILE)["symbol_id"].to_list()
    edges = change.stored.edges("target_id", keys)
    return set(edges["path"].filter(pc.equal(edges["kind"], "imports")).to_pylist())
