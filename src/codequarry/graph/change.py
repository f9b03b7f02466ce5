"""A change of some files of a project, and the part of the graph after it that a few files see."""

from collections.abc import Set
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from codequarry.graph.declarations import declared_types, go_modules, namespaces
from codequarry.graph.defaults import Defaults
from codequarry.graph.fronts import Fronts
from codequarry.graph.layout import Layout
from codequarry.graph.nodes import Nodes
from codequarry.graph.stored import StoredGraph, excerpt, is_in, joined


class Surroundings(NamedTuple):
    """What some files may look up.

    Args:
        symbols: `codequarry.graph.stored.STORED_SYMBOLS` of the nodes.
        nodes: The same, for look-ups.
        layout: The project's files.
    """

    symbols: pa.Table
    nodes: Nodes
    layout: Layout


@dataclass(frozen=True)
class Change:
    """A change of some files.

    Args:
        root: The project's real path.
        project: Its name.
        snapshot: schemas.tables.SNAPSHOT of the whole project, after the change.
        stored: The graph before the change.
        fresh: schemas.tables.SYMBOLS of the changed files.
        renewed: The changed files.
        gone: The changed and the deleted files.
    """

    root: Path
    project: str
    snapshot: pa.Table
    stored: StoredGraph
    fresh: pa.Table
    renewed: Set[str]
    gone: Set[str]

    @cached_property
    def before(self) -> pa.Table:
        """The stored symbols of the changed and the deleted files."""
        return self.stored.symbols("path", self.gone)

    def around(self, linked: Set[str], names: Set[str] | None) -> Surroundings:
        """Give what unchanged files, and the changed ones, may look up after the change.

        Args:
            linked: These unchanged files.
            names: The names that all of them look up elsewhere; ``None`` for any name.
        """
        linked = self.renewed | linked
        symbols, nodes = excerpt(self.stored, self.fresh, self.gone, linked, names)
        layout = Layout(
            tuple(nodes.file_rows),
            go_modules(self.root, self.snapshot),
            self._namespaces,
            self.defaults,
            self.fronts,
        )
        return Surroundings(symbols, nodes, layout)

    @cached_property
    def defaults(self) -> Defaults:
        """What the files export as their default after the change."""
        return Defaults(self.root, self.snapshot)

    @cached_property
    def fronts(self) -> Fronts:
        """What the fronts of packages pass on after the change."""
        return Fronts(self.root, self.snapshot)

    @cached_property
    def modules(self) -> Layout:
        """Where the files lie after the change, as far as it takes to look through fronts."""
        paths = tuple(self.snapshot["path"].to_pylist())
        return Layout(paths, defaults=self.defaults, fronts=self.fronts)

    @cached_property
    def _namespaces(self) -> dict[str, tuple[str, ...]]:
        old = declared_types(self.stored.symbols("language", ["csharp"]))
        kept = old.filter(pc.invert(is_in(old["path"], self.gone)))
        return dict(namespaces(joined(kept, declared_types(self.fresh))))
