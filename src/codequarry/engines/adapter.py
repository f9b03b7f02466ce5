"""Any engine, by its mapping file: the generic adapter (engines.md 4).

It fills the mapping's placeholders, asks over the channel the operation names, and reads the reply.
Each project has channels of its own, opened at the first question. Nothing here raises for a peer's
failure: that is an answer too, and it never looks like "nothing there".
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from codequarry.core.errors import EngineError, EngineUnavailable, UsageError
from codequarry.core.registry import Project
from codequarry.core.state import StateDirectory
from codequarry.engines import mapping as schema
from codequarry.engines.answers import (
    PROBE_HINT,
    context_answer,
    refs_answer,
    search_answer,
    status_answer,
)
from codequarry.engines.arguments import needs_id, node_values
from codequarry.engines.bench import Workspaces
from codequarry.engines.breaker import Breaker
from codequarry.engines.channels import Channels
from codequarry.engines.cli_client import REMEDY, Channel
from codequarry.engines.deadlines import Deadlines
from codequarry.engines.decoding import Decoded, decode
from codequarry.engines.licence import Decision, EngineLicense
from codequarry.engines.rows import Place, last_part
from codequarry.engines.subjects import Reading, is_namesake, unresolved
from codequarry.engines.sync_steps import grounded, run_sync
from codequarry.engines.types import (
    TRUST,
    CodeAnswer,
    CodeContext,
    CodeEdgeKind,
    CodeHit,
    CodeIndexCapabilities,
    CodeIndexStatus,
    CodeQuery,
    CodeRef,
    SyncReport,
    no_answer,
)

IMPACT_DEPTH = 3
NEIGHBOURS = 100
_PROBE_NAME = "codequarry_probe_nothing_is_called_this"

_Answer = TypeVar("_Answer", CodeHit, CodeRef, CodeContext)
_Got = TypeVar("_Got")


@dataclass(frozen=True)
class Setup:
    """Everything the generic adapter is built from.

    Args:
        mapping: The engine's mapping.
        licence: What is known of its licence.
        decision: The gate's.
        state: The state directory.
        workspaces: The projects it may be asked about.
        channels: Gives its channels for a project; nothing is opened yet.
        seconds: Deadlines of the settings, by operation; they win over the mapping's.
        breaker: Counts its failures.
    """

    mapping: schema.Mapping
    licence: EngineLicense
    decision: Decision
    state: StateDirectory
    workspaces: Workspaces
    channels: Callable[[Project], Channels]
    seconds: Mapping[str, float]
    breaker: Breaker = field(default_factory=Breaker)


class MappedIndex:
    """An engine behind its mapping. Use it from one event loop only."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._mapping = setup.mapping
        self._channels: dict[str, Channels] = {}
        self._breaker = setup.breaker
        self._deadlines = Deadlines(setup.mapping, setup.seconds)
        self._probed: dict[str, str] = {}

    @property
    def id(self) -> str:
        """``publisher/name``."""
        return self._mapping.id

    @property
    def display_name(self) -> str:
        """Its name before a person."""
        return self._mapping.display_name

    @property
    def license(self) -> EngineLicense:
        """What its licence is, and how that is known."""
        return self._setup.licence

    @property
    def mapping(self) -> schema.Mapping:
        """Its mapping file."""
        return self._mapping

    @property
    def decision(self) -> Decision:
        """The licence gate's decision, which every answer carries."""
        return self._setup.decision

    async def init(self, workspace_id: str) -> None:
        """Identify its program and start its server, in time that is no question's.

        Raises:
            EngineError: It did not start, or rests after failures.
            ProjectError: The workspace is no registered project.
        """
        project = self._setup.workspaces.named(workspace_id)
        if self._breaker.is_open:
            raise EngineUnavailable(self._resting().evidence, PROBE_HINT)
        operations = self._mapping.operations
        first = operations.get("search") or next(iter(operations.values()), None)
        if first is not None:
            await self._counted(self._channel(first, project))

    def capabilities(self) -> CodeIndexCapabilities:
        """Tell what the mapping offers, and what probing found of it."""
        known, operations = self._mapping.abilities, self._mapping.operations
        return CodeIndexCapabilities(
            search="search" in operations,
            edges=self._mapping.edges,
            impact="impact" in operations,
            context="context" in operations,
            incremental_sync=known.incremental_sync,
            sync="sync" in operations,
            freshness=known.freshness,
            deletes=known.deletes,
            multi_repo=known.multi_repo,
            worktrees=known.worktrees,
            offline=known.offline,
            writes_into_repo=known.writes_into_repo,
            index_dir=known.index_dir,
            score_kind=known.score_kind,
            line_base=known.line_base,
            max_depth=known.max_depth,
            deadlines=self._deadlines.all(),
            probed=dict(self._probed),
        )

    async def search(self, q: CodeQuery) -> CodeAnswer[CodeHit]:
        """Answer a search.

        Raises:
            ProjectError: The workspace is no registered project.
        """
        values = {"text": q.text, "limit": q.limit, "mode": q.mode}
        return await self._answered(
            "search",
            self._setup.workspaces.named(q.workspace_id),
            values,
            lambda r: search_answer(r, q),
            q.deadline_s,
        )

    async def neighbors(
        self, node: CodeRef, edge: CodeEdgeKind, depth: int = 1
    ) -> CodeAnswer[CodeRef]:
        """Give what ``node`` is tied to by ``edge``."""
        values = {**node_values(node, self.id), "depth": self._depth(depth), "limit": NEIGHBOURS}
        return await self._about(edge, node, values, refs_answer)

    async def impact(self, node: CodeRef) -> CodeAnswer[CodeRef]:
        """Give what depends on ``node``."""
        values = {
            **node_values(node, self.id),
            "depth": self._depth(IMPACT_DEPTH),
            "limit": NEIGHBOURS,
        }
        return await self._about("impact", node, values, refs_answer)

    async def context(self, node: CodeRef) -> CodeAnswer[CodeContext]:
        """Give ``node`` and what hangs on it."""
        values = {**node_values(node, self.id), "depth": 1, "limit": NEIGHBOURS}
        return await self._about("context", node, values, context_answer)

    async def status(self, workspace_id: str) -> CodeIndexStatus:
        """Ask for the state of its index of one project.

        Raises:
            ProjectError: The workspace is no registered project.
        """
        project = self._setup.workspaces.named(workspace_id)
        if self._breaker.is_open:
            return self._resting()
        try:
            reading = await self._ask("status", project, {})
        except EngineUnavailable as error:
            return CodeIndexStatus("unavailable", "unusable", evidence=str(error), hint=PROBE_HINT)
        except EngineError as error:
            return _broken(str(error))
        if reading is None:
            said = CodeIndexStatus("unknown", TRUST["unknown"], evidence="it tells no status")
        else:
            said = status_answer(reading)
        bench = self._opened(project).bench
        return await asyncio.to_thread(grounded, said, self._setup.state, bench)

    async def sync(self, workspace_id: str) -> SyncReport:
        """Bring its copy of the tree and its index up to date. Long; never on a request's path.

        Args:
            workspace_id: The project's name.

        Raises:
            ProjectError: The workspace is no registered project.
        """
        project = self._setup.workspaces.named(workspace_id)
        report = await run_sync(
            self._mapping,
            self._opened(project),
            self._setup.state,
            lambda: self.status(project.name),
            self._setup.seconds.get("sync"),
        )
        return replace(report, licence=self.decision)

    async def probe(self, workspace_id: str) -> CodeIndexCapabilities:
        """Call every question the mapping offers, for a name that nothing has (rule 6).

        Raises:
            ProjectError: The workspace is no registered project.
        """
        project = self._setup.workspaces.named(workspace_id)
        node = CodeRef("", "", None, None, None, _PROBE_NAME, "function")
        values = {
            **node_values(node, self.id),
            "text": _PROBE_NAME,
            "depth": 1,
            "limit": 1,
            "mode": "keyword",
        }
        for name in self._mapping.operations:
            if name not in ("sync", "first_sync"):
                self._probed[name] = await self._probe(name, project, values)
        return self.capabilities()

    async def close(self) -> None:
        """End every process and connection."""
        opened, self._channels = list(self._channels.values()), {}
        for channels in opened:
            await channels.close()

    async def _probe(self, name: str, project: Project, values: Mapping[str, Any]) -> str:
        try:
            reading = await self._ask(name, project, values)
        except EngineError as error:
            return f"failed: {error.message}"
        assert reading is not None
        if reading.decoded.outcome == "failed":
            return f"failed: {'; '.join(reading.decoded.warnings)}"
        return "answered" if reading.decoded.outcome == "answered" else "callable"

    async def _about(
        self,
        name: str,
        node: CodeRef,
        values: Mapping[str, Any],
        read: Callable[[Reading, CodeRef], CodeAnswer[_Answer]],
    ) -> CodeAnswer[_Answer]:
        """Ask about one node; an engine that knows only its own ids is asked for that first."""
        project = self._setup.workspaces.keyed(node.project_key)
        operation = self._mapping.operations.get(name)
        if operation is not None and needs_id(operation) and values["native_id"] is None:
            found = await self.search(CodeQuery(last_part(node.name), project.name, NEIGHBOURS))
            fitting = [hit.ref for hit in found.items if is_namesake(hit.ref, node)]
            if len(fitting) != 1:
                unmet: CodeAnswer[Any] = replace(found, items=())
                if found.outcome == "answered":
                    unmet = unresolved(node, fitting)
                return replace(unmet, engine=self.id, licence=self.decision)
            values = {**values, "native_id": fitting[0].native_id}
        return await self._answered(name, project, values, lambda r: read(r, node))

    async def _answered(
        self,
        name: str,
        project: Project,
        values: Mapping[str, Any],
        read: Callable[[Reading], CodeAnswer[_Answer]],
        seconds: float | None = None,
    ) -> CodeAnswer[_Answer]:
        """Ask one question; whatever goes wrong becomes an answer that claims nothing."""
        started = time.monotonic()
        if name not in self._mapping.operations:
            return self._stamped(no_answer("unsupported", "unsupported"), started)
        if self._breaker.is_open:
            return self._stamped(no_answer("unavailable", self._resting().evidence), started)
        try:
            reading = await self._ask(name, project, values, seconds)
        except EngineUnavailable as error:
            return self._stamped(no_answer("unavailable", str(error)), started)
        except (EngineError, UsageError) as error:
            return self._stamped(no_answer("failed", str(error)), started)
        assert reading is not None
        return self._stamped(read(reading), started)

    async def _ask(
        self,
        name: str,
        project: Project,
        values: Mapping[str, Any],
        seconds: float | None = None,
    ) -> Reading | None:
        operation = self._mapping.operations.get(name)
        if operation is None:
            return None
        channels = self._opened(project)
        own = {"root": str(channels.bench.tree), "project": project.name}
        channel = await self._counted(self._channel(operation, project))
        limit = self._deadlines.of(name, seconds)
        reply = await self._counted(channel.call(operation, {**values, **own}, limit))
        self._breaker.succeeded()
        decoded: Decoded = decode(reply, operation, self._mapping)
        place = Place(self.id, project.producer_key, channels.bench.roots)
        return Reading(decoded, operation, self._mapping, place)

    async def _channel(self, operation: schema.Operation, project: Project) -> Channel:
        """Open what an operation is asked over, within the time of a start."""
        seconds = self._deadlines.of("start")
        try:
            async with asyncio.timeout(seconds):
                return await self._opened(project).of(operation)
        except TimeoutError as error:
            raise EngineError(f"it did not start within {seconds:g} s", REMEDY) from error

    async def _counted(self, attempt: Awaitable[_Got]) -> _Got:
        """Await something of the engine; the breaker hears of a failure."""
        try:
            return await attempt
        except EngineUnavailable:
            raise
        except EngineError:
            self._breaker.failed()
            raise

    def _opened(self, project: Project) -> Channels:
        if project.name not in self._channels:
            self._channels[project.name] = self._setup.channels(project)
        return self._channels[project.name]

    def _depth(self, depth: int) -> int:
        return max(1, min(depth, self._mapping.abilities.max_depth or depth))

    def _stamped(self, answer: CodeAnswer[_Answer], started: float) -> CodeAnswer[_Answer]:
        elapsed = time.monotonic() - started
        return replace(answer, elapsed_s=elapsed, engine=self.id, licence=self.decision)

    def _resting(self) -> CodeIndexStatus:
        seconds = self._breaker.resting_for
        return _broken(f"it failed three times in a row and rests for {seconds:.0f} s")


def _broken(evidence: str) -> CodeIndexStatus:
    return CodeIndexStatus("error", TRUST["error"], evidence=evidence, hint=PROBE_HINT)
