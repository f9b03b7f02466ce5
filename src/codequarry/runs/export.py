"""Step 2: the producer's pages, byte for byte, and the run's plan."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pyarrow as pa

from codequarry.core.changeset import Changeset, ChangesetStream, Plan, spool, tables
from codequarry.core.errors import ManifestRejected, ProducerError
from codequarry.core.hashing import producer_key, sha256_hex
from codequarry.core.state import StateDirectory
from codequarry.graph.versions import rules_version
from codequarry.producers.builtin.producer import BuiltinProducer
from codequarry.producers.codemap import CodemapProducer, locate
from codequarry.producers.exports import load_into, page_batches
from codequarry.producers.manifest import fetch_manifest
from codequarry.producers.protocol import Producer
from codequarry.producers.selection import (
    ProducerKind,
    ProducerSetting,
    StructuralMode,
    choose,
    judge,
    load_first,
)
from codequarry.receipts.certify import Known, Wanted, certify
from codequarry.runs.pages import validated
from codequarry.runs.retained import gives_fingerprint
from codequarry.runs.snapshot import SNAPSHOT, unread_of
from codequarry.schemas.documents import Fallback, Manifest
from codequarry.schemas.tables import PAGES
from codequarry.sources.drift import hashes_of

PAGES_TABLE = "pages"


class ExportNotes(msgspec.Struct, frozen=True, kw_only=True):
    """What the later steps must know about the export.

    Args:
        requested_mode: off, auto or required.
        producer: Name of the producer that was read, or ``None``.
        fallbacks: For the receipt.
        problems: Why producers failed, for people.
        total_records: Records of the producer's whole index; 0 without one.
    """

    requested_mode: str
    producer: str | None
    fallbacks: list[Fallback]
    problems: list[str]
    total_records: int


@dataclass(frozen=True)
class ExportOptions:
    """How a run reads its producer.

    Args:
        full: Ask for a full run.
        structural_chunks: off, auto or required.
        producer: auto, codemap or builtin.
        codemap: Path or name of the codemap binary; empty searches the usual places.
        embedding_profile: Profile id of the configured model.
        chunk_profile: Version of the chunking rules.
    """

    full: bool
    structural_chunks: str
    producer: str
    codemap: str
    embedding_profile: str
    chunk_profile: str


def export_pages(
    snapshot: Changeset,
    options: ExportOptions,
    known: Known,
    state: StateDirectory,
    environment: Mapping[str, str] = os.environ,
) -> ChangesetStream:
    """Plan the run and, unless there is nothing to do, load the producer's export.

    Raises:
        ProducerError: Structural chunks are required, and the producer failed.
        ProfileMismatch: The project was indexed with another model.
        UsageError: A setting is wrong.
    """
    mode = StructuralMode.parse(options.structural_chunks)
    setting = ProducerSetting.parse(options.producer)
    wants_codemap = mode is not StructuralMode.OFF and setting is not ProducerSetting.BUILTIN
    binary = locate(options.codemap, environment) if wants_codemap else None
    choice = choose(mode, setting, binary)
    loader = _Loader(snapshot, options, known, mode, state)
    selected = load_first(choice, lambda kind: loader.open(kind, choice.binary), loader.load)
    loaded = selected.result or _Loaded(loader.plan(None, None), PAGES.empty_table())
    notes = ExportNotes(
        requested_mode=mode.value,
        producer=selected.producer.name if selected.producer else None,
        fallbacks=list(selected.fallbacks),
        problems=[str(error) for error in selected.errors],
        total_records=loaded.total_records,
    )
    header = msgspec.structs.replace(snapshot.header, plan=loaded.plan)
    return tables(header, {PAGES_TABLE: loaded.pages}, **msgspec.to_builtins(notes))


@dataclass(frozen=True)
class _Loaded:
    plan: Plan
    pages: pa.Table
    total_records: int = 0


@dataclass(frozen=True)
class _Loader:
    """Opens the producers of one project, plans with them, and reads them."""

    snapshot: Changeset
    options: ExportOptions
    known: Known
    mode: StructuralMode
    state: StateDirectory

    @property
    def root(self) -> Path:
        return Path(self.snapshot.header.root)

    def open(self, kind: ProducerKind, binary: Path | None) -> Producer:
        """Open a producer; the built-in one brings its index up to date first, anew when full."""
        if kind is ProducerKind.CODEMAP and binary is not None:
            return CodemapProducer(binary, self.root)
        builtin = BuiltinProducer(self.root, self.snapshot.header.project, self.state)
        builtin.refresh(self.snapshot.tables[SNAPSHOT], anew=self.options.full)
        return builtin

    def plan(self, producer: Producer | None, manifest: Manifest | None) -> Plan:
        wanted = Wanted(
            full=self.options.full,
            requested_mode=self.mode.value,
            producer=producer.name if producer else None,
            producer_key=producer_key(self.root),
            manifest=manifest,
            embedding_profile=self.options.embedding_profile,
            chunk_profile=self.options.chunk_profile,
            graph_rules=rules_version(),
            hashes=hashes_of(self.snapshot.tables[SNAPSHOT]),
            unread=unread_of(self.snapshot),
        )
        return certify(self.known, wanted)

    def load(self, producer: Producer) -> _Loaded:
        manifest = self._manifest(producer)
        plan = self.plan(producer, manifest)
        if plan.mode == "none":
            return _Loaded(plan, PAGES.empty_table())
        if plan.mode == "delta" and manifest is not None:
            pages = self._delta_pages(producer, plan, manifest)
            if pages is not None:
                return _Loaded(plan, pages, manifest.total_records)
            plan = msgspec.structs.replace(
                plan, mode="full", reason="delta_not_confirmed", changed=(), deleted=()
            )
        pages = self._pages(producer)
        if isinstance(producer, CodemapProducer):
            self._confirm(pages)
        reached, total = (pages[name][0].as_py() for name in ("index_fingerprint", "total_records"))
        return _Loaded(msgspec.structs.replace(plan, to_fingerprint=reached), pages, total)

    def _manifest(self, producer: Producer) -> Manifest | None:
        try:
            return fetch_manifest(producer, producer_key(self.root))
        except ManifestRejected:
            return None  # a plan without a manifest is a full one; the export itself decides

    def _pages(self, producer: Producer, plan: Plan | None = None) -> pa.Table:
        return load_into(
            lambda stream: spool(PAGES, page_batches(stream), self.state.changesets),
            producer,
            producer_key(self.root),
            plan.changed if plan else None,
            plan.to_fingerprint if plan else None,
        )

    def _confirm(self, pages: pa.Table) -> None:
        """Validate an export as a whole while another producer can still take its place."""
        found = validated(pages, self.root)
        judge(self.mode, found.files.num_rows, len(found.quarantine["file"].unique()))

    def _delta_pages(self, producer: Producer, plan: Plan, manifest: Manifest) -> pa.Table | None:
        """Load the filtered export; ``None`` when it does not confirm the delta."""
        try:
            pages = self._pages(producer, plan) if plan.changed else PAGES.empty_table()
            header = msgspec.structs.replace(self.snapshot.header, plan=plan)
            confirmed = gives_fingerprint(self.state, header, pages, manifest.total_records)
        except ProducerError:
            return None
        return pages if confirmed else None


def notes_of(stored: Changeset) -> ExportNotes:
    """Read the notes of a stored export."""
    return msgspec.convert(dict(stored.notes), ExportNotes)


def damaged_pages(stored: Changeset) -> list[str]:
    """Give the pages whose bytes do not have their hash, and breaks in their sequence."""
    problems = []
    expected = 0
    for batch in stored.tables[PAGES_TABLE].to_batches():
        for row in batch.to_pylist():
            if sha256_hex(row["body"]) != row["sha256"] or row["offset"] != expected:
                problems.append(f"page {row['number']}")
            expected = row["offset"] + row["returned_records"]
    totals = stored.tables[PAGES_TABLE]["total_records"].unique().to_pylist()
    if totals and totals != [expected]:
        problems.append(f"{expected} records in pages that announce {totals}")
    return problems
