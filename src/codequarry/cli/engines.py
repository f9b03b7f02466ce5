"""``codequarry engines``: other code indexes behind one interface."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from codequarry.cli.choice import the_project
from codequarry.cli.hits import print_json
from codequarry.cli.options import output_format
from codequarry.core.text import harmless

if TYPE_CHECKING:
    from codequarry.core.registry import Project
    from codequarry.core.state import StateDirectory
    from codequarry.engines.deployment import Engines
    from codequarry.engines.polling import Poll, Question
    from codequarry.engines.types import CodeIndex, CodeIndexStatus, CodeRef, SyncReport


@click.group()
def engines() -> None:
    """List, ask, probe, sync and check other code indexes.

    They are configured in engines.toml of the state directory; docs/engines.md tells how.
    """


_project = click.option("-p", "--project", "name", help="The project; by default the one around.")


@engines.command("list")
@output_format
def list_engines(output: str) -> None:
    """Show every known engine, and why some cannot be used. Starts no process."""
    from codequarry.engines.deployment import engines_of
    from codequarry.engines.own import NAME
    from codequarry.engines.registry import Unavailable

    found = engines_of(_state())
    rows: list[dict[str, Any]] = []
    for name in sorted({*found.registry.ids(), *found.registry.ids(False)}, key=str.encode):
        engine = found.registry.resolve(name)
        hint = engine.hint if isinstance(engine, Unavailable) else ""
        rows.append(
            {
                "id": name,
                "available": not hint,
                "hint": hint,
                "weight": found.settings.of(name).weight,
                "sync": found.settings.of(name).sync,
                "licence": _plain(found.decisions.get(name)),
            }
        )
    if output == "json":
        print_json(rows)
        return
    for row in rows:
        licence = row["licence"]
        unread = "ours" if row["id"] == NAME else "not read"
        how = f"{licence['spdx']}, {licence['rule']}" if licence else unread
        click.echo(f"{row['id']:<28}  {'ready' if row['available'] else 'unavailable':<11}  {how}")
        if row["hint"]:
            click.echo(f"    {harmless(row['hint'])}")
        for warning in licence["warnings"] if licence else ():
            click.echo(f"    note: {warning}")


@engines.command()
@click.argument("engine_id", metavar="ENGINE")
@_project
@click.option("--approve", is_flag=True, help="Accept the tools it lists now, changed or not.")
@output_format
def probe(engine_id: str, name: str | None, approve: bool, output: str) -> None:
    """Call each question that ENGINE's mapping offers, and tell which answer."""
    from codequarry.engines.bench import engine_folder
    from codequarry.engines.pins import forget

    state = _state()
    project = _chosen(state, name)

    async def ask(found: "Engines") -> Mapping[str, str]:
        engine = _resolved(found, engine_id)
        if approve:
            forget(engine_folder(state, engine_id))
        return (await engine.probe(project.name)).probed

    probed = _run(state, ask)
    if output == "json":
        print_json({"engine": engine_id, "project": project.name, "probed": dict(probed)})
    else:
        for operation, result in probed.items():
            click.echo(f"{operation:<14}  {harmless(result)}")
    if any(result.startswith("failed") for result in probed.values()):
        raise click.exceptions.Exit(1)


@engines.command("status")
@click.argument("engine_id", metavar="[ENGINE]", required=False)
@_project
@click.option("--last", is_flag=True, help="Only what was kept; asks no engine.")
@output_format
def engine_status(engine_id: str | None, name: str | None, last: bool, output: str) -> None:
    """Ask engines for the state of their index of a project, and keep the answers."""
    from codequarry.engines.last_status import keep, last_status

    state = _state()
    project = _chosen(state, name)

    async def ask(found: "Engines") -> dict[str, "CodeIndexStatus"]:
        names = (engine_id,) if engine_id else found.registry.ids()
        asked = {}
        for each in names:
            engine = _resolved(found, each)
            if last:
                asked[each] = last_status(state, each, project)
            else:
                asked[each] = await engine.status(project.name)
                keep(state, each, project, asked[each])
        return asked

    statuses = _run(state, ask)
    if output == "json":
        print_json({each: _plain(status) for each, status in statuses.items()})
        return
    for each, status in statuses.items():
        counts = "" if status.files is None else f", {status.files} files"
        click.echo(f"{each:<28}  {status.state:<11}  {harmless(status.evidence)}{counts}")
        if status.hint:
            click.echo(f"    {harmless(status.hint)}")


@engines.command()
@click.argument("engine_id", metavar="ENGINE")
@_project
@output_format
def sync(engine_id: str, name: str | None, output: str) -> None:
    """Bring ENGINE's index of a project up to its tree, now and in the foreground."""
    from codequarry.engines.sync import sync_engine

    state = _state()
    report = sync_engine(state, engine_id, _chosen(state, name))
    if output == "json":
        print_json(_plain(report))
    else:
        click.echo(_worded(report))
    if not report.ok:
        raise click.exceptions.Exit(1)


@engines.command("ask")
@click.argument("question", type=click.Choice(["callers", "callees", "impact"]))
@click.argument("symbol")
@_project
@output_format
def ask_engines(question: "Question", symbol: str, name: str | None, output: str) -> None:
    """Ask every usable engine for a SYMBOL's callers, callees or impact, and fuse the answers.

    What two engines name is confirmed. SYMBOL is a name, path::name or path:line. An engine that
    could not look has no vote; exits 1 when none could.
    """
    from codequarry.engines.polling import poll

    state = _state()
    project = _chosen(state, name)

    async def ask(found: "Engines") -> "Poll":
        return await poll(found.registry, state, project, question, symbol)

    found: Poll = _run(state, ask)
    if output == "json":
        print_json({**_plain(found), "voters": list(found.voters)})
    else:
        _print_poll(found)
    if not found.voters:
        raise click.exceptions.Exit(1)


def _print_poll(found: "Poll") -> None:
    place = f" ({_placed(found.node)})" if found.node.path else ""
    asked, voters = len(found.answers), len(found.voters)
    click.echo(
        f"{found.question} of {harmless(found.node.name)}{place}: "
        f"{len(found.ends)}, by {voters} of {asked} engines"
    )
    for end in found.ends:
        mark = "confirmed" if end.confirmed else "one voice"
        what = harmless(f"{_placed(end.ref)}  {end.ref.name}")
        click.echo(f"{mark}  {len(end.votes)}/{voters}  {what}  [{', '.join(end.votes)}]")
    for name, said in found.answers.items():
        why = "; ".join(said.warnings) or said.outcome
        if said.outcome != "answered":
            click.echo(f"note: {name} had no vote: {harmless(why)}", err=True)
        elif said.completeness != "complete":
            click.echo(f"note: {name} may know of more ({said.completeness})", err=True)


def _placed(ref: "CodeRef") -> str:
    return f"{ref.path}:{ref.start_line}" if ref.start_line else ref.path


def _worded(report: "SyncReport") -> str:
    moved = f"{report.before.state} → {report.after.state}"
    if report.ok:
        return f"{report.engine} indexed {report.workspace_id} in {report.seconds:.1f} s ({moved})"
    return (
        f"{report.engine} did not index {report.workspace_id}: {harmless(report.reason)} ({moved})"
    )


def _state() -> "StateDirectory":
    from codequarry.core.state import StateDirectory

    return StateDirectory.locate()


def _chosen(state: "StateDirectory", name: str | None) -> "Project":
    from codequarry.core.registry import Registry

    return the_project(Registry(state), name)


def _resolved(found: "Engines", engine_id: str) -> "CodeIndex":
    from codequarry.core.errors import EngineUnavailable
    from codequarry.engines.registry import Unavailable

    engine = found.registry.resolve(engine_id)
    if engine is None or isinstance(engine, Unavailable):
        hint = engine.hint if engine else ""
        raise EngineUnavailable(f"the engine {engine_id} cannot be used", hint)
    return engine


def _run(state: "StateDirectory", ask: Any) -> Any:
    import asyncio  # here, or every command waits for it

    from codequarry.engines.deployment import engines_of

    async def run() -> Any:
        found = engines_of(state)
        try:
            return await ask(found)
        finally:
            await found.registry.close()

    return asyncio.run(run())


def _plain(value: Any) -> Any:
    """Give a dataclass as plain JSON values."""
    import msgspec

    return msgspec.to_builtins(value)
