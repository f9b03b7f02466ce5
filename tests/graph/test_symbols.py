"""The nodes of the graph."""

import hashlib
from pathlib import Path

from codequarry.graph.symbols import hash_keys, symbol_id
from codequarry.schemas.tables import SYMBOLS
from tests.graph.projects import graph_of

CODE = {"a/m.py": "def f():\n    pass\n\nclass A:\n    pass\n", "a-b.txt": "words\n"}


def test_nodes_are_records_and_files(tmp_path: Path) -> None:
    """Each file has a node before its records; paths ascend by bytes."""
    symbols = graph_of(tmp_path, CODE).symbols
    assert symbols.schema.equals(SYMBOLS, check_metadata=True)
    rows = symbols.select(["path", "kind", "symbol", "fqn", "start_line"]).to_pylist()
    assert [tuple(row.values()) for row in rows] == [
        ("a-b.txt", "file", "a-b.txt", "a-b.txt", 1),
        ("a/m.py", "file", "m.py", "a/m.py", 1),
        ("a/m.py", "function", "f", "m.f", 1),
        ("a/m.py", "class", "A", "m.A", 4),
    ]


def test_identity(tmp_path: Path) -> None:
    """A node's key is 63 bits of the hash over its names and place among equals."""
    symbols = graph_of(tmp_path, CODE).symbols
    digest = hashlib.sha256(b"demo\0a/m.py\0m.f\0function\0f\x000").digest()
    expected = int.from_bytes(digest[:8], "big") & (2**63 - 1)
    assert symbols["symbol_id"].to_pylist()[2] == expected
    assert symbol_id("demo", "a/m.py", "m.f", "function", "f") == expected


def test_keys_fit_signed_columns() -> None:
    """No key is negative, whatever the hash's highest bit."""
    assert all(0 <= key < 2**63 for key in hash_keys(map(str, range(100))))
