import sqlite3
from pathlib import Path

from codequarry.retrieval.structure.usage import count, forget, frequencies
from tests.retrieval.structure.hits import hit

KEY = ("p", "a.py", "a.f", "function")


def test_once_a_search(tmp_path: Path) -> None:
    """A symbol counts once a search, however many of its chunks were found."""
    path = tmp_path / "state" / "usage.sqlite"
    assert frequencies(path, "p") == {}
    for _ in range(3):
        count(path, [hit(0.5, "a.f", 1), hit(0.4, "a.f", 2), hit(0.3)])
    assert frequencies(path, "p") == {KEY: 3}


def test_keyed_by_project_and_selector(tmp_path: Path) -> None:
    """The same name in another project or file has its own count, and lines do not matter."""
    path = tmp_path / "usage.sqlite"
    moved = {"file": "a.py", "start_line": 99, "fqn": "a.f", "kind": "function"}
    other = {"file": "b.py", "start_line": 1, "fqn": "a.f", "kind": "function"}
    for hits in ([hit(0.5, "a.f")], [hit(0.5, "a.f", selector=moved)]):
        count(path, hits)
    count(path, [hit(0.5, "a.f", selector=other), hit(0.5, "a.f", project="q")])
    assert frequencies(path, "p") == {KEY: 2, ("p", "b.py", "a.f", "function"): 1}
    forget(path, "p")
    assert (frequencies(path, "p"), len(frequencies(path, "q"))) == ({}, 1)


def test_never_in_the_way(tmp_path: Path) -> None:
    """A damaged file, a folder in its place, a locked file, a name that is no text: no error."""
    damaged = tmp_path / "damaged.sqlite"
    damaged.write_bytes(b"no database" * 100)
    (tmp_path / "folder.sqlite").mkdir()
    (tmp_path / "file").touch()
    for path in (damaged, tmp_path / "folder.sqlite", tmp_path / "file" / "x.sqlite"):
        count(path, [hit(0.5, "a.f")])
        assert frequencies(path, "p") == {}
        forget(path, "p")
    locked = tmp_path / "locked.sqlite"
    count(locked, [hit(0.5, "a.f")])
    holder = sqlite3.connect(locked, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    count(locked, [hit(0.5, "a.f")])
    holder.execute("ROLLBACK")
    holder.close()
    assert frequencies(locked, "p") == {KEY: 1}
    count(locked, [hit(0.5, "a.\udcff")])
    assert frequencies(locked, "p") == {KEY: 1}
