"""How hits reach stdout: for a person, one line each, or as JSON."""

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from codequarry.core.text import counted, harmless

if TYPE_CHECKING:
    from codequarry.retrieval.search import Hit

SNIPPET_LINES = 6
FORMATS = ("text", "json", "json-envelope", "compact")


def print_text(hits: Sequence["Hit"], question: str, *, explain: bool, labelled: bool) -> None:
    """Print hits for a person.

    Args:
        hits: The hits, best first.
        question: Its words are marked in the snippets, on a terminal.
        explain: Also print what each scored for.
        labelled: Name each hit's project.
    """
    from codequarry.cli.snippets import marked, window, words_of

    if not hits:
        click.echo("nothing found; try other words, or fewer filters", err=True)
    color, asked = sys.stdout.isatty(), words_of(question)
    for hit in hits:
        label = f"{hit.project}:" if labelled else ""
        place = click.style(harmless(f"{label}{hit.path}:{hit.start_line}"), fg="cyan", bold=True)
        name = click.style(harmless(hit.symbol_name), bold=True) if hit.symbol_name else ""
        click.echo(f"{place}  {hit.score:.2f}  {name}".rstrip(), color=color)
        lines = [harmless(line.rstrip()) for line in hit.content.rstrip("\n").split("\n")]
        first = window(lines, asked, SNIPPET_LINES)
        if first:
            click.echo(f"    … {counted(first, 'line')} before")
        for line in lines[first : first + SNIPPET_LINES]:
            shown = marked(line, asked, lambda word: click.style(word, fg="yellow", bold=True))
            click.echo(f"    {shown}".rstrip(), color=color)
        if (more := len(lines) - first - SNIPPET_LINES) > 0:
            click.echo(f"    … {counted(more, 'more line')}")
        if explain:
            parts = ", ".join(f"{name} {value:.3f}" for name, value in hit.components.items())
            click.echo(f"    why: {parts}")
            if hit.reasons:
                click.echo(f"         {'; '.join(hit.reasons)}")


def print_compact(hits: Sequence["Hit"], *, labelled: bool) -> None:
    """Print ``path:start-end``, score and symbol, tab-separated, one hit a line (F7)."""
    for hit in hits:
        label = f"{hit.project}:" if labelled else ""
        fields = [f"{label}{hit.path}:{hit.start_line}-{hit.end_line}", f"{hit.score:.2f}"]
        fields += [hit.symbol_name] if hit.symbol_name else []
        click.echo("\t".join(harmless(field).replace("\t", "\\x09") for field in fields))


def print_json(document: object, *, newline: bool = True) -> None:
    """Print structs or plain values, two spaces a level; F7's bare array ends without a newline.

    They are UTF-8 in every locale; a lone surrogate, as of a file name that is no text, is escaped
    as JSON does it.
    """
    import msgspec

    plain = json.dumps(msgspec.to_builtins(document), ensure_ascii=False, indent=2)
    click.echo(plain.encode("utf-8", "backslashreplace"), nl=newline)
