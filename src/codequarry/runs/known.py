"""What is certified about a project before a run."""

from codequarry.core.registry import Project
from codequarry.core.state import StateDirectory
from codequarry.index.ledger import published
from codequarry.index.store import Store
from codequarry.receipts.evidence import Evidence
from codequarry.runs.planning import Known


def known_of(state: StateDirectory, project: Project) -> Known:
    """Gather a project's receipt, sidecar and newest ledger entry."""
    evidence = Evidence(state, project.evidence_key)
    entry = published(Store(state)).entries.get(project.name)
    return Known(evidence.receipt(), evidence.health(), entry)
