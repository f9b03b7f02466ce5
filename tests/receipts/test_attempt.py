from pathlib import Path

import pytest

from codequarry.core.changeset import Header, Plan
from codequarry.core.errors import BusyError
from codequarry.core.hashing import evidence_key
from codequarry.core.state import StateDirectory
from codequarry.index import ledger
from codequarry.index.ledger import published
from codequarry.index.publish import leased
from codequarry.index.store import Store
from codequarry.receipts.attempt import Attempt
from codequarry.receipts.evidence import Evidence
from codequarry.receipts.ledger import Facts, next_entry
from tests.receipts.test_lifecycle import GOLDEN, KEY

PUBLISHED = "5f0c2b7e9a4d41c8a1e3b6d2c4f80917"


def attempt(state: StateDirectory, root: Path, plan: Plan) -> Attempt:
    header = Header(attempt_id="a" * 32, project="demo", root=str(root), plan=plan)
    return Attempt(state, header, "auto")


@pytest.fixture
def store(state: StateDirectory) -> Store:
    """A deployment whose newest entry of `demo` is that of the attempt `PUBLISHED`."""
    store = Store(state)
    facts = Facts("full", "first_run", "", "f" * 64, "house", "v1", {}, {})
    entry = next_entry(published(store), "demo", KEY, GOLDEN, facts, "2026-01-05T10:00:00Z")
    ledger.append(store, entry)
    return store


def test_delta_on_an_older_state_is_refused(
    state: StateDirectory, store: Store, tmp_path: Path
) -> None:
    """A delta planned before another run published is refused; proof and lease stay free."""
    late = attempt(state, tmp_path, Plan(mode="delta", base="0" * 32))
    with pytest.raises(BusyError, match="another run published demo"):
        late.open(5)
    assert Evidence(state, evidence_key(tmp_path)).receipt().state == "missing"
    with leased(state, 0):
        pass


@pytest.mark.parametrize("plan", [Plan(mode="delta", base=PUBLISHED), Plan(mode="full")])
def test_other_plans_open(state: StateDirectory, store: Store, tmp_path: Path, plan: Plan) -> None:
    """A delta on what is published opens its receipt, and so does a full run on anything."""
    opened = attempt(state, tmp_path, plan)
    opened.open(5)
    receipt = Evidence(state, evidence_key(tmp_path)).receipt().document
    assert receipt is not None
    assert receipt.attempt_id == "a" * 32
    opened.abandon()
