"""How often searches surfaced a symbol: a counter that is only ever a help.

Keyed by project and selector without its line, never by a bare name. One SQLite file for a
deployment; whatever goes wrong with it loses counts, and no search notices.
"""

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

from codequarry.retrieval.search import Hit
from codequarry.retrieval.structure.symbols import identity

_WAIT_SECONDS = 0.05
_LETTING_GO = contextlib.suppress(sqlite3.Error, OSError, ValueError)  # also what is not UTF-8
_SET_UP = """
    CREATE TABLE IF NOT EXISTS surfaced (
        project TEXT NOT NULL, file TEXT NOT NULL, fqn TEXT NOT NULL, kind TEXT NOT NULL,
        times INTEGER NOT NULL, PRIMARY KEY (project, file, fqn, kind)
    ) WITHOUT ROWID
"""
_COUNT = """
    INSERT INTO surfaced VALUES (?, ?, ?, ?, 1)
    ON CONFLICT DO UPDATE SET times = times + 1
"""


def count(path: Path, hits: Iterable[Hit]) -> None:
    """Count one search that surfaced some hits; each symbol once, however many chunks it has.

    Never fails, and waits for another process for a moment only.

    Args:
        path: ``StateDirectory.usage``.
        hits: What the search answered.
    """
    keys = {identity(hit.project, hit.selector) for hit in hits if hit.selector is not None}
    if keys:
        with _LETTING_GO, _opened(path) as connection:
            connection.executemany(_COUNT, sorted(keys))


def frequencies(path: Path, project: str) -> dict[tuple[str, str, str, str], int]:
    """Give how often each symbol of a project was surfaced; nothing when it cannot be read."""
    found: dict[tuple[str, str, str, str], int] = {}
    if path.exists():
        with _LETTING_GO, _opened(path) as connection:
            asked = "SELECT file, fqn, kind, times FROM surfaced WHERE project = ?"
            for *selector, times in connection.execute(asked, (project,)):
                file, fqn, kind = map(str, selector)
                found[project, file, fqn, kind] = int(times)
    return found


def forget(path: Path, project: str) -> None:
    """Drop a project's counts."""
    if path.exists():
        with _LETTING_GO, _opened(path) as connection:
            connection.execute("DELETE FROM surfaced WHERE project = ?", (project,))


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the counter for one transaction."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with contextlib.closing(sqlite3.connect(path, timeout=_WAIT_SECONDS)) as connection:
        connection.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;")
        with connection:
            connection.execute(_SET_UP)
            yield connection
