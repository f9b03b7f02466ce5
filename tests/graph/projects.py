"""Small projects on disk, indexed by the built-in producer's own extractor."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pyarrow as pa

from codequarry.graph.build import Graph, build_graph
from codequarry.producers.builtin.extract import extract
from codequarry.schemas.tables import RECORDS
from codequarry.sources.walk import inventory


class Seen(NamedTuple):
    kind: str
    source: str
    target: str


def lay_out(root: Path, files: Mapping[str, str | bytes]) -> None:
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        raw = content.encode() if isinstance(content, str) else content
        (root / path).write_bytes(raw)


def records_of(root: Path, snapshot: pa.Table) -> pa.Table:
    rows = []
    for path, os_path in zip(
        snapshot["path"].to_pylist(), snapshot["os_path"].to_pylist(), strict=True
    ):
        for symbol in extract(path, (root / os.fsdecode(os_path)).read_bytes()) or ():
            rest = {"ordinal": len(rows) + 1, "content_hash": "", "truncated": False}
            rows.append({**symbol._asdict(), **rest})
    return pa.Table.from_pylist(rows, RECORDS)


def graph_of(root: Path, files: Mapping[str, str | bytes]) -> Graph:
    lay_out(root, files)
    snapshot = inventory(root).files
    return build_graph(root.resolve(), "demo", snapshot, records_of(root, snapshot))


def rows(graph: Graph) -> pl.DataFrame:
    """Give the edges with the qualified names of their ends."""
    symbols = pl.DataFrame(pl.from_arrow(graph.symbols))
    edges = pl.DataFrame(pl.from_arrow(graph.edges))
    for end in ("source", "target"):
        names = symbols.select(pl.col("symbol_id").alias(f"{end}_id"), pl.col("fqn").alias(end))
        edges = edges.join(names, on=f"{end}_id", how="left", maintain_order="left")
    return edges


def seen(graph: Graph, *kinds: str) -> set[Seen]:
    """Give the edges of some kinds, by the qualified names of their ends."""
    found = rows(graph).filter(pl.col("kind").is_in(kinds))
    return {Seen(*row) for row in found.select("kind", "source", "target").iter_rows()}


def calls(graph: Graph) -> set[tuple[str, str]]:
    return {(edge.source, edge.target) for edge in seen(graph, "calls")}


def imports(graph: Graph) -> set[tuple[str, str]]:
    return {(edge.source, edge.target) for edge in seen(graph, "imports")}


def how(graph: Graph, source: str, target: str) -> tuple[str, float]:
    """Give resolution and confidence of the one edge that is no containment."""
    found = rows(graph).filter(
        pl.col("kind") != "contains", pl.col("source") == source, pl.col("target") == target
    )
    ((resolution, confidence),) = found.select("resolution", "confidence").rows()
    return resolution, round(confidence, 3)
