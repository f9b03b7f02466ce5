"""Options that several commands share."""

import click

output_format = click.option(
    "-f",
    "--format",
    "output",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="For a person, or one JSON document on stdout.",
)
