"""``codequarry batch``: several questions at once."""

import sys
from typing import TYPE_CHECKING

import click

from codequarry.cli.asking import FAILED, Options, graph_options
from codequarry.cli.choice import RANKED, each, filter_options, mode_option
from codequarry.cli.hits import print_json, print_text
from codequarry.cli.notes import note
from codequarry.core.errors import UsageError
from codequarry.core.text import harmless

if TYPE_CHECKING:
    from codequarry.retrieval.structure.batch import Answered

STDIN = "-"
_BYTES = 1_000_000


@click.command()
@click.argument("queries", nargs=-1, required=True, metavar="QUERY...")
@filter_options
@mode_option(RANKED)
@click.option(
    "--deduplicate/--no-deduplicate",
    default=True,
    show_default=True,
    help="Show a piece of code only for the first query that found it.",
)
@graph_options(3)
def batch(
    queries: tuple[str, ...],
    languages: tuple[str, ...],
    globs: tuple[str, ...],
    kinds: tuple[str, ...],
    mode: str,
    deduplicate: bool,
    options: Options,
) -> None:
    """Ask every QUERY; - reads more from stdin, one a line.

    A query that cannot be answered says so and stops no other; then the exit code is 1. With
    --format json, stdout is one JSON array with an object a query, in their order.
    """
    questions = [line for query in queries for line in (_lines() if query == STDIN else [query])]
    asked = options.ask()
    from codequarry.retrieval.model import configured_model
    from codequarry.retrieval.query import Filters
    from codequarry.retrieval.structure import usage
    from codequarry.retrieval.structure.batch import batch as answers_of
    from codequarry.retrieval.structure.documents import answered_document

    model = None if mode == "keyword" else configured_model()
    filters = Filters(each(languages), each(kinds), globs)
    answers = answers_of(
        asked.reader,
        questions,
        asked.view.projects,
        model,
        options.limit,
        mode,
        filters,
        deduplicate,
    )
    if not asked.is_past:
        for answer in answers:
            usage.count(asked.view.state.usage, answer.hits)
    if options.output == "json":
        print_json([answered_document(answer, asked.roots) for answer in answers])
    else:
        for answer in answers:
            _print(answer, labelled=asked.labelled)
    if any(answer.failure for answer in answers):
        click.get_current_context().exit(FAILED)


def _lines() -> list[str]:
    held = sys.stdin.buffer.read(_BYTES + 1) if sys.stdin else b""
    if len(held) > _BYTES:
        raise UsageError(f"stdin has more than {_BYTES} bytes", "ask fewer questions")
    text = held.decode("utf-8", "replace")
    return [line.strip() for line in text.split("\n") if line.strip()]


def _print(answer: "Answered", *, labelled: bool) -> None:
    click.secho(f"? {harmless(answer.text)}", bold=True)
    for warning in answer.warnings:
        note(warning)
    if answer.failure:
        click.echo(f"    failed: {harmless(answer.failure)}")
    elif answer.hits or not answer.repeated:
        print_text(answer.hits, answer.text, explain=False, labelled=labelled)
    if answer.repeated:
        click.echo(f"    … {answer.repeated:,} shown above")
