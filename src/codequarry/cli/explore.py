"""``codequarry explore``: from a question to the files, tests and paths that answer it."""

import shlex
from typing import TYPE_CHECKING

import click

from codequarry.cli.asking import ask
from codequarry.cli.choice import as_of_option, project_options
from codequarry.cli.hits import print_json
from codequarry.cli.options import output_format
from codequarry.core.text import harmless

if TYPE_CHECKING:
    from codequarry.retrieval.lexical.exploration import Exploration, Packet, Source
    from codequarry.retrieval.lexical.result import FollowUp


@click.command()
@click.argument("query", nargs=-1, required=True)
@project_options
@click.option("-n", "--limit", type=int, default=5, show_default=True, help="Anchors, 1 to 50.")
@click.option("--max-packets", type=int, default=3, show_default=True, help="0 to 10.")
@click.option("--max-paths", type=int, default=3, show_default=True, help="0 to 10.")
@click.option("--source/--no-source", default=True, show_default=True, help="Show lines of source.")
@as_of_option
@output_format
def explore(
    query: tuple[str, ...],
    names: tuple[str, ...],
    everywhere: bool,
    limit: int,
    max_packets: int,
    max_paths: int,
    source: bool,
    as_of: str | None,
    output: str,
) -> None:
    """Explore QUERY: words, an identifier or a path, without a model.

    Gives where to begin, what stands around it, what depends on it, and what to run next. Words
    such as "reach", "call" or "depend" also ask for the ways between the files.
    """
    asked = ask(names, everywhere, as_of)
    from codequarry.retrieval.lexical.explore import ExploreQuery
    from codequarry.retrieval.lexical.explore import explore as answer_of

    question = ExploreQuery(" ".join(query), limit, max_packets, max_paths, source)
    answer = answer_of(asked.reader, question, asked.view.projects, asked.view.state)
    if output == "json":
        print_json(answer)
    else:
        _print(answer)


def _print(answer: "Exploration") -> None:
    for sentence in answer.summary:
        click.echo(sentence)
    several = len(answer.projects) > 1
    for anchor in answer.anchors:
        project = f"{anchor.project}:" if several else ""
        place = click.style(harmless(f"{project}{anchor.file}:{anchor.line}"), fg="cyan", bold=True)
        score = "named" if anchor.score is None else f"{anchor.score:g}"
        click.echo(f"{place}  {score}  {anchor.kind} {harmless(anchor.label)}")
    for packet in answer.packets:
        _print_packet(packet)
    if answer.file_view is not None and answer.file_view.source is not None:
        _heading(f"{answer.file_view.file} ({answer.file_view.total_lines} lines)")
        _print_source(answer.file_view.source)
    if answer.paths:
        _heading("paths")
    for way in answer.paths:
        click.echo("  " + " -> ".join(map(harmless, way.path)))
    for radius in answer.blast_radius:
        if radius.reverse_dependencies:
            _heading(f"{radius.file} is imported by")
            _listed([f"{near.file} ({near.depth})" for near in radius.reverse_dependencies])
            _more(radius.omitted_lower_bound)
    if answer.candidate_tests:
        _heading("tests")
        _listed(answer.candidate_tests)
        _more(answer.omitted_counts.candidate_tests)
    if answer.follow_ups:
        _heading("next")
        _listed([command(step) for step in answer.follow_ups])


def _print_packet(packet: "Packet") -> None:
    body, omitted = packet.packet, packet.omitted_counts
    _heading(f"{body.label} in {body.file}:{body.line}")
    for title, files, more in (
        ("imports", body.imports, omitted.imports),
        ("imported by", body.imported_by, omitted.imported_by),
    ):
        if files:
            rest = f", and {more} more" if more else ""
            click.echo(f"  {title}: {harmless(', '.join(files))}{rest}")
    if body.source is not None:
        _print_source(body.source)


def _print_source(source: "Source") -> None:
    for number, line in enumerate(source.text.split("\n"), source.start_line):
        click.echo(f"  {number:5} {harmless(line.rstrip())}".rstrip())
    _more(source.omitted_lines)


def _heading(text: str) -> None:
    click.echo()
    click.secho(harmless(text), bold=True)


def _listed(lines: list[str]) -> None:
    for line in lines:
        click.echo(f"  {harmless(line)}")


def _more(count: int) -> None:
    if count:
        click.echo(f"  … {count} more")


def command(step: "FollowUp") -> str:
    """Write a follow-up as a command for a shell."""
    return shlex.join(["codequarry", step.tool, *step.arguments])
