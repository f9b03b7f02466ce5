"""Trees that could hurt: nothing blocks, nothing leaves the root, nothing is lost."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from codequarry.core.hashing import evidence_key
from codequarry.core.state import StateDirectory
from codequarry.index.ledger import read
from codequarry.index.store import Store
from tests.cli.commands import PROGRAM, Ran, environment, here
from tests.e2e.hurtful import ODD_NAMES, SKIPPED, hurtful, without_rights
from tests.e2e.planting import write
from tests.e2e.running import index, search


def run_restricted(home: Path, *arguments: str | Path) -> Ran:
    """Run the program where file permissions hold, even for root."""
    done = subprocess.run(
        [*without_rights(), PROGRAM, *arguments],
        env=environment(home),
        capture_output=True,
        timeout=120,
        check=False,
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def test_everything_at_once(tmp_path: Path, state: StateDirectory) -> None:
    """Each unusable file is skipped for its own reason, and every other one is found by name."""
    root = hurtful(tmp_path)
    ran = run_restricted(state.home, "index", root)
    assert (ran.code, ran.err) == (0, "")
    skipped = ", ".join(f"{number} {reason}" for reason, number in sorted(SKIPPED.items()))
    assert f"skipped     {skipped}\n" in ran.out
    for name, function in ODD_NAMES.items():
        hit = search(state, function)[0]
        assert (hit.path, function in hit.content) == (name.decode(errors="backslashreplace"), True)
    assert search(state, "very_deep")[0].path.endswith("deep/deep.py")
    assert search(state, "late_bytes")[0].path == "half_utf8.py"
    found = {hit.path for hit in search(state, "outside_secret oneHugeLine again", limit=1000)}
    assert {"one_line.js", "again.py"} <= found
    assert not found & {"leaves.py", "leaves/outside.py", "huge.py", "binary.py", "unreadable.py"}

    (root / "deep").chmod(0)
    before = state.receipt(evidence_key(root)).read_bytes()
    refused = run_restricted(state.home, "index", root)
    (root / "deep").chmod(0o755)
    assert refused.code == 1
    assert refused.err.startswith("codequarry: 1 directories or ignore files below")
    assert search(state, "very_deep")[0].path.endswith("deep/deep.py")
    assert state.receipt(evidence_key(root)).read_bytes() == before


def test_empty_tree(tmp_path: Path, state: StateDirectory) -> None:
    """A tree without files is indexed as such, and a tree that lost them all answers nothing."""
    root = write(tmp_path / "tree", {"a.py": b"def alpha():\n    return 1\n"})
    index(state, root)
    (root / "a.py").unlink()
    emptied = index(state, root)
    assert (emptied.notes["files"], emptied.notes["chunks"]) == (0, 0)
    assert emptied.notes["receipt"]["success"] is True
    assert search(state, "alpha") == ()
    assert index(state, root).mode == "none"


def test_first_run_on_an_empty_tree(tmp_path: Path, state: StateDirectory) -> None:
    """The very first run of a deployment may find nothing to index."""
    (tmp_path / "tree").mkdir()
    outcome = index(state, tmp_path / "tree")
    assert (outcome.mode, outcome.notes["files"]) == ("full", 0)
    assert search(state, "anything") == ()


def test_vanished_root(
    tmp_path: Path, state: StateDirectory, capfd: pytest.CaptureFixture[str]
) -> None:
    """A registered tree that is gone is an error, and what was indexed of it still answers."""
    root = write(tmp_path / "tree", {"a.py": b"def alpha():\n    return 1\n"})
    index(state, root)
    root.rename(tmp_path / "moved")
    ran = here(capfd, "index", root)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(f"codequarry: {root} does not exist; ")
    assert search(state, "alpha")[0].symbol_name == "a.alpha"
    assert json.loads(here(capfd, "status", "-p", "tree", "-f", "json").out)["index_fresh"] is False


def test_bad_paths(
    tmp_path: Path, state: StateDirectory, capfd: pytest.CaptureFixture[str]
) -> None:
    """A path that is missing, a file, a FIFO or not UTF-8 is one sentence and leaves no trace."""
    (tmp_path / "file.py").write_text("x = 1\n")
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "loop").symlink_to("loop")
    os.mkdir(os.fsencode(tmp_path) + b"/caf\xe9")
    for name, reason in {
        "missing": "does not exist",
        "file.py": "is not a directory",
        "fifo": "is not a directory",
        "loop": "does not exist",
        os.fsdecode(b"caf\xe9"): "is not UTF-8",
    }.items():
        ran = here(capfd, "index", tmp_path / name)
        assert (ran.code, ran.out) == (1, "")
        assert reason in ran.err
        assert ran.err.count("\n") == 1
    assert not state.registry.exists()
    assert not state.lance.exists()


def test_state_directory_that_cannot_be_used(tmp_path: Path) -> None:
    """A state directory that is a file, or that may not be written, is one sentence."""
    tree = write(tmp_path / "tree", {"a.py": b"x = 1\n"})
    (tmp_path / "file").write_text("")
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    for home in (tmp_path / "file", tmp_path / "file" / "below", locked, locked / "below"):
        ran = run_restricted(home, "index", tree)
        assert (ran.code, ran.out) == (1, "")
        assert "CODEQUARRY_HOME" in ran.err
        assert ran.err.count("\n") == 1


def test_state_directory_that_becomes_read_only(tmp_path: Path, state: StateDirectory) -> None:
    """Where the index may be read and not written, search and status still answer."""
    root = write(tmp_path / "tree", {"a.py": b"def alpha():\n    return 1\n"})
    index(state, root)
    folders = [state.home, *(path for path in state.home.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o500)
    try:
        found = run_restricted(state.home, "search", "-p", "tree", "-f", "json", "alpha")
        fresh = run_restricted(state.home, "status", "-p", "tree", "-f", "json")
        refused = run_restricted(state.home, "index", "--full", root)
    finally:
        for folder in folders:
            folder.chmod(0o700)
    assert json.loads(found.out)[0]["symbol_name"] == "a.alpha"
    assert json.loads(fresh.out)["index_fresh"] is True
    assert (refused.code, refused.out) == (1, "")
    assert refused.err.count("\n") == 1
    assert len(read(Store(state))) == 1


def test_state_directory_inside_the_tree(tmp_path: Path) -> None:
    """A state directory inside the tree is refused: a run must leave the tree as it was."""
    tree = write(tmp_path / "tree", {"a.py": b"x = 1\n"})
    ran = run_restricted(tree / ".state", "index", tree)
    assert (ran.code, ran.out) == (1, "")
    assert "CODEQUARRY_HOME" in ran.err
    assert sorted(path.name for path in tree.iterdir()) == ["a.py"]
