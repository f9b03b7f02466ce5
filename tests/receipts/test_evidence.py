import os
from pathlib import Path
from typing import Any

import msgspec
import pytest

from codequarry.core.errors import ReceiptError
from codequarry.core.state import StateDirectory
from codequarry.receipts.evidence import Evidence
from codequarry.schemas.documents import HealthManifest, HealthStats, Receipt
from tests.receipts.test_lifecycle import GOLDEN, KEY

RECEIPT = msgspec.json.decode(GOLDEN)


@pytest.fixture
def evidence(state: StateDirectory) -> Evidence:
    return Evidence(state, KEY)


def put(state: StateDirectory, document: Any) -> None:
    path = state.receipt(KEY)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(document if isinstance(document, bytes) else msgspec.json.encode(document))


def test_missing(evidence: Evidence) -> None:
    """No file is the state missing, not an error."""
    assert evidence.receipt().state == "missing"
    assert evidence.health().state == "missing"


def test_valid(evidence: Evidence, state: StateDirectory) -> None:
    """The golden receipt of contract.md E3 is valid."""
    put(state, GOLDEN)
    assert evidence.receipt().document is not None


@pytest.mark.parametrize(
    "change",
    [
        {"schema_version": 2},
        {"project_key": "0" * 64},
        {"attempt_id": "xyz"},
        {"requested_mode": "sometimes"},
        {"effective_mode": ""},
        {"last_attempt": ""},
        {"last_success": "yesterday"},
        {"error_count": -1},
        {"counts": {"files": {"structural": -1}, "chunks": {}}},
        {"fallbacks": [{"code": "c", "reason": "r"}] * 17},
        {"fallbacks": [{"code": "", "reason": "r"}]},
        {"fallbacks": [{"code": "c", "reason": "r" * 257}]},
        {"scope_complete": False},
        {"success": "yes"},
    ],
)
def test_invalid(evidence: Evidence, state: StateDirectory, change: dict[str, Any]) -> None:
    """Each broken rule of E3 makes the receipt invalid, with a reason."""
    put(state, {**RECEIPT, **change})
    loaded = evidence.receipt()
    assert loaded.state == "invalid"
    assert loaded.problem


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"null", GOLDEN * 2, b"\xff", b"[" * 100_000])
def test_garbage(evidence: Evidence, state: StateDirectory, raw: bytes) -> None:
    """Bytes that are no receipt are invalid, never an exception."""
    put(state, raw)
    assert evidence.receipt().state == "invalid"


def test_directory_in_its_place(evidence: Evidence, state: StateDirectory) -> None:
    """A path that cannot be read is invalid."""
    state.receipt(KEY).mkdir(parents=True)
    assert evidence.receipt().state == "invalid"


def test_superseded_attempt_is_not_overwritten(evidence: Evidence, state: StateDirectory) -> None:
    """An attempt never overwrites another attempt's receipt."""
    put(state, {**RECEIPT, "attempt_id": "b" * 32})
    before = state.receipt(KEY).read_bytes()
    with pytest.raises(ReceiptError, match="superseded"):
        evidence.update_receipt(msgspec.convert(RECEIPT, Receipt))
    assert state.receipt(KEY).read_bytes() == before


def test_private_modes(evidence: Evidence, state: StateDirectory) -> None:
    """Evidence is readable by its owner only."""
    evidence.open_receipt(msgspec.convert(RECEIPT, Receipt))
    path: Path = state.receipt(KEY)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert sorted(os.listdir(path.parent)) == [".lock", "receipt.v1.json"]


def health(**changes: Any) -> HealthManifest:
    base = {
        "schema_version": 1,
        "attempt_id": "a" * 32,
        "project_key": KEY,
        "stats": HealthStats(projects=1, files=1, chunks=2, embeddings=2),
        "indexed_bytes": 5,
        "latest_indexed_at": "2026-01-05T10:00:00Z",
        "source_hashes": {"a.py": "0" * 64},
        "updated_at": "2026-01-05T10:00:00Z",
    }
    return HealthManifest(**{**base, **changes})


def test_sidecar_round_trip(evidence: Evidence) -> None:
    """A written sidecar reads back equal."""
    evidence.write_health(health())
    assert evidence.health().document == health()


@pytest.mark.parametrize(
    "change",
    [
        {"schema_version": 2},
        {"project_key": "0" * 64},
        {"indexed_bytes": -1},
        {"source_hashes": {"/etc/passwd": "0" * 64}},
        {"source_hashes": {"a/../../b": "0" * 64}},
        {"source_hashes": {"a": "zz"}},
    ],
)
def test_invalid_sidecar(evidence: Evidence, change: dict[str, Any]) -> None:
    """Each broken rule of E8 makes the sidecar invalid."""
    evidence.write_health(health(**change))
    assert evidence.health().state == "invalid"
