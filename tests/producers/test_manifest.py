"""producers.manifest: rules M0 to M9 with their verdicts (contract.md B6)."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from codequarry.core.errors import ManifestRejected, ProducerError
from codequarry.producers.manifest import fetch_manifest, read_manifest
from codequarry.schemas.documents import ReindexDelta
from tests.producers.exporting import Document, TreeProducer, make_tree

KEY = "45e78582e898"
PRINT = "a" * 64


def document() -> Document:
    freshness = {"checked": True, "fresh": False, "changed": 1, "new": 0, "deleted": 0}
    return {
        "schema_version": 1,
        "export_schema_version": 1,
        "project": "demo",
        "project_key": KEY,
        "index_fingerprint": PRINT,
        "total_records": 3,
        "complete": True,
        "freshness": freshness | {"changed_files": ["a.py"]},
        "reindex_delta": {"from_fingerprint": "b" * 64, "to_fingerprint": PRINT, "new_files": None},
    }


def read(document: Document, expected: str | None = PRINT) -> object:
    return read_manifest(json.dumps(document).encode(), KEY, expected)


def test_an_honest_manifest_passes_with_its_lists() -> None:
    """File lists and delta are carried through; a null or missing list stays absent (A4)."""
    manifest = read_manifest(json.dumps(document()).encode(), KEY, PRINT)
    assert manifest.freshness.changed_files == ["a.py"]
    assert manifest.freshness.new_files is None
    assert manifest.reindex_delta == ReindexDelta(from_fingerprint="b" * 64, to_fingerprint=PRINT)


def test_additions_and_case_do_no_harm() -> None:
    """A manifest is decoded as leniently as a page (B0)."""
    extended = document() | {"future": {"x": 1}}
    extended["Complete"] = extended.pop("complete")
    read(extended)


REQUIRED = [name for name in document() if name != "reindex_delta"]
COUNTERS = ("checked", "fresh", "changed", "new", "deleted")


def put(**values: object) -> Callable[[Document], object]:
    return lambda page: page.update(values)


def fresh(**values: object) -> Callable[[Document], object]:
    return lambda page: page["freshness"].update(values)


BREACHES: list[tuple[str, str, Callable[[Document], object]]] = [
    ("M1", "invalid", put(total_records="3")),
    ("M1", "invalid", put(total_records=3.0)),
    ("M1", "invalid", put(freshness=[])),
    *[("M2", "invalid", lambda page, name=name: page.pop(name)) for name in REQUIRED],
    *[("M2", "invalid", put(**{name: None})) for name in REQUIRED],
    *[("M2", "invalid", fresh(**{name: None})) for name in COUNTERS],
    ("M3", "invalid", put(schema_version=2)),
    ("M3", "invalid", put(export_schema_version=2)),
    ("M4", "invalid", put(project="")),
    ("M4", "invalid", put(project_key=KEY.upper())),
    ("M4", "invalid", put(project_key=KEY + "0")),
    ("M5", "mismatch", put(project_key="0" * 12)),
    ("M6", "invalid", put(index_fingerprint="A" * 64)),
    ("M7", "mismatch", put(index_fingerprint="c" * 64)),
    ("M8", "invalid", put(total_records=-1)),
    ("M8", "invalid", put(complete=False)),
    ("M9", "invalid", fresh(checked=False)),
    ("M9", "invalid", fresh(changed=-1)),
    ("M9", "invalid", fresh(fresh=True)),
    ("M9", "invalid", fresh(changed=0)),
    ("M9", "invalid", fresh(changed=1, deleted=-1)),
]


@pytest.mark.parametrize(("rule", "verdict", "corrupt"), BREACHES)
def test_one_corruption_breaks_one_rule(
    rule: str, verdict: str, corrupt: Callable[[Document], object]
) -> None:
    """Each breach names its rule and has the verdict of the contract."""
    broken = document()
    corrupt(broken)
    with pytest.raises(ManifestRejected) as caught:
        read(broken)
    assert (caught.value.rule, caught.value.verdict) == (rule, verdict)


@pytest.mark.parametrize("raw", [b"", b"[]", b"null", b"{} {}", b"not json", b"\xff", b"[" * 10**5])
def test_m1(raw: bytes) -> None:
    """M1: anything but exactly one JSON object is invalid."""
    with pytest.raises(ManifestRejected) as caught:
        read_manifest(raw, KEY)
    assert caught.value.rule == "M1"


def test_rules_are_checked_in_order() -> None:
    """A foreign root is a mismatch even when what follows is broken too."""
    with pytest.raises(ManifestRejected) as caught:
        read(document() | {"project_key": "0" * 12, "index_fingerprint": "x", "complete": False})
    assert caught.value.rule == "M5"


def test_without_a_receipt_any_index_will_do() -> None:
    """Delta planning leaves out M7, and only M7."""
    read(document() | {"index_fingerprint": "c" * 64}, expected=None)
    with pytest.raises(ManifestRejected):
        read(document() | {"export_schema_version": 2}, expected=None)


@dataclass
class Dead(TreeProducer):
    def manifest(self) -> bytes:
        raise ProducerError("codemap did not finish")


def test_m0(tmp_path: Path) -> None:
    """M0: a producer that cannot answer makes the manifest unavailable."""
    root = make_tree(tmp_path)
    honest = TreeProducer(root)
    assert fetch_manifest(honest, honest.key, honest.fingerprint).total_records == 4
    with pytest.raises(ManifestRejected) as caught:
        fetch_manifest(Dead(root), honest.key)
    assert (caught.value.rule, caught.value.verdict) == ("M0", "unavailable")
