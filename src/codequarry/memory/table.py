"""The table of memories: one LanceDB database of its own, for all projects of a deployment.

It lies in a folder below the index's tables and not among them: an index run drops tables that no
ledger entry names. No ledger publishes it, so readers take its newest version; writers take a lock
of their own, so a memory never waits for an index run. Each write is one commit.
"""

import contextlib
from collections.abc import Iterable, Iterator
from datetime import timedelta
from pathlib import Path

import lancedb
from lancedb.table import Table

from codequarry.core.errors import IndexStateError
from codequarry.core.files import locked
from codequarry.core.state import StateDirectory
from codequarry.index.store import faults_worded, quote
from codequarry.schemas.tables import MEMORIES

NAME = "memories"
WRITE_SECONDS = 20.0
"""How long a writer waits for others; a write takes some 50 ms."""

_TIDY_VERSIONS = 50
_GRACE = timedelta(minutes=10)  # longer than a reader holds a version


def folder(state: StateDirectory) -> Path:
    """Give the folder of the database."""
    return state.lance / "memory"


def newest(state: StateDirectory) -> Table | None:
    """Open the table at its newest version, or give ``None`` when nothing was remembered yet.

    Raises:
        IndexStateError: It is damaged, or another version of codequarry made it.
    """
    if not (folder(state) / f"{NAME}.lance").is_dir():
        return None
    try:
        table = lancedb.connect(str(folder(state))).open_table(NAME)
        names = table.schema.names
    except (ValueError, RuntimeError, OSError) as error:
        raise _unusable(state, "is damaged") from error
    if names != MEMORIES.names:
        raise _unusable(state, "was made by another version of codequarry")
    return table


@contextlib.contextmanager
def writing(state: StateDirectory, seconds: float = WRITE_SECONDS) -> Iterator[Table]:
    """Hold the table for writing, one holder in all processes; created when absent.

    Raises:
        BusyError: Others wrote for ``seconds``.
        IndexStateError: It is damaged.
        StateError: It cannot be written.
    """
    state.prepare()
    with locked(state.home / "memory.lock", seconds), faults_worded(state):
        table = newest(state)
        if table is None:
            folder(state).mkdir(parents=True, exist_ok=True, mode=0o700)
            table = lancedb.connect(str(folder(state))).create_table(NAME, schema=MEMORIES)
        before = table.version
        yield table
        if table.version // _TIDY_VERSIONS != before // _TIDY_VERSIONS:
            tidy(table)


def tidy(table: Table) -> None:
    """Compact the table and remove old versions; call it while holding the table for writing."""
    table.optimize(cleanup_older_than=_GRACE, delete_unverified=True)


def alive(now: int) -> str:
    """Write the filter of memories that have not expired at ``now``, in milliseconds."""
    return f"(expires_at = 0 OR expires_at > {now})"


def tagged(tags: Iterable[str]) -> str:
    """Write the filter of memories that carry every tag, each exactly (contract.md J-58)."""
    return " AND ".join(["true", *(f"array_has(tags, {quote(tag)})" for tag in tags)])


def among(ids: Iterable[int]) -> str:
    """Write the filter of some memories."""
    listed = ", ".join(map(str, ids))
    return f"id IN ({listed})" if listed else "false"


def _unusable(state: StateDirectory, why: str) -> IndexStateError:
    return IndexStateError(
        f"the memory in {folder(state)} {why}",
        "restore that folder from a backup, or move it away to begin anew",
    )
