"""producers.records: rules R1 to R13 and P11, both ways (contract.md B3, C2)."""

import json
import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codequarry.core.errors import ExportRejected
from codequarry.core.hashing import sha256_file, sha256_hex
from codequarry.core.text import line_range, repair
from codequarry.producers.protocol import PageRequest
from codequarry.producers.records import Validated, fingerprint_matches, moved_files, validate
from codequarry.producers.source_rules import _Lines
from codequarry.schemas.tables import QUARANTINE, RECORDS, VALIDATED
from tests.producers.exporting import Document, TreeProducer, make_tree, printed, symbol

Corruption = Callable[[list[Document]], object]


@pytest.fixture
def producer(tmp_path: Path) -> TreeProducer:
    return TreeProducer(make_tree(tmp_path / "tree"))


def pages(producer: TreeProducer, window: int = 16_384, limit: int = 2) -> list[Document]:
    offsets = range(0, max(len(producer.symbols), 1), limit)
    return [producer.document(PageRequest(offset, limit, window)) for offset in offsets]


def checked(producer: TreeProducer, documents: list[Document]) -> Validated:
    return validate(map(printed, documents), producer.root)


def records(documents: list[Document]) -> list[Document]:
    return [record for page in documents for record in page["records"]]


def legacy(documents: list[Document]) -> list[Document]:
    for record in records(documents):
        del record["ordinal"]
    return documents


def test_an_honest_export_passes(producer: TreeProducer) -> None:
    """All records come through in order, with the hashes of their files, and prove their print."""
    result = checked(producer, pages(producer))
    assert result.records.schema.equals(RECORDS, check_metadata=True)
    assert result.quarantine.schema.equals(QUARANTINE, check_metadata=True)
    assert result.files.schema.equals(VALIDATED, check_metadata=True)
    assert result.records["ordinal"].to_pylist() == [1, 2, 3, 4]
    assert result.records["symbol"].to_pylist() == ["one", "two", "B", "method"]
    assert result.records["start_line"].to_pylist() == [1, 5, 1, 2]
    assert result.quarantine.num_rows == 0
    assert result.files.to_pylist() == [
        {"file": name, "sha256": sha256_file(producer.root / name)} for name in ("a.py", "pkg/b.py")
    ]
    assert result.total_records == 4
    assert result.fingerprint_matches is True


def test_a_legacy_export_passes(producer: TreeProducer) -> None:
    """Records without ordinals are numbered by their place."""
    result = checked(producer, legacy(pages(producer)))
    assert result.records["ordinal"].to_pylist() == [1, 2, 3, 4]
    assert result.fingerprint_matches is True


def test_an_empty_export_passes(producer: TreeProducer) -> None:
    """No record at all is a valid export (J-54)."""
    producer.symbols = []
    result = checked(producer, pages(producer))
    assert (result.records.num_rows, result.files.num_rows) == (0, 0)
    assert result.fingerprint_matches is True


def test_a_filtered_export_passes_and_leaves_its_print_open(producer: TreeProducer) -> None:
    """A slice cannot prove the fingerprint of the whole index."""
    page = producer.document(PageRequest(0, 4, 99, ("pkg/b.py",)))
    result = checked(producer, [page])
    assert result.records["ordinal"].to_pylist() == [1, 2]
    assert result.fingerprint_matches is None


def on(position: int, **values: object) -> Corruption:
    return lambda found: found[position].update(values)


def swap(found: list[Document]) -> None:
    first, second = dict(found[0]), dict(found[1])
    found[0].update(second)
    found[1].update(first)


REJECTED: list[tuple[str, bool, Corruption]] = [
    ("R1", False, on(1, schema_version=2)),
    ("R1", False, on(1, project="other")),
    ("R1", False, on(1, project_key="0" * 12)),
    ("R1", False, on(3, index_fingerprint="0" * 64)),
    *[
        ("R2", False, on(2, file=path))
        for path in ("", ".", "..", "../a.py", "/etc/passwd", "a/../a.py", "./a.py", "a//b", "a/")
    ],
    ("R3", False, lambda found: found[3].pop("ordinal")),
    ("R3", False, lambda found: found[0].pop("ordinal")),
    ("R4", False, on(0, ordinal=2)),
    ("R4", False, on(2, ordinal=1)),
    ("R4", False, on(3, ordinal=5)),
    ("R4", False, on(0, ordinal=-1)),
    ("R5", True, swap),
    ("R5", True, lambda found: found[1].update(found[0])),
    ("R5", True, on(3, file="a.py")),
]


@pytest.mark.parametrize(("rule", "without_ordinals", "corrupt"), REJECTED)
def test_r1_to_r5_reject_the_export(
    producer: TreeProducer, rule: str, without_ordinals: bool, corrupt: Corruption
) -> None:
    """One corruption of one record rejects the whole export and names its rule."""
    documents = pages(producer)
    if without_ordinals:
        legacy(documents)
    corrupt(records(documents))
    with pytest.raises(ExportRejected) as caught:
        checked(producer, documents)
    assert caught.value.rule == rule


QUARANTINED: list[tuple[str, Corruption]] = [
    ("R6", on(1, start_line=0)),
    ("R6", on(1, start_line=-1)),
    ("R6", on(1, end_line=4)),
    ("R6", on(1, start_line=2**31, end_line=2**31)),
    ("R6", on(1, kind="")),
    ("R6", on(1, language="")),
    ("R7", on(1, file_stale=True)),
    ("R7", on(1, content_omitted=True)),
    ("R7", on(1, omission_reason="some_new_reason")),
    ("R8", on(1, content_hash="")),
    ("R8", on(1, content_hash="A" * 64)),
    ("R9", on(1, content="def two(): return 2")),
    ("R9", on(1, content_hash="0" * 64)),
    ("R10", on(1, source_hash="0" * 63)),
    ("R10", on(1, source_hash="0" * 64 + "\n")),
    (
        "R11",
        lambda found: found[1].update({k: v for k, v in found[0].items() if k != "ordinal"}),
    ),
    ("R13", on(1, content="x = 1", content_hash=sha256_hex("x = 1"))),
    ("R13", on(1, content_hash="0" * 64, content_truncated=True)),
    ("R13", on(1, content="def tw0", content_truncated=True)),
    ("R13", on(1, end_line=5)),
]


@pytest.mark.parametrize(("rule", "corrupt"), QUARANTINED)
def test_r6_to_r13_drop_one_file(producer: TreeProducer, rule: str, corrupt: Corruption) -> None:
    """One broken record drops all records of its file, even earlier ones, and no other file's."""
    documents = pages(producer)
    corrupt(records(documents))
    result = checked(producer, documents)
    (broken,) = result.quarantine.to_pylist()
    assert (broken["file"], broken["rule"]) == ("a.py", rule)
    assert result.records["file"].to_pylist() == ["pkg/b.py", "pkg/b.py"]
    assert result.records["ordinal"].to_pylist() == [3, 4]
    assert result.files["file"].to_pylist() == ["pkg/b.py"]
    assert result.total_records == 4


@pytest.mark.parametrize(("rule", "corrupt"), QUARANTINED[:-4])
def test_of_two_breaches_the_first_rule_counts(
    producer: TreeProducer, rule: str, corrupt: Corruption
) -> None:
    """A record that also breaks R13 is recorded under its first rule."""
    documents = pages(producer)
    corrupt(records(documents))
    (producer.root / "a.py").write_bytes(b"rewritten\n" * 9)
    kept = records(documents)[0]
    kept.update(content="rewritten\nrewritten")
    kept.update(content_hash=sha256_hex(kept["content"]))
    if rule == "R11":
        records(documents)[1].update(content=kept["content"], content_hash=kept["content_hash"])
    (broken,) = checked(producer, documents).quarantine.to_pylist()
    assert broken["rule"] == rule


def truncated(producer: TreeProducer) -> list[Document]:
    documents = pages(producer, window=10)
    assert all(record["content_truncated"] for record in records(documents))
    return documents


def test_truncated_content_is_proved_on_disk(producer: TreeProducer) -> None:
    """A cut content passes when hash and prefix agree with the file, broken UTF-8 included."""
    assert checked(producer, truncated(producer)).records.num_rows == 4


def test_an_edit_behind_the_cut_is_seen(producer: TreeProducer) -> None:
    """The hash covers the uncut text, so a tail edit breaks R13 (J-20)."""
    documents = truncated(producer)
    path = producer.root / "pkg/b.py"
    path.write_bytes(path.read_bytes() + b" # edited")
    (broken,) = checked(producer, documents).quarantine.to_pylist()
    assert (broken["file"], broken["rule"], broken["start_line"]) == ("pkg/b.py", "R13", 1)


def replace_with(path: Path, kind: str, elsewhere: Path) -> None:
    content = path.read_bytes()
    path.unlink()
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "directory":
        path.mkdir()
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as listener:
            here = Path.cwd()
            os.chdir(path.parent)  # a socket's name is short; a temporary directory's is not
            try:
                listener.bind(path.name)
            finally:
                os.chdir(here)
    elif kind == "outside":
        (elsewhere / "same.py").write_bytes(content)
        path.symlink_to(elsewhere / "same.py")
    elif kind == "loop":
        path.symlink_to(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")


@pytest.mark.parametrize(
    "kind", ["missing", "fifo", "directory", "socket", "outside", "loop", "device"]
)
def test_r12(producer: TreeProducer, tmp_path: Path, kind: str) -> None:
    """R12: what is no regular file inside the root is dropped, and nothing blocks."""
    documents = pages(producer)
    replace_with(producer.root / "a.py", kind, tmp_path)
    (broken,) = checked(producer, documents).quarantine.to_pylist()
    assert (broken["file"], broken["rule"]) == ("a.py", "R12")


def test_r12_allows_links_within_the_root(producer: TreeProducer) -> None:
    """A link to a regular file inside the root is read through, and so is a linked root."""
    documents = pages(producer)
    (producer.root / "a.py").rename(producer.root / "real.py")
    (producer.root / "a.py").symlink_to("real.py")
    link = producer.root.parent / "link"
    link.symlink_to(producer.root)
    assert validate(map(printed, documents), link).quarantine.num_rows == 0


@pytest.mark.parametrize("path", ["nul\0.py", "\ud800.py", "x" * 5000])
def test_r12_takes_any_name(producer: TreeProducer, path: str) -> None:
    """A name that no file can have drops its records and fails nothing else."""
    documents = pages(producer)
    for record in records(documents)[:2]:
        record["file"] = path
    raw = [json.dumps(document).encode() for document in documents]
    result = validate(raw, producer.root)
    assert result.quarantine["rule"].to_pylist() == ["R12"]
    assert result.records["file"].to_pylist() == ["pkg/b.py"] * 2


def test_files_need_not_be_adjacent(producer: TreeProducer) -> None:
    """With ordinals, records of one file may be apart; a late breach drops the early ones too."""
    producer.symbols = [producer.symbols[0], producer.symbols[2], producer.symbols[1]]
    documents = pages(producer)
    result = checked(producer, documents)
    assert result.records["file"].to_pylist() == ["a.py", "pkg/b.py", "a.py"]
    assert result.files["file"].to_pylist() == ["a.py", "pkg/b.py"]
    records(documents)[2]["kind"] = ""
    assert checked(producer, documents).records["file"].to_pylist() == ["pkg/b.py"]


def test_a_file_that_changes_while_it_is_validated_is_dropped(producer: TreeProducer) -> None:
    """Two readings of one file must agree, even where each record agrees with its own reading."""
    producer.symbols = [producer.symbols[0], producer.symbols[2], producer.symbols[1]]
    documents = pages(producer, limit=2)

    def bodies() -> Iterator[bytes]:
        for number, document in enumerate(documents):
            if number == 1:
                path = producer.root / "a.py"
                path.write_bytes(path.read_bytes() + b"# more\n")
            yield printed(document)

    (broken,) = validate(bodies(), producer.root).quarantine.to_pylist()
    assert (broken["file"], broken["rule"]) == ("a.py", "R13")


def test_p11_and_p5_hold_for_stored_pages(producer: TreeProducer) -> None:
    """A page that is missing, extra or from another export rejects the export."""
    documents = pages(producer)
    for wrong, rule in [
        ([], "P11"),
        (documents[:1], "P11"),
        ([*documents, producer.document(PageRequest(4, 2, 9)) | {"total_records": 5}], "P5"),
        ([documents[0], documents[1] | {"index_fingerprint": "0" * 64}], "P5"),
    ]:
        with pytest.raises(ExportRejected) as caught:
            checked(producer, wrong)
        assert caught.value.rule == rule


def test_a_wrong_fingerprint_is_noticed(producer: TreeProducer) -> None:
    """Records that do not give their fingerprint are told; dropped files are part of it (C2)."""
    documents = pages(producer)
    records(documents)[0]["content_hash"] = ""
    assert checked(producer, documents).fingerprint_matches is True
    records(documents)[0]["docstring"] = "never indexed"
    assert checked(producer, documents).fingerprint_matches is False


@pytest.mark.parametrize("values", [{"signature_truncated": True}, {"docstring": "\ufffd"}])
def test_cut_or_repaired_texts_leave_the_fingerprint_open(
    producer: TreeProducer, values: Document
) -> None:
    """What was not transported whole proves nothing, for or against."""
    documents = pages(producer)
    records(documents)[0].update(values)
    result = checked(producer, documents)
    assert result.fingerprint_matches is None
    assert fingerprint_matches(result.records, producer.key, producer.fingerprint) is None


def test_the_fingerprint_of_a_records_table(producer: TreeProducer) -> None:
    """The table of all records gives the fingerprint; one without a record does not."""
    table = checked(producer, pages(producer)).records
    assert fingerprint_matches(table, producer.key, producer.fingerprint) is True
    assert fingerprint_matches(table.slice(1), producer.key, producer.fingerprint) is False
    empty = "5b08d5a3156ab078140f47505c302c6799c361ba63b1064a43423c375773e733"
    assert fingerprint_matches(table.slice(0, 0), "0123456789ab", empty) is True


def test_moved_files() -> None:
    """A file whose bytes are not the snapshot's is named; one the snapshot leaves out is not."""
    files = pa.table({"file": ["a", "b", "c"], "sha256": ["1", "2", "3"]}, schema=VALIDATED)
    assert moved_files(files, {"a": "1", "b": "9", "d": "4"}) == ["b"]


@settings(deadline=None)
@given(st.binary(max_size=60), st.integers(1, 12), st.integers(0, 12))
def test_line_ranges_are_those_of_the_contract(raw: bytes, start: int, more: int) -> None:
    """Cutting a repaired file gives the repaired cut of C3."""
    expected = repair(line_range(raw.split(b"\n"), start, start + more)).encode()
    assert _Lines(raw).between(start, start + more) == expected


NAMES = st.sampled_from(["a.py", "b.py", "ü.py"])
SPANS = st.tuples(NAMES, st.integers(1, 6), st.integers(0, 4), st.sampled_from("xyz"))
SOURCES = st.text(alphabet="ab\n\r\u2028é", max_size=30).map(str.encode) | st.binary(max_size=20)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.fixed_dictionaries(dict.fromkeys(["a.py", "b.py", "ü.py"], SOURCES)),
    st.lists(SPANS, unique_by=lambda span: (span[0], span[1], span[3])),
    st.integers(1, 4),
    st.sampled_from([3, 16_384]),
)
def test_whatever_an_honest_producer_exports_is_accepted(
    tmp_path: Path,
    sources: dict[str, bytes],
    spans: list[tuple[str, int, int, str]],
    limit: int,
    window: int,
) -> None:
    """Any tree, any spans, any page size: nothing is rejected or dropped."""
    for name, content in sources.items():
        (tmp_path / name).write_bytes(content)
    symbols = [symbol(file, start, start + more, name) for file, start, more, name in spans]
    symbols.sort(key=lambda s: (s["file"].encode(), s["start_line"], s["end_line"], s["fqn"]))
    producer = TreeProducer(tmp_path, symbols)
    for documents in (pages(producer, window, limit), legacy(pages(producer, window, limit))):
        result = checked(producer, documents)
        assert result.quarantine.num_rows == 0
        assert result.records.num_rows == len(symbols)
        assert result.fingerprint_matches is True
