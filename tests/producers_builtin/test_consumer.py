from pathlib import Path

from codequarry.core.hashing import producer_key
from codequarry.producers.exports import load
from codequarry.producers.manifest import fetch_manifest
from codequarry.producers.records import fingerprint_matches, validate
from tests.producers_builtin.building import indexed, write
from tests.producers_builtin.test_languages import CASES, read

HARD = {
    "crlf.py": b"def f():\r\n    return 1\r\n",
    "no_final_newline.py": b"def f(): return 1",
    "late.py": b"#" * 9000 + b"\n\xff\xfe\ndef f(): return '\xed\xa0\x80'\n",
    "spaces and\nnewline.py": b"X = 1\n",
    "same.json": b'{"a": {"b": 1, "b": 2}, "a": 3}',
    "long.py": b'X = "' + b"a" * 70_000 + b'"\n',
    "\u00e9/\U0001f600.go": b"package p\n\nfunc F() {}\n",
}


def test_a_strict_consumer_accepts_every_record(tmp_path: Path) -> None:
    """Rules P1 to P11 and R1 to R13 hold for every language, and the fingerprint recomputes."""
    files = {path: source for path, source, _ in map(read, CASES)} | HARD
    root = write(tmp_path / "demo", files)
    source = indexed(root, tmp_path / "state")
    export = load(source, producer_key(root))
    checked = validate(export.pages["body"].to_pylist(), root)
    assert checked.quarantine.num_rows == 0
    assert checked.records.num_rows == export.total_records > 200
    key, fingerprint = export.project_key, export.index_fingerprint
    assert fingerprint_matches(checked.records, key, fingerprint) is True
    manifest = fetch_manifest(source, key)
    assert (manifest.index_fingerprint, manifest.freshness.fresh) == (fingerprint, True)
