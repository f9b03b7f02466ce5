"""The single writer: a lease, a repair of what a dead writer left, a commit or two a table.

Readers open the versions that the newest ledger entry names, so nothing written here is seen
before `codequarry.index.ledger.append`. The lease is held from the first commit to that append.
"""

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta

import filelock
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
from lancedb.index import FTS, Bitmap, BTree, IvfSq
from lancedb.table import Table

from codequarry.core.errors import BusyError, IndexStateError
from codequarry.core.files import unwritable
from codequarry.core.state import StateDirectory
from codequarry.index.head import write_heads
from codequarry.index.ledger import heads_of, published
from codequarry.index.store import RECEIPTS, Store, Versions, of_project, quote, rows

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

_FEW_ROWS = 10_000
"""Above this, a table's keys are read as fast as that many are looked up."""

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

    The ledger's head is put right too: its writer may have died, or somebody changed it.

    Returns:
        The names of the tables that a dead writer had left ahead of their published version.

    Raises:
        ReceiptError: The ledger is gone; without it nothing is known to be unpublished.
    """
    now = published(store)
    versions = now.versions
    write_heads(store.state, heads_of(now))
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


@dataclass(frozen=True)
class Replaced:
    """What a replacement did to a table.

    Args:
        written: Rows that were added or written again.
        removed: Rows that are no more, those written again among them.
    """

    written: int = 0
    removed: int = 0


def replace_rows(table: Table, scope: Scope, key: str, content: pa.RecordBatchReader) -> Replaced:
    """Make ``content`` the table's only rows within a scope.

    Where the table has a ``row_hash``, rows that did not change are not written again. A project is
    replaced in one commit, which reads the keys of the whole table; a few files in two, which cost
    what these files hold.

    Args:
        table: A table at its newest version.
        scope: Which rows are replaced; every row of ``content`` lies within it.
        key: The column that identifies a row within the project.
        content: The new rows, unique in ``key``.
    """
    held = table.count_rows(scope.where)
    if not held:
        before = table.count_rows()
        table.add(content)
        return Replaced(table.count_rows() - before)
    if scope.paths is not None and held <= _FEW_ROWS:
        return _replace_few(table, scope, key, content.read_all())
    merge = table.merge_insert(["project", key])
    if key != "edge_id":  # an edge's key covers its whole content
        hashed = "row_hash" in content.schema.names
        changed = "target.row_hash != source.row_hash" if hashed else None
        merge.when_matched_update_all(where=changed)
    merge.when_not_matched_insert_all()
    done = merge.when_not_matched_by_source_delete(scope.where).execute(content)
    again = done.num_updated_rows
    return Replaced(done.num_inserted_rows + again, done.num_deleted_rows + again)


def _replace_few(table: Table, scope: Scope, key: str, content: pa.Table) -> Replaced:
    telling = [name for name in (key, "row_hash") if name in content.schema.names]
    stored, made = (
        pl.DataFrame(pl.from_arrow(found.select(telling)))
        for found in (rows(table, scope.where, telling), content)
    )
    if telling == [key] and key != "edge_id":  # an edge's key covers its whole content
        gone, fresh = stored[key], content
    else:
        gone = stored.join(made, on=telling, how="anti")[key]
        new = made.join(stored, on=telling, how="anti")[key]
        fresh = content.filter(pc.is_in(content[key], new.to_arrow().cast(content[key].type)))
    if len(gone):
        named = ", ".join(quote(v) if isinstance(v, str) else str(v) for v in gone.to_list())
        table.delete(f"{scope.where} AND {key} IN ({named})")
    if fresh.num_rows:
        table.add(fresh)
    return Replaced(fresh.num_rows, len(gone))


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
    if total >= VECTOR_INDEX_ROWS and _unindexed(table, "vector_idx") > total / 2:
        # Also when the table doubled at once: partitions made for few rows are slow with many.
        table.create_index("vector", config=IvfSq(distance_type="cosine"))
    if _unindexed(table, "words_idx") > _UNINDEXED_SHARE * total:
        table.optimize(cleanup_older_than=_KEEP_ALL_VERSIONS)


def _unindexed(table: Table, index: str) -> int:
    """Give the number of rows that an index does not hold: all, where there is none."""
    stats = table.index_stats(index)
    return table.count_rows() if stats is None else stats.num_unindexed_rows


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
