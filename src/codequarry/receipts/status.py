"""A project's status: its evidence against its working tree (contract.md E6, E10, E11).

Opens no table, so that it answers in milliseconds: it must not import LanceDB.
"""

import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from codequarry.core.errors import ManifestRejected, ProjectError, UsageError
from codequarry.core.registry import Project
from codequarry.core.state import StateDirectory
from codequarry.producers.builtin.producer import NAME as BUILTIN
from codequarry.producers.builtin.producer import BuiltinProducer
from codequarry.producers.codemap import BINARY_VARIABLE, CodemapProducer, locate
from codequarry.producers.manifest import fetch_manifest
from codequarry.producers.protocol import Producer
from codequarry.receipts.evidence import Evidence, Loaded
from codequarry.receipts.freshness import Verdict, decide, unread_moved
from codequarry.receipts.readiness import Profiles, Readiness, readiness
from codequarry.schemas.documents import HealthManifest, Manifest, Receipt
from codequarry.sources.drift import hashes_of
from codequarry.sources.hash_cache import remembered
from codequarry.sources.walk import Inventory, inventory


@dataclass(frozen=True)
class Status:
    """What is known of a project's index.

    Args:
        state: The state directory.
        project: The project.
        verdict: Its freshness.
        receipt: Its receipt.
        health: Its health sidecar, if valid.
        profiles: The embedding profiles of the index and of the settings.
    """

    state: StateDirectory
    project: Project
    verdict: Verdict
    receipt: Loaded[Receipt]
    health: HealthManifest | None
    profiles: Profiles

    @property
    def readiness(self) -> Readiness:
        """The readiness envelope (contract.md E11)."""
        return readiness(self.verdict, self.health, self.profiles)

    @property
    def remedy(self) -> str:
        """The command that makes the index right, or nothing when it is."""
        action = self.readiness.action
        if action is None:
            return ""
        if not self.project.root.is_dir():
            return f"codequarry projects remove {self.project.name}"
        root = shlex.quote(str(self.project.root))
        producer = self.receipt.document.producer if self.receipt.document else None
        if self.verdict.reason == "structural_manifest_stale" and producer != BUILTIN:
            return f"cd {root} && codemap index && codequarry {action}"
        return f"codequarry {action} {root}"


def status_of(
    state: StateDirectory, project: Project, environment: Mapping[str, str] = os.environ
) -> Status:
    """Decide a project's freshness from its evidence and its working tree."""
    evidence = Evidence(state, project.evidence_key)
    receipt, health = evidence.receipt(), evidence.health()
    tree = _tree(state, project.root)
    current = None if tree is None else hashes_of(tree.files)
    head = evidence.head()

    def manifest(fingerprint: str) -> Manifest:
        if receipt.document is not None and receipt.document.producer == BUILTIN:
            producer: Producer = BuiltinProducer(
                project.root, project.name, state, snapshot=tree.files if tree else None
            )
        else:
            producer = _codemap(project, environment)
        return fetch_manifest(producer, project.producer_key, fingerprint)

    moved = tree is not None and unread_moved(head, tree.skipped)
    verdict = decide(receipt, health, current, manifest, project.producer_key, unread_moved=moved)
    profiles = Profiles.of(head.embedding_profile if head else "", environment)
    return Status(state, project, verdict, receipt, health.document, profiles)


def _tree(state: StateDirectory, root: Path) -> Inventory | None:
    """Take the inventory; ``None`` when a part of the tree cannot be read."""
    try:
        with remembered(state, root) as hashes:
            found = inventory(root, None, hashes)
    except (ProjectError, OSError):
        return None
    return None if found.errors else found


def _codemap(project: Project, environment: Mapping[str, str]) -> Producer:
    try:
        binary = locate(environment.get(BINARY_VARIABLE), environment)
    except UsageError as error:
        raise ManifestRejected("M0", "unavailable", error.message) from error
    if binary is None:
        raise ManifestRejected("M0", "unavailable", "the codemap binary was not found")
    return CodemapProducer(binary, project.root)
