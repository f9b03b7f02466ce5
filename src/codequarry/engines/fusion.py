"""Engines in the ranking: one more component, off unless it has a weight (engines.md 6).

``score = base + weight * codeStructure``, as the last addition. With weight 0 the answer given is
the very answer that came in, and no engine is asked.
"""

import asyncio
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from codequarry.engines.deadlines import asked
from codequarry.engines.licence import Decision
from codequarry.engines.registry import EngineRegistry, Unavailable
from codequarry.engines.rows import last_part
from codequarry.engines.types import CodeHit, CodeIndex, CodeIndexStatus, CodeQuery
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


@dataclass(frozen=True)
class Heard:
    """An answer after the engines had their say.

    Args:
        answer: The hits, and what the asker should know.
        licences: Engine id to the licence gate's decision, for each engine that answered.
    """

    answer: Answer
    licences: Mapping[str, Decision] = field(default_factory=dict)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the asker should know: the answer's warnings, and under which licence who spoke."""
        return (
            *self.answer.warnings,
            *(
                f"{name} had a say, under {decision.spdx} ({decision.rule})"
                for name, decision in sorted(self.licences.items())
            ),
        )


async def fuse(answer: Answer, query: CodeQuery, voices: Sequence[Voice]) -> Heard:
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
        return Heard(answer)
    spoken = await asyncio.gather(
        *(
            asked(
                voice.engine,
                query.workspace_id,
                "search",
                lambda engine: engine.search(query),
                query.deadline_s,
            )
            for voice in speaking
        )
    )
    warnings = list(answer.warnings)
    said_by: list[tuple[Voice, Sequence[CodeHit]]] = []
    licences: dict[str, Decision] = {}
    for voice, said in zip(speaking, spoken, strict=True):
        if said.outcome != "answered":
            reason = "; ".join(said.warnings) or said.outcome
            warnings.append(f"{voice.engine.id} had no say: {reason}")
            continue
        warnings.extend(f"{voice.engine.id}: {warning}" for warning in said.warnings)
        said_by.append((voice, said.items))
        if said.licence is not None:
            licences[voice.engine.id] = said.licence
    hits = answer.hits
    if said_by:
        hits = tuple(sorted((_raised(hit, said_by) for hit in hits), key=_order))
    return Heard(replace(answer, hits=hits, warnings=tuple(warnings)), licences)


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
        return not hit.symbol_name or last_part(hit.symbol_name) == last_part(found.ref.name)
    return start <= hit.end_line and (found.ref.end_line or start) >= hit.start_line


def _raised(hit: Hit, said_by: Sequence[tuple[Voice, Sequence[CodeHit]]]) -> Hit:
    """Add ``weight * codeStructure``: of several engines the sum of weights, the weighted mean."""
    values = [
        structure_of(hit, said, _FRESHNESS.get(voice.status.state, 0.0)) for voice, said in said_by
    ]
    weights = [voice.weight for voice, _ in said_by]
    whole, value = weights[0], values[0]
    if len(said_by) > 1:
        whole = math.fsum(weights)
        value = math.fsum(w * v for w, v in zip(weights, values, strict=True)) / whole
    components = {**hit.components, COMPONENT: value}
    return replace(hit, score=hit.score + whole * value, components=components)


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
