"""What a run is asked: the part of its configuration that says how it reads the project."""

from typing import Any

from codequarry.core.registry import Project
from codequarry.core.state import StateDirectory
from codequarry.receipts.evidence import Evidence

USUAL_MODE = "auto"


def run_config(structural_chunks: str = USUAL_MODE, *, full: bool = False) -> dict[str, Any]:
    """Give the run configuration that asks for something.

    Args:
        structural_chunks: off, auto or required.
        full: Whether everything is indexed again.
    """
    asked = {"full": full, "structural_chunks": structural_chunks}
    return {"ops": {"export_pages": {"config": asked}}}


def as_before(state: StateDirectory, project: Project, *, full: bool = False) -> dict[str, Any]:
    """Give the run configuration that asks for structural chunks as the project's last run did.

    Another mode would turn the project into what nobody asked for, in full, and the next command
    line would turn it back.
    """
    receipt = Evidence(state, project.evidence_key).receipt().document
    return run_config(receipt.requested_mode if receipt else USUAL_MODE, full=full)
