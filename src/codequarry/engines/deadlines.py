"""How long an engine is waited for, and one question that is never waited for longer."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from codequarry.core.errors import CodequarryError, EngineUnavailable
from codequarry.engines.mapping import Mapping as MappingFile
from codequarry.engines.types import CodeAnswer, CodeIndex, no_answer

SECONDS: Mapping[str, float] = {
    "start": 15.0,
    "search": 2.0,
    "context": 5.0,
    "impact": 5.0,
    "status": 5.0,
}
"""Usual deadlines; a neighbour question has that of ``context``. ``start`` is beside the others: it
is the time of an engine to be identified and come up, before its first question."""

_GRACE = 1.0

_Item = TypeVar("_Item")


@dataclass(frozen=True)
class Deadlines:
    """Seconds of one engine.

    Args:
        mapping: Its mapping; gives the deadlines of its slow operations.
        settings: Of the deployment, by operation; they win.
    """

    mapping: MappingFile
    settings: Mapping[str, float] = field(default_factory=dict)

    def of(self, name: str, asked: float | None = None) -> float:
        """Give the deadline of one operation; an asker in more of a hurry wins."""
        operation = self.mapping.operations.get(name)
        kind = name if name in SECONDS else "context"
        own = operation.seconds if operation is not None else 0.0
        seconds = self.settings.get(kind) or own or SECONDS[kind]
        return seconds if asked is None else min(seconds, asked)

    def all(self) -> Mapping[str, float]:
        """Give the deadline of every operation that it has, and ``start``."""
        return {name: self.of(name) for name in ("start", *self.mapping.operations)}


async def asked(
    engine: CodeIndex,
    workspace_id: str,
    name: str,
    question: Callable[[CodeIndex], Awaitable[CodeAnswer[_Item]]],
    seconds: float | None = None,
) -> CodeAnswer[_Item]:
    """Ask an engine, started first, and get an answer whatever it does.

    Args:
        engine: The engine.
        workspace_id: The project's name.
        name: The operation, for its deadline.
        question: Asks.
        seconds: Another deadline than the engine's own.
    """
    given = engine.capabilities().deadlines
    start = given.get("start", SECONDS["start"])
    limit = seconds or given.get(name) or SECONDS.get(name, SECONDS["context"])
    try:
        try:
            async with asyncio.timeout(start + _GRACE):
                await engine.init(workspace_id)
        except TimeoutError:
            return no_answer("failed", f"it did not start within {start:g} s", engine=engine.id)
        # Twice: an engine that knows only ids of its own is searched first.
        async with asyncio.timeout(2 * limit + _GRACE):
            return await question(engine)
    except TimeoutError:
        return no_answer("failed", f"it did not answer within {limit:g} s", engine=engine.id)
    except EngineUnavailable as error:
        return no_answer("unavailable", str(error), engine=engine.id)
    except CodequarryError as error:
        return no_answer("failed", str(error), engine=engine.id)
    except Exception as error:
        # An engine of somebody else may raise anything; whoever asked it must not fail for it.
        return no_answer("failed", f"it failed ({type(error).__name__})", engine=engine.id)
