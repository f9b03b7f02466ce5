"""A project on disk whose stored graph moves by deltas."""

from collections.abc import Mapping
from pathlib import Path

import polars as pl
import pyarrow as pa

from codequarry.graph.build import Graph, build_graph
from codequarry.graph.cache import MentionsCache
from codequarry.graph.delta import GraphDelta, build_delta
from codequarry.graph.stored import STORED_EDGES, STORED_SYMBOLS, GraphTables, is_in
from codequarry.schemas.tables import EDGES, SYMBOLS
from codequarry.sources.walk import inventory
from tests.graph.projects import lay_out, records_of

BOX = "class Box:\n    def open_lid(self):\n        pass\n"
USER = "from box import Box\n\ndef use(x):\n    x.open_lid()\n    Box()\n"


class Project:
    """A project on disk with its stored graph."""

    def __init__(self, root: Path, cache: MentionsCache | None) -> None:
        self.root = root
        self.cache = cache
        self.files: dict[str, str] = {}
        self.graph = self.rebuilt(cache)

    def change(self, files: Mapping[str, str | None]) -> GraphDelta:
        """Write and remove files, and apply the delta to the stored graph."""
        for path, content in files.items():
            if content is None:
                (self.root / path).unlink(missing_ok=True)
                self.files.pop(path, None)
            else:
                lay_out(self.root, {path: content})
        changed = {p for p, content in files.items() if content not in (None, self.files.get(p))}
        self.files.update({p: content for p, content in files.items() if content is not None})
        snapshot = inventory(self.root).files
        records = records_of(self.root, snapshot)
        delta = build_delta(
            self.root.resolve(),
            "demo",
            snapshot,
            records.filter(is_in(records["file"], changed)),
            changed,
            [path for path, content in files.items() if content is None],
            GraphTables(
                self.graph.symbols.select(STORED_SYMBOLS), self.graph.edges.select(STORED_EDGES)
            ),
            self.cache,
        )
        symbols = _replaced(self.graph.symbols, delta.symbol_paths, delta.symbols)
        edges = _replaced(self.graph.edges, delta.edge_paths, delta.edges)
        self.graph = Graph(symbols, edges, delta.counts, delta.failures)
        return delta

    def rebuilt(self, cache: MentionsCache | None) -> Graph:
        """Build the graph of what is on disk from nothing."""
        snapshot = inventory(self.root).files
        records = records_of(self.root, snapshot)
        return build_graph(self.root.resolve(), "demo", snapshot, records, cache)


def _replaced(stored: pa.Table, paths: tuple[str, ...], rows: pa.Table) -> pa.Table:
    kept = pl.DataFrame(pl.from_arrow(stored)).filter(~pl.col("path").is_in(list(paths)))
    return pa.concat_tables([kept.to_arrow().cast(stored.schema), rows])


def _difference(left: pa.Table, right: pa.Table) -> pl.DataFrame:
    """Give the rows that only one of two tables has, and those that one repeats."""
    one, other = (pl.DataFrame(pl.from_arrow(table)) for table in (left, right))
    lone = [one.join(other, one.columns, "anti"), other.join(one, one.columns, "anti")]
    return pl.concat([*lone, one.filter(one.is_duplicated())])


def assert_equal(graph: Graph, expected: Graph) -> None:
    assert graph.symbols.schema.equals(SYMBOLS, check_metadata=True)
    assert graph.edges.schema.equals(EDGES, check_metadata=True)
    assert _difference(graph.symbols, expected.symbols).is_empty()
    assert _difference(graph.edges, expected.edges).is_empty()


def checked(
    tmp_path: Path, start: Mapping[str, str], change: Mapping[str, str | None]
) -> GraphDelta:
    """Apply one change, and compare with a build from nothing."""
    lay_out(tmp_path, start)
    cache = MentionsCache(None)
    project = Project(tmp_path, cache)
    project.files.update(start)
    delta = project.change(change)
    assert_equal(project.graph, project.rebuilt(cache))
    cache.close()
    return delta
