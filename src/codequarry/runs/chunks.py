"""Step 4: structural, gap and local chunks, and the files they come from."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from codequarry.chunking.chunks import chunk_files
from codequarry.chunking.lossless import verify_lossless
from codequarry.core.changeset import Changeset, ChangesetStream, Plan
from codequarry.runs.records import RECORDS_TABLE, VALIDATED_TABLE
from codequarry.runs.snapshot import SNAPSHOT
from codequarry.schemas.tables import CHUNKS, FILES

CHUNKS_TABLE, FILES_TABLE = "chunks", "files"


def cut_chunks(snapshot: Changeset, records: Changeset) -> ChangesetStream:
    """Cut every file that the run touches."""
    vanished: list[str] = []

    def batches() -> Iterator[tuple[str, pa.RecordBatch]]:
        plan = records.header.plan
        if plan.mode == "none":
            return
        validated = records.tables[VALIDATED_TABLE]
        hashes = zip(validated["file"].to_pylist(), validated["sha256"].to_pylist(), strict=True)
        for batch in chunk_files(
            Path(records.header.root),
            records.header.project,
            within(plan, snapshot.tables[SNAPSHOT]),
            records.tables[RECORDS_TABLE],
            dict(hashes),
        ):
            vanished.extend(batch.vanished)
            yield CHUNKS_TABLE, batch.chunks
            yield FILES_TABLE, batch.files

    schemas = {CHUNKS_TABLE: CHUNKS, FILES_TABLE: FILES}
    return ChangesetStream(records.header, schemas, batches(), lambda: {"vanished": vanished[:100]})


def within(plan: Plan, files: pa.Table) -> pa.Table:
    """Give the files that a run touches: all of them, or a delta's changed ones.

    Args:
        plan: The run's plan.
        files: Any table with a column ``path``.
    """
    if plan.mode != "delta":
        return files
    return files.filter(pc.is_in(files["path"], value_set=pa.array(plan.changed, pa.string())))


def lossy_files(stored: Changeset) -> list[str]:
    """Give the files whose chunks and dropped blank pieces are not the file, byte for byte."""
    problems = verify_lossless(
        stored.tables[CHUNKS_TABLE], stored.tables[FILES_TABLE], Path(stored.header.root)
    )
    return [str(problem) for problem in problems]


def chunk_rules(stored: Changeset) -> list[str]:
    """Hold the stored chunks to the pandera model (schemas.rules)."""
    from codequarry.schemas.rules import ChunkRows, failures

    return failures(ChunkRows, stored.tables[CHUNKS_TABLE].drop_columns(["embedding_text"]))
