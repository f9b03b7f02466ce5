"""What is certified about a project before a run."""

from codequarry.core.registry import Project
from codequarry.core.state import StateDirectory
from codequarry.index.ledger import read, state_after
from codequarry.index.store import Store
from codequarry.receipts.certify import Known
from codequarry.receipts.evidence import Evidence
from codequarry.receipts.ledger import require_chain


def known_of(state: StateDirectory, project: Project) -> Known:
    """Gather a project's receipt, sidecar and newest ledger entry.

    Raises:
        ReceiptError: The ledger's chain is broken; nothing more is certified on top of it.
    """
    evidence = Evidence(state, project.evidence_key)
    entries = read(Store(state))
    require_chain(entries)
    entry = state_after(entries).entries.get(project.name)
    return Known(evidence.receipt(), evidence.health(), entry)
