"""``codequarry overview``: a project at a glance."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from codequarry.cli.asking import Options, graph_options
from codequarry.cli.hits import print_json
from codequarry.cli.notes import note
from codequarry.core.text import counted, harmless

if TYPE_CHECKING:
    from codequarry.retrieval.structure.communities import Communities
    from codequarry.retrieval.structure.documents import HotspotDocument
    from codequarry.retrieval.structure.overview import Overview


@click.command()
@click.option(
    "-d", "--depth", type=int, default=3, show_default=True, help="Levels of folders; at most 10."
)
@graph_options(12)
def overview(depth: int, options: Options) -> None:
    """Show a project at a glance.

    Tells its languages, folders and key files, where programs begin, what most hangs on, and which
    files belong together. The limit holds for each of these lists but folders.
    """
    asked = options.ask()
    from codequarry.retrieval.structure.overview import Overviews, overview_of

    found = [overview_of(asked.view, name, options.limit, depth) for name in asked.view.projects]
    if options.output == "json":
        print_json(Overviews(found))
        return
    for position, one in enumerate(found):
        if position:
            click.echo()
        _print(one)


def _print(found: "Overview") -> None:
    for sentence in found.summary:
        click.echo(harmless(sentence))
    for sentence in found.notes:
        note(f"{found.project}: {sentence}")
    _section("languages", [f"{one.files:>7,}  {one.name}" for one in found.languages])
    folders = [f"{one.files:>7,}  {one.path}/" for one in found.directories]
    _section("folders", folders, found.directories_omitted)
    keys = [f"{one.path}  ({one.role})" for one in found.key_files]
    _section("key files", keys, found.key_files_omitted)
    beginnings = [
        f"{one.path}:{one.line}  {one.name}  ({one.kind}{f', runs {one.runs}' if one.runs else ''})"
        for one in found.entry_points
    ]
    _section("entry points", beginnings, found.entry_points_omitted)
    _section("hubs", [_hub(one) for one in found.hubs])
    _print_communities(found.communities)


def _hub(one: "HotspotDocument") -> str:
    users = counted(one.in_degree, "user")
    return f"{one.file}:{one.start_line}  {one.fqn or one.symbol} {one.kind}  ({users})"


def _print_communities(found: "Communities") -> None:
    clusters = [
        f"{one.number:>3}  {one.label}  "
        f"({counted(one.files, 'file')}: {', '.join(one.central_files)})"
        for one in found.clusters
    ]
    _section("clusters", clusters, found.omitted)
    links = [
        f"{one.source:>3} -> {one.target}  ({counted(one.edges, 'edge')})" for one in found.links
    ]
    _section("links between clusters", links)


def _section(title: str, lines: Iterable[str], omitted: int = 0) -> None:
    shown = [f"  {harmless(line)}" for line in lines]
    if omitted:
        shown.append(f"    … {omitted:,} more")
    if shown:
        click.secho(f"\n{title}", bold=True)
        click.echo("\n".join(shown))
