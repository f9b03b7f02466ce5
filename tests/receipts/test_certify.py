import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from codequarry.core.errors import ProfileMismatch
from codequarry.index.ledger import GRAPH_RULES, Published
from codequarry.receipts.certify import MAX_DELTA_FILES, Known, Wanted, certify
from codequarry.receipts.evidence import Loaded
from codequarry.receipts.ledger import Facts, next_entry
from codequarry.schemas.documents import Manifest, Receipt, ReindexDelta
from tests.receipts.test_evidence import health
from tests.receipts.test_freshness import KEY_A, manifest
from tests.receipts.test_lifecycle import FINGERPRINT, GOLDEN, KEY

TARGET = "b" * 64
PROOF = msgspec.json.decode(GOLDEN)
INDEXED = {"pkg/a.go": "1" * 64, "pkg/b.go": "2" * 64, "notes.md": "3" * 64}
ENTRY = next_entry(
    Published({}, {}, {}, 0),
    "demo",
    KEY,
    GOLDEN,
    Facts(
        "full", "first_run", "", FINGERPRINT, "house:1", "chunks-1", {}, {GRAPH_RULES: "rules-1"}
    ),
    "2026-01-05T10:00:00Z",
)


def attested(**changes: Any) -> Manifest:
    delta = {
        "from_fingerprint": FINGERPRINT,
        "to_fingerprint": TARGET,
        "changed_files": ["pkg/a.go"],
        "new_files": [],
        "deleted_files": [],
    }
    return msgspec.structs.replace(
        manifest(),
        index_fingerprint=TARGET,
        reindex_delta=msgspec.convert({**delta, **changes}, ReindexDelta),
    )


def known(**receipt: Any) -> Known:
    proof = msgspec.convert({**PROOF, **receipt}, Receipt)
    sidecar = health(attempt_id=PROOF["attempt_id"], source_hashes=INDEXED)
    return Known(Loaded("valid", proof), Loaded("valid", sidecar), ENTRY)


def unread_then(before: Known, files: dict[str, int]) -> Known:
    """Give what is known where some files could not be indexed."""
    details = {GRAPH_RULES: "rules-1", "unread_files": files}
    return replace(before, entry=replace(ENTRY, details=json.dumps(details)))


def wanted(**changes: Any) -> Wanted:
    base = Wanted(
        full=False,
        requested_mode="auto",
        producer="codemap",
        producer_key=KEY_A,
        manifest=attested(),
        embedding_profile="house:1",
        chunk_profile="chunks-1",
        graph_rules="rules-1",
        hashes={**INDEXED, "pkg/a.go": "9" * 64},
    )
    return replace(base, **changes)


@pytest.mark.parametrize(
    ("before", "now", "mode"),
    [
        ({}, {}, "none"),
        ({"go": 2}, {"go": 2}, "none"),
        ({}, {"go": 1}, "delta"),
        ({"go": 1}, {}, "delta"),
    ],
)
def test_other_files_that_cannot_be_indexed(
    before: dict[str, int], now: dict[str, int], mode: str
) -> None:
    """Where nothing else changed, a delta without files takes down how many there are."""
    same = msgspec.structs.replace(manifest(), index_fingerprint=FINGERPRINT)
    plan = certify(unread_then(known(), before), wanted(manifest=same, hashes=INDEXED, unread=now))
    assert (plan.mode, plan.changed, plan.deleted) == (mode, (), ())
    assert plan.reason == {"none": "unchanged", "delta": "unread_files"}[mode]


def test_certified_delta() -> None:
    """When every row of E7 holds, the delta's files and no others are touched."""
    plan = certify(known(), wanted())
    assert (plan.mode, plan.reason) == ("delta", "attested")
    assert (plan.from_fingerprint, plan.to_fingerprint) == (FINGERPRINT, TARGET)
    assert plan.base == PROOF["attempt_id"]
    assert (plan.changed, plan.deleted) == (("pkg/a.go",), ())


STALE = msgspec.structs.replace(attested(), freshness=manifest(fresh=False).freshness)
DOUBTS: list[tuple[str, Known, Wanted]] = [
    ("requested", known(), wanted(full=True)),
    ("first_run", replace(known(), entry=None), wanted()),
    ("receipt_missing", replace(known(), receipt=Loaded("missing")), wanted()),
    ("receipt_invalid", replace(known(), receipt=Loaded("invalid")), wanted()),
    ("health_manifest_missing", replace(known(), health=Loaded("missing")), wanted()),
    ("health_manifest_invalid", replace(known(), health=Loaded("invalid")), wanted()),
    ("receipt_incomplete", known(success=False), wanted()),
    ("receipt_incomplete", known(complete=False), wanted()),
    ("receipt_incomplete", known(ingestion_complete=False), wanted()),
    ("receipt_incomplete", known(error_count=1), wanted()),
    ("receipt_incomplete", known(last_success="2026-01-05T10:00:00Z"), wanted()),
    (
        "receipt_incomplete",
        known(scope_complete=False, success=False, complete=False, ingestion_complete=False),
        wanted(),
    ),
    (
        "health_manifest_mismatch",
        replace(known(), health=Loaded("valid", health(attempt_id="c" * 32))),
        wanted(),
    ),
    (
        "receipt_not_published",
        replace(known(), entry=replace(ENTRY, attempt_id="c" * 32)),
        wanted(),
    ),
    ("receipt_incomplete", known(scope_complete=False), wanted()),
    (
        "receipt_not_published",
        replace(known(), receipt=replace(known().receipt, published=False)),
        wanted(),
    ),
    (
        "receipt_not_published",
        replace(known(), health=replace(known().health, published=False)),
        wanted(),
    ),
    ("chunk_profile_changed", known(), wanted(chunk_profile="chunks-2")),
    ("graph_rules_changed", known(), wanted(graph_rules="rules-2")),
    ("graph_rules_changed", replace(known(), entry=replace(ENTRY, details="{}")), wanted()),
    ("structural_mode_changed", known(), wanted(requested_mode="required")),
    ("manifest_unavailable", known(), wanted(manifest=None)),
    ("producer_changed", known(), wanted(producer="codequarry")),
    ("no_certified_fingerprint", known(index_fingerprint=None), wanted()),
    ("project_key_changed", known(producer_project_key="0" * 12), wanted()),
    ("project_key_changed", known(), wanted(producer_key="0" * 12)),
    (
        "project_key_changed",
        known(),
        wanted(manifest=msgspec.structs.replace(attested(), project_key="0" * 12)),
    ),
    ("producer_stale", known(), wanted(manifest=STALE)),
    (
        "not_attested",
        known(),
        wanted(manifest=msgspec.structs.replace(attested(), reindex_delta=None)),
    ),
    (
        "attested_from_elsewhere",
        known(),
        wanted(manifest=attested(from_fingerprint="c" * 64)),
    ),
    ("attested_to_elsewhere", known(), wanted(manifest=attested(to_fingerprint="c" * 64))),
    ("attestation_empty", known(), wanted(manifest=attested(changed_files=[]))),
    ("paths_cannot_travel", known(), wanted(manifest=attested(changed_files=["a\nb.go"]))),
    ("paths_cannot_travel", known(), wanted(manifest=attested(changed_files=["./a.go"]))),
    ("paths_cannot_travel", known(), wanted(manifest=attested(deleted_files=["a\\b.go"]))),
    (
        "paths_cannot_travel",
        known(),
        wanted(hashes={**INDEXED, "pkg/a.go": "9" * 64, "odd\nname.md": "9" * 64}),
    ),
    (
        "delta_too_large",
        known(),
        wanted(hashes={**INDEXED, **{f"{n}.md": "9" * 64 for n in range(MAX_DELTA_FILES + 1)}}),
    ),
]


@pytest.mark.parametrize(("reason", "before", "asked"), DOUBTS)
def test_any_doubt_means_full(reason: str, before: Known, asked: Wanted) -> None:
    """Each broken row sends the run to the full path, and the plan names the row."""
    plan = certify(before, asked)
    assert (plan.mode, plan.reason) == ("full", reason)
    assert (plan.changed, plan.deleted) == ((), ())


def test_other_model_is_an_error_unless_full() -> None:
    """Another embedding profile stops the run with the remedy; a full run takes it (J-40)."""
    with pytest.raises(ProfileMismatch, match="index --full"):
        certify(known(), wanted(embedding_profile="house:2"))
    assert certify(known(), wanted(embedding_profile="house:2", full=True)).mode == "full"


@pytest.mark.parametrize("empty", [None, []])
def test_missing_and_empty_lists_are_one(empty: list[str] | None) -> None:
    """A list that is absent, null or empty means no files (A4, J6)."""
    plan = certify(known(), wanted(manifest=attested(new_files=empty, deleted_files=empty)))
    assert plan.changed == ("pkg/a.go",)


def plan_for(
    hashes: Mapping[str, str], **delta: Any
) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    plan = certify(known(), wanted(manifest=attested(**delta), hashes=hashes))
    return plan.mode, plan.changed, plan.deleted


def test_drift_outside_the_delta_is_ingested_too() -> None:
    """A Markdown file that the producer does not know joins the delta (J-04)."""
    hashes = {**INDEXED, "pkg/a.go": "9" * 64, "notes.md": "8" * 64, "new.md": "7" * 64}
    assert plan_for(hashes) == ("delta", ("new.md", "notes.md", "pkg/a.go"), ())


def test_deletions_only() -> None:
    """A delta that only deletes is a delta (J-03)."""
    hashes = {path: value for path, value in INDEXED.items() if path != "pkg/b.go"}
    found = plan_for(hashes, changed_files=[], deleted_files=["pkg/b.go"])
    assert found == ("delta", (), ("pkg/b.go",))


def test_left_the_producer_but_not_the_disk() -> None:
    """A file that only left the producer's index is cut again, locally (J-08)."""
    found = plan_for(INDEXED, changed_files=[], deleted_files=["pkg/b.go"])
    assert found == ("delta", ("pkg/b.go",), ())


def test_no_file_is_both_made_and_removed() -> None:
    """A file that the delta calls changed and deleted at once stands in one list of the plan."""
    hashes = {path: value for path, value in INDEXED.items() if path != "pkg/b.go"}
    found = plan_for(hashes, changed_files=["pkg/b.go"], deleted_files=["pkg/b.go"])
    assert found == ("delta", ("pkg/b.go",), ())


def test_equal_fingerprint() -> None:
    """With the fingerprint unmoved, nothing is to do, or only what differs on disk."""
    same = wanted(manifest=manifest(), hashes=INDEXED)
    assert certify(known(), same).mode == "none"
    plan = certify(known(), replace(same, hashes={**INDEXED, "notes.md": "8" * 64}))
    assert (plan.mode, plan.reason, plan.changed) == ("delta", "raw_drift", ("notes.md",))
    assert plan.from_fingerprint == plan.to_fingerprint == FINGERPRINT


def test_without_a_producer_raw_hashes_decide() -> None:
    """Mode off has no producer to attest anything: the files themselves do."""
    off = known(
        requested_mode="off",
        effective_mode="off",
        producer=None,
        producer_project_key=None,
        index_fingerprint=None,
    )
    asked = wanted(requested_mode="off", producer=None, manifest=None, hashes=INDEXED)
    assert certify(off, asked).mode == "none"
    plan = certify(off, replace(asked, hashes={**INDEXED, "notes.md": "8" * 64}))
    assert (plan.mode, plan.changed) == ("delta", ("notes.md",))


def test_other_chunks_are_no_other_model() -> None:
    """An upgrade of the chunk profile means a full run, though the embedding profile names it."""
    entry = replace(ENTRY, embedding_profile="house:1:cosine:chunks-1")
    before = replace(known(), entry=entry)
    after = wanted(chunk_profile="chunks-2", embedding_profile="house:1:cosine:chunks-2")
    assert certify(before, after).reason == "chunk_profile_changed"
    with pytest.raises(ProfileMismatch):
        certify(before, replace(after, embedding_profile="house:2:cosine:chunks-2"))
