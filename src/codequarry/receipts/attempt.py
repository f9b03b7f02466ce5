"""One attempt: from its opening receipt, over its commits, to its publication (design.md 4).

    open ──> apply ──> publish
      └────────┴──> abandon      (any failure: the proof stays void, readers keep the old state)

The lease is held all the way; it frees itself when the process dies.
"""

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, replace

import msgspec
import pyarrow as pa

from codequarry.core.changeset import Header
from codequarry.core.errors import BusyError, ReceiptError, StateError
from codequarry.core.hashing import evidence_key, sha256_hex
from codequarry.core.state import StateDirectory
from codequarry.index import ledger as rows_of_ledger
from codequarry.index.ledger import Entry, published
from codequarry.index.publish import (
    Lease,
    Replaced,
    Scope,
    confirm_staged,
    index_columns,
    repair,
    replace_rows,
    staged_versions,
)
from codequarry.index.store import (
    CHUNKS_PREFIX,
    EDGES,
    FILES,
    KEYS,
    SCHEMAS,
    SYMBOLS,
    Store,
    of_project,
)
from codequarry.receipts import lifecycle
from codequarry.receipts.evidence import Evidence
from codequarry.receipts.ledger import Facts, next_entry, starts_at_end_of
from codequarry.receipts.lifecycle import Report, utc_now
from codequarry.schemas.documents import HealthManifest, Receipt, encode

_SCALAR_INDEXES: Mapping[str, Mapping[str, str]] = {
    FILES: {"project": "bitmap", "path": "btree"},
    SYMBOLS: {
        "project": "bitmap",
        "symbol_id": "btree",
        "path": "btree",
        "symbol": "btree",
        "fqn": "btree",
    },
    EDGES: {"project": "bitmap", "source_id": "btree", "target_id": "btree", "path": "btree"},
}
CHUNK_INDEXES = {
    "project": "bitmap",
    "language": "bitmap",
    "path": "btree",
    "chunk_id": "btree",
    "symbol": "btree",
}


@dataclass(frozen=True)
class Contents:
    """What a run makes of its scope: the rows of each table.

    Args:
        scope: The files whose chunks, records and rows are replaced.
        edge_scope: The files whose edges are replaced: also those whose names now mean others.
        chunk_table: Name of the chunks table of the embedding model.
        chunks: schemas.tables.stored_chunks.
        files: schemas.tables.FILES.
        symbols: schemas.tables.SYMBOLS.
        edges: schemas.tables.EDGES.
    """

    scope: Scope
    edge_scope: Scope
    chunk_table: str
    chunks: pa.RecordBatchReader
    files: pa.Table
    symbols: pa.Table
    edges: pa.Table


@dataclass(frozen=True)
class Staged:
    """What an attempt committed, not yet published.

    Args:
        versions: Version of every table.
        rows: Rows of the project in each table it wrote.
        replaced: What it did to each of these tables.
        repaired: Tables that a dead writer had left ahead, and that were put back first.
    """

    versions: Mapping[str, int]
    rows: Mapping[str, int]
    replaced: Mapping[str, Replaced]
    repaired: tuple[str, ...]


class Attempt:
    """The single writer's work on one project."""

    def __init__(self, state: StateDirectory, header: Header, requested_mode: str) -> None:
        self.header = header
        self._requested_mode = requested_mode
        self.state = state
        self._lease = Lease(state)
        self._evidence = Evidence(state, evidence_key(header.root))
        self._receipt: Receipt | None = None
        self._repaired: tuple[str, ...] = ()

    def open(self, lease_seconds: float) -> None:
        """Take the lease, undo what a dead writer left, and void the old proof.

        Raises:
            BusyError: Another writer held the lease for too long, or published this project since
                a delta of it was planned; nothing was touched.
            StateError: The opening receipt cannot be written; nothing was touched.
        """
        self._lease.acquire(lease_seconds)
        try:
            self._open(Store(self.state))
        except BaseException:
            self._lease.release()
            raise

    def _open(self, store: Store) -> None:
        entry = published(store).entries.get(self.header.project)
        self._confirm_base(entry)
        self._repaired = repair(store)
        self._finish_predecessor(entry)
        receipt = lifecycle.opened(
            self.header.attempt_id,
            evidence_key(self.header.root),
            self._requested_mode,
            self._evidence.receipt().document,
            utc_now(),
        )
        self._evidence.open_receipt(receipt)
        self._receipt = receipt

    def apply(self, contents: Contents) -> Staged:
        """Commit a run's rows, table by table, and then the table's indexes."""
        store, project = Store(self.state), self.header.project
        self._remove_from_other_models(store, contents.chunk_table)
        written = {
            FILES: (contents.scope, contents.files.to_reader()),
            SYMBOLS: (contents.scope, contents.symbols.to_reader()),
            EDGES: (contents.edge_scope, contents.edges.to_reader()),
        }
        chunks = store.ensure(contents.chunk_table, contents.chunks.schema)
        done = {
            contents.chunk_table: replace_rows(chunks, contents.scope, "chunk_id", contents.chunks)
        }
        index_columns(chunks, CHUNK_INDEXES)
        counted = {contents.chunk_table: chunks.count_rows(of_project(project))}
        for name, (scope, content) in written.items():
            table = store.ensure(name, SCHEMAS[name])
            done[name] = replace_rows(table, scope, KEYS[name], content)
            index_columns(table, _SCALAR_INDEXES[name])
            counted[name] = table.count_rows(of_project(project))
        return Staged(staged_versions(store), counted, done, self._repaired)

    def publish(self, report: Report, health: HealthManifest, facts: Facts) -> Entry:
        """Write the sidecar, the ledger entry with its head, then the receipt, and free the lease.

        The receipt comes last: a crash before it leaves a published state without a proof, which
        reads as unknown; the other order could leave a proof of a state that nobody can see.

        Raises:
            IndexStateError: Another writer came between.
            ReceiptError: The attempt was superseded, or its delta builds on another state.
            StateError: A file cannot be written.
        """
        if self._receipt is None:
            raise ReceiptError("this attempt was never opened", "run the whole job")
        store = Store(self.state)
        confirm_staged(store, facts.versions)
        reported = lifecycle.reported(self._receipt, report, utc_now())
        self._evidence.update_receipt(reported)
        sidecar = self._evidence.write_health(health)
        details = {**facts.details, rows_of_ledger.HEALTH_HASH: sha256_hex(sidecar)}
        proof = lifecycle.finalised(reported)
        before = published(store)
        entry = next_entry(
            before,
            self.header.project,
            proof.project_key,
            encode(proof),
            replace(facts, details=details),
            utc_now(),
        )
        if not starts_at_end_of(entry, before.entries.get(entry.project)):
            raise ReceiptError(
                f"the delta of {entry.project} does not start where its last entry ended",
                "run `codequarry index --full`",
            )
        rows_of_ledger.append(store, entry)
        self._evidence.update_receipt(proof)
        self._receipt = None
        self._lease.release()
        return entry

    def abandon(self) -> None:
        """Mark an attempt that was opened and not published as failed, and free the lease."""
        try:
            if self._receipt is not None:
                reason = "the run failed after it began to write"
                marked = lifecycle.failed(self._receipt, "index_failed", reason, utc_now())
                # The opening receipt proves nothing already, so a mark that fails is no loss.
                with contextlib.suppress(ReceiptError, StateError):
                    self._evidence.update_receipt(marked)
        finally:
            self._receipt = None
            self._lease.release()

    def _confirm_base(self, entry: Entry | None) -> None:
        """Make sure that a delta builds on what it was planned on, for its scope is no wider."""
        plan, project = self.header.plan, self.header.project
        if plan.mode == "delta" and (entry is None or entry.attempt_id != plan.base):
            raise BusyError(
                f"another run published {project} while this one was under way",
                "nothing is lost: run again, and only what moved since is indexed",
            )

    def _finish_predecessor(self, entry: Entry | None) -> None:
        """Write the receipt of an attempt that died between its publication and its proof."""
        found = self._evidence.receipt().document
        if entry and found and found.attempt_id == entry.attempt_id and not found.success:
            self._evidence.update_receipt(msgspec.json.decode(entry.receipt, type=Receipt))

    def _remove_from_other_models(self, store: Store, chunk_table: str) -> None:
        where = of_project(self.header.project)
        for name in store.names():
            if name.startswith(CHUNKS_PREFIX) and name != chunk_table:
                table = store.open(name)
                if table.count_rows(where):
                    table.delete(where)
