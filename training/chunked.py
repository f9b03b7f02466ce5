"""A directory cut into chunks as the index cuts it, without the run, the store and the receipts."""

import os
from pathlib import Path

import pyarrow as pa

from codequarry.chunking.chunks import chunk_files
from codequarry.producers.builtin.jobs import FileJob, extract_file, size_of
from codequarry.schemas.tables import CHUNKS, RECORDS
from codequarry.sources.walk import inventory
from codequarry.syntax.pool import map_files


def chunks_of(root: Path) -> pa.Table:
    """Give the chunks of every eligible file: table `CHUNKS`."""
    snapshot = inventory(root).files
    columns = (snapshot[name].to_pylist() for name in ("path", "os_path", "size"))
    jobs = [FileJob(os.fsencode(root), *row) for row in zip(*columns, strict=True)]
    rows = []
    for outcome in map_files(extract_file, jobs, size_of):
        if outcome.value is not None:
            rows += [symbol._asdict() for symbol in outcome.value.symbols]
    for ordinal, row in enumerate(rows, 1):
        row.update(ordinal=ordinal, content_hash="", truncated=False)
    records = pa.Table.from_pylist(rows, RECORDS)
    hashes = dict(zip(snapshot["path"].to_pylist(), snapshot["sha256"].to_pylist(), strict=True))
    batches = chunk_files(root, root.name, snapshot, records, hashes)
    return pa.Table.from_batches((batch.chunks for batch in batches), CHUNKS)
