"""Step 8: the receipt of the run, its ledger entry, and what the run did, in one place."""

from dataclasses import asdict, dataclass
from typing import Any

import msgspec
import pyarrow as pa

from codequarry.core.changeset import Changeset, ChangesetStream, tables
from codequarry.core.hashing import evidence_key
from codequarry.core.state import StateDirectory
from codequarry.embedding.provider import Profile
from codequarry.index.ledger import Entry, published
from codequarry.index.store import Store
from codequarry.receipts.attempt import Attempt
from codequarry.receipts.evidence import Evidence
from codequarry.receipts.lifecycle import succeeded
from codequarry.runs import publish as made
from codequarry.runs.chunks import CHUNKS_TABLE, FILES_TABLE
from codequarry.runs.records import notes_of_records
from codequarry.schemas.documents import Receipt
from codequarry.schemas.tables import RECEIPTS

RECEIPTS_TABLE = "receipts"


@dataclass(frozen=True)
class Run:
    """The changesets of the steps before this one."""

    snapshot: Changeset
    records: Changeset
    chunks: Changeset
    vectors: Changeset
    index: Changeset


def publish(attempt: Attempt, run: Run, profile: Profile) -> ChangesetStream:
    """Publish what `code_index` committed.

    Raises:
        IndexStateError: Another writer came between.
        ReceiptError: The attempt was superseded.
        StateError: A file cannot be written.
    """
    staged = made.staged_of(run.index)
    before = published(Store(attempt.state)).entries.get(run.index.header.project)
    entry = attempt.publish(
        made.report(run.records, run.chunks),
        made.health(Store(attempt.state), run.snapshot, run.index.header, staged),
        made.facts(run.snapshot, run.records, run.vectors, staged, profile),
    )
    counted = {
        "files": run.chunks.tables[FILES_TABLE].num_rows,
        "chunks": run.chunks.tables[CHUNKS_TABLE].num_rows,
        "texts_embedded": run.vectors.notes["texts_embedded"],
        "texts_reused": run.vectors.notes["texts_reused"],
    }
    return _stream(run, entry, counted, before.to_fingerprint if before else "")


def reaffirm(state: StateDirectory, run: Run) -> ChangesetStream:
    """Point a run that had nothing to do at the receipt that still holds."""
    project = run.index.header.project
    entry = published(Store(state)).entry(project)
    health = Evidence(state, evidence_key(run.index.header.root)).health().document
    counted = {
        "files": health.stats.files if health else 0,
        "chunks": health.stats.chunks if health else 0,
        "texts_embedded": 0,
        "texts_reused": 0,
    }
    return _stream(run, entry, counted, entry.to_fingerprint)


def _stream(
    run: Run, entry: Entry, counted: dict[str, int], previous_fingerprint: str
) -> ChangesetStream:
    header = run.index.header
    plan = header.plan
    notes: dict[str, Any] = {
        "from_fingerprint": plan.from_fingerprint,
        "to_fingerprint": plan.to_fingerprint,
        "previous_fingerprint": previous_fingerprint,
        **counted,
        "source_bytes": run.snapshot.notes["source_bytes"],
        "skipped": run.snapshot.notes["skipped"],
        "problems": notes_of_records(run.records).problems,
        "receipt": msgspec.json.decode(entry.receipt),
        "receipt_hash": entry.receipt_hash,
        "ledger_sequence": entry.sequence,
        "entry_hash": entry.entry_hash,
        "previous_hash": entry.previous_hash,
        "embedding_profile": entry.embedding_profile,
        "chunk_profile": entry.chunk_profile,
        "table_versions": dict(entry.table_versions),
    }
    row = pa.Table.from_pylist([asdict(entry)], schema=RECEIPTS)
    return tables(header, {RECEIPTS_TABLE: row}, **notes)


def _entry(stored: Changeset) -> Entry:
    return Entry(**stored.tables[RECEIPTS_TABLE].to_pylist()[0])


def disagreeing_attempts(stored: Changeset) -> list[str]:
    """Give the places that name another attempt than the run's own."""
    entry = _entry(stored)
    receipt = msgspec.json.decode(entry.receipt, type=Receipt)
    expected = entry.attempt_id if stored.header.plan.mode == "none" else stored.header.attempt_id
    named = {"ledger entry": entry.attempt_id, "receipt": receipt.attempt_id}
    return [place for place, attempt in named.items() if attempt != expected]


def unchained(stored: Changeset) -> list[str]:
    """Tell when a delta does not start where the entry before it ended."""
    plan, before = stored.header.plan, stored.notes["previous_fingerprint"]
    if plan.mode != "delta" or plan.from_fingerprint == before:
        return []
    return [f"the delta starts at {plan.from_fingerprint}, the entry before it ended at {before}"]


def unproven(stored: Changeset) -> list[str]:
    """Tell why the receipt is no complete proof."""
    entry = _entry(stored)
    problems = []
    if not succeeded(msgspec.json.decode(entry.receipt, type=Receipt)):
        problems.append("the receipt is not a complete success")
    if entry.sealed().entry_hash != entry.entry_hash:
        problems.append(f"ledger entry {entry.sequence} does not have its hash")
    return problems
