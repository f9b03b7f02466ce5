"""The sensor that keeps every registered project fresh, without ever storming.

It looks at a project as `codequarry status` does: receipt, sidecar, working tree, and codemap's
manifest where the receipt rests on one. A project that moved gets one run; while that run is
queued or running, whatever else moves waits for it. So a thousand file events make at most two
runs: one that was under way, and one for the rest.

A run's key names the state it starts from and the state it should reach, its goal; Dagster never
launches a key twice. Going back to an earlier branch is another goal than having been there. A run
that failed is tried again after `RETRY_SECONDS`, under a key of its own; then its goal waits until
the tree moves on or the nightly run comes. One whose process died is reported as failed
(`pipelines.liveness`); one that somebody cancelled is not tried again.

On by default, for a registered project is one that somebody wants fresh.
"""

import os
import time
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

import dagster as dg
from dagster import DagsterInstance, DagsterRunStatus, RunRecord, RunsFilter

from codequarry.assets.partitions import projects
from codequarry.assets.resources import Deployment, Structure
from codequarry.core.errors import CodequarryError, ManifestRejected
from codequarry.core.hashing import sha256_hex
from codequarry.core.registry import Project, Registry
from codequarry.core.state import StateDirectory
from codequarry.core.text import ascending, counted
from codequarry.pipelines.asked import as_before
from codequarry.pipelines.liveness import living
from codequarry.producers.codemap import CodemapProducer, locate
from codequarry.producers.manifest import fetch_manifest
from codequarry.producers.protocol import Limits
from codequarry.receipts.evidence import Evidence, Loaded
from codequarry.receipts.freshness import decide, unread_moved
from codequarry.schemas.documents import HealthManifest, Manifest, Receipt
from codequarry.sources.drift import Drift, hashes_of
from codequarry.sources.hash_cache import remembered
from codequarry.sources.walk import inventory

TICK_SECONDS = 20.0
"""No further project is begun after this; the next tick goes on there. Dagster's limit is 60."""

RETRY_SECONDS = (300.0, 1800.0)
"""How long after the first failure, and after the second, a goal is tried again."""

_MANIFEST = Limits(manifest_seconds=10.0)
_PARTITION = "dagster/partition"
_GOAL = "codequarry/goal"
_SHOWN = 5

_HELPLESS = (
    "fresh",
    "raw_source_check_failed",
    "structural_manifest_unavailable",
    "structural_manifest_invalid",
    "structural_manifest_mismatch",
)
"""Nothing to do, or nothing that a run can mend: an unreadable tree, a producer that is silent or
says what cannot be. A run on such a manifest is a full one and succeeds, and leaves it as it is."""


@dataclass(frozen=True)
class Sight:
    """What a look at a project found.

    Args:
        reason: The word of contract.md E5 for its state, or ``fingerprint_moved``.
        start: The certified state it has; no failed run changes it.
        target: The state a run should reach; empty when there is nothing to do.
    """

    reason: str
    start: str
    target: str = ""

    def goal(self, project: str) -> str:
        """Name what a run from `start` to `target` is for."""
        return f"{project}:{self.start}..{self.target}"


def look(state: StateDirectory, project: Project, codemap: str = "") -> Sight:
    """Tell whether a project moved; opens no table and asks for no export.

    Args:
        state: The state directory.
        project: The project.
        codemap: Path or name of the codemap binary; empty means a search.

    Raises:
        ProjectError: Its root cannot be listed.
    """
    evidence = Evidence(state, project.evidence_key)
    receipt, health = evidence.receipt(), evidence.health()
    with remembered(state, project.root) as hashes:
        found = inventory(project.root, None, hashes)
    current = None if found.errors else hashes_of(found.files)

    def manifest(_fingerprint: str) -> Manifest:
        binary = locate(codemap, os.environ) if keeps_own_index(receipt) else None
        if binary is None:
            raise ManifestRejected("M0", "unavailable", "the codemap binary was not found")
        producer = CodemapProducer(binary, project.root, _MANIFEST)
        return fetch_manifest(producer, project.producer_key)

    moved = unread_moved(evidence.head(), found.skipped)
    verdict = decide(receipt, health, current, manifest, project.producer_key, unread_moved=moved)
    start = start_of(receipt.document, health.document)
    if verdict.manifest is not None:
        reached = verdict.manifest.index_fingerprint
        moved = receipt.document is None or reached != receipt.document.index_fingerprint
        return Sight("fingerprint_moved", start, reached) if moved else Sight(verdict.reason, start)
    if verdict.reason == "structural_manifest_unavailable" and not keeps_own_index(receipt):
        return Sight("fresh", start)
    if verdict.reason in _HELPLESS or current is None:
        return Sight(verdict.reason, start)
    return Sight(verdict.reason, start, digest_of(verdict.drift, current))


def keeps_own_index(receipt: Loaded[Receipt]) -> bool:
    """Tell whether the proof rests on codemap; the built-in producer only follows the tree."""
    return receipt.document is not None and receipt.document.producer == "codemap"


def start_of(receipt: Receipt | None, health: HealthManifest | None) -> str:
    """Name the certified state of a project: 12 digits over its last success and sidecar."""
    success = receipt.last_success if receipt else None
    return sha256_hex(f"{success or ''}\0{health.attempt_id if health else ''}")[:12]


def digest_of(drift: Drift, current: Mapping[str, str]) -> str:
    """Name a tree by the paths and hashes that differ from the index; by all when none is known."""
    paths = (*drift.new, *drift.modified, *drift.deleted) if drift else tuple(current)
    return sha256_hex("\0".join(f"{path}\0{current.get(path, '')}" for path in paths))


def may_retry(tried: Sequence[RunRecord], now: float) -> bool:
    """Tell whether a goal that was tried may be tried now: its last run failed, long enough ago.

    Args:
        tried: Its runs, newest first; at least one.
        now: Seconds since 1970.
    """
    last = tried[0]
    if len(tried) > len(RETRY_SECONDS) or last.dagster_run.status is not DagsterRunStatus.FAILURE:
        return False
    ended = last.end_time or last.update_timestamp.timestamp()
    return now - ended >= RETRY_SECONDS[len(tried) - 1]


def from_cursor(registered: Sequence[Project], cursor: str | None) -> list[Project]:
    """Order the projects so that the one the last tick did not get to comes first."""
    start = (cursor or "").encode()
    later = [project for project in registered if project.name.encode() >= start]
    return later + [project for project in registered if project.name.encode() < start]


@dg.sensor(
    job_name="index_project",
    minimum_interval_seconds=30,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Index the registered projects whose tree or producer moved.",
)
def moved_projects(
    context: dg.SensorEvaluationContext, deployment: Deployment, structure: Structure
) -> dg.SensorResult:
    """Request one run for each project that moved and has none; say why where it does not."""
    instance = context.instance
    registered = Registry(deployment.state).all()
    known = set(instance.get_dynamic_partitions(str(projects.name)))
    added = [project.name for project in registered if project.name not in known]
    tick = _Tick(instance, deployment.state, structure.binary)
    gone = ascending(known - {project.name for project in registered} - tick.busy)
    cursor = ""
    for position, project in enumerate(from_cursor(registered, context.cursor)):
        if position and time.monotonic() > tick.deadline:
            cursor = project.name
            tick.waiting.append(f"{project.name} and those after it: the next tick's turn")
            break
        try:
            tick.consider(project)
        except Exception as error:  # one project's trouble, of any kind, must not stop the others
            context.log.warning("project %s: %s", project.name, _worded(error))
            tick.waiting.append(f"{project.name}: {_worded(error)}")
    return dg.SensorResult(
        run_requests=tick.requests,
        skip_reason=None if tick.requests else _skip_reason(len(registered), tick.waiting),
        dynamic_partitions_requests=[
            *([projects.build_add_request(added)] if added else ()),
            *([projects.build_delete_request(list(gone))] if gone else ()),
        ],
        cursor=cursor,
    )


class _Tick:
    """One look at the projects: the runs to request, and why others wait."""

    def __init__(self, instance: DagsterInstance, state: StateDirectory, codemap: str) -> None:
        self.requests: list[dg.RunRequest] = []
        self.waiting: list[str] = []
        self.deadline = time.monotonic() + TICK_SECONDS
        self._instance, self._state, self._codemap = instance, state, codemap
        runs = [record.dagster_run for record in living(instance, time.time())]
        self._busy = {run.tags.get(_PARTITION, ""): run.run_id for run in runs}

    @property
    def busy(self) -> Set[str]:
        """The projects that have a run which did not end."""
        return self._busy.keys()

    def consider(self, project: Project) -> None:
        """Look at one project."""
        if project.name in self._busy:
            self._wait(project, f"run {self._busy[project.name]} has not ended")
            return
        sight = look(self._state, project, self._codemap)
        if not sight.target:
            if sight.reason != "fresh":
                self._wait(project, sight.reason)
            return
        goal = sight.goal(project.name)
        tried = self._instance.get_run_records(RunsFilter(tags={_GOAL: goal}))
        if tried and not may_retry(tried, time.time()):
            last = tried[0].dagster_run
            ended = f"run {last.run_id} for it ended as {last.status.value}"
            self._wait(project, f"{sight.reason}, but {ended}")
            return
        # Named after the run it follows, not numbered: who deletes a run must not free its number.
        key = f"{goal}#{tried[0].dagster_run.run_id}" if tried else goal
        tags = {"codequarry/moved": sight.reason, _GOAL: goal}
        asked = as_before(self._state, project)
        self.requests.append(dg.RunRequest(key, asked, tags, partition_key=project.name))

    def _wait(self, project: Project, why: str) -> None:
        self.waiting.append(f"{project.name}: {why}")


def _worded(error: Exception) -> str:
    return str(error) if isinstance(error, CodequarryError) else type(error).__name__


def _skip_reason(registered: int, waiting: Sequence[str]) -> str:
    if not registered:
        return "no project is registered"
    if not waiting:
        return f"nothing moved in {counted(registered, 'project')}"
    more = f"; and {len(waiting) - _SHOWN} more" if len(waiting) > _SHOWN else ""
    return "; ".join(waiting[:_SHOWN]) + more
