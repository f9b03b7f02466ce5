"""What a question to the published graph is put to: projects, their graph, and codemap."""

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from codequarry.cli.choice import as_of_option, chosen, project_options
from codequarry.cli.notes import note
from codequarry.cli.options import output_format

if TYPE_CHECKING:
    from codequarry.index.reader import Reader
    from codequarry.retrieval.search import Hit
    from codequarry.retrieval.structure.codemap import CodemapPeer
    from codequarry.retrieval.structure.standpoint import Standpoint
    from codequarry.retrieval.structure.symbols import Symbol
    from codequarry.retrieval.structure.view import GraphView

_Command = Callable[..., Any]

FAILED = 1


@dataclass(frozen=True)
class Options:
    """What every question to the graph may be told.

    Args:
        names: Projects that were named.
        everywhere: Whether all are asked.
        limit: How many to give.
        as_of: A moment of the past.
        output: ``text`` or ``json``.
    """

    names: tuple[str, ...]
    everywhere: bool
    limit: int
    as_of: str | None
    output: str

    def ask(self) -> "Asked":
        """Open the published state for the question (`ask`)."""
        return ask(self.names, self.everywhere, self.as_of)


def graph_options(limit: int) -> Callable[[_Command], _Command]:
    """Add the options of every question to the graph; the command gets them as ``options``."""

    def add(command: _Command) -> _Command:
        @functools.wraps(command)
        def gathered(
            names: tuple[str, ...],
            everywhere: bool,
            limit: int,
            as_of: str | None,
            output: str,
            **own: Any,
        ) -> Any:
            return command(options=Options(names, everywhere, limit, as_of, output), **own)

        limited = click.option("-n", "--limit", type=int, default=limit, show_default=True)
        with_options: _Command = gathered
        for option in (output_format, as_of_option, limited, project_options):
            with_options = option(with_options)
        return with_options

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
        from codequarry.retrieval.structure.codemap import CodemapPeer, is_from_codemap

        receipt = self.reader.published.entry(project).receipt
        return CodemapPeer.of(self.roots[project], has_indexed=is_from_codemap(receipt))

    @property
    def here(self) -> "Standpoint":
        """Where paths are typed, and the projects that they may lead into."""
        from codequarry.retrieval.structure.standpoint import Standpoint

        meant = {name: self.roots[name] for name in self.view.projects if name in self.roots}
        try:
            return Standpoint(Path.cwd(), meant)
        except OSError:  # it was removed, so that no path is below it
            return Standpoint(Path("/"), meant)

    def tell_sources(self, told: Iterable[tuple[str, str]]) -> None:
        """Note who answered for each project and why, once where the same is told of several.

        Nothing is said of a codemap that is not there and that nobody counts on.
        """
        projects: dict[str, list[str]] = {}
        for project, sentence in told:
            peer = self.peer(project)
            if peer is not None and not peer.is_silent:
                projects.setdefault(sentence, []).append(project)
        for sentence, named in projects.items():
            note(f"{', '.join(named)}: {sentence}" if self.labelled else sentence)


def annotate(asked: Asked, hits: "Sequence[Hit]", query: str) -> None:
    """Note in codemap that a query surfaced some hits, and say what came of it (contract.md F5)."""
    from codequarry.retrieval.structure.annotate import annotate as annotated

    ended = annotated(asked.peer, hits, query)
    told = ", ".join(f"{number} {outcome}" for outcome, number in sorted(ended.items()))
    note(f"annotated in codemap: {told or 'nothing'}")


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
    from codequarry.retrieval.structure.standpoint import text_in_index

    view, wanted = text_in_index(asked.view, asked.here, text)
    found = find_symbol(view, asked.peer, wanted)
    if found.state is not Found.ONE and output == "json":
        from codequarry.cli.hits import print_json
        from codequarry.retrieval.structure.documents import lookup_document

        print_json(lookup_document(found))
        click.get_current_context().exit(FAILED)
    symbol = found.one()
    if found.source == CODEMAP:
        note(f"codemap says that {symbol.fqn} is there")
    return symbol
