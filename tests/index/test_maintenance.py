import os
from collections.abc import Callable
from datetime import timedelta

import pyarrow as pa
import pytest

from codequarry.core.errors import IndexStateError, UsageError
from codequarry.core.state import StateDirectory
from codequarry.index import ledger
from codequarry.index.ledger import MAINTENANCE, NO_PROJECT, REMOVED, Entry, Published
from codequarry.index.maintenance import (
    Maintained,
    Retention,
    available,
    due,
    keep,
    kept_entries,
    kept_names,
    let_go,
    maintain,
    sweep,
)
from codequarry.index.publish import Scope, index_columns, repair, replace_rows, staged_versions
from codequarry.index.reader import Reader
from codequarry.index.store import RECEIPTS, Store, Versions, of_project
from codequarry.receipts.ledger import Facts, broken_entry, next_entry

AT_ONCE = timedelta(0)
CHUNKS = "chunks_12345678"
SCHEMA = pa.schema(
    [
        pa.field("project", pa.string(), nullable=False),
        pa.field("chunk_id", pa.int64(), nullable=False),
        pa.field("words", pa.string(), nullable=False),
        pa.field("vector", pa.list_(pa.float32(), 2), nullable=False),
    ]
)


def seal(mode: str, project: str = NO_PROJECT) -> Callable[[Published, Versions], Entry]:
    def sealed(before: Published, versions: Versions) -> Entry:
        receipt = b'{"attempt_id":"%032x"}' % (before.sequence + 1)
        now = f"2026-01-05T10:{before.sequence // 60:02}:{before.sequence % 60:02}.000000Z"
        facts = Facts(mode, "test", "", "", "", "", versions, {})
        return next_entry(before, project, "", receipt, facts, now)

    return sealed


def publish(store: Store, project: str, word: str, rows: int = 3) -> Entry:
    """Publish a project of a few chunks, all of which say ``word``."""
    made = [
        {"project": project, "chunk_id": n, "words": f"{word} w{n}", "vector": [n, 1.0]}
        for n in range(rows)
    ]
    table = store.ensure(CHUNKS, SCHEMA)
    content = pa.Table.from_pylist(made, schema=SCHEMA).to_reader()
    replace_rows(table, Scope(project), "chunk_id", content)
    index_columns(table, {"project": "bitmap"})
    entry = seal("full", project)(ledger.published(store), staged_versions(store))
    ledger.append(store, entry)
    return entry


def words(store: Store, entry: Entry, project: str) -> set[str]:
    """Find a project's words at the versions of an entry, by scan, by text and by vector."""
    table = store.open(CHUNKS, entry.table_versions[CHUNKS])
    where = of_project(project)
    texts = table.search().where(where).select(["words"]).to_arrow()["words"].to_pylist()
    said = {text.split()[0] for text in texts}
    for word in said:
        found = table.search(word, query_type="fts").where(where).limit(99)
        assert sorted(found.to_arrow()["words"].to_pylist()) == sorted(texts)
    near = table.search([0.0, 1.0], vector_column_name="vector").where(where, prefilter=True)
    assert sorted(near.limit(99).to_arrow()["words"].to_pylist()) == sorted(texts)
    return said


def maintained(state: StateDirectory, receipts: int = 3, grace: timedelta = AT_ONCE) -> Maintained:
    return maintain(state, Retention(receipts, grace), seal(MAINTENANCE))


def data_files(state: StateDirectory) -> int:
    return len(list(state.lance.glob(f"{CHUNKS}.lance/data/*")))


def said(state: StateDirectory, word: bytes) -> bool:
    """Tell whether any file of the chunks still holds a word."""
    files = (path for path in state.lance.glob(f"{CHUNKS}.lance/**/*") if path.is_file())
    return any(word in path.read_bytes() for path in files)


@pytest.fixture
def store(state: StateDirectory) -> Store:
    return Store(state)


def test_kept_receipts_keep_their_versions(state: StateDirectory, store: Store) -> None:
    """Each kept entry's versions open and answer as they did; those of older entries are gone."""
    entries = [publish(store, "a", f"word{n}") for n in range(12)]
    done = maintained(state)
    assert done.kept == (10, 11, 12)
    assert done.removed_versions > 12
    for number, entry in enumerate(entries):
        if entry.sequence in done.kept:
            assert words(store, entry, "a") == {f"word{number}"}
        else:
            with pytest.raises(IndexStateError, match="cannot be opened"):
                store.open(CHUNKS, entry.table_versions[CHUNKS])


def test_published_rows_stay(state: StateDirectory, store: Store) -> None:
    """Readers see the same projects and rows, at compacted versions, and no project is new."""
    publish(store, "b", "other")
    for n in range(8):
        publish(store, "a", f"word{n}")
    before = Reader(state).published
    done = maintained(state)
    after = Reader(state).published
    assert done.entry is not None
    assert after.entries == before.entries
    assert after.versions == done.entry.table_versions == staged_versions(store)
    assert after.versions[CHUNKS] > before.versions[CHUNKS]
    assert words(store, done.entry, "a") == {"word7"}
    assert words(store, done.entry, "b") == {"other"}
    assert data_files(state) < 8


def test_ledger_keeps_every_entry_and_its_chain(state: StateDirectory, store: Store) -> None:
    """Maintenance entries form a chain of their own, and no entry is ever removed."""
    for n in range(4):
        publish(store, "a", f"word{n}")
        maintained(state, 1)
    entries = ledger.read(store)
    assert [entry.project for entry in entries] == ["a", NO_PROJECT] * 4
    assert broken_entry(entries) is None
    assert len(list(state.lance.glob(f"{RECEIPTS}.lance/data/*"))) <= 2


def test_files_stay_few(state: StateDirectory, store: Store) -> None:
    """With maintenance now and then, 60 small commits leave few files; without, more each time."""
    publish(store, "base", "base", rows=500)  # so many that commits do not optimise by themselves
    counts = []
    for n in range(60):
        publish(store, "a", f"word{n}")
        if n % 20 == 19:
            before = data_files(state)
            maintained(state, 2)
            counts.append((before, data_files(state)))
    assert all(before >= 20 for before, _ in counts)
    assert all(after <= 5 for _, after in counts)
    assert len(list(state.lance.rglob("*"))) < 150


def test_an_idle_project_keeps_its_receipts(state: StateDirectory, store: Store) -> None:
    """However often other projects are indexed, a project's own last entries stay."""
    old = [publish(store, "idle", f"idle{n}") for n in range(3)]
    for n in range(10):
        publish(store, "busy", f"word{n}")
    done = maintained(state, 2)
    assert done.kept == (2, 3, 12, 13)
    assert words(store, old[2], "idle") == {"idle2"}
    assert available(store, old) == tuple(old[1:])


def test_young_versions_stay_for_their_readers(state: StateDirectory, store: Store) -> None:
    """Within the grace, a reader that opened a version which no receipt needs goes on reading."""
    entries = [publish(store, "a", f"word{n}") for n in range(6)]
    done = maintained(state, 1, timedelta(hours=1))
    assert done.removed_versions == 0
    assert words(store, entries[0], "a") == {"word0"}


def test_open_reader_survives(state: StateDirectory, store: Store) -> None:
    """A reader of the published state answers on after a maintenance without any grace."""
    for n in range(5):
        publish(store, "a", f"word{n}")
    table = Reader(state).table(CHUNKS)
    maintained(state, 1)
    assert table.search("word4", query_type="fts").limit(9).to_arrow().num_rows == 3


def test_named_receipts_stay_until_let_go(state: StateDirectory, store: Store) -> None:
    """An entry kept under a name outlives retention, and goes once it is let go."""
    first = publish(store, "a", "word0")
    keep(state, first, "release-1.0")
    assert kept_names(store) == {"release-1.0": 1}
    for n in range(1, 6):
        publish(store, "a", f"word{n}")
    maintained(state, 1)
    assert words(store, first, "a") == {"word0"}
    assert let_go(state, "release-1.0")
    assert not let_go(state, "release-1.0")
    maintained(state, 1)
    assert available(store, [first]) == ()


@pytest.mark.parametrize("name", ["", "a b", "a/b", "..", "a..b", "-a", "a.", "é", "x" * 65, "a\n"])
def test_malformed_names_are_refused(state: StateDirectory, store: Store, name: str) -> None:
    """A name that Lance could not spell is an error before anything is written."""
    entry = publish(store, "a", "word")
    with pytest.raises(UsageError, match="cannot name"):
        keep(state, entry, name)


def test_names_are_unique_and_need_versions(state: StateDirectory, store: Store) -> None:
    """A name that is taken is refused, and so is an entry whose versions are gone."""
    entries = [publish(store, "a", f"word{n}") for n in range(4)]
    keep(state, entries[3], "mine")
    with pytest.raises(UsageError, match="taken"):
        keep(state, entries[2], "mine")
    maintained(state, 1)
    with pytest.raises(IndexStateError, match="were removed"):
        keep(state, entries[0], "late")


def test_failure_before_publication_changes_nothing(state: StateDirectory, store: Store) -> None:
    """When maintenance dies after compacting, repair gives back what was published."""
    publish(store, "base", "base", rows=200)
    entries = [publish(store, "a", f"word{n}") for n in range(6)]

    def dies(_before: Published, _versions: Versions) -> Entry:
        raise KeyError

    with pytest.raises(KeyError):
        maintain(state, Retention(1, AT_ONCE), dies)
    assert Reader(state).published.versions == entries[5].table_versions
    assert words(store, entries[5], "a") == {"word5"}
    assert repair(store) == (CHUNKS,)
    assert words(store, publish(store, "b", "new"), "a") == {"word5"}
    assert maintained(state, 1).entry is not None


def test_unfinished_pin_is_made_again(state: StateDirectory, store: Store) -> None:
    """A pin whose making was killed half-way does not stop the next maintenance."""
    entry = publish(store, "a", "word0")
    keep(state, entry, "half")
    (reference,) = state.lance.glob(f"{CHUNKS}.lance/_refs/branches/*")
    os.rename(reference, reference.with_name("receipt-1.json"))
    os.rename(
        state.lance / f"{CHUNKS}.lance/tree/keep-half-1",
        state.lance / f"{CHUNKS}.lance/tree/receipt-1",
    )
    reference.with_name("receipt-1.json").unlink()
    publish(store, "a", "word1")
    assert maintained(state, 2).kept == (1, 2)
    assert words(store, entry, "a") == {"word0"}
    maintained(state, 1)
    assert available(store, [entry]) == ()


def test_foreign_tags_hold_versions(state: StateDirectory, store: Store) -> None:
    """A table that somebody tagged by other means is compacted but not cleaned, and named."""
    for n in range(4):
        publish(store, "a", f"word{n}")
    store.open(CHUNKS).tags.create("theirs", 2)
    done = maintained(state, 1)
    assert done.uncleaned == (CHUNKS,)
    assert done.removed_versions == 0
    assert store.open(CHUNKS, 2).version == 2


def test_nothing_published_is_nothing_to_do(state: StateDirectory) -> None:
    """A deployment without an index is left alone."""
    assert maintained(state) == Maintained(None)


def test_due_after_enough_publications(state: StateDirectory, store: Store) -> None:
    """Maintenance is due once as many entries as asked follow the last one."""
    for n in range(3):
        publish(store, "a", f"word{n}")
    assert due(ledger.read(store), 3)
    assert not due(ledger.read(store), 4)
    maintained(state)
    publish(store, "a", "more")
    assert not due(ledger.read(store), 3)
    assert due(ledger.read(store), 1)


def test_a_removed_project_is_let_go(state: StateDirectory, store: Store) -> None:
    """Nothing a removed project said stays, but what is kept by name; the newest state does."""
    other = publish(store, "b", "word")
    entries = [publish(store, "a", f"secret{n}") for n in range(3)]
    keep(state, entries[0], "named")
    store.open(CHUNKS).delete(of_project("a"))
    removal = seal(REMOVED, "a")(ledger.published(store), staged_versions(store))
    ledger.append(store, removal)
    for _ in range(2):
        assert {other.sequence, removal.sequence} <= set(maintained(state).kept)
        assert available(store, entries) == (entries[0],)
        assert not said(state, b"secret2")
    publish(store, "b", "later")
    assert removal.sequence not in maintained(state).kept
    assert said(state, b"secret0")
    let_go(state, "named")
    maintained(state)
    assert not said(state, b"secret")
    assert publish(store, "a", "back").sequence in maintained(state).kept


def test_at_least_one_receipt_is_kept(store: Store) -> None:
    """To keep none would break what is published, so it is refused."""
    publish(store, "a", "word")
    with pytest.raises(UsageError, match="at least 1"):
        kept_entries(ledger.read(store), 0)


def test_leftovers_of_killed_runs_are_swept(state: StateDirectory) -> None:
    """Old unfinished files go; young ones, whole ones and those of LanceDB and Dagster stay."""
    names = {
        state.changesets / ".spool-x1": True,
        state.producer / "key" / ".tmp-abc.tmp": True,
        state.receipt("k").with_name(".receipt-abc.tmp"): True,
        state.changesets / ".spool-young": False,
        state.producer / "key" / "index.arrow": False,
        state.ledger_head.with_name(".head-abc.tmp"): True,
        state.lance / "files.lance" / ".tmp-abc.tmp": False,
        state.dagster / ".tmp-abc.tmp": False,
    }
    for path in names:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
        os.utime(path, (100, 100) if "young" not in path.name else (300, 300))
    assert sweep(state, before=200) == sum(names.values())
    assert {path: not path.exists() for path in names} == names
