"""What a question to the published graph is put to: projects, their graph, and codemap."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from codequarry.cli.choice import as_of_option, chosen, project_options
from codequarry.cli.notes import note
from codequarry.cli.options import output_format

if TYPE_CHECKING:
    from codequarry.index.reader import Reader
    from codequarry.retrieval.structure.codemap import CodemapPeer
    from codequarry.retrieval.structure.symbols import Symbol
    from codequarry.retrieval.structure.view import GraphView

_Command = Callable[..., Any]

FAILED = 1


def graph_options(limit: int) -> Callable[[_Command], _Command]:
    """Add the options of every question to the graph.

    They are ``names``, ``everywhere``, ``limit``, ``as_of`` and ``output``.
    """

    def add(command: _Command) -> _Command:
        limited = click.option("-n", "--limit", type=int, default=limit, show_default=True)
        for option in (output_format, as_of_option, limited, project_options):
            command = option(command)
        return command

    return add


def depth_option(default: int) -> Callable[[_Command], _Command]:
    """Add ``--depth``."""
    text = "Steps to go; at most 10."
    return click.option("-d", "--depth", type=int, default=default, show_default=True, help=text)


@dataclass(frozen=True)
class Asked:
    """The published state as one question sees it.

    Args:
        view: The graph of the projects asked.
        roots: Name of each registered project to its root.
        labelled: Whether answers name their project.
        is_past: Whether the state is one of the past; codemap, which knows the present, is left
            out then.
    """

    view: "GraphView"
    roots: Mapping[str, Path]
    labelled: bool
    is_past: bool

    @property
    def reader(self) -> "Reader":
        """The published state."""
        return self.view.reader

    def peer(self, project: str) -> "CodemapPeer | None":
        """Give codemap in a project; ``None`` when it is not to be asked."""
        if self.is_past or project not in self.roots:
            return None
        from codequarry.retrieval.structure.codemap import CodemapPeer

        return CodemapPeer.of(self.roots[project])


def ask(names: tuple[str, ...], everywhere: bool, as_of: str | None, *, warn: bool = True) -> Asked:
    """Open the published state for a question; call it before anything heavy is imported.

    Args:
        names: Projects that were named.
        everywhere: Whether all are asked.
        as_of: A moment of the past.
        warn: Note when the one project that is asked is not known to equal its tree.

    Raises:
        ProjectError: A project is unknown.
        IndexMissing: A project, or all, was never indexed.
    """
    from codequarry.index.quick_import import skip_remote_catalogues

    skip_remote_catalogues()
    from codequarry.core.registry import Registry
    from codequarry.core.state import StateDirectory
    from codequarry.index.reader import Reader
    from codequarry.retrieval.structure.view import GraphView

    state = StateDirectory.locate()
    registry = Registry(state)
    projects = chosen(registry, names, everywhere)
    view = GraphView(Reader(state, as_of), state, projects)
    if warn and as_of is None and projects is not None and len(projects) == 1:
        from codequarry.retrieval.freshness import freshness_of

        for sentence in freshness_of(state, registry, projects).notes:
            note(sentence)
    roots = {project.name: project.root for project in registry.all()}
    return Asked(view, roots, projects is None or len(projects) > 1, as_of is not None)


def one_symbol(asked: Asked, text: str, output: str) -> "Symbol":
    """Give the symbol that a text names; where it is not one, as JSON print all that fit and end.

    Raises:
        UsageError: The text names none or several, and the output is for a person; or it cannot be
            a name.
        IndexMissing: No graph was published.
    """
    from codequarry.retrieval.structure.lookup import Found
    from codequarry.retrieval.structure.peer_first import CODEMAP, find_symbol

    found = find_symbol(asked.view, asked.peer, text)
    if found.state is not Found.ONE and output == "json":
        from codequarry.cli.hits import print_json
        from codequarry.retrieval.structure.documents import lookup_document

        print_json(lookup_document(found), newline=True)
        click.get_current_context().exit(FAILED)
    symbol = found.one()
    if found.source == CODEMAP:
        note(f"codemap says that {symbol.fqn} is there")
    return symbol
