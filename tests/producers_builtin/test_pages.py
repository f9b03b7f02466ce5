import json
import os
from pathlib import Path

import pytest

from codequarry.core.errors import ProducerError
from codequarry.core.hashing import producer_key, profile_hash, sha256_hex, structural_file_hash
from codequarry.producers.builtin.index import FIELDS
from codequarry.producers.protocol import PageRequest
from codequarry.schemas.documents import Page
from tests.producers_builtin.building import TARGET_GO, indexed, page, producer, write

GOLDEN = """{
  "schema_version": 1,
  "project": "demo",
  "project_key": "KEY",
  "index_fingerprint": "FINGERPRINT",
  "offset": 0,
  "limit": 128,
  "max_content_bytes": 16384,
  "total_records": 1,
  "returned_records": 1,
  "complete": true,
  "records": [
    {
      "schema_version": 1,
      "ordinal": 1,
      "project": "demo",
      "project_key": "KEY",
      "index_fingerprint": "FINGERPRINT",
      "file": "pkg/target.go",
      "start_line": 4,
      "end_line": 4,
      "symbol": "Target",
      "fqn": "fixture.Target",
      "kind": "function",
      "language": "go",
      "signature": "func Target() string",
      "docstring": "Target returns a stable fixture value.",
      "source_hash": "a1fa56715b32d638dce3e69bb50847a758e5ae3afef3b87997e473f9ff4fa613",
      "content": "func Target() string { return \\"ok\\" }",
      "content_hash": "a1fa56715b32d638dce3e69bb50847a758e5ae3afef3b87997e473f9ff4fa613"
    }
  ]
}
"""


def test_the_golden_page_byte_for_byte(tmp_path: Path) -> None:
    """The page of A1.5, but for the two values that depend on where the project lies."""
    root = write(tmp_path / "demo", {"pkg/target.go": TARGET_GO})
    source = indexed(root, tmp_path / "state")
    fingerprint = page(source).index_fingerprint
    golden = GOLDEN.replace("KEY", producer_key(root)).replace("FINGERPRINT", str(fingerprint))
    assert source.page(PageRequest(0, 128, 16_384)).decode() == golden


def test_the_consumers_hashes_of_the_worked_example(tmp_path: Path) -> None:
    """From our record a consumer computes the profile and file hashes of C7."""
    root = write(tmp_path / "demo", {"pkg/target.go": TARGET_GO})
    (record,) = page(indexed(root, tmp_path / "state")).records or []
    fields = [*FIELDS, "content_hash"]
    profile = profile_hash([[getattr(record, name) for name in fields]])
    assert profile == "b75d04165d6f76b642257a7557bb7959834906569914a9463979b62d2b36be9a"
    assert (
        structural_file_hash(sha256_hex(TARGET_GO), profile)
        == "964f1518b37e7a837330c05df9e28dff2921cfdfd007bdc5b9fef0b446df653f"
    )


def test_empty_texts_and_false_are_printed(tmp_path: Path) -> None:
    """An empty docstring stands in the page, and so does ``complete: false``."""
    root = write(tmp_path / "demo", {"a.py": b"def f(): pass\ndef g(): pass\n"})
    raw = indexed(root, tmp_path / "state").page(PageRequest(0, 1, 100))
    assert b'"complete": false,\n  "next_offset": 1,' in raw
    assert b'"docstring": "",' in raw


def test_separators_are_escaped_and_html_is_not(tmp_path: Path) -> None:
    """U+2028 and U+2029 are escaped as Go does, ``<`` and ``&`` are not."""
    root = write(tmp_path / "demo", {"a.py": 'X = "<&\u2028\u2029>"\n'.encode()})
    raw = indexed(root, tmp_path / "state").page(PageRequest(0, 1, 100))
    assert b'X = \\"<&\\u2028\\u2029>\\"' in raw


def test_pages_join_to_the_whole_export(tmp_path: Path) -> None:
    """Ordinals run through, offsets add up, and a page past the end is empty and complete."""
    files = {f"m{number}.py": b"def f(): pass\nclass C:\n  x = 1\n" for number in range(7)}
    source = indexed(write(tmp_path / "demo", files), tmp_path / "state")
    whole = page(source)
    pieces = [page(source, offset, 3) for offset in range(0, 15, 3)]
    assert whole.total_records == 14
    assert [one.next_offset for one in pieces] == [3, 6, 9, 12, None]
    assert [one.complete for one in pieces] == [False] * 4 + [True]
    assert [record for one in pieces for record in one.records or []] == whole.records
    assert [record.ordinal for record in whole.records or []] == list(range(1, 15))
    past = page(source, 99, 3)
    assert (past.records, past.complete, past.returned_records) == ([], True, 0)


def test_texts_are_cut_by_bytes(tmp_path: Path) -> None:
    """Content, signature and docstring step back to a whole character; the hash is of it all."""
    text = 'def f(ä="äääääääää"):\n    """äääääääää"""\n'.encode()
    root = write(tmp_path / "demo", {"a.py": text})
    (record,) = page(indexed(root, tmp_path / "state"), content_bytes=11).records or []
    assert (record.content, record.content_truncated) == ('def f(ä="', True)
    assert (record.signature, record.signature_truncated) == ('def f(ä="', True)
    assert (record.docstring, record.docstring_truncated) == ("äääää", True)
    assert record.content_hash == sha256_hex(text.rstrip(b"\n"))


def test_content_is_repaired_before_it_is_hashed(tmp_path: Path) -> None:
    """Runs of broken bytes become one U+FFFD, carriage returns stay (A1.4)."""
    # Past the head by which an inventory tells text from binary.
    text = b"#" * 9000 + b"\ndef f():\r\n    return b'\xff\xfe'\r\n"
    root = write(tmp_path / "demo", {"a.py": text})
    (record,) = page(indexed(root, tmp_path / "state")).records or []
    assert record.content == "def f():\r\n    return b'\ufffd'\r"
    assert record.content_hash == sha256_hex(record.content)


def omission(one: Page) -> list[tuple[str | None, bool | None, str | None]]:
    records = one.records or []
    assert all(r.content == "" and r.content_hash is None and r.content_omitted for r in records)
    return [(r.omission_reason, r.file_stale, r.content) for r in records]


def test_omissions_name_their_reason(tmp_path: Path) -> None:
    """Changed, missing, special, escaping and oversized files omit content (A1.4)."""
    names = ("changed", "deleted", "fifo", "grown", "linked", "parent/gone")
    root = write(tmp_path / "demo", {f"{name}.py": b"X = 1\n" for name in names})
    outside = write(tmp_path / "elsewhere", {"x.py": b"X = 1\n"})
    source = indexed(root, tmp_path / "state")
    write(root, {"changed.py": b"X = 2\n", "grown.py": b"#" * (1024 * 1024 + 1)})
    (root / "deleted.py").unlink()
    (root / "fifo.py").unlink()
    os.mkfifo(root / "fifo.py")
    (root / "linked.py").unlink()
    (root / "linked.py").symlink_to(outside / "x.py")
    (root / "parent" / "gone.py").unlink()
    (root / "parent").rmdir()
    (root / "parent").write_bytes(b"")
    assert omission(page(source)) == [
        ("stale_index", True, ""),
        ("file_missing", True, ""),
        ("file_unreadable", None, ""),
        ("stale_index", True, ""),
        ("unsafe_path", None, ""),
        ("file_missing", True, ""),
    ]


def test_an_omitted_record_is_printed_as_the_contract_shows(tmp_path: Path) -> None:
    """After source_hash come the empty content, the flag, the reason and the staleness."""
    root = write(tmp_path / "demo", {"a.py": b"X = 1\n"})
    source = indexed(root, tmp_path / "state")
    write(root, {"a.py": b"X = 2\n"})
    (record,) = json.loads(source.page(PageRequest(0, 10, 100)))["records"]
    assert list(record)[-4:] == ["content", "content_omitted", "omission_reason", "file_stale"]
    assert list(record)[-5] == "source_hash"


def test_a_filtered_export_is_a_slice(tmp_path: Path) -> None:
    """Version 2, ordinals from one, totals of the slice, fingerprint of the whole (A2)."""
    files = {"a.go": b"package p\nfunc A() {}\n", "b.go": b"package p\nfunc B() {}\n"}
    root = write(tmp_path / "demo", files | {"c.go": b"package p\nfunc C() {}\n"})
    source = indexed(root, tmp_path / "state")
    one = page(source, files=(" b.go", "./a.go", "b.go"))
    assert (one.schema_version, one.total_records) == (2, 2)
    assert one.files_filter == ["a.go", "b.go"]
    assert (
        one.files_filter_fingerprint
        == "a59157bd97237dabdaf4caf0799d2e8ca53c50d22e34c195e8bdd88086f8ed5d"
    )
    records = one.records or []
    assert [(r.schema_version, r.ordinal, r.symbol) for r in records] == [(2, 1, "A"), (2, 2, "B")]
    assert one.index_fingerprint == page(source).index_fingerprint
    raw = source.page(PageRequest(0, 10, 100, ("a.go",)))
    assert list(json.loads(raw))[-2:] == ["files_filter", "files_filter_fingerprint"]


def test_unknown_and_empty_filters(tmp_path: Path) -> None:
    """Unknown paths contribute nothing; a filter that holds nothing is none at all (A2)."""
    root = write(tmp_path / "demo", {"a.go": b"package p\nfunc A() {}\n"})
    source = indexed(root, tmp_path / "state")
    unknown = page(source, files=("no.go",))
    assert (unknown.total_records, unknown.complete, unknown.schema_version) == (0, True, 2)
    blank = page(source, files=("  ",))
    assert (blank.schema_version, blank.files_filter, blank.total_records) == (1, None, 1)


def test_a_filtered_page_never_refreshes(tmp_path: Path) -> None:
    """Pages tell the stored index, whatever happened on disk since."""
    root = write(tmp_path / "demo", {"a.py": b"X = 1\n"})
    state = tmp_path / "state"
    indexed(root, state)
    write(root, {"b.py": b"Y = 1\n"})
    assert page(producer(root, state), files=("b.py",)).total_records == 0


def test_without_an_index_there_is_no_page(tmp_path: Path) -> None:
    """The error carries the contract's code."""
    with pytest.raises(ProducerError) as caught:
        page(producer(tmp_path, tmp_path / "state"))
    assert caught.value.code == "not_indexed"
