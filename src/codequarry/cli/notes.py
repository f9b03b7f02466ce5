"""Notes to a person: on stderr, so that stdout holds the answer alone."""

import click

from codequarry.core.text import harmless


def note(sentence: str) -> None:
    """Print a note, if there is any; names of a project in it cannot steer the terminal."""
    if sentence:
        click.echo(f"note: {harmless(sentence)}", err=True)
