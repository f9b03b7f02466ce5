"""How ``codequarry search`` answers in a mode without a model."""

import click

from codequarry.cli.asking import Asked
from codequarry.cli.hits import print_json
from codequarry.core.errors import UsageError
from codequarry.core.text import harmless


def print_answer(
    asked: Asked, text: str, mode: str, limit: int, start: str, depth: float | None, output: str
) -> None:
    """Search, and print results for a person, one a line, or as the document of vectorless.md 7.

    Raises:
        UsageError: The format or the limit does not fit.
        IndexMissing: A project was never indexed.
    """
    if not text.strip():
        raise UsageError("the query is empty", "ask for something")
    if output == "json-envelope":
        raise UsageError(f"mode {mode} has no json-envelope", "use --format json")
    from codequarry.retrieval.lexical.search import LexicalQuery, search

    query = LexicalQuery(text, mode, limit, start, depth)
    answer = search(asked.reader, query, asked.view.projects, asked.view.state)
    if answer.anchor.state == "unresolved":
        click.echo(
            f"note: nothing indexed is called {harmless(start)}; no result is near", err=True
        )
    if output == "json":
        print_json(answer, newline=True)
        return
    if not answer.results:
        click.echo("nothing found; try other words", err=True)
    for one in answer.results:
        label = f"{one.project}:" if asked.labelled else ""
        line = f":{one.range.start.line}" if one.range else ""
        place = f"{label}{one.file}{line}"
        if output == "compact":
            click.echo("\t".join(map(harmless, (place, f"{one.score:g}", one.label))))
            continue
        shown = click.style(harmless(place), fg="cyan", bold=True)
        click.echo(f"{shown}  {one.score:g}  {one.kind} {harmless(one.label)}")
        for reason in one.rank_reasons:
            click.echo(f"    {harmless(reason)}")
