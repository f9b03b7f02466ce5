"""Questions to the code graph: who uses it, what hangs on it, what belongs together."""

from typing import TYPE_CHECKING

import click

from codequarry.cli.asking import Options, depth_option, graph_options, one_symbol
from codequarry.cli.hits import print_json

if TYPE_CHECKING:
    from codequarry.retrieval.structure.hotspots import Hotspot


@click.command()
@click.argument("symbol")
@depth_option(3)
@graph_options(100)
def impact(symbol: str, depth: int, options: Options) -> None:
    """Say what depends on SYMBOL, how far away, and which tests cover it.

    SYMBOL is a name, a qualified name, path:line, path::name, a path, or a selector in JSON. With
    a codemap that has indexed the project, its answer is given. Exits 1 when SYMBOL is not one.
    """
    asked = options.ask()
    from codequarry.cli.graph_text import print_impact
    from codequarry.retrieval.structure.documents import impact_document
    from codequarry.retrieval.structure.peer_first import impact as impact_of

    one = one_symbol(asked, symbol, options.output)
    answer = impact_of(asked.view, asked.peer(one.project), one, depth, options.limit)
    asked.tell_sources([(one.project, answer.note)])
    if options.output == "json":
        print_json(impact_document(answer))
    else:
        print_impact(answer, labelled=asked.labelled)


@click.command()
@click.argument("symbol")
@depth_option(1)
@graph_options(100)
def callers(symbol: str, depth: int, options: Options) -> None:
    """Say who calls SYMBOL, or hands it on by its name.

    SYMBOL is a name, a qualified name, path:line, path::name, or a selector in JSON. No callers are
    told apart from callers that could not be looked for.
    """
    _walk(symbol, ("calls", "references"), "in", depth, options)


@click.command()
@click.argument("symbol")
@depth_option(1)
@graph_options(100)
def callees(symbol: str, depth: int, options: Options) -> None:
    """Say what SYMBOL calls, or hands on by its name."""
    _walk(symbol, ("calls", "references"), "out", depth, options)


@click.command()
@click.argument("symbol")
@click.option("-k", "--kind", "kinds", multiple=True, help="Only edges of this kind; repeatable.")
@click.option(
    "--direction",
    type=click.Choice(["in", "out", "both"]),
    default="both",
    show_default=True,
    help="Edges that end in it, begin at it, or both.",
)
@depth_option(1)
@graph_options(100)
def neighbors(
    symbol: str, kinds: tuple[str, ...], direction: str, depth: int, options: Options
) -> None:
    """Say what stands next to SYMBOL in the code graph.

    Kinds of edges are calls, contains, extends, implements, imports and references.
    """
    _walk(symbol, kinds, direction, depth, options)


def _walk(
    symbol: str, kinds: tuple[str, ...], direction: str, depth: int, options: Options
) -> None:
    asked = options.ask()
    from codequarry.cli.graph_text import print_neighborhood
    from codequarry.retrieval.structure.documents import neighborhood_document
    from codequarry.retrieval.structure.neighbors import neighbors as neighbors_of

    one = one_symbol(asked, symbol, options.output)
    answer = neighbors_of(asked.view, one, kinds, direction, depth, options.limit)
    if options.output == "json":
        print_json(neighborhood_document(answer))
    else:
        print_neighborhood(answer, labelled=asked.labelled)


@click.command()
@click.option("--tests", "include_tests", is_flag=True, help="Count tests too, in our own graph.")
@graph_options(20)
def hotspots(include_tests: bool, options: Options) -> None:
    """List the symbols that most of a project hangs on."""
    asked = options.ask()
    from codequarry.cli.graph_text import print_hotspots
    from codequarry.retrieval.structure import documents
    from codequarry.retrieval.structure.peer_first import hotspots as hotspots_of
    from codequarry.retrieval.structure.usage import frequencies

    spots: list[Hotspot] = []
    sources: list[documents.SourceDocument] = []
    for project in asked.view.projects:
        usage = frequencies(asked.view.state.usage, project)
        told = hotspots_of(
            asked.view, asked.peer(project), project, options.limit, usage, include_tests
        )
        spots += told.spots
        sources.append(documents.SourceDocument(project, told.source, told.note))
    asked.tell_sources((source.project, source.note) for source in sources)
    spots.sort(key=lambda spot: (-spot.effective_in_degree, -spot.in_degree, spot.symbol.order))
    if options.output == "json":
        rows = [documents.hotspot_document(spot) for spot in spots[: options.limit]]
        whole = documents.HotspotsDocument(rows, sources, not include_tests)
        print_json(whole)
    else:
        print_hotspots(spots[: options.limit], labelled=asked.labelled)


@click.command()
@click.argument("file")
@graph_options(10)
def related(file: str, options: Options) -> None:
    """List the files that use FILE, that it uses, that test it, or that change with it in git."""
    asked = options.ask()
    from codequarry.cli.graph_text import print_related
    from codequarry.retrieval.structure import documents
    from codequarry.retrieval.structure.lookup import file_of
    from codequarry.retrieval.structure.peer_first import related_files
    from codequarry.retrieval.structure.standpoint import path_in_index

    one = file_of(*path_in_index(asked.view, asked.here, file))
    root = None if asked.is_past else asked.roots.get(one.project)
    told = related_files(
        asked.view, asked.peer(one.project), one.project, one.path, options.limit, root
    )
    asked.tell_sources([(one.project, told.note)])
    if options.output == "json":
        rows = [
            documents.RelatedFileDocument(each.path, each.reason, each.confidence)
            for each in told.files
        ]
        who = (told.omitted, told.source, told.note)
        print_json(documents.RelatedDocument(one.project, one.path, rows, *who))
    else:
        print_related(told, f"{one.project}:" if asked.labelled else "")


COMMANDS = (impact, callers, callees, neighbors, hotspots, related)
