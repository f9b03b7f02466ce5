"""The engines of this deployment: settings, mappings, licence gate and programs, put together.

The gate decides before a program is even looked for. Nothing is started here.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from codequarry.core.errors import UsageError
from codequarry.core.registry import Project, Registry
from codequarry.core.state import StateDirectory
from codequarry.engines import mapping as schema
from codequarry.engines.adapter import MappedIndex, Setup
from codequarry.engines.bench import MEMORY, Needs, Workspaces, bench_for, engine_folder
from codequarry.engines.breaker import Breaker
from codequarry.engines.channels import Access, Channels
from codequarry.engines.deadlines import SECONDS
from codequarry.engines.licence import Decision, EngineLicense, Evidence, decide
from codequarry.engines.own import OwnIndex
from codequarry.engines.registry import EngineRegistry, locate
from codequarry.engines.settings import CodeIndexSettings, EngineSettings, load


@dataclass(frozen=True)
class Engines:
    """What a deployment knows of engines.

    Args:
        registry: The engines.
        settings: Their settings.
        decisions: The licence gate's decision on each, but our own.
        mappings: Their mapping files, by id.
    """

    registry: EngineRegistry
    settings: CodeIndexSettings
    decisions: Mapping[str, Decision]
    mappings: Mapping[str, schema.Mapping]


def engines_of(
    state: StateDirectory,
    environment: Mapping[str, str] = os.environ,
    today: date | None = None,
) -> Engines:
    """Put the engines of a deployment together; no process is started.

    An engine whose mapping file is wrong is unavailable, and its hint names the key.

    Args:
        state: The state directory.
        environment: Where ``PATH`` and tokens are read from.
        today: The day that licence grants are measured against; now by default.

    Raises:
        UsageError: ``engines.toml`` is wrong; the message names the key.
    """
    settings = load(state.engine_settings)
    workspaces = Workspaces(Registry(state))
    registry = EngineRegistry()
    registry.register(OwnIndex(state, workspaces))
    day = today or datetime.now(UTC).date()
    decisions = {}
    mappings, wrong = _mappings(settings, state.home)
    for engine, hint in wrong.items():
        registry.mark_unavailable(engine, hint)
    for engine, mapping in mappings.items():
        own = settings.of(engine)
        licence = licence_of(mapping)
        decision = decide(engine, licence, settings.grants, settings.deployment, day)
        decisions[engine] = decision
        if not decision.allowed:
            why = f"refused by the licence rule {decision.rule} ({decision.spdx})"
            registry.mark_unavailable(engine, f"{why}; {decision.hint}")
            continue
        access, hint = _access(mapping, own, environment)
        if access is None:
            registry.mark_unavailable(engine, hint)
            continue
        setup = _setup(state, mapping, own, access, decision, workspaces)
        registry.register(MappedIndex(setup))
    for engine in settings.engines:
        if engine not in mappings and engine not in wrong and engine != OwnIndex.ID:
            registry.mark_unavailable(
                engine, "codequarry has no mapping of it; set `mapping` to a mapping file"
            )
    return Engines(registry, settings, decisions, mappings)


def licence_of(mapping: schema.Mapping) -> EngineLicense:
    """Give what a mapping tells of its engine's licence."""
    table = mapping.license
    evidence = tuple(
        Evidence(item.source, item.spdx, item.sha256, item.read_at) for item in table.evidence
    )
    transitive = tuple(sorted(table.transitive.items()))
    return EngineLicense(table.spdx, evidence, transitive, table.linkage)


def _mappings(
    settings: CodeIndexSettings, home: Path
) -> tuple[dict[str, schema.Mapping], dict[str, str]]:
    """Give every sound mapping by id, and what is wrong with each other one."""
    found = {mapping.id: mapping for mapping in schema.shipped()}
    wrong: dict[str, str] = {}
    for engine, own in settings.engines.items():
        if not own.mapping or engine == OwnIndex.ID:
            continue
        # What somebody meant to replace is not used in its place.
        found.pop(engine, None)
        try:
            mapping = schema.load(home / Path(own.mapping).expanduser())
        except UsageError as error:
            wrong[engine] = str(error)
            continue
        if mapping.id == engine:
            found[engine] = mapping
        else:
            wrong[engine] = (
                f"its mapping file is that of {mapping.id}; configure it under that id in "
                "engines.toml, or correct the id in the file"
            )
    return dict(sorted(found.items(), key=lambda pair: pair[0].encode())), wrong


def _access(
    mapping: schema.Mapping, own: EngineSettings, environment: Mapping[str, str]
) -> tuple[Access | None, str]:
    """Find how an engine is reached, or why it is not."""
    if not own.enabled:
        return None, "switched off in engines.toml (enabled = false)"
    token = environment.get(own.token_variable, "") if own.token_variable else ""
    url = own.url or mapping.program.url
    if mapping.program.url and not own.url:
        return None, f"not configured; start it and set its url, such as {url!r}, in engines.toml"
    start = own.deadlines.get("start", SECONDS["start"])
    if url:
        return Access("", url, token, own.any_version, start), ""
    program, hint = locate(own.command, mapping.program.binary, environment)
    if program is None:
        return None, hint
    return Access(program, "", "", own.any_version, start), ""


def _setup(
    state: StateDirectory,
    mapping: schema.Mapping,
    own: EngineSettings,
    access: Access,
    decision: Decision,
    workspaces: Workspaces,
) -> Setup:
    needs = Needs(
        mapping.id,
        {**mapping.environment, **own.environment},
        # A server elsewhere reads its own tree.
        mapping.program.tree == "copy" and not access.url,
        mapping.program.home == "private",
        own.memory or mapping.program.memory or MEMORY,
        own.network,
    )
    folder = engine_folder(state, mapping.id)

    def channels(project: Project) -> Channels:
        return Channels(mapping, access, bench_for(state, needs, project), folder)

    breaker = Breaker(folder / "breaker.json")
    licence = licence_of(mapping)
    return Setup(mapping, licence, decision, state, workspaces, channels, own.deadlines, breaker)
