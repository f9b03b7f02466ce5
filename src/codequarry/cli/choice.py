"""What a question is put to, and how: options and rules that the asking commands share."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from codequarry.core.errors import ProjectError, UsageError

if TYPE_CHECKING:
    from codequarry.core.registry import Project, Registry

_Command = Callable[..., Any]

RANKED = ("hybrid", "semantic", "keyword")
"""The modes that rank pieces of code."""

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


def filter_options(command: _Command) -> _Command:
    """Add the filters of a search: ``languages``, ``globs`` and ``kinds``."""
    for option in (
        click.option(
            "-k", "--kind", "kinds", multiple=True, help="Only this kind: function, class, …"
        ),
        click.option("-g", "--path", "globs", multiple=True, help="Only paths like this glob."),
        click.option("-l", "--language", "languages", multiple=True, help="Only this language."),
    ):
        command = option(command)
    return command


def each(values: tuple[str, ...]) -> tuple[str, ...]:
    """Split a filter at commas: ``-l go,rust`` means both.

    Raises:
        UsageError: A part is empty.
    """
    parts = split(values)
    if "" in parts:
        raise UsageError("a filter is empty", "leave it out, or give it a value")
    return parts


scope_files_option = click.option(
    "--scope-files", multiple=True, metavar="A,B", help="Only these files; repeatable."
)


annotate_option = click.option(
    "--annotate", is_flag=True, help="Note the hits in codemap; twice changes nothing."
)


def split(values: Sequence[str]) -> tuple[str, ...]:
    """Split values at commas, and trim the parts."""
    return tuple(part.strip() for value in values for part in value.split(","))


def mode_option(modes: Sequence[str], text: str | None = None) -> Callable[[_Command], _Command]:
    """Add ``--mode``, by default the first."""
    choice = click.Choice(list(modes))
    return click.option("-m", "--mode", type=choice, default=modes[0], show_default=True, help=text)


def chosen(
    registry: "Registry", names: tuple[str, ...], everywhere: bool
) -> tuple[str, ...] | None:
    """Give the projects to ask: those named, else the one around here; ``None`` means all.

    Raises:
        ProjectError: A name is unknown, or the working directory is needed and gone.
        UsageError: Both were asked for.
    """
    confirm_one_choice(names, everywhere)
    if everywhere:
        return None
    return registry.meant(names, Path("/") if names else working_directory())


def confirm_one_choice(names: Sequence[str], everywhere: bool) -> None:
    """Make sure that projects are named, or all are meant, not both.

    Raises:
        UsageError: Both are.
    """
    if names and everywhere:
        raise UsageError("--all and --project exclude each other", "give one of them")


def working_directory() -> Path:
    """Give the working directory.

    Raises:
        ProjectError: It was removed.
    """
    try:
        return Path.cwd()
    except OSError as error:
        raise ProjectError(
            "the current directory was removed", "go to another one, or name a project"
        ) from error


def the_project(registry: "Registry", name: str | None) -> "Project":
    """Give the one project a command is about: the one named, else the one around here.

    Raises:
        ProjectError: The name is unknown, or none is named and the working directory is outside of
            every project, or gone.
    """
    if name:
        return registry.get(name)
    here = working_directory()
    found = registry.enclosing(here)
    if found is None:
        raise ProjectError(
            f"{here} is in no registered project",
            "run `codequarry index` here, or name one with --project",
        )
    return found
