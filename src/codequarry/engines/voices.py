"""The deployment's engines in its searches, kept warm from one to the next.

Without a weight in ``engines.toml`` no engine is put together, let alone asked.
"""

import asyncio
import threading
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from codequarry.core.errors import CodequarryError
from codequarry.core.registry import Project, Registry
from codequarry.core.state import StateDirectory
from codequarry.engines.fusion import Heard, fuse, voices_of
from codequarry.engines.last_status import last_status
from codequarry.engines.own import NAME
from codequarry.engines.settings import CodeIndexSettings, load
from codequarry.engines.types import CodeQuery
from codequarry.retrieval.query import Query
from codequarry.retrieval.search import Answer

if TYPE_CHECKING:
    from codequarry.engines.deployment import Engines
    from codequarry.engines.registry import EngineRegistry

_Result = TypeVar("_Result")


class Voices:
    """The engines that have a weight, with one registry and one thread for their event loop.

    Any thread may ask; what an engine needs is started at the first question and stays until
    `close`. ``engines.toml`` is read at each question: what changed holds from then on.

    Args:
        state: The state directory.
    """

    def __init__(self, state: StateDirectory) -> None:
        self._state = state
        self._loop: _Loop | None = None
        self._engines: Engines | None = None
        self._opening = threading.Lock()

    def __enter__(self) -> "Voices":
        """Give itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it."""
        self.close()

    def heard(self, projects: Sequence[str], question: Query, answer: Answer) -> Heard:
        """Let the engines that have a weight speak on the answer of a search.

        Args:
            projects: The projects that were searched; engines speak on one only.
            question: What was asked.
            answer: What our own index answered.

        Returns:
            ``answer`` itself when no engine has a weight; the same with a warning when the engines
            cannot be put together, or several projects were searched.
        """
        try:
            settings = load(self._state.engine_settings)
            weights = _weights(settings)
            if not weights:
                return Heard(answer)
            if len(projects) != 1:
                return Heard(
                    _warned(answer, "engines were not asked: they speak on one project only")
                )
            project = Registry(self._state).get(projects[0])
            # Its paths and kinds are not passed on: they are globs and words of ours, and engines
            # only lift hits that kept to them already.
            asked = CodeQuery(question.text, project.name, question.limit, question.mode)
            engines = self._put_together(settings)
            return self._running.run(_spoken(self._state, engines, project, asked, answer, weights))
        except CodequarryError as error:
            return Heard(_warned(answer, f"no engine had a say: {error}"))

    def close(self) -> None:
        """End every process and the thread; what is being asked is given up."""
        with self._opening:
            loop, engines = self._loop, self._engines
            self._loop = self._engines = None
        if loop is not None:
            loop.close(engines.registry if engines is not None else None)

    @property
    def _running(self) -> "_Loop":
        with self._opening:
            if self._loop is None:
                self._loop = _Loop()
            return self._loop

    def _put_together(self, settings: CodeIndexSettings) -> "Engines":
        from codequarry.engines.deployment import engines_of

        loop = self._running
        with self._opening:
            if self._engines is None or self._engines.settings != settings:
                if self._engines is not None:
                    loop.run(self._engines.registry.close())
                self._engines = engines_of(self._state)
            return self._engines


class _Loop:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="engines", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, _Result]) -> _Result:
        """Run to the end, or until this thread is interrupted."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def close(self, registry: "EngineRegistry | None") -> None:
        """Close the engines, cancel what is left, and end the thread."""
        try:
            self.run(_ended(registry))
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()


async def _ended(registry: "EngineRegistry | None") -> None:
    if registry is not None:
        await registry.close()
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)
    loop = asyncio.get_running_loop()
    await loop.shutdown_asyncgens()
    await loop.shutdown_default_executor()


def _weights(settings: CodeIndexSettings) -> Mapping[str, float]:
    """Give the engines with a weight; our own index has spoken already."""
    return {
        name: own.weight
        for name, own in settings.engines.items()
        if own.weight > 0 and name != NAME
    }


async def _spoken(
    state: StateDirectory,
    engines: "Engines",
    project: Project,
    query: CodeQuery,
    answer: Answer,
    weights: Mapping[str, float],
) -> Heard:
    registry = engines.registry
    missing = tuple(
        f"{name} had no say: {hint}"
        for name in sorted(weights, key=str.encode)
        if (hint := registry.unavailable_hint(name)) is not None
    )
    statuses = {name: last_status(state, name, project) for name in weights}
    found = await fuse(answer, query, voices_of(registry, weights, statuses))
    return replace(found, answer=_warned(found.answer, *missing)) if missing else found


def _warned(answer: Answer, *warnings: str) -> Answer:
    return replace(answer, warnings=(*answer.warnings, *warnings))
