"""``codequarry ledger``: the receipts of a deployment, and whether their chain holds."""

import contextlib
import json
from typing import TYPE_CHECKING, Any

import click

from codequarry.cli.choice import as_of_option
from codequarry.cli.hits import print_json
from codequarry.cli.options import output_format
from codequarry.core.text import counted, harmless

if TYPE_CHECKING:
    from codequarry.index.ledger import Entry


@click.group(invoke_without_command=True)
@click.option("-p", "--project", "name", help="Only this project's entries.")
@click.option("-n", "--limit", type=click.IntRange(1), default=20, show_default=True)
@output_format
@click.pass_context
def ledger(context: click.Context, name: str | None, limit: int, output: str) -> None:
    """Show the newest ledger entries, and verify the whole chain.

    Each entry holds a receipt's exact bytes and the hash of the entry before it in its project.
    Exits 1, and names the entry, when the chain is broken.
    """
    if context.invoked_subcommand is None:
        _show(name, limit, output)


@ledger.command("keep")
@click.argument("name")
@as_of_option
def keep_entry(name: str, as_of: str | None) -> None:
    """Keep the newest ledger entry, or another, under NAME: clean-up never removes its state."""
    from codequarry.index.quick_import import skip_remote_catalogues

    skip_remote_catalogues()
    from codequarry.core.errors import IndexMissing
    from codequarry.core.state import StateDirectory
    from codequarry.index.ledger import read
    from codequarry.index.maintenance import keep
    from codequarry.index.past import past_entry
    from codequarry.index.store import Store

    state = StateDirectory.locate()
    store = Store(state) if state.lance.is_dir() else None
    entries = read(store) if store else []
    if store is None or not entries:
        raise IndexMissing("the ledger has no entry to keep", "run `codequarry index PATH` first")
    entry = entries[-1] if as_of is None else past_entry(store, entries, as_of)
    keep(state, entry, name)
    click.echo(f"kept entry {entry.sequence} of the ledger as {name}")


@ledger.command("release")
@click.argument("name")
def release_entry(name: str) -> None:
    """Give up the entry kept under NAME; the next clean-up may remove its state."""
    from codequarry.index.quick_import import skip_remote_catalogues

    skip_remote_catalogues()
    from codequarry.core.errors import UsageError
    from codequarry.core.state import StateDirectory
    from codequarry.index.maintenance import let_go

    state = StateDirectory.locate()
    if not (state.lance.is_dir() and let_go(state, name)):
        raise UsageError(f"nothing is kept as {name!r}", "keep it with `codequarry ledger keep`")
    click.echo(f"released {name}")


def _show(name: str | None, limit: int, output: str) -> None:
    from codequarry.index.quick_import import skip_remote_catalogues

    skip_remote_catalogues()
    from codequarry.core.errors import ProjectError
    from codequarry.core.state import StateDirectory
    from codequarry.index.ledger import read
    from codequarry.index.store import Store
    from codequarry.receipts.ledger import require_chain

    state = StateDirectory.locate()
    entries = read(Store(state)) if state.lance.is_dir() else []
    if name is not None and name not in {entry.project for entry in entries}:
        raise ProjectError(
            f"the ledger has no entry of a project {name!r}", "see `codequarry ledger`"
        )
    shown = [entry for entry in entries if name in (None, entry.project)][-limit:]
    if output == "json":
        rows = [entry_json(entry) for entry in shown]
        print_json(rows)
    else:
        from codequarry.index.maintenance import kept_names

        kept = kept_names(Store(state)) if shown else {}
        for entry in shown:
            names = ", ".join(sorted(name for name, of in kept.items() if of == entry.sequence))
            click.echo(line_of(entry) + (f"  kept as {harmless(names)}" if names else ""))
        if not shown:
            click.echo("no entries yet; index something with `codequarry index PATH`", err=True)
    require_chain(entries)
    if output == "text" and entries:
        click.echo(f"{counted(len(entries), 'entry', 'entries')} in all; the chain holds")


def line_of(entry: "Entry") -> str:
    """Word an entry for a person, in one line."""
    step = f"{entry.from_fingerprint[:8] or '-':>8} → {entry.to_fingerprint[:8] or '-':<8}"
    return (
        f"{entry.sequence:>5}  {entry.appended_at[:19]}  {entry.project}  {entry.mode} "
        f"({entry.reason})  {step}  {entry.entry_hash[:12]}"
    )


def entry_json(entry: "Entry") -> dict[str, Any]:
    """Give an entry with its JSON columns decoded; one that is damaged stays as it is."""
    from dataclasses import asdict

    row = asdict(entry)
    for name in ("versions", "details", "receipt"):
        with contextlib.suppress(ValueError):
            row[name] = json.loads(row[name])
    return row
