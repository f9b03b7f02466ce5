"""Step 3: validated records, and the files whose records were dropped."""

from pathlib import Path

import msgspec
import pyarrow as pa

from codequarry.core.changeset import Changeset, ChangesetStream, tables
from codequarry.core.errors import ProducerError
from codequarry.core.hashing import producer_key
from codequarry.core.text import counted
from codequarry.producers.records import Validated, fingerprint_matches, moved_files
from codequarry.producers.selection import FallbackCode, StructuralMode, fallback, judge
from codequarry.runs.export import PAGES_TABLE, notes_of
from codequarry.runs.pages import validated
from codequarry.runs.snapshot import SNAPSHOT
from codequarry.schemas.documents import Fallback
from codequarry.schemas.tables import QUARANTINE, RECORDS, VALIDATED
from codequarry.sources.drift import hashes_of

RECORDS_TABLE, QUARANTINE_TABLE, VALIDATED_TABLE = "records", "quarantine", "validated"


class RecordNotes(msgspec.Struct, frozen=True, kw_only=True):
    """What the later steps must know about the records.

    Args:
        requested_mode: off, auto or required.
        producer: Name of the producer whose export is used, or ``None``.
        loaded: Whether an export is used.
        usable_files: Files with at least one usable record.
        fingerprint_matches: Whether the records give the export's fingerprint; ``None`` when cut
            texts leave it open.
        fallbacks: For the receipt.
        problems: Why structural data was given up, for people.
        total_records: Records of the producer's whole index; 0 where none is used.
    """

    requested_mode: str
    producer: str | None
    loaded: bool
    usable_files: int
    fingerprint_matches: bool | None
    fallbacks: list[Fallback]
    problems: list[str]
    total_records: int


def validate_records(snapshot: Changeset, export: Changeset) -> ChangesetStream:
    """Validate an export's records against the contract and the working tree.

    Raises:
        ProducerError: Structural chunks are required, and the export cannot be used as a whole.
    """
    notes = notes_of(export)
    mode = StructuralMode.parse(notes.requested_mode)
    fallbacks, problems = list(notes.fallbacks), list(notes.problems)
    delta = export.header.plan.mode == "delta"
    used: Validated | None = None
    if export.tables[PAGES_TABLE].num_rows:
        try:
            used = _validated(export, snapshot, mode)
            # The files that a delta leaves alone are usable, so it never lacks a usable file.
            usable = used.files.num_rows + delta
            fallbacks += judge(mode, usable, len(used.quarantine["file"].unique()))
        except ProducerError as error:
            if mode is StructuralMode.REQUIRED:
                raise
            used = None
            fallbacks.append(fallback(FallbackCode.PRODUCER_ERROR))
            problems.append(str(error))
    loaded = used is not None or (delta and notes.producer is not None)
    plan = export.header.plan
    if not loaded and plan.mode == "full":  # nobody reached a rejected export's fingerprint
        plan = msgspec.structs.replace(plan, to_fingerprint="")
    record_notes = RecordNotes(
        requested_mode=notes.requested_mode,
        producer=notes.producer,
        loaded=loaded,
        usable_files=used.files.num_rows if used else 0,
        fingerprint_matches=used.fingerprint_matches if used else None,
        fallbacks=fallbacks,
        problems=problems,
        total_records=notes.total_records if loaded else 0,
    )
    named = {
        RECORDS_TABLE: used.records if used else RECORDS.empty_table(),
        QUARANTINE_TABLE: used.quarantine if used else QUARANTINE.empty_table(),
        VALIDATED_TABLE: used.files if used else VALIDATED.empty_table(),
    }
    header = msgspec.structs.replace(export.header, plan=plan)
    return tables(header, named, **msgspec.to_builtins(record_notes))


def _validated(export: Changeset, snapshot: Changeset, mode: StructuralMode) -> Validated:
    found = validated(export.tables[PAGES_TABLE], Path(export.header.root))
    moved = moved_files(found.files, hashes_of(snapshot.tables[SNAPSHOT]))
    if moved and mode is StructuralMode.REQUIRED:
        raise ProducerError(
            f"{counted(len(moved), 'file')} changed while the required export was read",
            "run again when the working tree is quiet",
        )
    return found


def notes_of_records(stored: Changeset) -> RecordNotes:
    """Read the notes of stored records."""
    return msgspec.convert(dict(stored.notes), RecordNotes)


def broken_ordinals(stored: Changeset) -> list[str]:
    """Give ordinals that repeat or do not ascend; quarantined ones leave gaps."""
    ordinals = stored.tables[RECORDS_TABLE]["ordinal"].to_numpy()
    steps = ordinals[1:] - ordinals[:-1]
    wrong = (ordinals[1:][steps <= 0]).tolist()
    return [f"ordinal {number}" for number in wrong[:10]]


def moved_fingerprint(stored: Changeset) -> list[str]:
    """Tell when untruncated records do not give the export's fingerprint (C2)."""
    notes, records = notes_of_records(stored), stored.tables[RECORDS_TABLE]
    # A delta's fingerprint was recomputed with the retained records when it was confirmed.
    if notes.fingerprint_matches is None or stored.tables[QUARANTINE_TABLE].num_rows:
        return []
    key, expected = producer_key(stored.header.root), stored.header.plan.to_fingerprint
    same = fingerprint_matches(records, key, expected)
    return [f"the records do not give {expected}"] if same is False else []


def record_rules(stored: Changeset) -> list[str]:
    """Hold the stored records to the pandera model (schemas.rules)."""
    from codequarry.schemas.rules import RecordRows, failures

    table: pa.Table = stored.tables[RECORDS_TABLE]
    return failures(RecordRows, table)
