"""``codequarry index``: a source tree through the assets into a published index."""

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from codequarry.cli.choice import working_directory
from codequarry.cli.hits import print_json
from codequarry.cli.options import output_format
from codequarry.core.text import counted

MODES = ("auto", "off", "required")


@click.command()
@click.argument("path", type=click.Path(path_type=Path), required=False)
@click.option("--name", help="Name of the project; by default that of its directory.")
@click.option("--full", is_flag=True, help="Index everything again, whatever is certified.")
@click.option(
    "--structural-chunks",
    type=click.Choice(MODES, case_sensitive=False),
    default="auto",
    show_default=True,
    help="Whether chunks follow symbols: if possible, never, or fail otherwise.",
)
@output_format
def index(
    path: Path | None, name: str | None, full: bool, structural_chunks: str, output: str
) -> None:
    """Index the source tree at PATH (by default the project around the current directory).

    Registers the project on first use. Exits 0 only when the receipt says success.
    """
    from codequarry.core.registry import Registry
    from codequarry.core.state import StateDirectory
    from codequarry.index.quick_import import skip_remote_catalogues

    skip_remote_catalogues()
    started = time.monotonic()
    state = StateDirectory.locate()
    registry = Registry(state)
    if path is None:
        here = working_directory()
        around = registry.enclosing(here)
        path = around.root if around else here
    project = registry.add(path, name)
    with progress(output == "text" and sys.stderr.isatty()) as on_step:
        from codequarry.pipelines.launch import Options, index_project

        outcome = index_project(state, project, Options(full, structural_chunks), on_step)
    summary = {
        "project": project.name,
        "mode": outcome.mode,
        "reason": outcome.reason,
        **{
            name: outcome.notes[name]
            for name in ("from_fingerprint", "to_fingerprint", "files", "chunks")
        },
        "texts_embedded": outcome.notes["texts_embedded"],
        "texts_reused": outcome.notes["texts_reused"],
        "seconds": dict(outcome.seconds),
        "receipt": outcome.notes["receipt"],
    }
    for problem in outcome.notes["problems"]:
        click.echo(f"note: {problem}", err=True)
    if output == "json":
        for reason, number in sorted(outcome.notes["skipped"].items()):
            click.echo(f"note: {number:,} skipped: {reason}", err=True)
        print_json(summary)
    else:
        click.echo("\n".join(report(summary, outcome.notes, time.monotonic() - started)))
    if not summary["receipt"]["success"]:
        raise click.exceptions.Exit(1)


def report(summary: dict[str, Any], notes: Any, seconds: float) -> list[str]:
    """Word what a run did, for a person."""
    from codequarry.receipts.lifecycle import index_mode

    receipt = summary["receipt"]
    structure = index_mode(receipt["effective_mode"], receipt.get("index_fingerprint"))
    if summary["mode"] == "none":
        did = "nothing changed since the last receipt; no text was embedded"
    else:
        did = (
            f"{counted(summary['files'], 'file')} into {counted(summary['chunks'], 'chunk')}, "
            f"{counted(summary['texts_embedded'], 'text')} embedded, "
            f"{summary['texts_reused']:,} reused"
        )
    lines = [
        f"{summary['project']}: {did}",
        f"  run         {summary['mode']} ({summary['reason']}), {seconds:.1f} s",
        f"  structure   {structure}, from {receipt.get('producer', 'no producer')}",
    ]
    if notes["skipped"]:
        skipped = ", ".join(f"{n:,} {reason}" for reason, n in sorted(notes["skipped"].items()))
        lines.append(f"  skipped     {skipped}")
    for fallback in receipt.get("fallbacks", []):
        count = f" ({fallback['count']:,})" if "count" in fallback else ""
        lines.append(f"  fallback    {fallback['code']}{count}: {fallback['reason']}")
    lines.append(
        f"  receipt     {notes['receipt_hash'][:16]}, entry {notes['ledger_sequence']} "
        f"of the ledger, attempt {receipt['attempt_id']}"
    )
    return lines


@contextlib.contextmanager
def progress(shown: bool) -> Iterator[Callable[[str, bool], None]]:
    """Show which asset is being made, on a terminal; nothing otherwise."""
    if not shown:
        yield lambda _name, _done: None
        return
    from rich.console import Console

    # Dagster captures descriptor 2 while a step runs, so the display writes to its own.
    with os.fdopen(os.dup(sys.stderr.fileno()), "w", encoding="utf-8") as terminal:
        console = Console(file=terminal, force_terminal=True)
        with console.status("starting Dagster") as display:

            def on_step(name: str, done: bool) -> None:
                if done:
                    console.print(f"  [green]✓[/] {name}", highlight=False)
                else:
                    display.update(f"{name} …")

            yield on_step
