"""``codequarry status``: is the index right, and what would make it right."""

import json
from typing import TYPE_CHECKING, Any

import click

from codequarry.cli.choice import the_project
from codequarry.cli.options import output_format
from codequarry.core.text import harmless

if TYPE_CHECKING:
    from codequarry.core.state import StateDirectory
    from codequarry.receipts.status import Status

SHOWN = 10


@click.command()
@click.option("-p", "--project", "name", help="This project, instead of the one around here.")
@click.option("--as-of", help="The receipt published then: entry, receipt hash, attempt, or time.")
@output_format
def status(name: str | None, as_of: str | None, output: str) -> None:
    """Say whether the index equals the working tree, and prove it by the receipt.

    Reads the evidence and hashes the tree; opens no table and never exports symbols.
    """
    from codequarry.core.registry import Registry
    from codequarry.core.state import StateDirectory
    from codequarry.receipts.status import status_of

    state = StateDirectory.locate()
    project = the_project(Registry(state), name)
    if as_of is not None:
        _print_entry(state, project.name, as_of, output)
        return
    found = status_of(state, project)
    if output == "json":
        click.echo(json.dumps(status_json(found), ensure_ascii=False, indent=2))
    else:
        click.echo("\n".join(report(found)))


def _print_entry(state: "StateDirectory", project: str, as_of: str, output: str) -> None:
    from codequarry.cli.ledger import entry_json, line_of
    from codequarry.index.quick_import import skip_remote_catalogues

    skip_remote_catalogues()
    from codequarry.index.reader import Reader

    entry = Reader(state, as_of).published.entry(project)
    if output == "json":
        click.echo(json.dumps(entry_json(entry), ensure_ascii=False, indent=2))
    else:
        click.echo(line_of(entry))


def status_json(found: "Status") -> dict[str, Any]:
    """Give a status as contract.md E10 spells it, as far as it applies here."""
    import msgspec

    verdict, drift = found.verdict, found.verdict.drift
    freshness: dict[str, Any] = {
        "state": verdict.state,
        "reason": verdict.reason,
        "raw_source_complete": verdict.raw_source_complete,
        "receipt_verified": verdict.receipt_verified,
        "manifest_required": verdict.manifest_required,
        "manifest_verified": verdict.manifest_verified,
    }
    if verdict.manifest is not None:
        freshness["structural_manifest"] = msgspec.to_builtins(verdict.manifest)
    row: dict[str, Any] = {
        "project": found.project.name,
        "project_root": str(found.project.root),
        "data_dir": str(found.state.home),
        "vector_backend": "lancedb",
        "index_fresh": verdict.state == "fresh",
        "lightweight": True,
        "readiness": found.readiness,
        "freshness": freshness,
        "pending_changes": {
            "new_files": len(drift.new),
            "modified_files": len(drift.modified),
            "deleted_files": len(drift.deleted),
            "total_pending": drift.total,
            "files": {"new": drift.new, "modified": drift.modified, "deleted": drift.deleted},
        },
    }
    if found.health is not None:
        row["stats"] = msgspec.to_builtins(found.health.stats)
        row["indexed_bytes"] = found.health.indexed_bytes
        row["latest_indexed_at"] = found.health.latest_indexed_at
    if found.receipt.document is not None:
        row["ingestion_receipt"] = msgspec.to_builtins(found.receipt.document)
    elif found.receipt.problem:
        row["ingestion_receipt_error"] = found.receipt.problem
    return row


def report(found: "Status") -> list[str]:
    """Word a status for a person."""
    verdict, drift = found.verdict, found.verdict.drift
    lines = [f"{found.project.name}: {verdict.state} ({verdict.reason})"]
    if found.health is not None:
        stats = found.health.stats
        lines.append(f"  index     {stats.files:,} files, {stats.chunks:,} chunks")
    proof = found.receipt.document
    if proof is not None:
        lines.append(
            f"  receipt   attempt {proof.attempt_id}, {proof.effective_mode}, "
            f"last success {proof.last_success or 'never'}"
        )
    for what, paths in (("new", drift.new), ("modified", drift.modified), ("gone", drift.deleted)):
        if paths:
            more = f", and {len(paths) - SHOWN:,} more" if len(paths) > SHOWN else ""
            lines.append(f"  {what:<9} {harmless(', '.join(paths[:SHOWN]))}{more}")
    if found.remedy:
        lines.append(f"  remedy    {found.remedy}")
    return lines
