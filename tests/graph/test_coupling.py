"""Files that change together, from real histories of git."""

import os
import subprocess
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codequarry.graph.coupling import (
    COUPLINGS,
    HALF_YEAR_SECONDS,
    LEAST_STRENGTH,
    LEAST_TOGETHER,
    PAIRED_FILES,
    change_log,
    coupled_files,
    couplings,
    head_commit,
)

_NOW = 1_700_000_000


def _git(root: Path, *arguments: str, moment: int = _NOW) -> None:
    date = f"{moment} +0000"
    who = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a"}
    dates = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date, "GIT_COMMITTER_EMAIL": "a@b"}
    alone = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    env = {"PATH": os.environ["PATH"], **who, **dates, **alone}
    subprocess.run(["git", *arguments], cwd=root, env=env, check=True, capture_output=True)


def _commit(root: Path, paths: Sequence[str], moment: int = _NOW) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        with (root / path).open("a", encoding="utf-8") as file:
            file.write("x\n")
    _git(root, "add", "-A")
    _git(root, "commit", "-q", "-m", "change", moment=moment)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    _git(tmp_path, "init", "-q")
    return tmp_path


def _log(commits: Sequence[Sequence[str]]) -> bytes:
    return b"".join(
        b"\x01\0\n" + b"".join(path.encode() + b"\0" for path in paths) for paths in commits
    )


def _pairs(root: Path) -> list[tuple[str, str, int, float]]:
    return [tuple(row.values()) for row in coupled_files(root).to_pylist()]


def test_strength_is_shared_by_the_busier_file(repository: Path) -> None:
    """The commits of both files are divided by those of the file that changed more often."""
    for _ in range(3):
        _commit(repository, ["a.py", "b.py"])
    _commit(repository, ["b.py"])
    assert _pairs(repository) == [("a.py", "b.py", 3, 0.75)]


def test_two_commits_couple_nothing(repository: Path) -> None:
    """Files that changed together twice are not coupled."""
    for _ in range(2):
        _commit(repository, ["a.py", "b.py"])
    assert _pairs(repository) == []


def test_huge_commits_count_but_pair_nothing(repository: Path) -> None:
    """A commit of more than fifty files weakens the pairs of its files and makes none."""
    many = [f"f{number:02}.py" for number in range(PAIRED_FILES + 1)]
    for _ in range(3):
        _commit(repository, many[:2])
    for _ in range(3):
        _commit(repository, many)
    assert _pairs(repository) == [("f00.py", "f01.py", 3, 0.5)]


def test_half_a_year_back_from_the_commit(repository: Path) -> None:
    """Older commits do not count, whatever the clock says today."""
    for _ in range(3):
        _commit(repository, ["old.py", "a.py"], _NOW - HALF_YEAR_SECONDS - 10)
    for _ in range(3):
        _commit(repository, ["b.py", "a.py"], _NOW - HALF_YEAR_SECONDS + 10)
    _commit(repository, ["c.py"])
    assert [pair[:2] for pair in _pairs(repository)] == [("a.py", "b.py")]


def test_names_of_any_letters(repository: Path) -> None:
    """Spaces, quotes, line feeds and letters beyond ASCII stay what they are."""
    for _ in range(3):
        _commit(repository, ['sp ace"q.py', "ü\nb.py"])
    assert _pairs(repository) == [('sp ace"q.py', "ü\nb.py", 3, 1.0)]


def test_project_below_the_repository(repository: Path) -> None:
    """A project in a folder of a repository sees its own files, by its own paths."""
    for _ in range(3):
        _commit(repository, ["in/a.py", "in/b.py", "out.py"])
    assert _pairs(repository / "in") == [("a.py", "b.py", 3, 1.0)]


def test_no_history(repository: Path, tmp_path: Path) -> None:
    """Without a commit there is nothing to tell, and no error."""
    assert head_commit(repository) == ""
    assert _pairs(repository) == []


def test_hook_variables_lead_nowhere_else(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What git sets for its hooks does not make it look at another repository."""
    _commit(repository, ["a.py"])
    before = change_log(repository, head_commit(repository))
    monkeypatch.setenv("GIT_DIR", os.devnull)
    assert change_log(repository, head_commit(repository)) == before != b""


_HISTORY = st.lists(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=5), max_size=30)


@given(history=_HISTORY)
def test_rows_are_what_the_definition_says(history: list[list[str]]) -> None:
    """Of any history, exactly the pairs that the definition names are given, in its order."""
    commits = [set(paths) for paths in history]
    expected = []
    for one, other in combinations("abcdef", 2):
        together = sum({one, other} <= commit for commit in commits)
        most = max(sum(name in commit for commit in commits) for name in (one, other))
        if together >= LEAST_TOGETHER and together / most >= LEAST_STRENGTH:
            expected.append((-together / most, one, other, together))
    found = couplings(_log(history))
    assert found.schema.equals(COUPLINGS)
    rows = [(-row["strength"], row["path"], row["other"]) for row in found.to_pylist()]
    assert rows == [row[:3] for row in sorted(expected)]


@given(history=_HISTORY)
def test_order_of_commits_does_not_matter(history: list[list[str]]) -> None:
    """The same commits in another order give the same bytes."""
    assert couplings(_log(history)).equals(couplings(_log(history[::-1])))
