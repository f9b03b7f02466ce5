"""Which files change together, told by the history of git.

The definition is that of engines.md section 6: over the last six months, two files are coupled when
at least three commits changed both, by ``changes of both / changes of the one with more``. A commit
of very many files pairs none of them, but counts for each. Time is counted back from the commit
that is looked at, so that the same history always gives the same answer.

History is no part of the certified index: who wants it asks for it, and may keep the answer for as
long as `head_commit` stays the same.
"""

import os
import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Final

import polars as pl
import pyarrow as pa

from codequarry.core.errors import ProcessError
from codequarry.core.process import Completed, run
from codequarry.core.text import repair

COUPLINGS: Final = pa.schema(
    [
        pa.field("path", pa.string(), nullable=False),
        pa.field("other", pa.string(), nullable=False),
        pa.field("together", pa.int32(), nullable=False),
        pa.field("strength", pa.float64(), nullable=False),
    ]
)
"""One row per pair of files, ``path`` before ``other``; commits that changed both; 0 to 1."""

HALF_YEAR_SECONDS: Final = 182 * 24 * 60 * 60
PAIRED_FILES: Final = 50
"""A commit of more files pairs none of them."""
LEAST_TOGETHER: Final = 3
LEAST_STRENGTH: Final = 0.3

_COMMIT = re.compile(rb"(?:\A|(?<=\0))\x01\0\n?")
_SECONDS = 30.0
_LOG_BYTES = 64 * 1024 * 1024
_ANSWER_BYTES = 1000
_QUIET = ("git", "-c", "core.quotePath=false", "-c", "log.showSignature=false", "--no-pager")


def couplings(log: bytes) -> pa.Table:
    r"""Tell which files change together.

    Args:
        log: What `change_log` gives: for each commit ``\x01``, a NUL, a line feed, and the paths
            that it changed, each ended by a NUL.

    Returns:
        `COUPLINGS`, the strongest first, then by the bytes of ``path`` and ``other``.
    """
    totals: Counter[bytes] = Counter()
    pairs: Counter[tuple[bytes, bytes]] = Counter()
    for paths in _commits(log):
        totals.update(paths)
        if len(paths) <= PAIRED_FILES:
            pairs.update(combinations(paths, 2))
    rows = [
        (repair(one), repair(other), together, together / max(totals[one], totals[other]))
        for (one, other), together in pairs.items()
        if together >= LEAST_TOGETHER
    ]
    names = dict.fromkeys(COUPLINGS.names[:2], pl.String)
    frame = pl.DataFrame(
        rows, schema={**names, "together": pl.Int32, "strength": pl.Float64}, orient="row"
    )
    frame = frame.filter(pl.col("strength") >= LEAST_STRENGTH)
    frame = frame.sort("strength", "path", "other", descending=[True, False, False])
    return pa.Table.from_batches(frame.to_arrow().cast(COUPLINGS).to_batches(), COUPLINGS)


def coupled_files(root: Path) -> pa.Table:
    """Tell which files of a project changed together before the commit that is checked out.

    Args:
        root: The project's root.

    Returns:
        `COUPLINGS`; none outside of a git repository, before its first commit, and where the
        history is too long to be read within its bounds of time and bytes.
    """
    commit = head_commit(root)
    return couplings(change_log(root, commit) if commit else b"")


def head_commit(root: Path) -> str:
    """Give the commit that is checked out; empty when there is none."""
    return _answer(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")


def change_log(root: Path, commit: str) -> bytes:
    """Read which files each commit of the half year before another changed.

    Args:
        root: The project's root; of a folder inside a repository only what lies in it is given.
        commit: Of `head_commit`.

    Returns:
        For `couplings`; empty when git cannot tell within its bounds.
    """
    moment = _answer(root, "show", "--no-patch", "--format=%ct", commit)
    if not moment.isdecimal():
        return b""
    done = _git(
        root,
        _LOG_BYTES,
        *("log", "-z", "--name-only", "--relative", "--no-renames", "--no-merges"),
        *("--no-ext-diff", "--no-textconv", "--format=%x01"),
        *(f"--since={int(moment) - HALF_YEAR_SECONDS}", commit, "--"),
    )
    return done.stdout if done is not None and not done.returncode else b""


def _commits(log: bytes) -> Iterator[list[bytes]]:
    """Give the paths that each commit changed, ascending and without repetition."""
    for commit in _COMMIT.split(log)[1:]:
        yield sorted({path for path in commit.split(b"\0") if path})


def _answer(root: Path, *arguments: str) -> str:
    done = _git(root, _ANSWER_BYTES, *arguments)
    told = "" if done is None or done.returncode else repair(done.stdout)
    return told.strip()


def _git(root: Path, limit: int, *arguments: str) -> Completed | None:
    # What a hook has set would lead to another repository; nothing is to be fetched or locked.
    own = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    env = own | {"GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    try:
        return run([*_QUIET, *arguments], root, _SECONDS, limit, env=env)
    except ProcessError:
        return None
