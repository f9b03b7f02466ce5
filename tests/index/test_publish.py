import multiprocessing
import shutil
from pathlib import Path

import pyarrow as pa
import pytest

from codequarry.core.errors import BusyError, IndexStateError, ReceiptError, StateError
from codequarry.core.state import StateDirectory
from codequarry.index import ledger
from codequarry.index.head import had_ledger, read_heads
from codequarry.index.publish import (
    Lease,
    Replaced,
    Scope,
    confirm_staged,
    leased,
    repair,
    replace_rows,
    staged_versions,
)
from codequarry.index.reader import Reader
from codequarry.index.store import FILES, Store, chunk_table, of_project, rows
from codequarry.receipts.ledger import Facts, next_entry
from codequarry.schemas.tables import FILES as FILES_SCHEMA
from tests.receipts.test_lifecycle import GOLDEN, KEY


def files(project: str, **hashes: str) -> pa.Table:
    made = [
        {
            "project": project,
            "path": path,
            "os_path": path.encode(),
            "language": "python",
            "size": 1,
            "source_hash": digest,
            "file_hash": digest,
            "origin": "local",
            "chunks": 1,
            "dropped_bytes": 0,
        }
        for path, digest in hashes.items()
    ]
    return pa.Table.from_pylist(made, schema=FILES_SCHEMA)


def write(store: Store, project: str, **hashes: str) -> None:
    table = store.ensure(FILES, FILES_SCHEMA)
    replace_rows(table, Scope(project), "path", files(project, **hashes).to_reader())


def publish(store: Store) -> None:
    facts = Facts("full", "", "", "", "", "", staged_versions(store), {})
    entry = next_entry(ledger.published(store), "a", KEY, GOLDEN, facts, "2026-01-05T10:00:00Z")
    ledger.append(store, entry)


def content(store: Store, project: str, version: int | None = None) -> dict[str, str]:
    found = rows(store.open(FILES, version), of_project(project), ["path", "source_hash"])
    return dict(zip(found["path"].to_pylist(), found["source_hash"].to_pylist(), strict=True))


@pytest.fixture
def store(state: StateDirectory) -> Store:
    return Store(state)


def test_replacing_leaves_other_projects(store: Store) -> None:
    """A full write adds, changes and removes rows of its project only, in one version."""
    write(store, "a", x="1", y="1")
    write(store, "b", x="9")
    before = store.open(FILES).version
    write(store, "a", y="2", z="1")
    assert content(store, "a") == {"y": "2", "z": "1"}
    assert content(store, "b") == {"x": "9"}
    assert store.open(FILES).version == before + 1


def test_replacing_some_files(store: Store) -> None:
    """A delta replaces the rows of its files alone, and tells how many it wrote and removed."""
    write(store, "a", x="1", y="1", z="1")
    write(store, "b", x="9")
    table = store.open(FILES)
    made = files("a", y="2", n="1").to_reader()
    done = replace_rows(table, Scope("a", ("y", "z", "n")), "path", made)
    assert done == Replaced(written=2, removed=2)
    assert content(store, "a") == {"x": "1", "y": "2", "n": "1"}
    assert content(store, "b") == {"x": "9"}
    nothing = files("a").to_reader()
    assert replace_rows(store.open(FILES), Scope("a", ()), "path", nothing) == Replaced(0, 0)


HASHED = pa.schema(
    [
        pa.field("project", pa.string(), nullable=False),
        pa.field("path", pa.string(), nullable=False),
        pa.field("chunk_id", pa.int64(), nullable=False),
        pa.field("row_hash", pa.string(), nullable=False),
    ]
)


def hashed(path: str, **hashes: str) -> pa.RecordBatchReader:
    made = [
        {"project": "a", "path": path, "chunk_id": ord(key), "row_hash": value}
        for key, value in hashes.items()
    ]
    return pa.Table.from_pylist(made, schema=HASHED).to_reader()


@pytest.mark.parametrize("paths", [("f",), None])
def test_equal_rows_are_not_written_again(store: Store, paths: tuple[str, ...] | None) -> None:
    """Rows with the hash they had stay where they are, in a delta as in a full run."""
    table = store.ensure("chunks_1", HASHED)
    replace_rows(table, Scope("a"), "chunk_id", hashed("f", k="1", m="1", q="1"))
    done = replace_rows(table, Scope("a", paths), "chunk_id", hashed("f", k="1", m="2", n="1"))
    assert done == Replaced(written=2, removed=2)
    found = rows(table, None, ["chunk_id", "row_hash"]).to_pylist()
    assert {(chr(row["chunk_id"]), row["row_hash"]) for row in found} == {
        *(("k", "1"), ("m", "2"), ("n", "1")),
    }


def test_replacing_with_nothing_empties(store: Store) -> None:
    """A project whose files are all gone has no rows left."""
    write(store, "a", x="1")
    write(store, "a")
    assert content(store, "a") == {}


def test_unpublished_commits_are_undone(store: Store) -> None:
    """What a dead writer committed is put back, and tables it created are dropped."""
    write(store, "a", x="1")
    publish(store)
    write(store, "a", x="2", y="2")
    store.ensure("edges", FILES_SCHEMA)
    assert repair(store) == ("edges", FILES)
    assert content(store, "a") == {"x": "1"}
    assert store.names() == (FILES, "receipts")
    assert repair(Store(StateDirectory(store._path.parent))) == (FILES,)


def test_without_its_ledger_nothing_is_put_right(store: Store) -> None:
    """A ledger that was taken away is an error; no table that it certified is dropped for it."""
    write(store, "a", x="1")
    publish(store)
    shutil.rmtree(store.state.lance / "receipts.lance")
    alone = Store(store.state)
    with pytest.raises(ReceiptError, match=r"the ledger in .* is gone"):
        repair(alone)
    assert content(alone, "a") == {"x": "1"}
    with pytest.raises(ReceiptError):
        Reader(store.state)
    assert had_ledger(store.state)
    assert not read_heads(store.state)  # so that no evidence counts as published


def test_readers_keep_the_published_version(store: Store) -> None:
    """A reader at the published version never sees a commit that is not published."""
    write(store, "a", x="1")
    publish(store)
    version = ledger.published(store).versions[FILES]
    write(store, "a", x="2")
    assert content(store, "a", version) == {"x": "1"}


def test_foreign_commit_stops_publication(store: Store) -> None:
    """A commit of somebody else between staging and publication is an error."""
    write(store, "a", x="1")
    staged = staged_versions(store)
    confirm_staged(store, staged)
    write(store, "b", x="1")
    with pytest.raises(IndexStateError, match="another run"):
        confirm_staged(store, staged)


def hold(home: str, ready: "multiprocessing.synchronize.Event") -> None:
    lease = Lease(StateDirectory(Path(home)))
    lease.acquire(5)
    ready.set()
    multiprocessing.Event().wait(60)


def test_lease_excludes_and_dies_with_its_holder(state: StateDirectory) -> None:
    """A second writer waits and gives up politely; a killed holder frees the lease."""
    context = multiprocessing.get_context("spawn")
    ready = context.Event()
    process = context.Process(target=hold, args=(str(state.home), ready))
    process.start()
    try:
        assert ready.wait(30)
        lease = Lease(state)
        with pytest.raises(BusyError, match="publishing"):
            lease.acquire(0.1)
    finally:
        process.kill()
        process.join()
    with leased(state, 5):
        pass


def test_lease_that_cannot_be_taken(state: StateDirectory) -> None:
    """A lock file that cannot be opened is a state error with its path."""
    state.lease.mkdir(parents=True)
    with pytest.raises(StateError, match="cannot write"), leased(state, 5):
        pass


def test_two_models_never_share_a_table() -> None:
    """Another provider, model or width is another chunks table."""
    names = {
        chunk_table("house", "v1", 256),
        chunk_table("house", "v1", 128),
        chunk_table("house", "v2", 256),
        chunk_table("ollama", "v1", 256),
    }
    assert len(names) == 4


def test_missing_version_is_named(store: Store) -> None:
    """A table or version that is not there is one sentence with a remedy."""
    write(store, "a", x="1")
    for name, version in (("absent", None), (FILES, 99)):
        with pytest.raises(IndexStateError, match="index --full"):
            store.open(name, version)


def test_table_of_another_version(store: Store) -> None:
    """A table with other columns is refused with a remedy, not written to."""
    store.ensure(FILES, FILES_SCHEMA.remove(FILES_SCHEMA.get_field_index("origin")))
    with pytest.raises(IndexStateError, match="another version"):
        store.ensure(FILES, FILES_SCHEMA)


def test_damaged_table(store: Store, state: StateDirectory) -> None:
    """Files of a table that are no longer what they were give one sentence, not a Rust error."""
    write(store, "a", x="1")
    for path in (state.lance / f"{FILES}.lance" / "data").iterdir():
        path.write_bytes(b"damaged")
    with pytest.raises(IndexStateError, match="damaged"):
        content(Store(state), "a")
