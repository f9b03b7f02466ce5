"""How much a run touches: nothing, or the whole project; and why."""

from collections.abc import Mapping
from dataclasses import dataclass

from codequarry.core.changeset import Plan
from codequarry.core.errors import ProfileMismatch
from codequarry.index.ledger import Entry
from codequarry.receipts.evidence import Loaded
from codequarry.receipts.freshness import drift_between
from codequarry.receipts.lifecycle import succeeded
from codequarry.schemas.documents import HealthManifest, Receipt


@dataclass(frozen=True)
class Known:
    """What is certified about a project before a run.

    Args:
        receipt: Its receipt.
        health: Its health sidecar.
        entry: Its newest ledger entry, if any.
    """

    receipt: Loaded[Receipt]
    health: Loaded[HealthManifest]
    entry: Entry | None


@dataclass(frozen=True)
class Wanted:
    """What a run is asked to reach.

    Args:
        full: Whether a full run was asked for.
        requested_mode: off, auto or required.
        fingerprint: The producer's fingerprint now; empty without a producer.
        fresh: Whether the producer's index equals the working tree.
        embedding_profile: Profile id of the configured model.
        chunk_profile: Version of the chunking rules.
        hashes: Path to sha256 of every eligible file.
    """

    full: bool
    requested_mode: str
    fingerprint: str
    fresh: bool
    embedding_profile: str
    chunk_profile: str
    hashes: Mapping[str, str]


def make_plan(known: Known, wanted: Wanted) -> Plan:
    """Decide a run's mode; any doubt means full.

    Raises:
        ProfileMismatch: The project was indexed with another embedding profile, and no full run
            was asked for (J-40).
    """
    start = known.receipt.document.index_fingerprint if known.receipt.document else None
    reason = "requested" if wanted.full else _reason_for_full(known, wanted)
    return Plan(
        mode="full" if reason else "none",
        reason=reason or "unchanged",
        from_fingerprint=start or "",
        to_fingerprint=wanted.fingerprint,
    )


def _reason_for_full(known: Known, wanted: Wanted) -> str:
    entry, receipt, health = known.entry, known.receipt.document, known.health.document
    if entry is None:
        return "first_run"
    if entry.embedding_profile != wanted.embedding_profile:
        raise ProfileMismatch(
            f"{entry.project} is indexed with the embedding profile {entry.embedding_profile}, "
            f"and {wanted.embedding_profile} is configured",
            "run `codequarry index --full` to embed it again, or configure the old profile",
        )
    if receipt is None:
        return f"receipt_{known.receipt.state}"
    if not succeeded(receipt):
        return "receipt_incomplete"
    if health is None or health.attempt_id != receipt.attempt_id:
        return "health_manifest_mismatch"
    rules = {
        "receipt_not_published": receipt.attempt_id == entry.attempt_id,
        "chunk_profile_changed": entry.chunk_profile == wanted.chunk_profile,
        "structural_mode_changed": receipt.requested_mode == wanted.requested_mode,
        "source_drift": not drift_between(wanted.hashes, health.source_hashes).total,
        "producer_stale": wanted.fresh,
        "fingerprint_moved": (receipt.index_fingerprint or "") == wanted.fingerprint,
    }
    return next((reason for reason, holds in rules.items() if not holds), "")
