"""Taking a project out of the index: its rows, its proof, and a ledger entry that says so."""

import shutil

import msgspec

from codequarry.core.errors import StateError
from codequarry.core.registry import Project
from codequarry.core.state import StateDirectory
from codequarry.graph.cache import forget
from codequarry.index import ledger
from codequarry.index.ledger import REMOVED, published
from codequarry.index.publish import leased, repair, staged_versions
from codequarry.index.store import RECEIPTS, Store, faults_worded, of_project
from codequarry.receipts.evidence import Evidence
from codequarry.receipts.ledger import Facts, next_entry
from codequarry.receipts.lifecycle import utc_now


def remove_index(state: StateDirectory, project: Project) -> bool:
    """Remove everything indexed of a project; its ledger entries stay.

    Returns:
        Whether there was an index to remove.

    Raises:
        BusyError: A run is publishing.
        StateError: The state directory cannot be written.
    """
    evidence = Evidence(state, project.evidence_key)
    with leased(state), faults_worded(state):
        _forget_steps(state, project)
        store = Store(state)
        repair(store)
        before = published(store)
        try:
            evidence.remove()
        except OSError as error:
            raise StateError(
                f"cannot remove the receipt of {project.name}: {error.strerror}",
                "make the state directory writable",
            ) from error
        if project.name not in before.entries:
            return False
        for name in store.names():
            if name != RECEIPTS:
                store.open(name).delete(of_project(project.name))
        facts = Facts(REMOVED, "requested", "", "", "", "", staged_versions(store), {})
        attempt = msgspec.json.encode({"attempt_id": before.entries[project.name].attempt_id})
        entry = next_entry(before, project.name, project.evidence_key, attempt, facts, utc_now())
        ledger.append(store, entry)
    return True


def _forget_steps(state: StateDirectory, project: Project) -> None:
    """Remove what runs left besides the tables; some of it holds source."""
    for folder in (
        state.producer / project.evidence_key,
        *state.changesets.glob(f"*/{project.name}"),
    ):
        shutil.rmtree(folder, ignore_errors=True)
    for cached in state.cache.glob(f"*/{project.evidence_key}.arrow"):
        cached.unlink(missing_ok=True)
    forget(state.graph, project.name)
