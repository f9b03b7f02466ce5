"""Step 2: the producer's pages, byte for byte, and the run's plan."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pyarrow as pa

from codequarry.core.changeset import Changeset, ChangesetStream, Plan, spool, tables
from codequarry.core.errors import ManifestRejected
from codequarry.core.hashing import producer_key, sha256_hex
from codequarry.core.state import StateDirectory
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
    load_first,
)
from codequarry.runs.planning import Known, Wanted, make_plan
from codequarry.runs.snapshot import SNAPSHOT, snapshot_hashes
from codequarry.schemas.documents import Fallback, Manifest
from codequarry.schemas.tables import PAGES

PAGES_TABLE = "pages"


class ExportNotes(msgspec.Struct, frozen=True, kw_only=True):
    """What the later steps must know about the export.

    Args:
        requested_mode: off, auto or required.
        producer: Name of the producer that was read, or ``None``.
        fallbacks: For the receipt.
        problems: Why producers failed, for people.
    """

    requested_mode: str
    producer: str | None
    fallbacks: list[Fallback]
    problems: list[str]


@dataclass(frozen=True)
class Producers:
    """Opens the producers of one project.

    Args:
        state: The state directory.
        project: The project's name.
        root: Its real path.
        snapshot: schemas.tables.SNAPSHOT; the built-in producer indexes these files.
    """

    state: StateDirectory
    project: str
    root: Path
    snapshot: pa.Table

    def open(self, kind: ProducerKind, binary: Path | None) -> Producer:
        """Open a producer; the built-in one brings its index up to date first.

        Raises:
            ProducerError: It cannot work.
        """
        if kind is ProducerKind.CODEMAP and binary is not None:
            return CodemapProducer(binary, self.root)
        builtin = BuiltinProducer(self.root, self.project, self.state)
        builtin.refresh(self.snapshot)
        return builtin


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


@dataclass(frozen=True)
class _Loaded:
    plan: Plan
    pages: pa.Table


def export_pages(
    snapshot: Changeset,
    options: ExportOptions,
    known: Known,
    producers: Producers,
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
    plan_for = _planner(snapshot, options, known, mode)
    scratch = producers.state.changesets

    def load(producer: Producer) -> _Loaded:
        key = producer_key(producers.root)
        plan = plan_for(_manifest(producer, key))
        if plan.mode == "none":
            return _Loaded(plan, PAGES.empty_table())
        pages = load_into(lambda stream: spool(PAGES, page_batches(stream), scratch), producer, key)
        reached = pages["index_fingerprint"][0].as_py()
        return _Loaded(msgspec.structs.replace(plan, to_fingerprint=reached), pages)

    selected = load_first(choice, lambda kind: producers.open(kind, choice.binary), load)
    loaded = selected.result or _Loaded(plan_for(None), PAGES.empty_table())
    notes = ExportNotes(
        requested_mode=mode.value,
        producer=selected.producer.name if selected.producer else None,
        fallbacks=list(selected.fallbacks),
        problems=[str(error) for error in selected.errors],
    )
    header = msgspec.structs.replace(snapshot.header, plan=loaded.plan)
    return tables(header, {PAGES_TABLE: loaded.pages}, **msgspec.to_builtins(notes))


def _planner(
    snapshot: Changeset, options: ExportOptions, known: Known, mode: StructuralMode
) -> Callable[[Manifest | None], Plan]:
    hashes = snapshot_hashes(snapshot.tables[SNAPSHOT])

    def plan(manifest: Manifest | None) -> Plan:
        wanted = Wanted(
            full=options.full,
            requested_mode=mode.value,
            fingerprint=manifest.index_fingerprint if manifest else "",
            fresh=manifest is None or manifest.freshness.fresh,
            embedding_profile=options.embedding_profile,
            chunk_profile=options.chunk_profile,
            hashes=hashes,
        )
        return make_plan(known, wanted)

    return plan


def _manifest(producer: Producer, key: str) -> Manifest | None:
    try:
        return fetch_manifest(producer, key)
    except ManifestRejected:
        return None  # the export itself decides: a plan without a manifest is a full one


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
