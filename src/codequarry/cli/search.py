"""``codequarry search``: questions to the published index."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from codequarry.cli.choice import as_of_option, chosen, project_options
from codequarry.cli.hits import FORMATS, print_compact, print_json, print_text

if TYPE_CHECKING:
    from codequarry.core.registry import Registry
    from codequarry.core.state import StateDirectory
    from codequarry.retrieval.search import QueryVector

STALE_EXIT = 4


@click.command()
@click.argument("query", nargs=-1, required=True)
@project_options
@click.option("-l", "--language", "languages", multiple=True, help="Only this language.")
@click.option("-g", "--path", "globs", multiple=True, help="Only paths like this glob.")
@click.option("-k", "--kind", "kinds", multiple=True, help="Only this kind: function, class, …")
@click.option("-n", "--limit", type=int, default=10, show_default=True)
@click.option("--min-score", type=click.FloatRange(0, 1), default=0.0, help="Drop hits below it.")
@click.option(
    "-m",
    "--mode",
    type=click.Choice(["hybrid", "semantic", "keyword"]),
    default="hybrid",
    show_default=True,
)
@as_of_option
@click.option(
    "--freshness",
    "policy",
    type=click.Choice(["ignore", "warn", "error"]),
    help="Of an index that is behind its tree: say nothing, warn, or answer nothing and exit "
    f"{STALE_EXIT}.  [default: warn in text, else ignore]",
)
@click.option("--explain", is_flag=True, help="Show what each hit scored for.")
@click.option(
    "-f",
    "--format",
    "output",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="For a person; bare array; array and state of the index; one line a hit.",
)
def search(
    query: tuple[str, ...],
    names: tuple[str, ...],
    everywhere: bool,
    languages: tuple[str, ...],
    globs: tuple[str, ...],
    kinds: tuple[str, ...],
    limit: int,
    min_score: float,
    mode: str,
    as_of: str | None,
    policy: str | None,
    explain: bool,
    output: str,
) -> None:
    """Ask QUERY, a question or an identifier.

    Searches the project around the current directory, or every project outside of one. Notes go to
    stderr, so that stdout holds the answer alone.
    """
    from codequarry.index.quick_import import skip_remote_catalogues

    skip_remote_catalogues()
    from codequarry.core.registry import Registry
    from codequarry.core.state import StateDirectory
    from codequarry.index.reader import Reader
    from codequarry.retrieval.documents import envelope, hit_document
    from codequarry.retrieval.query import Filters, Query
    from codequarry.retrieval.search import search as answer_of

    question = Query(" ".join(query), mode, limit, Filters(languages, kinds, globs))
    state = StateDirectory.locate()
    registry = Registry(state)
    projects = chosen(registry, names, everywhere)
    embedder = None if mode == "keyword" else model()
    reader = Reader(state, as_of)
    answer = answer_of(reader, question, projects, embedder)
    hits = [hit for hit in answer.hits if hit.score >= min_score]
    for warning in answer.warnings:
        click.echo(f"note: {warning}", err=True)
    fresh = False
    policy = policy or ("warn" if output == "text" else "ignore")
    if as_of is None and (policy != "ignore" or output == "json-envelope"):
        # Where every project was asked, only the trees of those that answered are looked at.
        answering = dict.fromkeys(hit.project for hit in hits)
        fresh = _judged(state, registry, answering if projects is None else projects, policy)
    labelled = projects is None or len(projects) > 1
    if output == "compact":
        print_compact(hits, labelled=labelled)
    elif output == "text":
        print_text(hits, question.text, explain=explain, labelled=labelled)
    else:
        roots = {project.name: project.root for project in registry.all()}
        rows = [hit_document(hit, roots, explained=explain) for hit in hits]
        whole = envelope(rows, reader.chunks(projects), fresh=fresh)
        print_json(whole.hits if output == "json" else whole, newline=output != "json")


def _judged(
    state: "StateDirectory", registry: "Registry", names: Iterable[str], policy: str
) -> bool:
    """Tell whether projects are fresh, and act on it as the policy says."""
    from codequarry.retrieval.freshness import freshness_of

    found = freshness_of(state, registry, names)
    if policy != "ignore":
        for note in found.notes:
            click.echo(f"note: {note}", err=True)
    if policy == "error" and not found.is_fresh:
        click.get_current_context().exit(STALE_EXIT)
    return found.is_fresh


def model() -> "QueryVector":
    """Give the configured model, with the profile of our chunks."""
    from codequarry.retrieval.model import configured_model

    return configured_model()
