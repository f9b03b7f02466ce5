"""Which projects a question is put to: options and rules that the asking commands share."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from codequarry.core.errors import ProjectError

if TYPE_CHECKING:
    from codequarry.core.registry import Project, Registry

_Command = Callable[..., Any]

as_of_option = click.option(
    "--as-of", help="As published then: kept name, ledger entry, receipt hash, attempt, or time."
)


def project_options(command: _Command) -> _Command:
    """Add ``--project`` (``names``) and ``--all`` (``everywhere``) to a command."""
    command = click.option("-a", "--all", "everywhere", is_flag=True, help="Search every project.")(
        command
    )
    return click.option(
        "-p", "--project", "names", multiple=True, help="Search this project; repeatable."
    )(command)


def chosen(
    registry: "Registry", names: tuple[str, ...], everywhere: bool
) -> tuple[str, ...] | None:
    """Give the projects to ask: those named, else the one around here; ``None`` means all.

    Raises:
        ProjectError: A name is unknown.
    """
    return None if everywhere else registry.meant(names, Path.cwd())


def the_project(registry: "Registry", name: str | None) -> "Project":
    """Give the one project a command is about: the one named, else the one around here.

    Raises:
        ProjectError: The name is unknown, or none is named outside of every project.
    """
    found = registry.get(name) if name else registry.enclosing(Path.cwd())
    if found is None:
        raise ProjectError(
            f"{Path.cwd()} is in no registered project",
            "run `codequarry index` here, or name one with --project",
        )
    return found
