"""The single writer: a lease, a repair of what a dead writer left, one commit a table.

Readers open the versions that the newest ledger entry names, so nothing written here is seen
before `codequarry.index.ledger.append`. The lease is held from the first commit to that append.
"""

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta

import filelock
import pyarrow as pa
from lancedb.index import FTS, Bitmap, BTree, IvfSq
from lancedb.table import Table

from codequarry.core.errors import BusyError, IndexStateError
from codequarry.core.files import unwritable
from codequarry.core.state import StateDirectory
from codequarry.index.ledger import published
from codequarry.index.store import RECEIPTS, Store, Versions, of_project, quote

WORDS_INDEX = FTS(
    base_tokenizer="whitespace",
    stem=False,
    lower_case=False,
    remove_stop_words=False,
    ascii_folding=False,
    max_token_length=64,
)
VECTOR_INDEX_ROWS = 20_000
"""Below this many rows an exact scan is as fast as an index (docs/benchmarks.md)."""

_UNINDEXED_SHARE = 0.1
_KEEP_ALL_VERSIONS = timedelta(days=36_500)  # only the clean-up job may remove versions


@dataclass(frozen=True)
class Scope:
    """The rows that an attempt replaces: a project, or some files of it.

    Args:
        project: The project's name.
        paths: The files, or ``None`` for the whole project.
    """

    project: str
    paths: tuple[str, ...] | None = None

    @property
    def where(self) -> str:
        """The scope in LanceDB's filter language."""
        if self.paths is None:
            return of_project(self.project)
        files = ", ".join(map(quote, self.paths))
        return f"{of_project(self.project)} AND path IN ({files})" if files else "false"


class Lease:
    """The right to write; one holder in all processes of a deployment.

    The operating system frees it when its holder dies.
    """

    def __init__(self, state: StateDirectory) -> None:
        state.prepare()
        self._path = state.lease
        self._lock = filelock.FileLock(self._path)

    @property
    def held(self) -> bool:
        """Whether this object holds the lease."""
        return bool(self._lock.is_locked)

    def acquire(self, seconds: float) -> None:
        """Take the lease, waiting for another writer.

        Raises:
            BusyError: Another writer held it for ``seconds``.
            StateError: The lock file cannot be opened.
        """
        try:
            self._lock.acquire(timeout=seconds)
        except filelock.Timeout as error:
            raise BusyError(
                f"another run has been publishing for {seconds:.0f} seconds",
                "wait for it to end, and run again",
            ) from error
        except OSError as error:
            raise unwritable(self._path, error) from error

    def release(self) -> None:
        """Give the lease back; does nothing when it is not held."""
        self._lock.release(force=True)


@contextlib.contextmanager
def leased(state: StateDirectory, seconds: float = 60.0) -> Iterator[Lease]:
    """Hold the lease for a block."""
    lease = Lease(state)
    lease.acquire(seconds)
    try:
        yield lease
    finally:
        lease.release()


def repair(store: Store) -> tuple[str, ...]:
    """Undo commits that were never published; call it under the lease, before writing.

    Returns:
        The names of the tables that a dead writer had left ahead of their published version.
    """
    versions = published(store).versions
    repaired = []
    for name in store.names():
        if name == RECEIPTS:
            continue
        if name not in versions:
            store.drop(name)
            repaired.append(name)
            continue
        table = store.open(name)
        if table.version != versions[name]:
            table.checkout(versions[name])
            table.restore()
            repaired.append(name)
    return tuple(repaired)


def replace_rows(table: Table, scope: Scope, key: str, content: pa.RecordBatchReader) -> None:
    """Make ``content`` the table's only rows within a scope, in one commit.

    Where the table has a ``row_hash``, rows that did not change are not written again.

    Args:
        table: A table at its newest version.
        scope: Which rows are replaced; every row of ``content`` lies within it.
        key: The column that identifies a row within the project.
        content: The new rows, unique in ``key``.
    """
    if not table.count_rows(scope.where):
        table.add(content)
        return
    merge = table.merge_insert(["project", key])
    if key != "edge_id":  # an edge's key covers its whole content
        hashed = "row_hash" in content.schema.names
        changed = "target.row_hash != source.row_hash" if hashed else None
        merge.when_matched_update_all(where=changed)
    merge.when_not_matched_insert_all()
    merge.when_not_matched_by_source_delete(scope.where).execute(content)


def index_columns(table: Table, scalar: Mapping[str, str]) -> None:
    """Create a table's indexes, or fold new rows into them when they are many.

    Args:
        table: A table at its newest version.
        scalar: Column name to ``bitmap`` or ``btree``.
    """
    total = table.count_rows()
    if not total:
        return
    existing = {column for index in table.list_indices() for column in index.columns}
    for column, kind in scalar.items():
        if column not in existing:
            table.create_index(column, config=Bitmap() if kind == "bitmap" else BTree())
    if "words" not in table.schema.names:
        return
    if "words" not in existing:
        table.create_index("words", config=WORDS_INDEX)
    if "vector" not in existing and total >= VECTOR_INDEX_ROWS:
        table.create_index("vector", config=IvfSq(distance_type="cosine"))
    stats = table.index_stats("words_idx")
    if stats is not None and stats.num_unindexed_rows > _UNINDEXED_SHARE * total:
        table.optimize(cleanup_older_than=_KEEP_ALL_VERSIONS)


def staged_versions(store: Store) -> Versions:
    """Give the newest version of every table but the ledger."""
    return {name: store.open(name).version for name in store.names() if name != RECEIPTS}


def confirm_staged(store: Store, staged: Versions) -> None:
    """Make sure that nobody wrote between this attempt's commits and its publication.

    Raises:
        IndexStateError: The tables are not at the versions that this attempt left.
    """
    if staged_versions(store) != dict(staged):
        raise IndexStateError(
            "another run wrote to the index between this run's commits and its publication",
            "run it again",
        )
