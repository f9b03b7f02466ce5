from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from codequarry.core.errors import ManifestRejected
from codequarry.receipts.evidence import Loaded
from codequarry.receipts.freshness import decide, drift_between
from codequarry.schemas.documents import Freshness, HealthManifest, Manifest, Receipt
from tests.receipts.test_evidence import health
from tests.receipts.test_lifecycle import FINGERPRINT, GOLDEN

KEY_A = "45e78582e898"
TREE = {"a.py": "0" * 64}
PROOF = msgspec.json.decode(GOLDEN)
SIDECAR = health(attempt_id=PROOF["attempt_id"])


def manifest(fresh: bool = True) -> Manifest:
    return Manifest(
        schema_version=1,
        export_schema_version=1,
        project="demo",
        project_key=KEY_A,
        index_fingerprint=FINGERPRINT,
        total_records=1,
        complete=True,
        freshness=Freshness(checked=True, fresh=fresh, changed=int(not fresh), new=0, deleted=0),
    )


def receipt(**changes: Any) -> Loaded[Receipt]:
    return Loaded("valid", msgspec.convert({**PROOF, **changes}, Receipt))


def verdict(
    proof: Loaded[Receipt] | None = None,
    sidecar: Loaded[HealthManifest] | None = None,
    tree: Mapping[str, str] | None = TREE,
    answer: Manifest | ManifestRejected | None = None,
) -> tuple[str, str]:
    def load(fingerprint: str) -> Manifest:
        assert fingerprint == FINGERPRINT
        if isinstance(answer, ManifestRejected):
            raise answer
        return answer or manifest()

    found = decide(proof or receipt(), sidecar or Loaded("valid", SIDECAR), tree, load, KEY_A)
    return found.state, found.reason


LOCAL = {
    "effective_mode": "local",
    "index_fingerprint": None,
    "producer_project_key": None,
    "producer": None,
}


def rejected(kind: str) -> ManifestRejected:
    return ManifestRejected("M0", kind, "x")


CASES: list[tuple[dict[str, Any], str, str]] = [
    ({"sidecar": Loaded("missing")}, "unknown", "index_health_manifest_missing"),
    ({"sidecar": Loaded("invalid")}, "unknown", "index_health_manifest_invalid"),
    ({"proof": Loaded("missing")}, "unknown", "ingestion_receipt_missing"),
    ({"proof": Loaded("invalid")}, "unknown", "ingestion_receipt_invalid"),
    ({"proof": receipt(success=False)}, "unknown", "ingestion_receipt_incomplete"),
    ({"proof": receipt(complete=False)}, "unknown", "ingestion_receipt_incomplete"),
    ({"proof": receipt(ingestion_complete=False)}, "unknown", "ingestion_receipt_incomplete"),
    (
        {"proof": receipt(last_success="2026-01-05T10:00:00.123456788Z")},
        "unknown",
        "ingestion_receipt_incomplete",
    ),
    ({"proof": receipt(attempt_id="b" * 32)}, "unknown", "index_health_manifest_mismatch"),
    (
        {"proof": replace(receipt(), published=False)},
        "unknown",
        "ingestion_receipt_unpublished",
    ),
    (
        {"sidecar": Loaded("valid", SIDECAR, published=False), "tree": {}},
        "unknown",
        "ingestion_receipt_unpublished",
    ),
    ({"tree": None}, "unknown", "raw_source_check_failed"),
    ({"tree": {}}, "stale", "raw_source_drift"),
    ({"tree": {**TREE, "new.md": "1" * 64}}, "stale", "raw_source_drift"),
    ({"tree": {"a.py": "1" * 64}}, "stale", "raw_source_drift"),
    ({"proof": receipt(**LOCAL)}, "fresh", "fresh"),
    # A delta of one README reports local, and the index is structural all the same (J-35).
    (
        {"proof": receipt(effective_mode="local"), "answer": manifest(fresh=False)},
        "stale",
        "structural_manifest_stale",
    ),
    (
        {"proof": receipt(effective_mode="local", index_fingerprint=None)},
        "unknown",
        "ingestion_receipt_structural_contract_invalid",
    ),
    (
        {"proof": receipt(effective_mode="local", producer_project_key=None)},
        "unknown",
        "ingestion_receipt_structural_contract_invalid",
    ),
    (
        {"proof": receipt(index_fingerprint=None, producer_project_key=None)},
        "unknown",
        "ingestion_receipt_structural_contract_invalid",
    ),
    (
        {"proof": receipt(producer="other")},
        "unknown",
        "ingestion_receipt_structural_contract_invalid",
    ),
    (
        {"proof": receipt(contract="x")},
        "unknown",
        "ingestion_receipt_structural_contract_invalid",
    ),
    (
        {"proof": receipt(contract_version=2)},
        "unknown",
        "ingestion_receipt_structural_contract_invalid",
    ),
    (
        {"proof": receipt(producer_project_key="0" * 12)},
        "unknown",
        "ingestion_receipt_structural_contract_invalid",
    ),
    (
        {"proof": receipt(index_fingerprint="A" * 64)},
        "unknown",
        "ingestion_receipt_structural_contract_invalid",
    ),
    ({"answer": rejected("unavailable")}, "unknown", "structural_manifest_unavailable"),
    ({"answer": rejected("invalid")}, "unknown", "structural_manifest_invalid"),
    ({"answer": rejected("mismatch")}, "unknown", "structural_manifest_mismatch"),
    ({"answer": manifest(fresh=False)}, "stale", "structural_manifest_stale"),
    ({}, "fresh", "fresh"),
    ({"proof": receipt(producer="codequarry")}, "fresh", "fresh"),
]


@pytest.mark.parametrize(("inputs", "state", "reason"), CASES)
def test_rows(inputs: dict[str, Any], state: str, reason: str) -> None:
    """Each row of contract.md E5 and E6 decides as it says; the first that matches wins."""
    assert verdict(**inputs) == (state, reason)


def test_manifest_is_asked_only_when_needed() -> None:
    """A proof that rests on no export never calls the producer."""
    assert verdict(receipt(**LOCAL), answer=rejected("unavailable")) == ("fresh", "fresh")


def test_drift_is_sorted_by_bytes() -> None:
    """Drift lists new, modified and deleted files, each ascending by bytes."""
    found = drift_between({"b": "1", "é": "1", "a": "2"}, {"a": "1", "z": "1", "c": "1"})
    assert (found.new, found.modified, found.deleted) == (("b", "é"), ("a",), ("c", "z"))


def test_other_files_that_cannot_be_indexed() -> None:
    """Another number of them is stale, once nothing that can be indexed differs."""

    def decided(tree: Mapping[str, str]) -> tuple[str, str]:
        sidecar = Loaded("valid", SIDECAR)
        found = decide(receipt(), sidecar, tree, lambda _: manifest(), KEY_A, unread_moved=True)
        return found.state, found.reason

    assert decided(TREE) == ("stale", "unread_files")
    assert decided({}) == ("stale", "raw_source_drift")
