"""A published index of given chunks, written with the project's own writers and no job."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from codequarry.chunking.profile import CHUNK_PROFILE
from codequarry.core.state import StateDirectory
from codequarry.embedding.house import HouseEmbedder
from codequarry.index.ledger import Entry, append, published
from codequarry.index.publish import Scope, index_columns, replace_rows, staged_versions
from codequarry.index.rows import stored_chunks
from codequarry.index.store import Store, chunk_table
from codequarry.retrieval.search import QueryVector
from codequarry.schemas import tables as shapes

INDEXES = {"project": "bitmap", "path": "btree", "symbol": "btree"}


@dataclass(frozen=True)
class Piece:
    """One chunk of a file."""

    path: str
    content: str
    symbol: str = ""
    kind: str = "function"
    line: int = 1
    declared: int | None = None
    """Line where its declaration begins; by default its own first line."""


def publish(state: StateDirectory, trees: Mapping[str, Sequence[Piece]]) -> None:
    """Write each project's pieces, in the order given, and publish them."""
    embedder = HouseEmbedder()
    shape = embedder.profile
    store = Store(state)
    name = chunk_table(shape.provider, shape.model, shape.dimensions)
    table = store.ensure(name, shapes.stored_chunks(shape.dimensions))
    for project, pieces in trees.items():
        chunks = chunks_of(project, pieces)
        flat = np.asarray(embedder.embed_documents(chunks["embedding_text"])).reshape(-1)
        column = pa.FixedSizeListArray.from_arrays(pa.array(flat), shape.dimensions)
        vectors = pa.table([chunks["chunk_id"], column], schema=shapes.vectors(shape.dimensions))
        rows = stored_chunks(chunks, vectors, shape.dimensions, shape.profile_id)
        replace_rows(table, Scope(project), "chunk_id", rows)
    index_columns(table, INDEXES)
    details = {
        "chunk_table": name,
        "provider": shape.provider,
        "model": shape.model,
        "dimensions": shape.dimensions,
    }
    for project in trees:
        append(store, _entry(store, project, details))


def house() -> QueryVector:
    """Give the bundled model with the profile that `publish` writes."""
    embedder = HouseEmbedder()
    profile = embedder.profile.of_chunks(CHUNK_PROFILE)
    return QueryVector(profile.profile_id, embedder.embed_query)


def chunks_of(project: str, pieces: Sequence[Piece]) -> pa.Table:
    """Give schemas.tables.CHUNKS, in the order of the pieces."""
    rows = []
    for at, piece in enumerate(pieces):
        line = piece.line if piece.declared is None else piece.declared
        selector = {"file": piece.path, "start_line": line, "fqn": piece.symbol, "kind": piece.kind}
        rows.append(
            {
                "chunk_id": hash_of(project, piece.path, piece.line, piece.symbol),
                "project": project,
                "path": piece.path,
                "language": "python",
                "chunk_index": piece.line,
                "start_line": piece.line,
                "end_line": piece.line + piece.content.count("\n"),
                "start_byte": at,
                "end_byte": at + 1,
                "chunk_type": piece.kind,
                "origin": "structural" if piece.symbol else "gap",
                "symbol": piece.symbol.rpartition(".")[2],
                "symbol_name": piece.symbol,
                "selector": selector if piece.symbol else None,
                "content": piece.content,
                "embedding_text": f"{piece.path} {piece.symbol}\n{piece.content}",
                "text_hash": "",
                "source_hash": "",
            }
        )
    return pa.Table.from_pylist(rows, schema=shapes.CHUNKS)


def hash_of(*parts: object) -> int:
    """Give a chunk id that does not depend on the order of writing."""
    from codequarry.core.hashing import sha256_hex

    return int(sha256_hex(repr(parts).encode())[:15], 16)


def _entry(store: Store, project: str, details: Mapping[str, object]) -> Entry:
    sequence = published(store).sequence + 1
    return Entry(
        sequence=sequence,
        project=project,
        project_key="",
        attempt_id=f"{sequence:032x}",
        appended_at="2026-01-01T00:00:00Z",
        mode="full",
        reason="test",
        from_fingerprint="",
        to_fingerprint="",
        embedding_profile=house().profile_id,
        chunk_profile=CHUNK_PROFILE,
        versions=json.dumps(dict(staged_versions(store))),
        details=json.dumps(details),
        receipt="{}",
        receipt_hash="",
        previous_hash="",
    ).sealed()
