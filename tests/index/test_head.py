"""The ledger's head: what may be said of evidence without opening LanceDB."""

import subprocess
import sys

import pytest

from codequarry.core.state import StateDirectory
from codequarry.index import ledger
from codequarry.index.head import Head, read_heads, write_heads
from codequarry.index.ledger import REMOVED, heads_of, published
from codequarry.index.publish import repair
from codequarry.index.store import Store
from tests.receipts.test_ledger import grow
from tests.receipts.test_lifecycle import KEY

DAMAGES = {
    "missing": None,
    "empty": b"",
    "cut": b'{"projects":{"',
    "of another schema": b'{"projects":{},"schema_version":2}',
    "deep": b"[" * 100_000,
    "forged": b'{"projects":{"%s":{"entry_hash":"e","receipt_hash":"r"}}}' % KEY.encode(),
}


def test_head_names_the_newest_entry(state: StateDirectory) -> None:
    """After each append the head says what the ledger's newest entry of the project says."""
    store = Store(state)
    for version in (1, 2):
        entry = grow(store, "demo", version)
        found = read_heads(state)[KEY]
        assert (found.entry_hash, found.receipt_hash) == (entry.entry_hash, entry.receipt_hash)


def test_removed_project_has_no_head(state: StateDirectory) -> None:
    """A project that was taken out has no published evidence."""
    grow(Store(state), "demo", 1)
    grow(Store(state), "demo", 2, REMOVED)
    assert read_heads(state) == {}


@pytest.mark.parametrize("damage", DAMAGES)
def test_repair_restores_the_head(state: StateDirectory, damage: str) -> None:
    """A head that is missing, damaged or forged says nothing false after a repair."""
    store = Store(state)
    grow(store, "demo", 1)
    content = DAMAGES[damage]
    state.ledger_head.unlink()
    if content is not None:
        state.ledger_head.write_bytes(content)
    if damage != "forged":
        assert read_heads(state) == {}
    repair(store)
    assert read_heads(state) == heads_of(published(store))


def test_same_head_is_not_written_again(state: StateDirectory) -> None:
    """Nothing is written where the file says the same already."""
    heads = {KEY: Head(entry_hash="e", receipt_hash="r")}
    write_heads(state, heads)
    before = state.ledger_head.stat().st_ino
    write_heads(state, heads)
    assert state.ledger_head.stat().st_ino == before


def test_head_is_no_table(state: StateDirectory) -> None:
    """The file beside the tables is none of them."""
    store = Store(state)
    grow(store, "demo", 1)
    assert store.names() == (ledger.RECEIPTS,)


def test_reading_opens_no_table() -> None:
    """Evidence and its head are read without loading LanceDB or Dagster."""
    code = (
        "import sys, codequarry.receipts.evidence; print({'lancedb', 'dagster'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.strip() == b"set()"
