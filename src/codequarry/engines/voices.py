"""The one call by which a search lets the deployment's engines speak on its answer.

Without a weight in ``engines.toml`` no engine is put together, let alone asked.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from codequarry.core.errors import CodequarryError
from codequarry.core.registry import Project, Registry
from codequarry.core.state import StateDirectory
from codequarry.engines.fusion import fuse, voices_of
from codequarry.engines.last_status import last_status
from codequarry.engines.own import NAME
from codequarry.engines.settings import load
from codequarry.engines.types import CodeQuery
from codequarry.retrieval.query import Query
from codequarry.retrieval.search import Answer


def speak(state: StateDirectory, project: Project, query: CodeQuery, answer: Answer) -> Answer:
    """Let the engines that have a weight speak on an answer's hits.

    Args:
        state: The state directory.
        project: The one project that was searched.
        query: The question, for the engines.
        answer: What our own index answered.

    Returns:
        ``answer`` itself when no engine has a weight; the same with a warning when the engines
        cannot be put together.

    Raises:
        UsageError: ``engines.toml`` is wrong.
    """
    settings = load(state.engine_settings)
    # Our own index has spoken already.
    weights = {
        name: own.weight
        for name, own in settings.engines.items()
        if own.weight > 0 and name != NAME
    }
    if not weights:
        return answer
    try:
        return asyncio.run(_spoken(state, project, query, answer, weights))
    except CodequarryError as error:
        return replace(answer, warnings=(*answer.warnings, f"no engine had a say: {error}"))


def heard(
    state: StateDirectory, projects: Sequence[str], question: Query, answer: Answer
) -> Answer:
    """Let the engines speak on the answer of a search, if it was one of one project.

    Raises:
        UsageError: ``engines.toml`` is wrong.
    """
    if len(projects) != 1 or not state.engine_settings.exists():
        return answer
    project = Registry(state).get(projects[0])
    filters = question.filters
    asked = CodeQuery(
        question.text,
        project.name,
        question.limit,
        question.mode,
        paths=filters.paths,
        languages=filters.languages,
        kinds=filters.kinds,
    )
    return speak(state, project, asked, answer)


async def _spoken(
    state: StateDirectory,
    project: Project,
    query: CodeQuery,
    answer: Answer,
    weights: dict[str, float],
) -> Answer:
    from codequarry.engines.deployment import engines_of

    registry = engines_of(state).registry
    missing = tuple(
        f"{name} had no say: {hint}"
        for name in sorted(weights, key=str.encode)
        if (hint := registry.unavailable_hint(name)) is not None
    )
    statuses = {name: last_status(state, name, project) for name in weights}
    try:
        fused = await fuse(answer, query, voices_of(registry, weights, statuses))
    finally:
        await registry.close()
    return replace(fused, warnings=(*fused.warnings, *missing)) if missing else fused
