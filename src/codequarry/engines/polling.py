"""One question about one symbol, put to every engine, and their answers fused (engines.md 8)."""

import asyncio
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from typing import Literal

from codequarry.core.errors import IndexMissing
from codequarry.core.registry import Project
from codequarry.core.state import StateDirectory
from codequarry.engines.agreement import AgreedRef, agree
from codequarry.engines.deadlines import asked
from codequarry.engines.own import place_of
from codequarry.engines.registry import EngineRegistry, Unavailable
from codequarry.engines.types import CodeAnswer, CodeEdgeKind, CodeIndex, CodeRef, no_answer

Question = Literal["callers", "callees", "impact"]

_EDGES: Mapping[Question, CodeEdgeKind] = {
    "callers": CodeEdgeKind.CALLED_BY,
    "callees": CodeEdgeKind.CALLS,
}


@dataclass(frozen=True)
class Poll:
    """What the engines said.

    Args:
        question: What was asked.
        node: About what: placed by our own index where it knows the symbol, else only named.
        answers: Engine id to its answer, ascending by the bytes of the id.
        ends: What they named, fused; confirmed ones first.
    """

    question: Question
    node: CodeRef
    answers: Mapping[str, CodeAnswer[CodeRef]]
    ends: tuple[AgreedRef, ...]

    @property
    def voters(self) -> tuple[str, ...]:
        """The engines that answered; an end is measured against these."""
        return tuple(name for name, said in self.answers.items() if said.outcome == "answered")


async def poll(
    registry: EngineRegistry,
    state: StateDirectory,
    project: Project,
    question: Question,
    symbol: str,
) -> Poll:
    """Ask every engine that can be asked, each within its deadlines.

    Args:
        registry: The engines.
        state: The state directory.
        project: The project.
        question: What is wanted.
        symbol: A name, ``path::name``, ``path:line`` or a selector.

    Raises:
        UsageError: Our own index knows several such symbols; the message lists them.
    """
    try:
        found = await asyncio.to_thread(place_of, state, project, symbol)
    except IndexMissing:
        found = None
    node = found or _named(project, symbol)
    engines = [engine for name in registry.ids() if (engine := _usable(registry, name))]
    said = await asyncio.gather(*(_ask(engine, project, question, node) for engine in engines))
    answers = {engine.id: one for engine, one in zip(engines, said, strict=True)}
    return Poll(question, node, answers, agree(answers))


def _usable(registry: EngineRegistry, name: str) -> CodeIndex | None:
    engine = registry.resolve(name)
    return None if isinstance(engine, Unavailable) else engine


def _named(project: Project, symbol: str) -> CodeRef:
    path, separator, name = symbol.strip().rpartition("::")
    # ``a.py::f`` names a file, ``Cart::total`` a class.
    inside = path if separator and ("/" in path or "." in path) else ""
    name = name if inside else symbol.strip()
    return CodeRef(project.producer_key, inside, None, None, None, name, "")


async def _ask(
    engine: CodeIndex, project: Project, question: Question, node: CodeRef
) -> CodeAnswer[CodeRef]:
    known = engine.capabilities()
    edge = _EDGES.get(question)
    if not (known.impact if edge is None else edge in known.edges):
        return no_answer("unsupported", "it cannot be asked this", engine=engine.id)

    def put(one: CodeIndex) -> Awaitable[CodeAnswer[CodeRef]]:
        return one.impact(node) if edge is None else one.neighbors(node, edge)

    return await asked(engine, project.name, edge or "impact", put)
