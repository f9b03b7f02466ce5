"""The chain of ledger entries: making the next one, and checking all of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from codequarry.core.errors import ReceiptError
from codequarry.core.hashing import sha256_hex
from codequarry.index.ledger import Entry, Published

DELTA = "delta"
"""The mode of an entry that builds on the one before it in its project."""

GENESIS = "0" * 64
"""What the first entry of a project holds in place of the hash before it."""


@dataclass(frozen=True)
class Facts:
    """What an entry says besides its receipt."""

    mode: str
    reason: str
    from_fingerprint: str
    to_fingerprint: str
    embedding_profile: str
    chunk_profile: str
    versions: Mapping[str, int]
    details: Mapping[str, Any]


def next_entry(
    before: Published, project: str, project_key: str, receipt: bytes, facts: Facts, now: str
) -> Entry:
    """Make the sealed entry that follows what is published.

    Args:
        before: What is published now; read it under the lease.
        project: The project's name.
        project_key: Key B.
        receipt: The final receipt's exact bytes.
        facts: The rest.
        now: RFC 3339 UTC.
    """
    return Entry(
        sequence=before.sequence + 1,
        project=project,
        project_key=project_key,
        attempt_id=msgspec.json.decode(receipt)["attempt_id"],
        appended_at=now,
        mode=facts.mode,
        reason=facts.reason,
        from_fingerprint=facts.from_fingerprint,
        to_fingerprint=facts.to_fingerprint,
        embedding_profile=facts.embedding_profile,
        chunk_profile=facts.chunk_profile,
        versions=msgspec.json.encode(dict(facts.versions), order="sorted").decode(),
        details=msgspec.json.encode(dict(facts.details), order="sorted").decode(),
        receipt=receipt.decode("utf-8"),
        receipt_hash=sha256_hex(receipt),
        previous_hash=before.heads.get(project, GENESIS),
    ).sealed()


def starts_at_end_of(entry: Entry, before: Entry | None) -> bool:
    """Tell whether a delta starts at the fingerprint where the entry before it ended."""
    if entry.mode != DELTA:
        return True
    return before is not None and entry.from_fingerprint == before.to_fingerprint


def broken_entry(entries: Iterable[Entry]) -> Entry | None:
    """Give the first entry that does not verify.

    Its own hash, its receipt's, its place in the chain, or, of a delta, that it starts at the
    fingerprint where the entry before it in the project ended.
    """
    last: dict[str, Entry] = {}
    sequence = 0
    for entry in entries:
        before = last.get(entry.project)
        sound = (
            entry.sealed().entry_hash == entry.entry_hash
            and sha256_hex(entry.receipt) == entry.receipt_hash
            and entry.previous_hash == (before.entry_hash if before else GENESIS)
            and entry.sequence == sequence + 1
            and starts_at_end_of(entry, before)
        )
        if not sound:
            return entry
        sequence = entry.sequence
        last[entry.project] = entry
    return None


def require_chain(entries: Iterable[Entry]) -> None:
    """Make sure that the ledger verifies.

    Raises:
        ReceiptError: It does not; names the first broken entry.
    """
    broken = broken_entry(entries)
    if broken is not None:
        raise ReceiptError(
            f"the ledger's chain breaks at entry {broken.sequence} (project {broken.project}), so "
            "nothing more is certified on top of it; what is published still answers",
            "keep this state directory as evidence, and index into a new one (CODEQUARRY_HOME)",
        )
