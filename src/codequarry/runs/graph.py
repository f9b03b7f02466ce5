"""Step 5: the nodes and edges of the code graph."""

from dataclasses import asdict
from pathlib import Path

import pyarrow as pa

from codequarry.core.changeset import Changeset, ChangesetStream, tables
from codequarry.core.state import StateDirectory
from codequarry.graph.build import build_graph
from codequarry.graph.edges import missing_endpoints
from codequarry.runs.records import RECORDS_TABLE
from codequarry.runs.snapshot import SNAPSHOT
from codequarry.schemas.tables import EDGES, SYMBOLS

SYMBOLS_TABLE, EDGES_TABLE = "symbols", "edges"
MAX_FAILURES = 100


def build(state: StateDirectory, snapshot: Changeset, records: Changeset) -> ChangesetStream:
    """Build the graph of the files that the run touches."""
    header = records.header
    if header.plan.mode == "none":
        empty = {EDGES_TABLE: EDGES.empty_table(), SYMBOLS_TABLE: SYMBOLS.empty_table()}
        return tables(header, empty, edge_paths=[])
    graph = build_graph(
        Path(header.root), header.project, snapshot.tables[SNAPSHOT], records.tables[RECORDS_TABLE]
    )
    return tables(
        header,
        {EDGES_TABLE: graph.edges, SYMBOLS_TABLE: graph.symbols},
        edge_paths=None,
        counts=asdict(graph.counts),
        failures=dict(graph.failures[:MAX_FAILURES]),
    )


def dangling_edges(stored: Changeset) -> list[str]:
    """Give the edges without one of their endpoints."""
    symbols: pa.Table = stored.tables[SYMBOLS_TABLE]
    return missing_endpoints(symbols, stored.tables[EDGES_TABLE])
