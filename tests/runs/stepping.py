"""Runs the first steps of a run on a tree, without Dagster."""

from pathlib import Path

from codequarry.core import changeset
from codequarry.core.changeset import Changeset, ChangesetStream, Header
from codequarry.core.registry import Project
from codequarry.core.state import StateDirectory
from codequarry.runs.export import ExportOptions, export_pages
from codequarry.runs.known import known_of
from codequarry.runs.records import validate_records
from codequarry.runs.snapshot import take_snapshot


class Steps:
    """One attempt on one tree; each step's changeset is stored as a run stores it."""

    def __init__(self, state: StateDirectory, root: Path) -> None:
        self.state = state
        self.project = Project("demo", root.resolve())
        header = Header(attempt_id="a" * 32, project="demo", root=str(self.project.root))
        self.snapshot = self.stored("snapshot", take_snapshot(header).stream)

    def stored(self, name: str, stream: ChangesetStream) -> Changeset:
        """Write a changeset and read it back."""
        folder = self.state.changesets / name / "demo" / "attempt"
        changeset.write(folder, stream)
        return changeset.read(folder)

    def export(self, mode: str = "auto", producer: str = "codemap", binary: Path | None = None
               ) -> Changeset:  # fmt: skip
        """Plan, and load the producer's export."""
        options = ExportOptions(False, mode, producer, str(binary or ""), "profile", "chunks")
        known = known_of(self.state, self.project)
        return self.stored("export", export_pages(self.snapshot, options, known, self.state, {}))

    def records(self, export: Changeset) -> Changeset:
        """Validate the export's records."""
        return self.stored("records", validate_records(self.snapshot, export))
