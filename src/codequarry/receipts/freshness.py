"""Is the index right? The decision table of contract.md E5, and its lightweight form E6.

Every input is gathered elsewhere; this module only decides.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import pyarrow as pa

from codequarry.core.errors import ManifestRejected
from codequarry.core.hashing import is_hex
from codequarry.index.head import Head
from codequarry.receipts.evidence import Loaded
from codequarry.receipts.lifecycle import CONTRACT, succeeded
from codequarry.schemas.documents import HealthManifest, Manifest, Receipt
from codequarry.sources.drift import Drift, drift_between
from codequarry.sources.walk import unread_files

PRODUCERS = ("codemap", "codequarry")

State = Literal["fresh", "stale", "unknown"]


@dataclass(frozen=True)
class Verdict:
    """The state of an index, and the reason: a word of E5's bounded vocabulary."""

    state: State
    reason: str
    drift: Drift = field(default_factory=Drift)
    manifest: Manifest | None = None
    raw_source_complete: bool = False
    receipt_verified: bool = False
    manifest_required: bool = False

    @property
    def manifest_verified(self) -> bool:
        """Whether a producer's manifest was needed and held."""
        return self.manifest_required and self.manifest is not None


def decide(
    receipt: Loaded[Receipt],
    health: Loaded[HealthManifest],
    current: Mapping[str, str] | None,
    load_manifest: Callable[[str], Manifest],
    producer_key: str,
    *,
    unread_moved: bool = False,
) -> Verdict:
    """Decide an index's freshness from its evidence; the first row that matches wins (E6).

    Args:
        receipt: The project's receipt.
        health: The project's health sidecar.
        current: Path to sha256 of every eligible file now; ``None`` when the scan failed.
        load_manifest: Gives the producer's manifest for a fingerprint; called only when the
            receipt rests on a producer's export. Raises `ManifestRejected`.
        producer_key: Key A.
        unread_moved: Whether another number of source files cannot be indexed than was certified;
            what is said of all users of a symbol rests on it.
    """
    fault = _evidence_fault(receipt, health)
    if fault or receipt.document is None or health.document is None:
        return Verdict("unknown", fault)
    if current is None:
        return Verdict("unknown", "raw_source_check_failed", receipt_verified=True)
    drift = drift_between(current, health.document.source_hashes)
    if drift:
        return Verdict("stale", "raw_source_drift", drift, None, True, True)
    if unread_moved:
        return Verdict("stale", "unread_files", drift, None, True, True)
    return _against_producer(receipt.document, load_manifest, producer_key)


def unread_moved(head: Head | None, skipped: pa.Table) -> bool:
    """Tell whether another number of source files cannot be indexed than the ledger's head says.

    Args:
        head: Of the project; ``None`` where there is none.
        skipped: Table `codequarry.schemas.tables.SKIPPED` of the tree now.
    """
    return unread_files(skipped) != (head.unread_files if head else {})


def _evidence_fault(receipt: Loaded[Receipt], health: Loaded[HealthManifest]) -> str:
    if health.document is None:
        return f"index_health_manifest_{health.state}"
    if receipt.document is None:
        return f"ingestion_receipt_{receipt.state}"
    if not succeeded(receipt.document):
        return "ingestion_receipt_incomplete"
    if receipt.document.attempt_id != health.document.attempt_id:
        return "index_health_manifest_mismatch"
    if not (receipt.published and health.published):
        return "ingestion_receipt_unpublished"
    return ""


def _against_producer(
    proof: Receipt, load_manifest: Callable[[str], Manifest], producer_key: str
) -> Verdict:
    structural = proof.effective_mode in ("structural", "mixed")
    if not structural and not proof.index_fingerprint and not proof.producer_project_key:
        return Verdict("fresh", "fresh", Drift(), None, True, True)
    sound = (
        proof.producer in PRODUCERS
        and proof.contract == CONTRACT
        and proof.contract_version == 1
        and proof.producer_project_key == producer_key
        and is_hex(proof.index_fingerprint, 64)
    )
    if not sound:
        reason = "ingestion_receipt_structural_contract_invalid"
        return Verdict("unknown", reason, Drift(), None, True, True)
    try:
        manifest = load_manifest(str(proof.index_fingerprint))
    except ManifestRejected as fault:
        reason = f"structural_manifest_{fault.verdict}"
        return Verdict("unknown", reason, Drift(), None, True, True, True)
    if not manifest.freshness.fresh:
        reason = "structural_manifest_stale"
        return Verdict("stale", reason, Drift(), manifest, True, True, True)
    return Verdict("fresh", "fresh", Drift(), manifest, True, True, True)
