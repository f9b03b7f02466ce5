import os
from pathlib import Path

import pyarrow as pa
import pytest

from codequarry.core import changeset
from codequarry.core.changeset import ChangesetStream, Header, Plan
from codequarry.core.errors import StateError

HEADER = Header(
    attempt_id="a" * 32, project="p", root="/r", plan=Plan(mode="delta", changed=("x.py",))
)
SCHEMA = pa.schema([("n", pa.int64())])


def test_round_trip(tmp_path: Path) -> None:
    """A stream comes back as it went: header, tables in order, notes made after the last batch."""
    seen: list[int] = []

    def batches():  # type: ignore[no-untyped-def]
        for number in range(3):
            seen.append(number)
            yield "late", pa.record_batch({"n": [number]}, schema=SCHEMA)

    stream = ChangesetStream(
        HEADER, {"late": SCHEMA, "empty": SCHEMA}, batches(), lambda: {"seen": len(seen)}
    )
    changeset.write(tmp_path / "c", stream)
    stored = changeset.read(tmp_path / "c")
    assert stored.header == HEADER
    assert list(stored.tables) == ["late", "empty"]
    assert stored.tables["late"]["n"].to_pylist() == [0, 1, 2]
    assert stored.tables["empty"].num_rows == 0
    assert stored.notes == {"seen": 3}


def test_interrupted_write_is_not_read(tmp_path: Path) -> None:
    """A changeset whose last batch never came does not exist."""

    def batches():  # type: ignore[no-untyped-def]
        yield "t", pa.record_batch({"n": [1]}, schema=SCHEMA)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        changeset.write(tmp_path / "c", ChangesetStream(HEADER, {"t": SCHEMA}, batches()))
    with pytest.raises(StateError, match="missing or damaged"):
        changeset.read(tmp_path / "c")


def test_spooled_table_leaves_no_file(tmp_path: Path) -> None:
    """A spooled table can be read, and its file has no name any more."""
    table = changeset.spool(SCHEMA, [pa.record_batch({"n": [1, 2]}, schema=SCHEMA)], tmp_path)
    assert table["n"].to_pylist() == [1, 2]
    assert list(tmp_path.iterdir()) == []


def test_pruning_keeps_the_newest(tmp_path: Path) -> None:
    """The attempt under way stays, however old the clock makes it, and the newest others."""
    for number in range(4):
        changeset.write(tmp_path / str(number), changeset.tables(HEADER, {}))
        os.utime(tmp_path / str(number), (number, number))
    changeset.prune(tmp_path, 2, "0")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0", "3"]
    changeset.prune(tmp_path, 1, "0")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0"]
