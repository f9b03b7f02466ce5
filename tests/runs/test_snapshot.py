"""Step 1 and its checks."""

from pathlib import Path

import pyarrow as pa

from codequarry.core.changeset import Changeset, Header
from codequarry.runs.snapshot import escaping_paths, incomplete_hashes, take_snapshot
from tests.e2e.planting import write

HEADER = Header(attempt_id="a" * 32, project="demo", root="/r")


def snapshot(**columns: list[str]) -> Changeset:
    """Make a snapshot of some columns."""
    return Changeset(HEADER, {"snapshot": pa.table(columns)})


def test_escaping_paths() -> None:
    """Absolute paths and parts that go up are found; dots within a name are not."""
    paths = ["a.py", "/etc/passwd", "../up.py", "a/../../up.py", "a..b/..c", "..."]
    assert escaping_paths(snapshot(path=paths)) == ["/etc/passwd", "../up.py", "a/../../up.py"]


def test_incomplete_hashes() -> None:
    """A hash that is missing, short, long or in capitals is found by its path."""
    hashes = ["a" * 64, "", "a" * 63, "a" * 65, "A" * 64]
    stored = snapshot(path=list("abcde"), sha256=hashes)
    assert incomplete_hashes(stored) == list("bcde")


def test_digest_is_of_names_and_contents(tmp_path: Path) -> None:
    """Equal trees have one digest; another byte, name or file gives another."""
    trees = [{"a": b"1"}, {"a": b"1"}, {"a": b"2"}, {"b": b"1"}, {"a": b"1", "b": b"1"}]
    digests = []
    for number, files in enumerate(trees):
        root = write(tmp_path / str(number), files)
        header = Header(attempt_id="a" * 32, project="demo", root=str(root))
        digests.append(take_snapshot(header).digest)
    assert digests[0] == digests[1]
    assert len(set(digests)) == 4
