"""Engines in the ranking: one more component, off unless it has a weight (engines.md 6).

``score = base + weight * codeStructure``, as the last addition. With weight 0 the answer given is
the very answer that came in, and no engine is asked.
"""

import asyncio
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from codequarry.engines.registry import EngineRegistry, Unavailable
from codequarry.engines.types import CodeAnswer, CodeHit, CodeIndex, CodeIndexStatus, CodeQuery
from codequarry.retrieval.search import Answer, Hit

COMPONENT = "codeStructure"
_FRESHNESS: Mapping[str, float] = {"fresh": 1.0, "stale": 0.5, "unknown": 0.5}
_RESOLUTION: Mapping[str, float] = {"exact": 1.0, "enclosing": 0.8, "name": 0.5}


@dataclass(frozen=True)
class Voice:
    """One engine with a say.

    Args:
        engine: The engine.
        weight: 0 to 1.
        status: Its last status, read beforehand; freshness scales what it says.
    """

    engine: CodeIndex
    weight: float
    status: CodeIndexStatus


async def fuse(answer: Answer, query: CodeQuery, voices: Sequence[Voice]) -> Answer:
    """Let engines speak on an answer's hits.

    The hits stay the same ones; only scores, components and order change. An engine that does not
    answer changes nothing but adds a warning.

    Args:
        answer: Hits of one project, and their scores.
        query: The question, for the engines.
        voices: The engines; one of weight 0 is not asked.
    """
    speaking = [voice for voice in voices if voice.weight > 0]
    if not speaking or not answer.hits:
        return answer
    spoken = await asyncio.gather(*(_ask(voice, query) for voice in speaking))
    warnings = list(answer.warnings)
    hits = answer.hits
    heard = False
    for voice, said in zip(speaking, spoken, strict=True):
        if said.outcome != "answered":
            reason = "; ".join(said.warnings) or said.outcome
            warnings.append(f"{voice.engine.id} had no say: {reason}")
            continue
        warnings.extend(f"{voice.engine.id}: {warning}" for warning in said.warnings)
        factor = _FRESHNESS.get(voice.status.state, 0.0)
        hits = tuple(_raised(hit, said.items, voice, factor) for hit in hits)
        heard = True
    if heard:
        hits = tuple(sorted(hits, key=_order))
    return Answer(hits, tuple(warnings))


async def _ask(voice: Voice, query: CodeQuery) -> CodeAnswer[CodeHit]:
    """Ask one engine within the query's deadline; nothing it does reaches the ranking otherwise."""
    try:
        async with asyncio.timeout(query.deadline_s):
            return await voice.engine.search(query)
    except TimeoutError:
        warning = f"it did not answer within {query.deadline_s:g} s"
        return CodeAnswer((), "unknown", None, (warning,), outcome="failed")
    except Exception as error:
        # An engine of somebody else may raise anything; the search must not fail for it.
        warning = f"it failed ({type(error).__name__})"
        return CodeAnswer((), "unknown", None, (warning,), outcome="failed")


def structure_of(hit: Hit, said: Sequence[CodeHit], freshness: float) -> float:
    """Give a hit's ``codeStructure``, 0 to 1: the best that was said of its own lines.

    The maximum and not the sum: a large file must not win by its size.

    Args:
        hit: The hit.
        said: What an engine found.
        freshness: Factor of the engine's state.
    """
    best = 0.0
    for found in said:
        if found.ref.path == hit.path and _touches(hit, found) and math.isfinite(found.score):
            best = max(best, found.score * freshness * _RESOLUTION.get(found.ref.resolution, 0.0))
    return min(best, 1.0)


def _touches(hit: Hit, found: CodeHit) -> bool:
    start = found.ref.start_line
    if start is None:
        return not hit.symbol_name or _bare(hit.symbol_name) == found.ref.name
    return start <= hit.end_line and (found.ref.end_line or start) >= hit.start_line


def _bare(name: str) -> str:
    return name.rpartition(".")[2]


def _raised(hit: Hit, said: Sequence[CodeHit], voice: Voice, freshness: float) -> Hit:
    value = structure_of(hit, said, freshness)
    components = {**hit.components, COMPONENT: max(value, hit.components.get(COMPONENT, 0.0))}
    return replace(hit, score=hit.score + voice.weight * value, components=components)


def _order(hit: Hit) -> tuple[float, bytes, bytes, int]:
    return (-hit.score, hit.project.encode(), hit.path.encode(), hit.start_line)


def voices_of(
    registry: EngineRegistry,
    weights: Mapping[str, float],
    statuses: Mapping[str, CodeIndexStatus],
) -> tuple[Voice, ...]:
    """Give the engines that have a weight and can be asked, ascending by id.

    Args:
        registry: The engines.
        weights: Engine id to weight.
        statuses: Engine id to its last status.
    """
    unknown = CodeIndexStatus("unknown", "lower_bound")
    found = []
    for name in registry.ids():
        engine = registry.resolve(name)
        weight = weights.get(name, 0.0)
        if weight > 0 and engine is not None and not isinstance(engine, Unavailable):
            found.append(Voice(engine, weight, statuses.get(name, unknown)))
    return tuple(found)
