"""Step 5: the nodes and edges of the code graph."""

from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from codequarry.core.changeset import Changeset, ChangesetStream, tables
from codequarry.core.state import StateDirectory
from codequarry.graph.build import build_graph
from codequarry.graph.cache import MentionsCache
from codequarry.graph.delta import build_delta
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
    files, made = snapshot.tables[SNAPSHOT], records.tables[RECORDS_TABLE]
    root, project = Path(header.root), header.project
    cache = MentionsCache(state.graph, project)
    if plan.mode == "full":
        graph = build_graph(root, project, files, made, cache)
        edges, symbols, replaced = graph.edges, graph.symbols, None
        counts, failures = graph.counts, graph.failures
    else:
        before = StoredGraph(
            _published(state, project, lance.SYMBOLS, STORED_SYMBOLS),
            _published(state, project, lance.EDGES, STORED_EDGES),
        )
        delta = build_delta(root, project, files, made, plan.changed, plan.deleted, before, cache)
        edges, symbols, replaced = delta.edges, delta.symbols, list(delta.edge_paths)
        counts, failures = delta.counts, delta.failures
    return tables(
        header,
        {EDGES_TABLE: edges, SYMBOLS_TABLE: symbols},
        edge_paths=replaced,
        counts=asdict(counts),
        failures=dict(failures[:MAX_NAMED]),
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
