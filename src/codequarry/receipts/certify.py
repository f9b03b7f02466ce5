"""How much a run must touch: the certification of a delta (contract.md E7, J-01 … J-11).

`certify` is pure. A delta is the exception that has to be earned: any doubt means a full run, and
the plan's reason, a word of a bounded vocabulary, says which doubt.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import msgspec

from codequarry.core.changeset import Plan
from codequarry.core.errors import ProfileMismatch
from codequarry.core.text import ascending
from codequarry.index.ledger import GRAPH_RULES, Entry, Unread
from codequarry.producers.paths import can_travel
from codequarry.receipts.evidence import Loaded
from codequarry.receipts.lifecycle import succeeded
from codequarry.schemas.documents import HealthManifest, Manifest, Receipt, ReindexDelta
from codequarry.sources.drift import Drift, drift_between

MAX_DELTA_FILES = 2_000
"""Above this, replacing the project is no dearer than selecting its rows by path."""


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
        producer: Name of the producer that is read, or ``None``.
        producer_key: Key A.
        manifest: That producer's manifest, or ``None`` when there is none.
        embedding_profile: Profile id of the configured model.
        chunk_profile: Version of the chunking rules.
        graph_rules: Version of the rules that edges are made by.
        hashes: Path to sha256 of every eligible file.
        unread: Language to the number of files that cannot be indexed.
    """

    full: bool
    requested_mode: str
    producer: str | None
    producer_key: str
    manifest: Manifest | None
    embedding_profile: str
    chunk_profile: str
    graph_rules: str
    hashes: Mapping[str, str]
    unread: Mapping[str, int] = field(default_factory=dict)


def certify(known: Known, wanted: Wanted) -> Plan:
    """Decide a run's mode.

    Raises:
        ProfileMismatch: The project was indexed with another embedding profile, and no full run
            was asked for (J-40).
    """
    receipt, manifest = known.receipt.document, wanted.manifest
    start = (receipt.index_fingerprint if receipt else None) or ""
    target = manifest.index_fingerprint if manifest else ""
    doubt = "requested" if wanted.full else _doubt_about_proof(known, wanted)
    if doubt or receipt is None or known.health.document is None:
        return _full(doubt, start, target)
    drift = drift_between(wanted.hashes, known.health.document.source_hashes)
    doubt = _doubt_about_producer(receipt, wanted)
    if doubt:
        return _full(doubt, start, target)
    if start == target:
        return _upon(receipt, _within_fingerprint(known, wanted, drift, target))
    assert manifest is not None  # without one, both fingerprints are empty
    attested = manifest.reindex_delta
    doubt = _doubt_about_attestation(attested, start, target)
    if doubt or attested is None:
        return _full(doubt, start, target)
    return _upon(receipt, _attested(attested, drift, wanted.hashes))


def _upon(receipt: Receipt, plan: Plan) -> Plan:
    """Name the attempt that a delta builds on."""
    base = receipt.attempt_id if plan.mode == "delta" else ""
    return msgspec.structs.replace(plan, base=base)


def _doubt_about_proof(known: Known, wanted: Wanted) -> str:
    entry, receipt, health = known.entry, known.receipt.document, known.health.document
    if entry is None:
        return "first_run"
    stored = _without(entry.chunk_profile, entry.embedding_profile)
    if stored != _without(wanted.chunk_profile, wanted.embedding_profile):
        raise ProfileMismatch(
            f"{entry.project} is indexed with the embedding profile {entry.embedding_profile}, "
            f"and {wanted.embedding_profile} is configured",
            "run `codequarry index --full` to embed it again, or configure the old profile",
        )
    if receipt is None:
        return f"receipt_{known.receipt.state}"
    if health is None:
        return f"health_manifest_{known.health.state}"
    rules = {
        "receipt_incomplete": succeeded(receipt)
        and receipt.scope_complete
        and not receipt.error_count,
        "health_manifest_mismatch": health.attempt_id == receipt.attempt_id,
        "receipt_not_published": entry.attempt_id == receipt.attempt_id
        and known.receipt.published
        and known.health.published,
        "chunk_profile_changed": entry.chunk_profile == wanted.chunk_profile,
        "graph_rules_changed": entry.detail(GRAPH_RULES) == wanted.graph_rules,
        "structural_mode_changed": receipt.requested_mode == wanted.requested_mode,
    }
    return next((doubt for doubt, holds in rules.items() if not holds), "")


def _without(chunk_profile: str, embedding_profile: str) -> str:
    """Give what an embedding profile says of the model alone; other chunks are no other model."""
    return embedding_profile.replace(f":{chunk_profile}", "", 1)


def _doubt_about_producer(receipt: Receipt, wanted: Wanted) -> str:
    if wanted.producer is None and receipt.producer is None:
        return ""  # no producer then and now: the raw hashes decide alone
    manifest = wanted.manifest
    if manifest is None:
        return "manifest_unavailable"
    rules = {
        "producer_changed": receipt.producer == wanted.producer,
        "no_certified_fingerprint": bool(receipt.index_fingerprint),
        "project_key_changed": receipt.producer_project_key
        == manifest.project_key
        == wanted.producer_key,
        "producer_stale": manifest.freshness.fresh,
    }
    return next((doubt for doubt, holds in rules.items() if not holds), "")


def _doubt_about_attestation(attested: ReindexDelta | None, start: str, target: str) -> str:
    if attested is None:
        return "not_attested"
    listed = _listed(attested)
    rules = {
        "attested_from_elsewhere": attested.from_fingerprint == start,
        "attested_to_elsewhere": attested.to_fingerprint == target,
        "attestation_empty": bool(listed),
        "paths_cannot_travel": all(map(can_travel, listed)),
    }
    return next((doubt for doubt, holds in rules.items() if not holds), "")


def _listed(attested: ReindexDelta) -> set[str]:
    lists = (attested.changed_files, attested.new_files, attested.deleted_files)
    return {path for listed in lists for path in listed or ()}


def _within_fingerprint(known: Known, wanted: Wanted, drift: Drift, fingerprint: str) -> Plan:
    """Plan for a producer whose records are those we certified: only raw files differ (J-04).

    A delta without files says that another number of them could not be indexed.
    """
    assert known.entry is not None  # without one, the run is the first
    unread = known.entry.decoded("details", Unread).unread_files
    if not drift and unread != wanted.unread:
        return _delta("unread_files", fingerprint, fingerprint, set(), drift)
    if not drift:
        return Plan(
            mode="none",
            reason="unchanged",
            from_fingerprint=fingerprint,
            to_fingerprint=fingerprint,
        )
    return _delta("raw_drift", fingerprint, fingerprint, {*drift.new, *drift.modified}, drift)


def _attested(attested: ReindexDelta, drift: Drift, hashes: Mapping[str, str]) -> Plan:
    """Plan for an attested delta; drift outside of it is ingested in the same run (J-04, J-08)."""
    moved = {*(attested.changed_files or ()), *(attested.new_files or ())}
    still_there = {path for path in attested.deleted_files or () if path in hashes}
    left = {path for path in attested.deleted_files or () if path not in hashes}
    changed = moved | still_there | {*drift.new, *drift.modified}
    return _delta(
        "attested", attested.from_fingerprint, attested.to_fingerprint, changed, drift, left
    )


def _delta(
    reason: str,
    start: str,
    target: str,
    changed: set[str],
    drift: Drift,
    left: Iterable[str] = (),
) -> Plan:
    deleted = {*drift.deleted, *left} - changed
    if len(changed) + len(deleted) > MAX_DELTA_FILES:
        return _full("delta_too_large", start, target)
    if not all(map(can_travel, changed)):
        return _full("paths_cannot_travel", start, target)
    return Plan(
        mode="delta",
        reason=reason,
        from_fingerprint=start,
        to_fingerprint=target,
        changed=ascending(changed),
        deleted=ascending(deleted),
    )


def _full(reason: str, start: str, target: str) -> Plan:
    return Plan(mode="full", reason=reason, from_fingerprint=start, to_fingerprint=target)
