"""Searches that begin at a piece of code: what is like it, and what its change reaches."""

import click

from codequarry.cli.asking import ask, depth_option, graph_options
from codequarry.cli.hits import print_json, print_text
from codequarry.cli.notes import note
from codequarry.retrieval.structure.bounds import USAGE_SHARE, WEIGHT


@click.command()
@click.argument("target")
@click.option("--text", "is_text", is_flag=True, help="TARGET is the text to compare with.")
@click.option("--min-score", type=float, default=0.0, help="Drop hits below this cosine.")
@click.option("--other-files", is_flag=True, help="Leave the target's own file out.")
@graph_options(10)
def similar(
    target: str,
    is_text: bool,
    min_score: float,
    other_files: bool,
    names: tuple[str, ...],
    everywhere: bool,
    limit: int,
    as_of: str | None,
    output: str,
) -> None:
    """Find code that means what TARGET means: a chunk's id, path:line, or a text.

    With --format json, stdout is one JSON array of hits as `codequarry search` prints them.
    """
    asked = ask(names, everywhere, as_of)
    from codequarry.retrieval.documents import hit_document
    from codequarry.retrieval.model import configured_model
    from codequarry.retrieval.structure.similar import Text, parse_target
    from codequarry.retrieval.structure.similar import similar as similar_to

    wanted = Text(target) if is_text else parse_target(target)
    model = configured_model() if is_text else None
    answer = similar_to(
        asked.reader, wanted, asked.view.projects, model, limit, min_score, other_files
    )
    for warning in answer.warnings:
        note(warning)
    if output == "json":
        print_json([hit_document(hit, asked.roots) for hit in answer.hits], newline=False)
    else:
        print_text(answer.hits, "", explain=False, labelled=asked.labelled)


@click.command()
@click.argument("symbol")
@click.argument("query", nargs=-1, required=True)
@click.option("--scope-files", multiple=True, help="Search this file, instead of SYMBOL's reach.")
@depth_option(3)
@click.option(
    "-m",
    "--mode",
    type=click.Choice(["hybrid", "semantic", "keyword"]),
    default="hybrid",
    show_default=True,
)
@click.option(
    "--structural-weight",
    type=float,
    default=WEIGHT,
    show_default=True,
    help="How much it counts what hangs on a hit; 0 is off.",
)
@click.option(
    "--usage-share",
    type=float,
    default=USAGE_SHARE,
    show_default=True,
    help="How much of that is how often searches surfaced it; 0 is off.",
)
@click.option("--annotate", is_flag=True, help="Note the hits in codemap; twice changes nothing.")
@graph_options(10)
def investigate(
    symbol: str,
    query: tuple[str, ...],
    scope_files: tuple[str, ...],
    depth: int,
    mode: str,
    structural_weight: float,
    usage_share: float,
    annotate: bool,
    names: tuple[str, ...],
    everywhere: bool,
    limit: int,
    as_of: str | None,
    output: str,
) -> None:
    """Ask QUERY of the files that a change of SYMBOL reaches.

    Where there is no such reach, the whole project is searched, and a note says why.
    """
    asked = ask(names, everywhere, as_of)
    from codequarry.retrieval.model import configured_model
    from codequarry.retrieval.query import Query
    from codequarry.retrieval.structure import annotate as notes
    from codequarry.retrieval.structure import scope, usage
    from codequarry.retrieval.structure.documents import reranked_document

    question = Query(" ".join(query), mode, limit)
    reach = scope.scope_of(asked.view, asked.peer, symbol, scope_files, depth)
    note(reach.note)
    model = None if mode == "keyword" else configured_model()
    found = scope.investigate(
        asked.view, asked.peer, reach, question, model, structural_weight, usage_share
    )
    for warning in found.warnings:
        note(warning)
    hits = [one.hit for one in found.hits]
    if as_of is None:
        usage.count(asked.view.state.usage, hits)
    if annotate:
        ended = notes.annotate(asked.peer, hits, question.text)
        told = ", ".join(f"{number} {outcome}" for outcome, number in sorted(ended.items()))
        note(f"annotated in codemap: {told or 'nothing'}")
    if output == "json":
        rows = [reranked_document(one, asked.roots, explained=False) for one in found.hits]
        print_json(rows, newline=False)
    else:
        print_text(hits, question.text, explain=False, labelled=asked.labelled)
