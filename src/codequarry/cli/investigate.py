"""Searches that begin at a piece of code: what is like it, and what its change reaches."""

import click

from codequarry.cli import asking
from codequarry.cli.asking import Options, depth_option, graph_options
from codequarry.cli.choice import (
    RANKED,
    annotate_option,
    mode_option,
    scope_files_option,
    split,
)
from codequarry.cli.hits import print_json, print_text
from codequarry.cli.notes import note
from codequarry.retrieval.structure.bounds import USAGE_SHARE, WEIGHT, checked_share


@click.command()
@click.argument("target")
@click.option("--text", "is_text", is_flag=True, help="TARGET is the text to compare with.")
@click.option("--min-score", type=float, default=0.0, help="Drop hits below this cosine.")
@click.option("--other-files", is_flag=True, help="Leave the target's own file out.")
@annotate_option
@graph_options(10)
def similar(
    target: str,
    is_text: bool,
    min_score: float,
    other_files: bool,
    annotate: bool,
    options: Options,
) -> None:
    """Find code that means what TARGET means: a chunk's id, path:line, or a text.

    With --format json, stdout is one JSON array of hits as `codequarry search` prints them.
    """
    asked = options.ask()
    from codequarry.retrieval.documents import hit_document
    from codequarry.retrieval.model import configured_model
    from codequarry.retrieval.structure.similar import Place, Text, parse_target
    from codequarry.retrieval.structure.similar import similar as similar_to
    from codequarry.retrieval.structure.standpoint import path_in_index

    wanted = Text(target) if is_text else parse_target(target)
    if isinstance(wanted, Place):
        meant, path = path_in_index(asked.view, asked.here, wanted.path)
        project = meant.projects[0] if len(meant.projects) == 1 else ""
        wanted = Place(path, wanted.line, project)
    model = configured_model() if is_text else None
    answer = similar_to(
        asked.reader, wanted, asked.view.projects, model, options.limit, min_score, other_files
    )
    for warning in answer.warnings:
        note(warning)
    if annotate:
        asking.annotate(asked, answer.hits, "similar")
    if options.output == "json":
        print_json([hit_document(hit, asked.roots) for hit in answer.hits], newline=False)
    else:
        print_text(answer.hits, "", explain=False, labelled=asked.labelled)


@click.command()
@click.argument("symbol")
@click.argument("query", nargs=-1, required=True)
@scope_files_option
@depth_option(3)
@mode_option(RANKED)
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
@annotate_option
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
    options: Options,
) -> None:
    """Ask QUERY of the files that a change of SYMBOL reaches.

    With --scope-files it is asked of these. Where there is no such scope, the whole project is
    searched, and a note says why.
    """
    asked = options.ask()
    from codequarry.retrieval.model import configured_model
    from codequarry.retrieval.query import Query
    from codequarry.retrieval.structure import scope, usage
    from codequarry.retrieval.structure.documents import reranked_document

    question = Query(" ".join(query), mode, options.limit)
    checked_share("structural weight", structural_weight)
    checked_share("usage share", usage_share)
    reach = scope.scope_of(asked.view, asked.peer, symbol, split(scope_files), depth, asked.here)
    note(reach.note)
    model = None if mode == "keyword" else configured_model()
    found = scope.investigate(
        asked.view, asked.peer, reach, question, model, structural_weight, usage_share
    )
    for warning in found.warnings:
        note(warning)
    hits = [one.hit for one in found.hits]
    if not asked.is_past:
        usage.count(asked.view.state.usage, hits)
    if annotate:
        asking.annotate(asked, hits, question.text)
    if options.output == "json":
        rows = [reranked_document(one, asked.roots, explained=False) for one in found.hits]
        print_json(rows, newline=False)
    else:
        moved = any(one.reranked for one in found.hits)
        shown = [one.shown for one in found.hits]
        print_text(shown, question.text, explain=moved, labelled=asked.labelled)
