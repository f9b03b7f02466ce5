"""From a snapshot and its records to rows of `CHUNKS` and `FILES`, in bounded memory."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from codequarry.chunking.columns import ChunkRows, Label
from codequarry.chunking.local import cut_locally
from codequarry.chunking.partition import Piece, Span, partition
from codequarry.chunking.records import FileRecords, RecordsByFile
from codequarry.chunking.text import header, path_words, prologue, source_budget
from codequarry.core.files import UnsafeFile, read_contained
from codequarry.core.hashing import sha256_hex, structural_file_hash
from codequarry.core.text import is_blank, repair_bytes
from codequarry.schemas.tables import FILES
from codequarry.sources.eligibility import MAX_FILE_SIZE, judge

BATCH_CHUNKS = 2000
_SNAPSHOT_ROWS = 1024


@dataclass(frozen=True)
class ChunkedBatch:
    """Whole files, cut.

    Args:
        chunks: Rows of `CHUNKS`.
        files: Rows of `FILES`, for the same files.
        vanished: Paths of the snapshot that are gone, or no longer eligible.
    """

    chunks: pa.RecordBatch
    files: pa.RecordBatch
    vanished: tuple[str, ...]


class _File(NamedTuple):
    """One file of the snapshot as it is now."""

    path: str
    os_path: bytes
    language: str
    raw: bytes
    sha256: str


class _Cut(NamedTuple):
    """The pieces of one file and the label of each owner; the last is nobody's, position -1."""

    text: bytes
    pieces: list[Piece]
    labels: list[Label]
    origin: str
    file_hash: str


def chunk_files(
    root: Path,
    project: str,
    snapshot: pa.Table,
    records: pa.Table,
    validated: Mapping[str, str],
    max_file_size: int = MAX_FILE_SIZE,
) -> Iterator[ChunkedBatch]:
    """Cut every file of a snapshot (contract.md D1 to D3).

    A file is structural only if it has records and still is, byte for byte, what they were
    validated against. A file that changed since the snapshot is cut as it is now.

    Args:
        root: The project's directory.
        project: Its name.
        snapshot: Table `SNAPSHOT`.
        records: Table `RECORDS`.
        validated: SHA-256 of each file while its records were validated, by path.
        max_file_size: In bytes; for a file that grew since the snapshot.

    Yields:
        Files in snapshot order, about `BATCH_CHUNKS` chunks at a time; the last batch may hold
        nothing but vanished files. Nothing for an empty snapshot.
    """
    base = Path(os.path.realpath(root))
    by_file = RecordsByFile(records)
    rows = ChunkRows(project)
    files: list[dict[str, object]] = []
    vanished: list[str] = []
    for path, os_path, size, sha256, language in _rows(snapshot):
        raw = _read(base, os_path, max(size, max_file_size))
        now = "" if raw is None else sha256_hex(raw)
        if raw is None or (now != sha256 and judge(raw) is not None):
            vanished.append(path)
            continue
        file = _File(path, os_path, language, raw, now)
        found = by_file.of(path) if validated.get(path) == now else None
        cut = _cut_structural(file, found) if found else _cut_local(file)
        files.append({"project": project} | _append(rows, file, cut))
        if len(rows) >= BATCH_CHUNKS:
            yield _batch(rows, files, vanished)
            rows, files, vanished = ChunkRows(project), [], []
    if files or vanished:
        yield _batch(rows, files, vanished)


def _batch(rows: ChunkRows, files: list[dict[str, object]], vanished: list[str]) -> ChunkedBatch:
    return ChunkedBatch(
        rows.to_batch(), pa.RecordBatch.from_pylist(files, schema=FILES), tuple(vanished)
    )


def _rows(snapshot: pa.Table) -> Iterator[tuple[str, bytes, int, str, str]]:
    names = ("path", "os_path", "size", "sha256", "language")
    for batch in snapshot.select(names).to_batches(max_chunksize=_SNAPSHOT_ROWS):
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def _read(root: Path, os_path: bytes, limit: int) -> bytes | None:
    try:
        return read_contained(root, os_path, limit)
    except (UnsafeFile, OSError):
        return None


def _cut_structural(file: _File, found: FileRecords) -> _Cut:
    text = repair_bytes(file.raw)
    place = path_words(file.path)
    labels = []
    spans = []
    for record in found.records:
        before = prologue(record.docstring, record.signature)
        name = record.fqn or record.symbol
        spans.append(Span(record.start_line, record.end_line, source_budget(before)))
        labels.append(
            Label(
                chunk_type=record.chunk_type,
                origin="structural",
                symbol=record.symbol,
                symbol_name=name,
                selector=(record.start_line, record.fqn, record.kind),
                heading=header(place, record.kind, name),
                prologue=before,
            )
        )
    labels.append(Label("generic", "gap", heading=header(place)))
    file_hash = structural_file_hash(file.sha256, found.profile)
    return _Cut(text, partition(text, spans), labels, "structural", file_hash)


def _cut_local(file: _File) -> _Cut:
    text = repair_bytes(file.raw)
    place = path_words(file.path)
    pieces, blocks = cut_locally(text, file.language)
    labels = [
        Label(b.chunk_type, "local", b.symbol, b.symbol, heading=header(place, name=b.symbol))
        for b in blocks
    ]
    labels.append(Label("generic", "local", heading=header(place)))
    return _Cut(text, pieces, labels, "local", file.sha256)


def _append(rows: ChunkRows, file: _File, cut: _Cut) -> dict[str, object]:
    """Add the chunks of one file and give its row of `FILES`, the project apart."""
    index = dropped = 0
    for piece in cut.pieces:
        content = cut.text[piece.start_byte : piece.end_byte]
        if is_blank(content):
            dropped += len(content)
            continue
        label = cut.labels[piece.owner]
        rows.append(file.path, file.language, file.sha256, index, piece, content.decode(), label)
        index += 1
    return {
        "path": file.path,
        "os_path": file.os_path,
        "language": file.language,
        "size": len(file.raw),
        "source_hash": file.sha256,
        "file_hash": cut.file_hash,
        "origin": cut.origin,
        "chunks": index,
        "dropped_bytes": dropped,
    }
