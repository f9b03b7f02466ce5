import json
from pathlib import Path

import pytest

from codequarry.core.errors import ProducerError
from codequarry.core.hashing import is_hex, producer_key
from tests.producers_builtin.building import (
    NOW,
    TARGET_GO,
    indexed,
    manifest,
    page,
    producer,
    write,
)

FRESH = """{
  "schema_version": 1,
  "export_schema_version": 1,
  "project": "demo",
  "project_key": "KEY",
  "index_fingerprint": "FINGERPRINT",
  "total_records": 1,
  "complete": true,
  "freshness": {
    "checked": true,
    "fresh": false,
    "changed": 1,
    "new": 0,
    "deleted": 0,
    "changed_files": [
      "pkg/target.go"
    ]
  }
}
"""


def test_the_golden_manifest_byte_for_byte(tmp_path: Path) -> None:
    """The manifest of A3 after an edit, with Go's layout of lists."""
    root = write(tmp_path / "demo", {"pkg/target.go": TARGET_GO})
    source = indexed(root, tmp_path / "state")
    fingerprint = str(page(source).index_fingerprint)
    write(root, {"pkg/target.go": TARGET_GO + b"\n"})
    golden = FRESH.replace("KEY", producer_key(root)).replace("FINGERPRINT", fingerprint)
    assert source.manifest().decode() == golden


def test_the_consumers_rules_hold(tmp_path: Path) -> None:
    """Rules M1 to M9 of B6, on a fresh tree and on one that drifted every way."""
    root = write(tmp_path / "demo", {"a.py": b"X = 1\n", "b.py": b"Y = 1\n"})
    source = indexed(root, tmp_path / "state")
    for drift in ((0, 0, 0), (1, 2, 1)):
        if any(drift):
            write(
                root, {"a.py": b"X = 2\n", "c.py": b"", "d.py": b"Z = 1\n", "e.go": b"package e\n"}
            )
            (root / "b.py").unlink()
        raw = json.loads(source.manifest())
        assert set(raw["freshness"]) >= {"checked", "fresh", "changed", "new", "deleted"}
        one = manifest(source)
        assert (one.schema_version, one.export_schema_version) == (1, 1)
        assert one.project == "demo"
        assert one.project_key == producer_key(root)
        assert is_hex(one.index_fingerprint, 64)
        assert one.index_fingerprint == page(source).index_fingerprint
        assert one.total_records == 2
        assert one.complete
        found = one.freshness
        assert found.checked
        assert (found.changed, found.new, found.deleted) == drift
        assert found.fresh is not any(drift)
    assert (found.changed_files, found.new_files, found.deleted_files) == (
        ["a.py"],
        ["d.py", "e.go"],
        ["b.py"],
    )


def test_the_manifest_carries_the_delta(tmp_path: Path) -> None:
    """After a second index run the attestation stands in the manifest with all its lists."""
    root = write(tmp_path / "demo", {"a.py": b"X = 1\n"})
    first = indexed(root, tmp_path / "state")
    before = manifest(first).index_fingerprint
    write(root, {"b.py": b"Y = 1\n"})
    second = indexed(root, tmp_path / "state")
    raw = json.loads(second.manifest())
    assert raw["reindex_delta"] == {
        "from_fingerprint": before,
        "to_fingerprint": raw["index_fingerprint"],
        "changed_files": [],
        "new_files": ["b.py"],
        "deleted_files": [],
        "created_at": NOW,
    }


def test_the_manifest_never_refreshes(tmp_path: Path) -> None:
    """Asking for it leaves the index as it was."""
    root = write(tmp_path / "demo", {"a.py": b"X = 1\n"})
    indexed(root, tmp_path / "state")
    write(root, {"b.py": b"Y = 1\n"})
    source = producer(root, tmp_path / "state")
    assert manifest(source).freshness.new == 1
    assert manifest(source).freshness.new == 1


def test_without_an_index_there_is_no_manifest(tmp_path: Path) -> None:
    """The error carries the manifest's own code."""
    with pytest.raises(ProducerError) as caught:
        manifest(producer(tmp_path, tmp_path / "state"))
    assert caught.value.code == "index_missing"
