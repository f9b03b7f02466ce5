"""``codequarry projects``: which source trees this deployment knows."""

import shutil
from pathlib import Path

import click

from codequarry.cli.hits import print_json
from codequarry.cli.options import output_format


@click.group()
def projects() -> None:
    """List, add and remove the registered projects."""


@projects.command("list")
@output_format
def list_projects(output: str) -> None:
    """Show every registered project."""
    from codequarry.core.registry import Registry
    from codequarry.core.state import StateDirectory

    found = Registry(StateDirectory.locate()).all()
    if output == "json":
        rows = [{"name": project.name, "root": str(project.root)} for project in found]
        print_json(rows)
    elif not found:
        click.echo("no projects yet; add one with `codequarry index PATH`", err=True)
    else:
        width = max(len(project.name) for project in found)
        for project in found:
            click.echo(f"{project.name:<{width}}  {project.root}")


@projects.command("add")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--name", help="Name of the project; by default that of its directory.")
def add_project(path: Path, name: str | None) -> None:
    """Register the source tree at PATH without indexing it yet."""
    from codequarry.core.registry import Registry
    from codequarry.core.state import StateDirectory

    project = Registry(StateDirectory.locate()).add(path, name)
    click.echo(f"{project.name}  {project.root}")


@projects.command("remove")
@click.argument("name")
def remove_project(name: str) -> None:
    """Forget the project NAME and what is indexed of it; its files stay untouched.

    Its ledger entries stay, and `search --all --as-of` still finds it in states published before.
    Maintenance removes those, but for states that are kept by name, and the last ones of other
    projects until they are indexed again.
    """
    from codequarry.core.registry import Registry
    from codequarry.core.state import StateDirectory
    from codequarry.engines.bench import folders_of
    from codequarry.receipts.removal import remove_index
    from codequarry.retrieval.structure import usage

    state = StateDirectory.locate()
    project = Registry(state).get(name)
    remove_index(state, project)
    for folder in folders_of(state, project):
        shutil.rmtree(folder, ignore_errors=True)
    usage.forget(state.usage, project.name)
    Registry(state).remove(name)
    click.echo(f"removed {project.name} ({project.root})")
