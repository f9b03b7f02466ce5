from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codequarry.core.hashing import index_fingerprint
from codequarry.producers.builtin.index import (
    FIELDS,
    SYMBOLS,
    fingerprint_of,
    in_export_order,
    load,
    save,
)
from codequarry.producers.builtin.refresh import refresh
from codequarry.sources.walk import inventory
from tests.producers_builtin.building import NOW, TARGET_GO, write

TEXTS = st.text(st.sampled_from("aZ/.\u00e9\u4e2d\U0001f600\ue000"), max_size=3)
ROWS = st.lists(st.tuples(TEXTS, st.integers(1, 3), st.integers(1, 3), *[TEXTS] * 7), max_size=30)


def table(rows: list[tuple[object, ...]]) -> pa.Table:
    columns = list(zip(*rows, strict=True)) or [()] * len(FIELDS)
    return pa.table(
        [pa.array(column, field.type) for column, field in zip(columns, SYMBOLS, strict=True)],
        schema=SYMBOLS,
    )


@given(ROWS)
def test_export_order_is_bytewise_by_all_ten_fields(rows: list[tuple[object, ...]]) -> None:
    """Rows ascend by path, lines, fqn, kind, symbol, … compared as UTF-8 (A1.3)."""

    def key(row: tuple[object, ...]) -> tuple[object, ...]:
        raw = [value.encode() if isinstance(value, str) else value for value in row]
        file, start, end, symbol, fqn, kind, *rest = raw
        return (file, start, end, fqn, kind, symbol, *rest)

    ordered = in_export_order(table(rows)).to_pylist()
    assert [tuple(row.values()) for row in ordered] == sorted(rows, key=key)


def test_fingerprint_of_the_contracts_vectors() -> None:
    """The testdata record and the empty index give the fingerprints of C2."""
    texts = ("func Target() string", "Target returns a stable fixture value.", "b" * 64)
    record = ("pkg/target.go", 3, 3, "Target", "fixture.Target", "function", "go", *texts)
    assert (
        fingerprint_of("0123456789ab", table([record]))
        == "42b21d9ac2b7dc180d0d780967732502790294c0a0a83e4eb01c2d8a9e1dba3d"
    )
    assert (
        fingerprint_of("0123456789ab", table([]))
        == "5b08d5a3156ab078140f47505c302c6799c361ba63b1064a43423c375773e733"
    )


def test_fingerprint_of_the_worked_example(tmp_path: Path) -> None:
    """The file of C7 under the key of /tmp/demo gives the contract's fingerprint."""
    root = write(tmp_path / "demo", {"pkg/target.go": TARGET_GO})
    index = refresh(root, "demo", inventory(root).files, None, lambda: NOW).index
    assert (
        fingerprint_of("45e78582e898", index.records)
        == "a0257de92b92089d2ce792a05ca26bc3117f21ab0e59e71f6d695d6f8bacb687"
    )
    assert index.files["sha256"].to_pylist() == [
        "547206f0a9cd71323c526e81e3f1434be73ef559869faa43961b00739cb6570b"
    ]


def test_an_index_reads_back_as_it_was_written(tmp_path: Path) -> None:
    """Tables, header and delta survive the disk."""
    root = write(tmp_path / "demo", {"a.py": b"def f(): pass\n"})
    first = refresh(root, "demo", inventory(root).files, None, lambda: NOW).index
    write(root, {"a.py": b"def g(): pass\n"})
    second = refresh(root, "demo", inventory(root).files, first, lambda: NOW).index
    assert second.delta is not None
    path = tmp_path / "state" / "index.arrow"
    save(second, path)
    assert load(path) == second
    columns = [second.records[name].to_pylist() for name in FIELDS]
    assert len(index_fingerprint("k", columns)) == 64


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "junk", "absent"])
def test_a_damaged_index_is_no_index(tmp_path: Path, damage: str) -> None:
    """Whatever happened to the file, loading says there is none and never fails."""
    root = write(tmp_path / "demo", {"a.py": b"def f(): pass\n"})
    path = tmp_path / "index.arrow"
    save(refresh(root, "demo", inventory(root).files, None, lambda: NOW).index, path)
    whole = path.read_bytes()
    flipped = whole[:-100] + bytes([whole[-100] ^ 1]) + whole[-99:]
    if damage == "absent":
        path.unlink()
    else:
        damaged = {"cut": whole[:-9], "flip": flipped, "empty": b"", "junk": b"\0" * 4000}
        path.write_bytes(damaged[damage])
    assert load(path) is None
