"""``codequarry status``: is the index right, and what would make it right."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from codequarry.cli.choice import as_of_option, confirm_one_choice, the_project
from codequarry.cli.hits import print_json
from codequarry.cli.options import output_format
from codequarry.core.text import counted, harmless

if TYPE_CHECKING:
    from codequarry.core.registry import Project
    from codequarry.core.state import StateDirectory
    from codequarry.receipts.status import Status

SHOWN = 10


@click.command()
@click.option("-p", "--project", "name", help="This project, instead of the one around here.")
@click.option("-a", "--all", "everywhere", is_flag=True, help="Every registered project.")
@as_of_option
@output_format
def status(name: str | None, everywhere: bool, as_of: str | None, output: str) -> None:
    """Say whether the index equals the working tree, and prove it by the receipt.

    Reads the evidence and hashes the tree; opens no table and never exports symbols. With --as-of,
    shows the ledger's entry that was the newest then. With --all, JSON is an array.
    """
    from codequarry.core.registry import Registry
    from codequarry.core.state import StateDirectory

    confirm_one_choice((name,) if name else (), everywhere)
    state = StateDirectory.locate()
    registry = Registry(state)
    projects = registry.all() if everywhere else (the_project(registry, name),)
    if not projects:
        click.echo("no projects yet; add one with `codequarry index PATH`", err=True)
    told = _now(state, projects) if as_of is None else _then(state, projects, as_of, everywhere)
    if output == "json":
        rows = [row for row, _ in told]
        print_json(rows if everywhere else rows[0])
    else:
        for _, lines in told:
            click.echo("\n".join(lines))


def _now(
    state: "StateDirectory", projects: Sequence["Project"]
) -> list[tuple[dict[str, Any], list[str]]]:
    from codequarry.receipts.status import status_of

    found = [status_of(state, project) for project in projects]
    return [(status_json(one), report(one)) for one in found]


def _then(
    state: "StateDirectory", projects: Sequence["Project"], as_of: str, everywhere: bool
) -> list[tuple[dict[str, Any], list[str]]]:
    """Give what the ledger says of a moment; its table versions may be gone by now."""
    from codequarry.index.quick_import import skip_remote_catalogues

    skip_remote_catalogues()
    from codequarry.cli.ledger import entry_json, line_of
    from codequarry.core.errors import IndexMissing
    from codequarry.index.ledger import read
    from codequarry.index.past import past_state
    from codequarry.index.store import Store

    if not state.lance.is_dir():
        raise IndexMissing("nothing is indexed in this deployment yet", "run `codequarry index`")
    store = Store(state)
    past = past_state(store, read(store), as_of, openable=False)
    names = [one.name for one in projects if not everywhere or one.name in past.entries]
    entries = [past.entry(name) for name in names]
    return [(entry_json(entry), [line_of(entry)]) for entry in entries]


def status_json(found: "Status") -> dict[str, Any]:
    """Give a status as contract.md E10 spells it, as far as it applies here."""
    import msgspec

    drift = found.verdict.drift
    row: dict[str, Any] = {
        "project": found.project.name,
        "project_root": str(found.project.root),
        "data_dir": str(found.state.home),
        "database": str(found.state.lance),
        "vector_backend": "lancedb",
        **_profiles(found),
        "index_fresh": found.verdict.state == "fresh",
        "lightweight": True,
        "readiness": msgspec.to_builtins(found.readiness),
        "freshness": _freshness(found),
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


def _profiles(found: "Status") -> dict[str, Any]:
    """Give the embedding fields of E10: of the settings, and of the index."""
    profiles, current = found.profiles, found.profiles.current
    row: dict[str, Any] = {
        "provider": current.provider if current else "",
        "embedding_model": current.model if current else "",
        "dimensions": current.dimensions if current else 0,
        "profile_path": str(found.state.ledger_head),
        "profile_status": profiles.problem or profiles.status,
        "profile_matches": profiles.status == "ok",
        "current_profile": current.profile_id if current else "",
    }
    return row | ({"stored_profile": profiles.stored} if profiles.stored else {})


def _freshness(found: "Status") -> dict[str, Any]:
    """Give the report object of contract.md E5."""
    import msgspec

    verdict, proof = found.verdict, found.receipt.document
    row: dict[str, Any] = {
        "state": verdict.state,
        "reason": verdict.reason,
        "raw_source_complete": verdict.raw_source_complete,
        "receipt_verified": verdict.receipt_verified,
        "manifest_required": verdict.manifest_required,
        "manifest_verified": verdict.manifest_verified,
    }
    if proof is not None and proof.last_success is not None:
        row["receipt_last_success"] = proof.last_success
    if verdict.manifest is not None:
        row["structural_manifest"] = msgspec.to_builtins(verdict.manifest)
    return row


def report(found: "Status") -> list[str]:
    """Word a status for a person."""
    from codequarry.receipts.lifecycle import index_mode

    verdict = found.verdict
    lines = [f"{found.project.name}: {verdict.state} ({verdict.reason})"]
    if found.health is not None:
        stats = found.health.stats
        size = f"{counted(stats.files, 'file')}, {counted(stats.chunks, 'chunk')}"
        lines.append(f"  index     {size}")
    proof = found.receipt.document
    if proof is not None:
        structure = index_mode(proof.effective_mode, proof.index_fingerprint)
        lines.append(
            f"  receipt   attempt {proof.attempt_id}, {structure}, "
            f"last success {proof.last_success or 'never'}"
        )
    for what, paths in _differing(found).items():
        if paths:
            more = f", and {len(paths) - SHOWN:,} more" if len(paths) > SHOWN else ""
            lines.append(f"  {what:<9} {harmless(', '.join(paths[:SHOWN]))}{more}")
    if found.profiles.status == "mismatch":
        lines.append(f"  profile   {harmless(found.profiles.stored)} is not the configured one")
    elif found.profiles.problem:
        lines.append(f"  profile   {harmless(found.profiles.problem)}")
    if found.remedy:
        lines.append(f"  remedy    {harmless(found.remedy)}")
    return lines


def _differing(found: "Status") -> dict[str, Sequence[str]]:
    """Give the files that differ: between index and tree, else between producer and tree."""
    drift, manifest = found.verdict.drift, found.verdict.manifest
    if drift or manifest is None:
        return {"new": drift.new, "modified": drift.modified, "gone": drift.deleted}
    lists = manifest.freshness
    return {
        "new": lists.new_files or (),
        "modified": lists.changed_files or (),
        "gone": lists.deleted_files or (),
    }
