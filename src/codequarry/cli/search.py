"""``codequarry search``: questions to the published index."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from codequarry.cli.options import output_format
from codequarry.cli.wording import harmless

if TYPE_CHECKING:
    from codequarry.core.registry import Registry
    from codequarry.retrieval.search import Answer, Hit, QueryVector

SNIPPET_LINES = 6


@click.command()
@click.argument("query", nargs=-1, required=True)
@click.option("-p", "--project", "names", multiple=True, help="Search this project; repeatable.")
@click.option("-a", "--all", "everywhere", is_flag=True, help="Search every project.")
@click.option("-l", "--language", "languages", multiple=True, help="Only this language.")
@click.option("-g", "--path", "globs", multiple=True, help="Only paths like this glob.")
@click.option("-k", "--kind", "kinds", multiple=True, help="Only this kind: function, class, …")
@click.option("-n", "--limit", type=int, default=10, show_default=True)
@click.option(
    "-m",
    "--mode",
    type=click.Choice(["hybrid", "semantic", "keyword"]),
    default="hybrid",
    show_default=True,
)
@click.option("--as-of", help="As published then: ledger entry, receipt hash, attempt, or time.")
@click.option("--explain", is_flag=True, help="Show what each hit scored for.")
@output_format
def search(
    query: tuple[str, ...],
    names: tuple[str, ...],
    everywhere: bool,
    languages: tuple[str, ...],
    globs: tuple[str, ...],
    kinds: tuple[str, ...],
    limit: int,
    mode: str,
    as_of: str | None,
    explain: bool,
    output: str,
) -> None:
    """Ask QUERY, a question or an identifier.

    Searches the project around the current directory, or every project outside of one. With
    --format json, stdout is one JSON array of hits; notes go to stderr.
    """
    from codequarry.index.quick_import import skip_remote_catalogues

    skip_remote_catalogues()
    from codequarry.core.registry import Registry
    from codequarry.core.state import StateDirectory
    from codequarry.index.reader import Reader
    from codequarry.retrieval.query import Filters, Query
    from codequarry.retrieval.search import search as answer_of

    asked = Query(" ".join(query), mode, limit, Filters(languages, kinds, globs))
    state = StateDirectory.locate()
    registry = Registry(state)
    chosen = _projects(registry, names, everywhere)
    answer = answer_of(Reader(state, as_of), asked, chosen, None if mode == "keyword" else model())
    roots = {project.name: project.root for project in registry.all()}
    for warning in answer.warnings:
        click.echo(f"note: {warning}", err=True)
    if output == "json":
        rows = [hit_json(hit, roots) for hit in answer.hits]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2), nl=False)
    else:
        _print(answer, explain, several=chosen is None or len(chosen) > 1)


def model() -> "QueryVector":
    """Give the configured model, with the profile of our chunks."""
    from codequarry.chunking.chunks import CHUNK_PROFILE
    from codequarry.embedding.settings import EmbeddingSettings, make_embedder
    from codequarry.retrieval.search import QueryVector

    embedder = make_embedder(EmbeddingSettings.from_environment())
    profile = embedder.profile.of_chunks(CHUNK_PROFILE)
    return QueryVector(profile.profile_id, embedder.embed_query)


def _projects(
    registry: "Registry", names: tuple[str, ...], everywhere: bool
) -> tuple[str, ...] | None:
    if everywhere:
        return None
    if names:
        return tuple(registry.get(name).name for name in names)
    around = registry.enclosing(Path.cwd())
    return (around.name,) if around else None


def hit_json(hit: "Hit", roots: dict[str, Path]) -> dict[str, Any]:
    """Give a hit as contract.md F7 spells it, and the project beside it."""
    row: dict[str, Any] = {
        "chunk_id": hit.chunk_id,
        "file_id": 0,
        "file_path": str(roots.get(hit.project, Path("/")) / hit.path),
        "relative_path": hit.path,
        "content": hit.content,
        "start_line": hit.start_line,
        "end_line": hit.end_line,
        "chunk_type": hit.chunk_type,
    }
    if hit.symbol_name:
        row["symbol_name"] = hit.symbol_name
    if hit.selector is not None:
        row["selector"] = dict(hit.selector)
    return row | {
        "source_hash": hit.source_hash,
        "language": hit.language,
        "distance": hit.score,
        "score": hit.score,
        "project": hit.project,
    }


def _print(answer: "Answer", explain: bool, several: bool) -> None:
    if not answer.hits:
        click.echo("nothing found; try other words, or fewer filters", err=True)
    color = sys.stdout.isatty()
    for hit in answer.hits:
        label = f"{hit.project}:" if several else ""
        place = harmless(f"{label}{hit.path}:{hit.start_line}")
        place = click.style(place, fg="cyan", bold=True)
        name = click.style(harmless(hit.symbol_name), bold=True) if hit.symbol_name else ""
        click.echo(f"{place}  {hit.score:.2f}  {name}".rstrip(), color=color)
        lines = hit.content.rstrip("\n").split("\n")
        for line in lines[:SNIPPET_LINES]:
            click.echo(f"    {harmless(line.rstrip())}".rstrip())
        if len(lines) > SNIPPET_LINES:
            click.echo(f"    … {len(lines) - SNIPPET_LINES} more lines")
        if explain:
            parts = ", ".join(f"{name} {value:.3f}" for name, value in hit.components.items())
            click.echo(f"    why: {parts}")
