"""Step 5: the nodes and edges of the code graph."""

import contextlib
from dataclasses import asdict
from functools import cached_property
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from codequarry.core.changeset import Changeset, ChangesetStream, Header, tables
from codequarry.core.state import StateDirectory
from codequarry.graph.build import Graph, build_graph
from codequarry.graph.cache import MentionsCache
from codequarry.graph.delta import GraphDelta, build_delta
from codequarry.graph.stored import (
    STORED_EDGES,
    STORED_SYMBOLS,
    StoredGraph,
    Values,
    having,
)
from codequarry.index import store as lance
from codequarry.index.ledger import published
from codequarry.runs.records import RECORDS_TABLE
from codequarry.runs.snapshot import SNAPSHOT
from codequarry.schemas.tables import EDGES, SYMBOLS

SYMBOLS_TABLE, EDGES_TABLE = "symbols", "edges"
MAX_NAMED = 100
MAX_ASKED = 10_000
"""Values that a look-up in the tables names, at most; for more of them everything is read."""


def build(state: StateDirectory, snapshot: Changeset, records: Changeset) -> ChangesetStream:
    """Build the graph of the files that the run touches.

    The note ``edge_paths`` names the files whose edges are replaced, ``None`` meaning all: in a
    delta also files that did not change but now mean other symbols.
    """
    header, plan = records.header, records.header.plan
    if plan.mode == "none":
        empty = {EDGES_TABLE: EDGES.empty_table(), SYMBOLS_TABLE: SYMBOLS.empty_table()}
        return tables(header, empty, edge_paths=[])
    with contextlib.closing(MentionsCache(state.graph, header.project)) as cache:
        if plan.mode == "full":
            return _whole(cache, snapshot, records)
        return _delta(cache, snapshot, records, PublishedGraph(state, header.project))


def _whole(cache: MentionsCache, snapshot: Changeset, records: Changeset) -> ChangesetStream:
    header = records.header
    graph = build_graph(
        Path(header.root),
        header.project,
        snapshot.tables[SNAPSHOT],
        records.tables[RECORDS_TABLE],
        cache,
    )
    return _stream(header, graph, None)


def _delta(
    cache: MentionsCache, snapshot: Changeset, records: Changeset, before: StoredGraph
) -> ChangesetStream:
    header, plan = records.header, records.header.plan
    delta = build_delta(
        Path(header.root),
        header.project,
        snapshot.tables[SNAPSHOT],
        records.tables[RECORDS_TABLE],
        plan.changed,
        plan.deleted,
        before,
        cache,
    )
    return _stream(header, delta, list(delta.edge_paths))


def _stream(
    header: Header, graph: Graph | GraphDelta, edge_paths: list[str] | None
) -> ChangesetStream:
    return tables(
        header,
        {EDGES_TABLE: graph.edges, SYMBOLS_TABLE: graph.symbols},
        edge_paths=edge_paths,
        counts=asdict(graph.counts),
        failures=dict(graph.failures[:MAX_NAMED]),
    )


class PublishedGraph:
    """The graph as it is published; implements `StoredGraph`."""

    def __init__(self, state: StateDirectory, project: str) -> None:
        store = lance.Store(state)
        versions = published(store).versions
        self._project = lance.of_project(project)
        self._symbols, self._edges = (
            store.open(name, versions[name]) for name in (lance.SYMBOLS, lance.EDGES)
        )

    def symbols(self, column: str, values: Values) -> pa.Table:
        """Give `STORED_SYMBOLS` of the rows that have one of some values in a column."""
        if len(values) > MAX_ASKED:
            return having(self.all_symbols, column, values)
        return lance.rows(self._symbols, self._having(column, values), STORED_SYMBOLS)

    def edges(self, column: str, values: Values) -> pa.Table:
        """Give `STORED_EDGES` of the rows that have one of some values in a column."""
        if len(values) > MAX_ASKED:
            return having(self._all_edges, column, values)
        return lance.rows(self._edges, self._having(column, values), STORED_EDGES)

    @cached_property
    def all_symbols(self) -> pa.Table:
        """`STORED_SYMBOLS` of all rows."""
        return lance.rows(self._symbols, self._project, STORED_SYMBOLS)

    @cached_property
    def _all_edges(self) -> pa.Table:
        return lance.rows(self._edges, self._project, STORED_EDGES)

    def _having(self, column: str, values: Values) -> str:
        listed = ", ".join(lance.quote(v) if isinstance(v, str) else str(v) for v in values)
        return f"{self._project} AND {column} IN ({listed})" if listed else "false"


def dangling_edges(state: StateDirectory, stored: Changeset) -> list[str]:
    """Give the edges without one of their endpoints, of those the run made.

    A delta's edges may end in symbols of files it left alone, so those count as present too.
    """
    edges, plan = stored.tables[EDGES_TABLE], stored.header.plan
    missing = _without(_ends(edges), stored.tables[SYMBOLS_TABLE]["symbol_id"])
    if len(missing) and plan.mode == "delta":
        graph = PublishedGraph(state, stored.header.project)
        kept = graph.symbols("symbol_id", missing.to_pylist())
        gone = pa.array([*plan.changed, *plan.deleted], pa.string())
        missing = _without(
            missing, kept["symbol_id"].filter(pc.invert(pc.is_in(kept["path"], gone)))
        )
    loose = pc.or_(pc.is_in(edges["source_id"], missing), pc.is_in(edges["target_id"], missing))
    found = edges.filter(loose).slice(0, MAX_NAMED)
    return [f"{row['path']}:{row['line']} {row['kind']}" for row in found.to_pylist()]


def _ends(edges: pa.Table) -> pa.Array:
    both = [*edges["source_id"].chunks, *edges["target_id"].chunks]
    return pa.chunked_array(both, pa.int64()).unique()


def _without(keys: pa.Array, known: pa.ChunkedArray) -> pa.Array:
    return keys.filter(pc.invert(pc.is_in(keys, known.combine_chunks())))
