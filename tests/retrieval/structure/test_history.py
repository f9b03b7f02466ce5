"""Files that change together, as an answer about related files has them."""

import subprocess
from pathlib import Path

from codequarry.core.state import StateDirectory
from codequarry.retrieval.structure.history import coupled_with
from codequarry.retrieval.structure.related import related_files
from codequarry.retrieval.structure.view import GraphView

ARGUMENTS = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")


def _git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", *ARGUMENTS, *arguments], cwd=root, check=True, capture_output=True)


def _commit(root: Path, *names: str) -> None:
    for name in names:
        with (root / name).open("a") as file:
            file.write("x\n")
    _git(root, "add", "-A")
    _git(root, "commit", "-m", "change")


def test_history_is_read_once_a_commit(state: StateDirectory, tmp_path: Path) -> None:
    """The couplings of a commit are kept, and those of the next commit are read anew."""
    root = tmp_path / "repo"
    root.mkdir()
    _git(root, "init", "-q")
    for _ in range(3):
        _commit(root, "a.py", "b.py")
    assert coupled_with(state, root, "a.py") == {"b.py": 1.0}
    (kept,) = (state.cache / "coupling").iterdir()
    before = kept.stat().st_mtime_ns
    assert coupled_with(state, root, "b.py") == {"a.py": 1.0}
    assert kept.stat().st_mtime_ns == before
    _commit(root, "a.py")
    assert coupled_with(state, root, "a.py") == {"b.py": 0.75}
    kept.write_bytes(b"damaged")
    assert coupled_with(state, root, "a.py") == {"b.py": 0.75}


def test_no_history_is_no_coupling(state: StateDirectory, tmp_path: Path) -> None:
    """Outside of a repository, and before its first commit, nothing is coupled and nothing kept."""
    assert coupled_with(state, tmp_path, "a.py") == {}
    _git(tmp_path, "init", "-q")
    assert coupled_with(state, tmp_path, "a.py") == {}
    assert not (state.cache / "coupling").exists()


def test_coupled_files_stand_below_edges(town: GraphView) -> None:
    """A coupled file counts half its strength, only if it is indexed and no edge says more."""
    coupled = {"many/part00.py": 1.0, "town/shop.py": 1.0, "gone.py": 1.0}
    found = related_files(town, "town", "town/money.py", coupled=coupled)
    assert [(one.path, one.reason, one.confidence) for one in found.files] == [
        ("tests/test_money.py", "test", 1.0),
        ("town/shop.py", "caller", 0.9),
        ("many/part00.py", "coupled", 0.5),
    ]
