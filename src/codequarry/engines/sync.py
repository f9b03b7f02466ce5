"""Syncs out of band: one call that a Dagster asset, or a person, makes (engines.md 6)."""

import asyncio
from dataclasses import replace

from codequarry.core.errors import EngineUnavailable
from codequarry.core.files import locked
from codequarry.core.registry import Project
from codequarry.core.state import StateDirectory
from codequarry.engines.bench import engine_folder
from codequarry.engines.deployment import engines_of
from codequarry.engines.last_status import keep
from codequarry.engines.registry import Unavailable
from codequarry.engines.types import SyncReport

_LOCK_SECONDS = 5.0


def sync_engine(state: StateDirectory, engine_id: str, project: Project) -> SyncReport:
    """Bring one engine's index of one project up to the tree, and keep its status.

    Nobody else syncs the two meanwhile: single flight, across processes.

    Args:
        state: The state directory.
        engine_id: The engine.
        project: The project.

    Returns:
        What was done; an engine that failed is a report too.

    Raises:
        EngineUnavailable: The engine is missing, switched off or refused by the licence gate.
        BusyError: Another process syncs it.
        UsageError: ``engines.toml`` is wrong.
        StateError: The state directory cannot be written.
    """
    lock = engine_folder(state, engine_id) / project.producer_key / "sync.lock"
    with locked(lock, _LOCK_SECONDS):
        report = asyncio.run(_sync(state, engine_id, project))
    keep(state, engine_id, project, report.after)
    return report


async def _sync(state: StateDirectory, engine_id: str, project: Project) -> SyncReport:
    engines = engines_of(state)
    engine = engines.registry.resolve(engine_id)
    if engine is None or isinstance(engine, Unavailable):
        hint = engine.hint if engine else ""
        raise EngineUnavailable(f"the engine {engine_id} cannot be synced: {hint}")
    try:
        report = await engine.sync(project.name)
    finally:
        await engines.registry.close()
    return replace(report, licence=engines.decisions.get(engine_id))
