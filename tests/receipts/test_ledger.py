from dataclasses import replace

import pytest

from codequarry.core.state import StateDirectory
from codequarry.index import ledger
from codequarry.index.ledger import REMOVED, Entry, published
from codequarry.index.store import Store
from codequarry.receipts.ledger import GENESIS, Facts, broken_entry, next_entry
from tests.receipts.test_lifecycle import GOLDEN, KEY

NOW = "2026-01-05T10:00:00Z"


def grow(
    store: Store, project: str, version: int, mode: str = "full", start: str = "", end: str = "f"
) -> Entry:
    facts = Facts(mode, "first_run", start * 64, end * 64, "house", "v1", {"files": version}, {})
    entry = next_entry(published(store), project, KEY, GOLDEN, facts, NOW)
    ledger.append(store, entry)
    return entry


@pytest.fixture
def store(state: StateDirectory) -> Store:
    return Store(state)


def test_entries_chain_within_their_project(store: Store) -> None:
    """Each entry holds the hash of the one before it in its project, the first none."""
    first, other, second = grow(store, "a", 1), grow(store, "b", 2), grow(store, "a", 3)
    assert first.previous_hash == other.previous_hash == GENESIS
    assert second.previous_hash == first.entry_hash
    assert broken_entry(ledger.read(store)) is None
    assert [entry.sequence for entry in ledger.read(store)] == [1, 2, 3]


def test_newest_entry_moves_all_readers(store: Store) -> None:
    """The newest entry of all gives the tables' versions; each project has its own newest."""
    grow(store, "a", 1)
    grow(store, "b", 2)
    now = published(store)
    assert now.versions == {"files": 2}
    assert {name: entry.sequence for name, entry in now.entries.items()} == {"a": 1, "b": 2}


def test_removed_project_is_gone_but_chained(store: Store) -> None:
    """A removal takes the project from readers, and a later entry still follows it."""
    grow(store, "a", 1)
    removal = grow(store, "a", 2, REMOVED)
    assert "a" not in published(store).entries
    assert grow(store, "a", 3).previous_hash == removal.entry_hash


@pytest.mark.parametrize("column", ["mode", "versions", "receipt", "appended_at", "previous_hash"])
def test_altered_entry_is_named(store: Store, column: str) -> None:
    """Whatever is changed in an entry, the check names that entry."""
    for version in range(3):
        grow(store, "a", version)
    entries = ledger.read(store)
    entries[1] = replace(entries[1], **{column: "altered"})
    assert broken_entry(entries) == entries[1]


def test_missing_entry_is_noticed(store: Store) -> None:
    """A removed entry breaks the chain at the next one, also when hashes are made anew."""
    for version in range(3):
        grow(store, "a", version)
    entries = ledger.read(store)
    assert broken_entry([entries[0], entries[2]]) == entries[2]


@pytest.mark.parametrize("column", ["receipt", "previous_hash"])
def test_a_seal_alone_proves_nothing(store: Store, column: str) -> None:
    """An altered newest entry that was sealed anew still does not verify."""
    for version in range(3):
        grow(store, "a", version)
    entries = ledger.read(store)
    entries[2] = replace(entries[2], **{column: "altered"}).sealed()
    assert broken_entry(entries) == entries[2]


def test_a_vanished_project_is_noticed(store: Store) -> None:
    """Where all entries of one project are gone, the count of all entries breaks."""
    for project in ("a", "b", "a"):
        grow(store, project, 1)
    entries = ledger.read(store)
    assert broken_entry([entries[0], entries[2]]) == entries[2]


def test_a_delta_starts_where_the_one_before_ended(store: Store) -> None:
    """Full, delta, delta are a chain of fingerprints as well; a gap in it is named."""
    grow(store, "a", 1, end="1")
    grow(store, "b", 2, end="9")
    grow(store, "a", 3, "delta", "1", "2")
    grow(store, "a", 4, "delta", "2", "3")
    assert broken_entry(ledger.read(store)) is None
    gap = grow(store, "a", 5, "delta", "2", "4")
    assert broken_entry(ledger.read(store)) == gap


def test_a_delta_follows_something(store: Store) -> None:
    """A project's first entry is no delta, whatever it says of its start."""
    first = grow(store, "a", 1, "delta", "", "1")
    assert broken_entry(ledger.read(store)) == first
