"""Chunks and files of whole trees."""

import hashlib
import os
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codequarry.chunking.chunks import ChunkedBatch, chunk_files
from codequarry.chunking.columns import chunk_id
from codequarry.chunking.lossless import Problem, verify_lossless
from codequarry.chunking.profile import CHUNK_PROFILE
from codequarry.core.text import repair_bytes
from codequarry.schemas.tables import CHUNKS, FILES, RECORDS
from codequarry.sources.walk import WalkOptions, inventory

TARGET = (
    b"package fixture\n\n// Target returns a stable fixture value.\n"
    b'func Target() string { return "ok" }\n'
)
SOURCE_HASH = "a1fa56715b32d638dce3e69bb50847a758e5ae3afef3b87997e473f9ff4fa613"


def record(file: str, start: int, end: int, **fields: object) -> dict[str, object]:
    return {
        "ordinal": 1,
        "file": file,
        "start_line": start,
        "end_line": end,
        "symbol": "Target",
        "fqn": "fixture.Target",
        "kind": "function",
        "language": "go",
        "signature": "func Target() string",
        "docstring": "Target returns a stable fixture value.",
        "source_hash": SOURCE_HASH,
        "content_hash": SOURCE_HASH,
        "truncated": False,
    } | fields


def plant(root: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)


def cut(
    root: Path, records: list[dict[str, object]], validated: dict[str, str] | None = None
) -> tuple[pa.Table, pa.Table, list[ChunkedBatch]]:
    snapshot = inventory(root, WalkOptions(ignore=())).files
    hashes = dict(zip(snapshot["path"].to_pylist(), snapshot["sha256"].to_pylist(), strict=True))
    table = pa.Table.from_pylist(records, schema=RECORDS)
    known = hashes if validated is None else validated
    return joined(list(chunk_files(root, "demo", snapshot, table, known)))


def joined(batches: list[ChunkedBatch]) -> tuple[pa.Table, pa.Table, list[ChunkedBatch]]:
    chunks = pa.Table.from_batches([batch.chunks for batch in batches], schema=CHUNKS)
    files = pa.Table.from_batches([batch.files for batch in batches], schema=FILES)
    return chunks, files, batches


def test_worked_example_of_the_contract(tmp_path: Path) -> None:
    """The contract's example file gives its file hash (C7), a gap and a structural chunk."""
    plant(tmp_path, {"pkg/target.go": TARGET})
    chunks, files, _ = cut(tmp_path, [record("pkg/target.go", 4, 4)])
    sha256 = "547206f0a9cd71323c526e81e3f1434be73ef559869faa43961b00739cb6570b"
    assert files.to_pylist() == [
        {
            "project": "demo",
            "path": "pkg/target.go",
            "os_path": b"pkg/target.go",
            "language": "go",
            "size": 96,
            "source_hash": sha256,
            "file_hash": "964f1518b37e7a837330c05df9e28dff2921cfdfd007bdc5b9fef0b446df653f",
            "origin": "structural",
            "chunks": 2,
            "dropped_bytes": 0,
        }
    ]
    gap, owned = chunks.to_pylist()
    assert (gap["origin"], gap["chunk_type"], gap["selector"]) == ("gap", "generic", None)
    assert gap["embedding_text"] == "pkg target\n" + gap["content"]
    assert gap["symbol"] == gap["symbol_name"] == ""
    text = (
        "pkg target function fixture target\nTarget returns a stable fixture value.\n\n"
        'func Target() string\n\nfunc Target() string { return "ok" }\n'
    )
    assert owned == {
        "chunk_id": chunk_id("demo", "pkg/target.go", 1),
        "project": "demo",
        "path": "pkg/target.go",
        "language": "go",
        "chunk_index": 1,
        "start_line": 4,
        "end_line": 4,
        "start_byte": 59,
        "end_byte": 96,
        "chunk_type": "function",
        "origin": "structural",
        "symbol": "Target",
        "symbol_name": "fixture.Target",
        "selector": {
            "file": "pkg/target.go",
            "start_line": 4,
            "fqn": "fixture.Target",
            "kind": "function",
        },
        "content": 'func Target() string { return "ok" }\n',
        "embedding_text": text,
        "text_hash": hashlib.sha256(text.encode()).hexdigest(),
        "source_hash": sha256,
    }


def test_chunk_id_is_part_of_a_hash() -> None:
    """The key is the start of SHA-256 over its parts, never negative."""
    digest = hashlib.sha256(b"p\0a.py\x007").digest()
    assert chunk_id("p", "a.py", 7) == int.from_bytes(digest[:8], "big") % 2**63
    assert all(0 <= chunk_id("p", "a", n) < 2**63 for n in range(64))


@pytest.mark.parametrize(
    ("kind", "chunk_type"),
    [("Method", "function"), ("test", "function"), ("ENUM", "class"), ("section", "block")],
)
def test_chunk_type_comes_from_the_kind(tmp_path: Path, kind: str, chunk_type: str) -> None:
    """Kinds map without regard to case; the symbol stands in for an empty qualified name."""
    plant(tmp_path, {"a.go": b"x\n"})
    chunks, _, _ = cut(tmp_path, [record("a.go", 1, 1, kind=kind, fqn="")])
    row = chunks.to_pylist()[0]
    assert (row["chunk_type"], row["symbol_name"]) == (chunk_type, "Target")
    assert row["selector"] == {"file": "a.go", "start_line": 1, "fqn": "", "kind": kind}


def test_blank_pieces_are_dropped_and_counted(tmp_path: Path) -> None:
    """White space between owners is no chunk; indexes stay without holes (D1.7, J-27)."""
    plant(tmp_path, {"a.go": b"a\n\r\n\xe2\x80\xa8\nb\n"})
    chunks, files, _ = cut(
        tmp_path, [record("a.go", 1, 1), record("a.go", 4, 4, fqn="b", symbol="b")]
    )
    assert chunks["chunk_index"].to_pylist() == [0, 1]
    assert files["dropped_bytes"].to_pylist() == [6]
    assert verify_lossless(chunks, files, tmp_path) == []


def test_records_count_only_for_the_bytes_they_were_validated_against(tmp_path: Path) -> None:
    """Another hash, or none, makes a file local, with its raw hash as file hash."""
    plant(tmp_path, {"a.go": TARGET, "b.go": TARGET, "c.go": TARGET})
    records = [record(name, 4, 4) for name in ("a.go", "b.go", "c.go", "gone.go")]
    sha256 = hashlib.sha256(TARGET).hexdigest()
    _, files, _ = cut(tmp_path, records, {"a.go": sha256, "b.go": "0" * 64})
    assert files["origin"].to_pylist() == ["structural", "local", "local"]
    assert files["file_hash"].to_pylist()[1:] == [sha256, sha256]


def test_records_need_not_lie_together(tmp_path: Path) -> None:
    """Rows of one file that are scattered over the export keep their order."""
    plant(tmp_path, {"a.go": b"1\n2\n", "b.go": b"1\n2\n"})
    scattered = [record(f, n, n, fqn=f"{f}{n}") for n in (1, 2) for f in ("a.go", "b.go")]
    together = [record(f, n, n, fqn=f"{f}{n}") for f in ("a.go", "b.go") for n in (1, 2)]
    for one, other in zip(cut(tmp_path, scattered)[:2], cut(tmp_path, together)[:2], strict=True):
        assert one.equals(other)


def test_files_that_changed_are_cut_as_they_are(tmp_path: Path) -> None:
    """A file changed since the snapshot is local now; one gone or no longer fit has vanished."""
    plant(tmp_path, dict.fromkeys(["a.go", "b.go", "c.go", "d.go", "e.go"], TARGET))
    snapshot = inventory(tmp_path).files
    hashes = dict.fromkeys(snapshot["path"].to_pylist(), hashlib.sha256(TARGET).hexdigest())
    plant(tmp_path, {"b.go": b"new\n", "d.go": b"\0", "e.go": b"x" * 2_000_000})
    (tmp_path / "c.go").unlink()
    records = pa.Table.from_pylist([record(path, 4, 4) for path in sorted(hashes)], schema=RECORDS)
    batches = list(chunk_files(tmp_path, "demo", snapshot, records, hashes))
    chunks, files, _ = joined(batches)
    assert files["path"].to_pylist() == ["a.go", "b.go"]
    assert files["origin"].to_pylist() == ["structural", "local"]
    assert files["source_hash"].to_pylist()[1] == hashlib.sha256(b"new\n").hexdigest()
    assert [path for batch in batches for path in batch.vanished] == ["c.go", "d.go", "e.go"]
    assert verify_lossless(chunks, files, tmp_path) == []


def test_local_chunks_have_names_but_no_selector(tmp_path: Path) -> None:
    """Recognised blocks are named; only records give a selector."""
    plant(tmp_path, {"a.py": b"import os\n\ndef find():\n    pass\n"})
    chunks, _, _ = cut(tmp_path, [])
    rows = chunks.to_pylist()
    assert [row["symbol_name"] for row in rows] == ["", "find"]
    assert [row["chunk_type"] for row in rows] == ["generic", "function"]
    assert {row["origin"] for row in rows} == {"local"}
    assert {row["selector"] for row in rows} == {None}
    assert rows[1]["embedding_text"].startswith("a find\ndef find")


def test_batches_are_bounded_and_whole(tmp_path: Path) -> None:
    """A batch ends behind the file that fills it, and holds the rows of all its files."""
    plant(tmp_path, {f"{n:03}.py": b"def f(): pass\n" * 500 for n in range(12)})
    chunks, files, batches = cut(tmp_path, [])
    assert [batch.chunks.num_rows for batch in batches] == [2000, 2000, 2000]
    assert [batch.files.num_rows for batch in batches] == [4, 4, 4]
    assert verify_lossless(chunks, files, tmp_path) == []
    assert len(set(chunks["chunk_id"].to_pylist())) == chunks.num_rows


def test_empty_snapshot_gives_nothing(tmp_path: Path) -> None:
    """An empty tree has no batch, and verifies."""
    chunks, files, batches = cut(tmp_path, [])
    assert batches == []
    assert verify_lossless(chunks, files, tmp_path) == []


def test_profile_names_what_decides() -> None:
    """The profile states sizes, template and local chunker."""
    assert CHUNK_PROFILE == (
        "codequarry-chunks-v1:piece=4096,window=25x2048,text=path3+kind+name,local=blocks1+windows1"
    )


PARTS = st.sampled_from(
    [b"a\n", b"\n", b"\r\n", b"\r", b" ", b"\xff", b"\xe2\x82", b"\xe2\x82\xac", b"\xe2\x80\xa8"]
)
FILES_OF_PARTS = st.tuples(
    st.lists(PARTS, max_size=40), st.sampled_from([0, 0, 9000]), st.sampled_from([1, 1, 300])
)
SPAN = st.tuples(
    st.integers(1, 45), st.integers(0, 50), st.sampled_from(["", "doc", "d" * 900, "\u2028"])
)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(FILES_OF_PARTS, st.lists(SPAN, max_size=8)), max_size=4))
def test_no_byte_is_lost(
    tmp_path_factory: pytest.TempPathFactory,
    trees: list[tuple[tuple[list[bytes], int, int], list[tuple[int, int, str]]]],
) -> None:
    """Chunks and dropped white space make up the repaired files, whatever files and records."""
    root = tmp_path_factory.mktemp("tree")
    for number, ((parts, huge, times), _) in enumerate(trees):
        (root / f"{number}.py").write_bytes(b"x" * huge + b"".join(parts) * times)
    records = [
        record(f"{number}.py", start, start + more, docstring=docstring)
        for number, (_, spans) in enumerate(trees)
        for start, more, docstring in spans
    ]
    chunks, files, _ = cut(root, records)
    assert verify_lossless(chunks, files, root) == []
    rows = chunks.to_pylist()
    for file in files.to_pylist():
        text = repair_bytes((root / file["path"]).read_bytes())
        mine = [row for row in rows if row["path"] == file["path"]]
        bounds = [0, *(row["end_byte"] for row in mine)]
        gaps = [text[a : row["start_byte"]] for a, row in zip(bounds, mine, strict=False)]
        gaps.append(text[bounds[-1] :])
        assert not b"".join(gaps).decode().strip(" \t\r\n\u2028")
        kept = [row["content"].encode() for row in mine]
        assert text == b"".join(b for pair in zip(gaps, [*kept, b""], strict=True) for b in pair)
    for row in rows:
        assert row["content"].strip(" \t\r\n\u2028")
        assert len(row["embedding_text"].encode()) <= 4096
        assert (row["selector"] is not None) == (row["origin"] == "structural")


def replace(table: pa.Table, column: str, row: int, value: object) -> pa.Table:
    values = table[column].to_pylist()
    values[row] = value
    index = table.schema.get_field_index(column)
    field = table.schema.field(column)
    return table.set_column(index, field, pa.array(values, field.type))


def test_every_loss_is_found(tmp_path: Path) -> None:
    """A lost, doubled, altered or misplaced chunk is named with its file and the reason."""
    plant(tmp_path, {"a.go": TARGET + b"\n\n", "b.go": TARGET})
    chunks, files, _ = cut(tmp_path, [record("a.go", 4, 4), record("b.go", 4, 4)])
    assert verify_lossless(chunks, files, tmp_path) == []
    count = chunks.num_rows
    cases = {
        "rows": [
            (chunks.slice(1), files),
            (pa.concat_tables([chunks, chunks.slice(count - 1)]), files),
            (replace(chunks, "chunk_index", 0, 1), files),
            (replace(chunks, "path", 0, "c.go"), files),
            (chunks.take(list(reversed(range(count)))), files),
        ],
        "bounds": [
            (replace(chunks, "end_byte", 0, 60), files),
            (replace(chunks, "content", 1, "short"), files),
        ],
        "content": [
            (replace(chunks, "content", 1, 'func Target() string { return "no" }\n'), files)
        ],
        "dropped": [(chunks, replace(files, "dropped_bytes", 0, 1))],
        "changed": [(chunks, replace(files, "source_hash", 0, "0" * 64))],
        "unreadable": [(chunks, replace(files, "os_path", 0, b"gone.go"))],
    }
    for what, broken in cases.items():
        for bad_chunks, bad_files in broken:
            problems = verify_lossless(bad_chunks, bad_files, tmp_path)
            assert what in {problem.what for problem in problems}, (what, problems)


def test_gap_that_is_not_blank_is_a_loss(tmp_path: Path) -> None:
    """Left-out source is found even when the stated count of dropped bytes agrees."""
    plant(tmp_path, {"a.go": TARGET})
    chunks, files, _ = cut(tmp_path, [record("a.go", 4, 4)])
    short = replace(chunks.slice(1), "chunk_index", 0, 0)
    files = replace(replace(files, "chunks", 0, 1), "dropped_bytes", 0, 59)
    assert verify_lossless(short, files, tmp_path) == [Problem("a.go", "dropped")]


def test_names_of_any_bytes_are_cut(tmp_path: Path) -> None:
    """A file whose name is not UTF-8 is read by its raw name."""
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9\n.py")).write_bytes(b"x = 1\n")
    chunks, files, _ = cut(tmp_path, [])
    assert chunks["path"].to_pylist() == ["caf\\xe9\n.py"]
    assert verify_lossless(chunks, files, tmp_path) == []
