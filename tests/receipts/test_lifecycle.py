import msgspec
import pytest

from codequarry.receipts import lifecycle
from codequarry.receipts.lifecycle import Report
from codequarry.schemas.documents import Counts, Fallback, OriginCounts, Receipt, encode

KEY = "84a8cd7d7a26dbdf6a21211d423355ec1989088651da3ce8fb577dc9d95ffae4"
FINGERPRINT = "a0257de92b92089d2ce792a05ca26bc3117f21ab0e59e71f6d695d6f8bacb687"
NOW = "2026-01-05T10:00:00.123456789Z"

GOLDEN = (
    b'{"schema_version":1,"attempt_id":"5f0c2b7e9a4d41c8a1e3b6d2c4f80917","scope_complete":true,'
    b'"project_key":"84a8cd7d7a26dbdf6a21211d423355ec1989088651da3ce8fb577dc9d95ffae4",'
    b'"requested_mode":"auto","effective_mode":"mixed",'
    b'"producer":"codemap","contract":"codemap.structural-export","contract_version":1,'
    b'"producer_project_key":"45e78582e898",'
    b'"index_fingerprint":"a0257de92b92089d2ce792a05ca26bc3117f21ab0e59e71f6d695d6f8bacb687",'
    b'"counts":{"files":{"structural":1,"gap":1,"local":1},'
    b'"chunks":{"structural":1,"gap":1,"local":2}},'
    b'"fallbacks":[{"code":"local_chunker_used",'
    b'"reason":"files without usable structural records used the local chunker","count":1}],'
    b'"last_attempt":"2026-01-05T10:00:00.123456789Z",'
    b'"last_success":"2026-01-05T10:00:00.123456789Z",'
    b'"ingestion_complete":true,"complete":true,"success":true}\n'
)


def report(**changes: object) -> Report:
    base = Report(
        counts=Counts(OriginCounts(1, 1, 1), OriginCounts(1, 1, 2)),
        fallbacks=(
            Fallback(
                code="local_chunker_used",
                reason="files without usable structural records used the local chunker",
                count=1,
            ),
        ),
        snapshot_loaded=True,
        usable_files=1,
        producer="codemap",
        producer_key="45e78582e898",
        index_fingerprint=FINGERPRINT,
    )
    return Report(**{**base.__dict__, **changes})


def opened(previous: Receipt | None = None, mode: str = "auto") -> Receipt:
    return lifecycle.opened("5f0c2b7e9a4d41c8a1e3b6d2c4f80917", KEY, mode, previous, NOW)


def test_golden_receipt() -> None:
    """The three phases end in the bytes of contract.md E3."""
    receipt = lifecycle.finalised(lifecycle.reported(opened(), report(), NOW))
    assert encode(receipt) == GOLDEN


def test_opening_voids_the_proof() -> None:
    """The opening receipt claims nothing, and carries the last success over."""
    before = lifecycle.finalised(lifecycle.reported(opened(), report(), NOW))
    after = opened(before)
    claims = (after.success, after.complete, after.ingestion_complete)
    assert claims == (False, False, False)
    assert after.effective_mode == "unavailable"
    assert after.last_success == NOW
    assert not lifecycle.succeeded(after)


def test_mode_off_names_no_contract() -> None:
    """A run without structure has no producer and no contract in its receipt."""
    raw = msgspec.json.decode(encode(opened(mode="off")))
    assert raw["effective_mode"] == "off"
    assert not {"producer", "contract", "contract_version"} & raw.keys()


def test_failure_after_success_is_no_proof() -> None:
    """A failed attempt has an error, a reason, and none of the flags."""
    receipt = lifecycle.failed(
        lifecycle.reported(opened(), report(), NOW), "index_failed", "x", NOW
    )
    assert receipt.error_count == 1
    assert not lifecycle.succeeded(receipt)
    assert receipt.fallbacks is not None
    assert receipt.fallbacks[-1].code == "index_failed"


@pytest.mark.parametrize(
    ("requested", "chunks", "changes", "mode"),
    [
        ("off", OriginCounts(0, 0, 5), {"snapshot_loaded": False}, "off"),
        ("auto", OriginCounts(1, 0, 1), {}, "mixed"),
        ("auto", OriginCounts(0, 1, 1), {}, "mixed"),
        ("auto", OriginCounts(1, 1, 0), {}, "structural"),
        ("auto", OriginCounts(0, 0, 0), {}, "structural"),
        ("auto", OriginCounts(0, 0, 0), {"usable_files": 0}, "local"),
        ("auto", OriginCounts(0, 0, 3), {}, "local"),
        ("auto", OriginCounts(0, 0, 3), {"snapshot_loaded": False}, "local_fallback"),
        ("auto", OriginCounts(0, 0, 3), {"snapshot_loaded": False, "fallbacks": ()}, "local"),
    ],
)
def test_effective_mode(
    requested: str, chunks: OriginCounts, changes: dict[str, object], mode: str
) -> None:
    """Each row of contract.md E4 decides as it says."""
    counted = report(counts=Counts(chunks=chunks), **changes)
    assert lifecycle.effective_mode(requested, counted) == mode


def test_fallbacks_merge_by_code() -> None:
    """A code stands once with its counts added, and at most sixteen codes stand."""
    twice = [Fallback(code="a", reason="r", count=2), Fallback(code="a", reason="r", count=3)]
    assert lifecycle.merged(twice) == [Fallback(code="a", reason="r", count=5)]
    many = [Fallback(code=str(n), reason="r") for n in range(20)]
    assert len(lifecycle.merged(many) or []) == 16
    assert lifecycle.merged([]) is None
