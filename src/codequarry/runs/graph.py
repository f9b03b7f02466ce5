"""Step 5: the nodes and edges of the code graph."""

import contextlib
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from codequarry.core.changeset import Changeset, ChangesetStream, Header, tables
from codequarry.core.state import StateDirectory
from codequarry.graph.build import Graph, build_graph
from codequarry.graph.cache import MentionsCache
from codequarry.graph.delta import GraphDelta, build_delta
from codequarry.graph.stored import STORED_EDGES, STORED_SYMBOLS, StoredGraph
from codequarry.index import store as lance
from codequarry.index.ledger import published
from codequarry.runs.records import RECORDS_TABLE
from codequarry.runs.snapshot import SNAPSHOT
from codequarry.schemas.tables import EDGES, SYMBOLS

SYMBOLS_TABLE, EDGES_TABLE = "symbols", "edges"
MAX_NAMED = 100


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
        before = StoredGraph(
            _published(state, header.project, lance.SYMBOLS, STORED_SYMBOLS),
            _published(state, header.project, lance.EDGES, STORED_EDGES),
        )
        return _delta(cache, snapshot, records, before)


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


def _published(state: StateDirectory, project: str, table: str, columns: Iterable[str]) -> pa.Table:
    store = lance.Store(state)
    opened = store.open(table, published(store).versions[table])
    return lance.rows(opened, lance.of_project(project), list(columns))


def dangling_edges(state: StateDirectory, stored: Changeset) -> list[str]:
    """Give the edges without one of their endpoints, of those the run made.

    A delta's edges may end in symbols of files it left alone, so those count as present too.
    """
    edges, present = stored.tables[EDGES_TABLE], stored.tables[SYMBOLS_TABLE]["symbol_id"]
    plan = stored.header.plan
    if plan.mode == "delta":
        kept = _published(state, stored.header.project, lance.SYMBOLS, ["symbol_id", "path"])
        gone = pa.array([*plan.changed, *plan.deleted], pa.string())
        kept = kept.filter(pc.invert(pc.is_in(kept["path"], gone)))
        present = pa.chunked_array([*present.chunks, *kept["symbol_id"].chunks], pa.int64())
    known = present.combine_chunks()
    ends = pc.and_(pc.is_in(edges["source_id"], known), pc.is_in(edges["target_id"], known))
    loose = edges.filter(pc.invert(ends)).slice(0, MAX_NAMED)
    return [f"{row['path']}:{row['line']} {row['kind']}" for row in loose.to_pylist()]
