"""Steps 7 and 8: what a run commits, and what it says about it."""

from collections.abc import Mapping
from typing import Any

import msgspec
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from codequarry.chunking.profile import CHUNK_PROFILE
from codequarry.core.changeset import Changeset, Header
from codequarry.core.hashing import evidence_key, producer_key
from codequarry.embedding.provider import Profile
from codequarry.graph.versions import rules_version
from codequarry.index.ledger import GRAPH_RULES, Exported, Unread
from codequarry.index.publish import Scope
from codequarry.index.rows import stored_chunks
from codequarry.index.store import (
    CHUNKS_PREFIX,
    EDGES,
    FILES,
    SYMBOLS,
    Store,
    chunk_table,
    of_project,
    rows,
)
from codequarry.producers.selection import FallbackCode, fallback
from codequarry.receipts.attempt import Contents, Staged
from codequarry.receipts.ledger import Facts
from codequarry.receipts.lifecycle import Report, count_origins, utc_now
from codequarry.runs.chunks import CHUNKS_TABLE, FILES_TABLE
from codequarry.runs.graph import EDGES_TABLE, SYMBOLS_TABLE
from codequarry.runs.records import notes_of_records
from codequarry.runs.snapshot import SNAPSHOT, unread_of
from codequarry.runs.vectors import VECTORS_TABLE
from codequarry.schemas.documents import Counts, HealthManifest, HealthStats
from codequarry.sources.drift import hashes_of


def contents(chunks: Changeset, graph: Changeset, vectors: Changeset, profile: Profile) -> Contents:
    """Gather the rows that a run makes of its scope.

    Raises:
        IndexStateError: The vectors do not belong to the chunks.
    """
    return Contents(
        scope=scope_of(chunks.header),
        edge_scope=edge_scope(graph),
        chunk_table=chunk_table(profile.provider, profile.model, profile.dimensions),
        chunks=stored_chunks(
            chunks.tables[CHUNKS_TABLE],
            vectors.tables[VECTORS_TABLE],
            profile.dimensions,
            profile.profile_id,
        ),
        files=chunks.tables[FILES_TABLE],
        symbols=graph.tables[SYMBOLS_TABLE],
        edges=graph.tables[EDGES_TABLE],
    )


def report(records: Changeset, chunks: Changeset) -> Report:
    """Say what the attempt wrote, for its receipt (contract.md E3, B7)."""
    notes = notes_of_records(records)
    table = chunks.tables[CHUNKS_TABLE].select(["path", "origin"])
    origins = (
        pl.DataFrame(table)
        .group_by("origin")
        .agg(pl.len().alias("chunks"), pl.col("path").n_unique().alias("files"))
    )
    counted = {row["origin"]: row for row in origins.to_dicts()}
    counts = Counts(
        files=count_origins({origin: row["files"] for origin, row in counted.items()}),
        chunks=count_origins({origin: row["chunks"] for origin, row in counted.items()}),
    )
    fallbacks = list(notes.fallbacks)
    if notes.loaded and counts.files.local:
        fallbacks.append(fallback(FallbackCode.LOCAL_CHUNKER_USED, counts.files.local))
    return Report(
        counts=counts,
        fallbacks=tuple(fallbacks),
        snapshot_loaded=notes.loaded,
        usable_files=notes.usable_files,
        producer=notes.producer,
        producer_key=producer_key_of(records) if notes.loaded else None,
        index_fingerprint=records.header.plan.to_fingerprint if notes.loaded else None,
    )


def producer_key_of(stored: Changeset) -> str:
    """Give Key A of a changeset's project."""
    return producer_key(stored.header.root)


UNSETTLED = "0" * 64
"""The hash of a file that was not the same in all steps of a run; no content has it."""


def health(store: Store, snapshot: Changeset, header: Header, staged: Staged) -> HealthManifest:
    """Make the health sidecar from the rows that the attempt committed (contract.md E8).

    A file that changed or vanished while the run was reading it is `UNSETTLED`: its chunks and its
    place in the graph may be of two contents, so the next run has to take it up again.
    """
    stored = store.open(FILES, staged.versions[FILES])
    files = rows(stored, of_project(header.project), ["path", "source_hash", "size"])
    number = next(n for name, n in staged.rows.items() if name.startswith(CHUNKS_PREFIX))
    hashes = dict(zip(files["path"].to_pylist(), files["source_hash"].to_pylist(), strict=True))
    taken = hashes_of(snapshot.tables[SNAPSHOT])
    now = utc_now()
    return HealthManifest(
        schema_version=1,
        attempt_id=header.attempt_id,
        project_key=evidence_key(header.root),
        stats=HealthStats(projects=1, files=files.num_rows, chunks=number, embeddings=number),
        indexed_bytes=pc.sum(files["size"]).as_py() or 0,
        latest_indexed_at=now,
        source_hashes={
            path: sha256 if hashes.get(path) == sha256 else UNSETTLED
            for path, sha256 in taken.items()
        },
        updated_at=now,
    )


def facts(
    snapshot: Changeset, records: Changeset, vectors: Changeset, staged: Staged, profile: Profile
) -> Facts:
    """Say what the ledger entry holds besides the receipt."""
    plan = records.header.plan
    details: dict[str, Any] = {
        "chunk_table": chunk_table(profile.provider, profile.model, profile.dimensions),
        "provider": profile.provider,
        "model": profile.model,
        "dimensions": profile.dimensions,
        "rows": dict(staged.rows),
        "rows_written": {name: done.written for name, done in staged.replaced.items()},
        "rows_removed": {name: done.removed for name, done in staged.replaced.items()},
        "repaired": list(staged.repaired),
        GRAPH_RULES: rules_version(),
        **msgspec.structs.asdict(Unread(unread_of(snapshot))),
        **msgspec.structs.asdict(Exported(notes_of_records(records).total_records)),
        **{name: vectors.notes[name] for name in ("texts_embedded", "texts_reused")},
    }
    return Facts(
        mode=plan.mode,
        reason=plan.reason,
        from_fingerprint=plan.from_fingerprint,
        to_fingerprint=plan.to_fingerprint,
        embedding_profile=profile.profile_id,
        chunk_profile=CHUNK_PROFILE,
        versions=staged.versions,
        details=details,
    )


def unfaithful_rows(
    store: Store, staged: Staged, snapshot: Changeset, chunks: Changeset, graph: Changeset
) -> list[str]:
    """Compare committed rows with what they should be: no ghost, none missing, none twice.

    Files are compared over the whole project, with the snapshot where the run left them alone;
    chunks, symbols and edges over what the run replaced.
    """
    project = chunks.header.project
    expected = expected_files(snapshot, chunks)
    files = store.open(FILES, staged.versions[FILES])
    stored_files = rows(files, of_project(project), ["path", "source_hash"])
    problems = _differences("files", stored_files, expected)
    scope = scope_of(chunks.header)
    chunks_name = next(name for name in staged.rows if name.startswith(CHUNKS_PREFIX))
    compared = (
        (chunks_name, scope, ["chunk_id", "text_hash", "source_hash"], chunks.tables[CHUNKS_TABLE]),
        (SYMBOLS, scope, ["symbol_id", "start_line"], graph.tables[SYMBOLS_TABLE]),
        (EDGES, edge_scope(graph), ["edge_id"], graph.tables[EDGES_TABLE]),
    )
    for name, within, columns, made in compared:
        stored = rows(store.open(name, staged.versions[name]), within.where, columns)
        problems += _differences(name, stored, made)
    return problems


def expected_files(snapshot: Changeset, chunks: Changeset) -> pa.Table:
    """Give path and hash of every file that the index must hold after a run."""
    made = pl.DataFrame(chunks.tables[FILES_TABLE].select(["path", "source_hash"]))
    plan = chunks.header.plan
    if plan.mode == "full":
        return made.to_arrow()
    whole = pl.DataFrame(snapshot.tables[SNAPSHOT].select(["path", "sha256"]))
    untouched = whole.rename({"sha256": "source_hash"}).filter(
        ~pl.col("path").is_in([*plan.changed, *plan.deleted])
    )
    return pl.concat([untouched, made]).to_arrow()


def scope_of(header: Header) -> Scope:
    """Give the files whose rows a run replaces."""
    plan = header.plan
    paths = None if plan.mode == "full" else (*plan.changed, *plan.deleted)
    return Scope(header.project, paths)


def edge_scope(graph: Changeset) -> Scope:
    """Give the files whose edges a run replaced."""
    paths = graph.notes["edge_paths"]
    return Scope(graph.header.project, None if paths is None else tuple(paths))


def _differences(what: str, stored: pa.Table, made: pa.Table) -> list[str]:
    columns = stored.schema.names
    left = pl.DataFrame(stored)
    right = pl.DataFrame(made.select(columns))
    ghosts = left.join(right, on=columns, how="anti").height
    missing = right.join(left, on=columns, how="anti").height
    twice = left.height - right.height - ghosts + missing
    found = {"ghost": ghosts, "missing": missing, "repeated": max(twice, 0)}
    return [f"{what}: {number} {kind} rows" for kind, number in found.items() if number]


def staged_notes(staged: Staged) -> Mapping[str, Any]:
    """Give what a changeset remembers of an attempt's commits."""
    notes: dict[str, Any] = msgspec.to_builtins(staged)
    return notes


def staged_of(stored: Changeset) -> Staged:
    """Read an attempt's commits back."""
    return msgspec.convert(dict(stored.notes), Staged)
