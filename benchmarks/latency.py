"""``python -m benchmarks.latency``: searches over a million chunks, and the vector index's recall.

The chunks are synthetic (benchmarks.synthetic) and pass through the project's own embedder and
writers; ten projects of equal size share the table.
"""

import json
import os
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import click
import numpy as np
import pyarrow as pa
from lancedb.table import Table

from benchmarks.measured import measure
from benchmarks.synthetic import Source
from codequarry.chunking.profile import CHUNK_PROFILE
from codequarry.core.state import HOME_VARIABLE, StateDirectory
from codequarry.embedding.house import HouseEmbedder
from codequarry.index.ledger import Entry, append
from codequarry.index.publish import Scope, index_columns, replace_rows, staged_versions
from codequarry.index.reader import Reader
from codequarry.index.rows import stored_chunks
from codequarry.index.store import Store, chunk_table
from codequarry.receipts.attempt import CHUNK_INDEXES
from codequarry.retrieval.candidates import by_vector
from codequarry.retrieval.model import configured_model
from codequarry.retrieval.query import Filters, Query, where
from codequarry.retrieval.search import QueryVector, search
from codequarry.schemas import tables as shapes

PROJECTS = 10
QUERIES = 100
WARM_UP = 100
RECALL_QUERIES = 25


@click.command()
@click.option("--chunks", default=1_000_000, show_default=True)
@click.option("--folder", type=click.Path(path_type=Path), help="Keep the index here, or use it.")
def main(chunks: int, folder: Path | None) -> None:
    """Build the index, ask it, and print a Markdown report."""
    with tempfile.TemporaryDirectory(prefix="codequarry-latency-") as scratch:
        state = StateDirectory((folder or Path(scratch)).resolve())
        source = Source(Path(sysconfig.get_path("stdlib")))
        if not state.lance.is_dir():
            started = time.perf_counter()
            build(state, source, chunks)
            click.echo(f"built {chunks:,} chunks in {time.perf_counter() - started:.0f} s")
        for line in report(state, source):
            click.echo(line)


def build(state: StateDirectory, source: Source, chunks: int) -> None:
    """Write ten projects in one commit each, index, compact as maintenance does, and publish."""
    embedder = HouseEmbedder()
    profile = embedder.profile
    store = Store(state)
    name = chunk_table(profile.provider, profile.model, profile.dimensions)
    table = store.ensure(name, shapes.stored_chunks(profile.dimensions))
    for number in range(PROJECTS):
        project = f"p{number}"
        rows = _stored(embedder, source, project, number, chunks // PROJECTS)
        replace_rows(table, Scope(project), "chunk_id", rows)
    index_columns(table, CHUNK_INDEXES)
    table.optimize(cleanup_older_than=timedelta(days=1))
    details = {
        "chunk_table": name,
        "provider": profile.provider,
        "model": profile.model,
        "dimensions": profile.dimensions,
    }
    versions = json.dumps(dict(staged_versions(store)))
    for number in range(PROJECTS):
        append(
            store, _entry(number, profile.of_chunks(CHUNK_PROFILE).profile_id, versions, details)
        )


def _stored(
    embedder: HouseEmbedder, source: Source, project: str, seed: int, rows: int
) -> pa.RecordBatchReader:
    profile_id = embedder.profile.profile_id
    dimensions = embedder.profile.dimensions

    def batches() -> Iterator[pa.RecordBatch]:
        for chunks in source.chunks(project, seed, rows):
            flat = embedder.embed_documents(chunks["embedding_text"]).reshape(-1)
            vector = pa.FixedSizeListArray.from_arrays(pa.array(flat), dimensions)
            vectors = pa.table([chunks["chunk_id"], vector], schema=shapes.vectors(dimensions))
            yield from stored_chunks(chunks, vectors, dimensions, profile_id)

    return pa.RecordBatchReader.from_batches(shapes.stored_chunks(dimensions), batches())


def _entry(number: int, profile_id: str, versions: str, details: dict[str, object]) -> Entry:
    return Entry(
        sequence=number + 1,
        project=f"p{number}",
        project_key="",
        attempt_id=f"{number:032x}",
        appended_at="2026-01-01T00:00:00Z",
        mode="full",
        reason="benchmark",
        from_fingerprint="",
        to_fingerprint="",
        embedding_profile=profile_id,
        chunk_profile=CHUNK_PROFILE,
        versions=versions,
        details=json.dumps(details),
        receipt="{}",
        receipt_hash="",
        previous_hash="",
    ).sealed()


def report(state: StateDirectory, source: Source) -> Iterator[str]:
    """Give the report's lines as they are measured."""
    reader, model = Reader(state), configured_model()
    asked, others = source.queries(1, QUERIES), source.queries(2, WARM_UP)
    table = reader.table(reader.groups()[0].table_name)
    yield f"{table.count_rows():,} chunks, {PROJECTS} projects, {QUERIES} queries, warm:"
    yield ""
    yield "| search | CPU p50 ms | p50 ms | p95 ms | worst ms |"
    yield "|---|---|---|---|---|"
    scopes = {
        "every project": (None, Filters()),
        "one project": (("p3",), Filters()),
        "one project, a path glob": (("p3",), Filters(globs=("package/module_1*.py",))),
        "one project, 1,000 paths": (("p3",), Filters(paths=_paths(1_000))),
    }
    for mode in ("hybrid", "keyword", "semantic"):
        for name, (projects, filters) in scopes.items():
            queries = [Query(text, mode, filters=filters) for text in others + asked]
            yield f"| {mode}, {name} | {_warm(reader, queries, projects, model)} |"
    yield ""
    yield from _cold(state, asked[:8])
    yield from _recall(table, [model.embed(text) for text in asked[:RECALL_QUERIES]])


def _warm(
    reader: Reader, queries: list[Query], projects: tuple[str, ...] | None, model: QueryVector
) -> str:
    took, spent = [], []
    for query in queries:
        started, before = time.perf_counter(), time.process_time()
        search(reader, query, projects, model)
        took.append((time.perf_counter() - started) * 1e3)
        spent.append((time.process_time() - before) * 1e3)
    worst = max(took[WARM_UP:])
    p50, p95 = np.quantile(took[WARM_UP:], [0.5, 0.95])
    return f"{np.median(spent[WARM_UP:]):.1f} | {p50:.1f} | {p95:.1f} | {worst:.1f}"


def _paths(number: int) -> tuple[str, ...]:
    return tuple(f"package/module_{at}.py" for at in range(number))


def _cold(state: StateDirectory, asked: list[str]) -> Iterator[str]:
    command = str(Path(sys.executable).with_name("codequarry"))
    home = {HOME_VARIABLE: str(state.home)}
    took = sorted(
        measure([command, "search", "--all", text, "--format", "json"], state.home, home).seconds
        for text in asked
    )
    yield f"Cold process: median {took[len(took) // 2]:.2f} s, worst {took[-1]:.2f} s."


def _recall(table: Table, vectors: list[np.ndarray]) -> Iterator[str]:
    """Compare the vector index with the exact answer: what it finds, and what it takes.

    Ranking computes exact cosines of all that the index finds, so its own ten best
    (``rescored@10``) are the exact ones that are anywhere among them.
    """
    for name, projects in (("every project", None), ("one project", ("p3",))):
        scope = where(projects, Filters())
        shares: dict[str, list[float]] = {"recall@10": [], "recall@100": [], "rescored@10": []}
        took: dict[bool, list[float]] = {False: [], True: []}
        for vector in vectors:
            found = {}
            for exactly in (False, True):
                started = time.perf_counter()
                found[exactly] = by_vector(table, scope, vector, exactly)["_rowid"].to_pylist()
                took[exactly].append((time.perf_counter() - started) * 1e3)
            for share, first, of in zip(shares, (10, 100, 10), (10, 100, 200), strict=True):
                both = set(found[False][:of]) & set(found[True][:first])
                shares[share].append(len(both) / first)
        parts = ", ".join(f"{share} {np.mean(values):.4f}" for share, values in shares.items())
        yield (
            f"Vector index, {name}: {parts}; median {np.median(took[False]):.1f} ms against "
            f"{np.median(took[True]):.1f} ms exactly."
        )


if __name__ == "__main__":
    os.environ.setdefault("LANCE_LOG", "error")
    main()
