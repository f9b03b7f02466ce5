"""Rows read from the tables: a wrong question, and a damaged table."""

from pathlib import Path

import lancedb
import pyarrow as pa
import pytest
from lancedb.table import Table

from codequarry.core.errors import IndexStateError
from codequarry.index.store import rows


def table(folder: Path) -> Table:
    """Make a table of numbers and names, in a folder whose name is a word of LanceDB's errors."""
    database = lancedb.connect(str(folder / "Error applying filter"))
    return database.create_table("t", pa.table({"id": [1, 2], "name": ["a", "b"]}))


@pytest.mark.parametrize(
    "where",
    [
        "id = 9999999999999999999",
        "id < -9e30",
        "nobody = 1",
        "id =",
        "regexp_like(name, '(')",
        f"regexp_like(name, '{'.*' * 30_000}')",
    ],
)
def test_a_wrong_question_is_no_damage(tmp_path: Path, where: str) -> None:
    """A filter that the table cannot take says nothing of the table."""
    with pytest.raises((ValueError, RuntimeError)):
        rows(table(tmp_path), where, ["id"])


def test_a_missing_column_is_no_damage(tmp_path: Path) -> None:
    """A table without a column that is read is one of another version."""
    with pytest.raises(IndexStateError, match="another version"):
        rows(table(tmp_path), None, ["nobody"])


@pytest.mark.parametrize("how", ["gone", "cut", "zeroed", "flipped", "folder"])
def test_damage(tmp_path: Path, how: str) -> None:
    """Files that are gone, cut or overwritten are damage, told with a remedy."""
    table(tmp_path)
    (file,) = (tmp_path / "Error applying filter" / "t.lance" / "data").iterdir()
    held = file.read_bytes()
    file.unlink()
    if how == "cut":
        file.write_bytes(held[: len(held) // 2])
    elif how == "zeroed":
        file.write_bytes(bytes(len(held)))
    elif how == "flipped":
        file.write_bytes(bytes(byte ^ 0xFF for byte in held))
    elif how == "folder":
        file.mkdir()
    opened = lancedb.connect(str(tmp_path / "Error applying filter")).open_table("t")
    with pytest.raises(IndexStateError, match="damaged"):
        rows(opened, "id > 0", ["id", "name"])
