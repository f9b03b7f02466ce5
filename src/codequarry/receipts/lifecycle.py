"""The phases of one attempt's receipt, as pure functions (contract.md E3, E4, J-32).

    opened ──> reported ──> finalised
                       └──> failed

`opened` voids the old proof before the first commit; only `finalised` makes a new one.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

import msgspec

from codequarry.schemas.documents import Counts, Fallback, OriginCounts, Receipt

CONTRACT = "codemap.structural-export"
MAX_FALLBACKS = 16


@dataclass(frozen=True)
class Report:
    """What an attempt wrote (phase 1).

    Args:
        counts: Files and chunks by origin.
        fallbacks: Why some of it is not structural.
        snapshot_loaded: Whether a producer's export was consumed.
        usable_files: Files of that export with at least one usable record.
        producer: The producer's name, or ``None`` when structural chunks are off.
        producer_key: Key A.
        index_fingerprint: Fingerprint of the consumed export.
    """

    counts: Counts
    fallbacks: tuple[Fallback, ...]
    snapshot_loaded: bool
    usable_files: int
    producer: str | None
    producer_key: str | None
    index_fingerprint: str | None


def utc_now() -> str:
    """Give the present as RFC 3339 UTC with microseconds; compared only as the same string."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def succeeded(receipt: Receipt) -> bool:
    """Tell whether a receipt is a complete proof (contract.md E5, row 6)."""
    return (
        receipt.success
        and receipt.complete
        and receipt.ingestion_complete
        and receipt.last_attempt == receipt.last_success
    )


def opened(
    attempt_id: str, project_key: str, requested_mode: str, previous: Receipt | None, now: str
) -> Receipt:
    """Give the receipt that voids the old proof before anything is written (phase 0).

    Args:
        attempt_id: 32 hexadecimal digits.
        project_key: Key B.
        requested_mode: off, auto or required.
        previous: The receipt it replaces, if that one is valid: its last success is carried over.
        now: RFC 3339 UTC.
    """
    off = requested_mode == "off"
    return Receipt(
        schema_version=1,
        attempt_id=attempt_id,
        scope_complete=True,
        project_key=project_key,
        requested_mode=requested_mode,
        effective_mode="off" if off else "unavailable",
        contract=None if off else CONTRACT,
        contract_version=None if off else 1,
        counts=Counts(),
        last_attempt=now,
        last_success=previous.last_success if previous else None,
        ingestion_complete=False,
        complete=False,
        success=False,
    )


def reported(receipt: Receipt, report: Report, now: str) -> Receipt:
    """Fill in what the attempt wrote (phase 1)."""
    return msgspec.structs.replace(
        receipt,
        effective_mode=effective_mode(receipt.requested_mode, report),
        producer=report.producer,
        producer_project_key=report.producer_key if report.snapshot_loaded else None,
        index_fingerprint=report.index_fingerprint if report.snapshot_loaded else None,
        counts=report.counts,
        fallbacks=merged(report.fallbacks),
        last_attempt=now,
        ingestion_complete=True,
    )


def finalised(receipt: Receipt) -> Receipt:
    """Make the attempt's receipt a proof (phase 2); the same time stands twice (J-32)."""
    return msgspec.structs.replace(
        receipt, last_success=receipt.last_attempt, complete=True, success=True
    )


def failed(receipt: Receipt, code: str, reason: str, now: str) -> Receipt:
    """Record that the attempt failed after its opening (phase 2 with an error)."""
    return msgspec.structs.replace(
        receipt,
        fallbacks=merged((*(receipt.fallbacks or ()), Fallback(code=code, reason=reason))),
        error_count=max(receipt.error_count, 1),
        last_attempt=now,
        ingestion_complete=False,
        complete=False,
        success=False,
    )


def index_mode(effective_mode: str, index_fingerprint: str | None) -> str:
    """Say what the whole index is made of: a run that touched no symbol says ``local`` (J-35)."""
    return "structural" if effective_mode == "local" and index_fingerprint else effective_mode


def effective_mode(requested_mode: str, report: Report) -> str:
    """Decide the mode a run really had (contract.md E4)."""
    chunks = report.counts.chunks
    structural = chunks.structural + chunks.gap
    if requested_mode == "off":
        return "off"
    if report.snapshot_loaded:
        if structural:
            return "mixed" if chunks.local else "structural"
        if not chunks.local and report.usable_files:
            return "structural"
        return "local"
    return "local_fallback" if report.fallbacks else "local"


def merged(fallbacks: Iterable[Fallback]) -> list[Fallback] | None:
    """Join fallbacks with one code by adding their counts; at most 16 remain (B7)."""
    by_code: dict[str, Fallback] = {}
    for fallback in fallbacks:
        known = by_code.get(fallback.code)
        if known is None:
            by_code[fallback.code] = fallback
        elif fallback.count:
            total = (known.count or 0) + fallback.count
            by_code[fallback.code] = msgspec.structs.replace(known, count=total)
    return list(by_code.values())[:MAX_FALLBACKS] or None


def count_origins(by_origin: dict[str, int]) -> OriginCounts:
    """Make counts from a mapping of origin to number."""
    return OriginCounts(
        by_origin.get("structural", 0), by_origin.get("gap", 0), by_origin.get("local", 0)
    )
