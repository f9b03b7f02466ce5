"""How ``codequarry search`` answers in a mode without a model."""

import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from codequarry.cli.asking import Asked
from codequarry.cli.hits import print_json
from codequarry.cli.notes import note
from codequarry.core.errors import UsageError
from codequarry.core.text import counted, harmless

if TYPE_CHECKING:
    from codequarry.retrieval.lexical.direction import Direction
    from codequarry.retrieval.lexical.result import Answer, Result

_RELATED = ("graph", "sql")


def print_answer(
    asked: Asked,
    text: str,
    mode: str,
    limit: int,
    start: str,
    depth: float | None,
    output: str,
    direction: "Direction" = "both",
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

    if start:
        from codequarry.retrieval.structure.standpoint import text_in_index

        _, start = text_in_index(asked.view, asked.here, start)
    query = LexicalQuery(text, mode, limit, start, depth, direction=direction)
    answer = search(asked.reader, query, asked.view.projects, asked.view.state)
    for sentence in _notes(answer, start):
        note(sentence)
    if output == "json":
        print_json(answer)
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
        if mode in _RELATED:
            _print_relations(one)


def _print_relations(one: "Result") -> None:
    """Print what a result is connected with, and the handle to go on from it."""
    for near in one.neighbors:
        click.echo(f"    {harmless(near.relation)} -> {harmless(near.target)}")
    if more := one.omitted_counts.neighbors:
        click.echo(f"    … {more} more")
    click.echo(f"    --from {harmless(shlex.quote(one.handle))}")


def _notes(answer: "Answer", start: str) -> Iterator[str]:
    """Say what the answer did not look at."""
    omitted = answer.omitted_counts
    if answer.anchor.state == "unresolved":
        yield f"nothing indexed is called {start}; no result is near"
    if answer.anchor.state == "changed":
        yield f"what {start} named has changed since; its file is taken"
    if omitted.query_terms:
        yield f"{omitted.query_terms:,} more words of the question do not count"
    if omitted.text_files:
        yield f"text of {counted(omitted.text_files, 'large file')} was not searched"
    if omitted.sql_files:
        yield f"{counted(omitted.sql_files, 'SQL file')} could not be read"
    if omitted.sql_statements:
        yield f"{counted(omitted.sql_statements, 'SQL statement')} could not be read"
