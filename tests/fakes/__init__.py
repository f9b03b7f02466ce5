"""Programs that stand in for peers, each an executable of its own."""

import json
import shutil
from pathlib import Path
from typing import Any, Literal, TypedDict

Fault = Literal[
    "hang",
    "garbage",
    "flood",
    "die",
    "quiet_death",
    "grandchild",
    "not_indexed",
    "old_not_indexed",
    "ignores_filter",
    "no_ordinals",
    "changes_once",
    "changes_always",
]


class Scenario(TypedDict, total=False):
    """What the fake codemap serves; an empty scenario serves the tree truthfully.

    Args:
        project: The registered name; default the base name of the working directory.
        records: The records of the index, as in A1.2 up to source_hash; default: every unindented
            declaration of the tree.
        fault: A misbehaviour of the whole process or export.
        only_pages: 0-based pages to which a process fault and ``page_patch`` apply; default all.
        page_patch: Envelope fields to overwrite.
        only_ordinals: Ordinals of the records to which ``record_patch`` applies; default all.
        record_patch: Record fields to overwrite.
        manifest_patch: Manifest fields to overwrite or add (``freshness``, ``reindex_delta``).
        journal: A file that gets one JSON line per call: ``argv`` and ``cwd``.
    """

    project: str
    records: list[dict[str, Any]]
    fault: Fault
    only_pages: list[int]
    page_patch: dict[str, Any]
    only_ordinals: list[int]
    record_patch: dict[str, Any]
    manifest_patch: dict[str, Any]
    journal: str


def install(folder: Path, scenario: Scenario | None = None) -> Path:
    """Install the fake as ``<folder>/codemap-bin/codemap`` and give that path.

    A second call in the same folder changes the scenario.
    """
    home = folder / "codemap-bin"
    home.mkdir(exist_ok=True)
    (home / "scenario.json").write_text(json.dumps(scenario or {}))
    (home / "scenario.json.changed").unlink(missing_ok=True)
    binary = home / "codemap"
    shutil.copy(Path(__file__).with_name("codemap.py"), binary)
    binary.chmod(0o755)
    return binary
