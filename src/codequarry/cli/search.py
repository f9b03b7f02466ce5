"""``codequarry search``: questions to the published index."""

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from codequarry.cli.asking import Asked, ask
from codequarry.cli.choice import as_of_option, project_options
from codequarry.cli.hits import FORMATS, print_compact, print_json, print_text
from codequarry.cli.notes import note
from codequarry.core.errors import UsageError

if TYPE_CHECKING:
    from codequarry.retrieval.query import Query
    from codequarry.retrieval.search import Hit

STALE_EXIT = 4
RANKED = ("hybrid", "semantic", "keyword")
LEXICAL = ("symbol", "path", "text", "graph", "sql")
_SPAN = re.compile(r"([1-9]\d{0,8})-([1-9]\d{0,8})")


@click.command()
@click.argument("query", nargs=-1, required=True)
@project_options
@click.option("-l", "--language", "languages", multiple=True, help="Only this language.")
@click.option("-g", "--path", "globs", multiple=True, help="Only paths like this glob.")
@click.option("-k", "--kind", "kinds", multiple=True, help="Only this kind: function, class, …")
@click.option("--lines", "span", metavar="A-B", help="Only pieces that begin on these lines.")
@click.option("--symbol", default="", help="Only files that a change of this symbol reaches.")
@click.option("--scope-files", default="", metavar="A,B", help="Only these files.")
@click.option("-n", "--limit", type=int, default=10, show_default=True)
@click.option("--min-score", type=float, default=0.0, help="Drop hits below it, 0 to 1.")
@click.option(
    "-m",
    "--mode",
    type=click.Choice([*RANKED, *LEXICAL]),
    default="hybrid",
    show_default=True,
    help="The first three rank pieces of code; the others names, paths or lines, with no model.",
)
@click.option("--from", "start", default="", help="A file, handle or symbol to be near: graph, …")
@click.option("--depth", type=float, help="Imports that --from reaches.  [default: 1]")
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
    span: str | None,
    symbol: str,
    scope_files: str,
    limit: int,
    min_score: float,
    mode: str,
    start: str,
    depth: float | None,
    as_of: str | None,
    policy: str | None,
    explain: bool,
    output: str,
) -> None:
    """Ask QUERY, a question or an identifier.

    Searches the project around the current directory, or every project outside of one. Notes go to
    stderr, so that stdout holds the answer alone.
    """
    text = " ".join(query)
    narrowing = (languages, globs, kinds, span, symbol, scope_files, min_score)
    if mode in LEXICAL and any(narrowing):
        raise UsageError(
            f"mode {mode} takes no filters", f"leave them out, or use one of {', '.join(RANKED)}"
        )
    if mode in RANKED and (start or depth is not None):
        raise UsageError(
            f"mode {mode} takes no --from or --depth", f"use one of {', '.join(LEXICAL)}"
        )
    policy = policy or ("warn" if output == "text" else "ignore")
    asked = ask(names, everywhere, as_of, warn=False)
    if mode in LEXICAL:
        from codequarry.cli.lexical import print_answer

        _judged(asked, asked.view.projects, policy, output)
        print_answer(asked, text, mode, limit, start, depth, output)
        return
    from codequarry.retrieval.query import Filters, Query
    from codequarry.retrieval.structure.bounds import checked_share

    filters = Filters(_each(languages), _each(kinds), globs, (), _lines(span))
    question, projects = _scoped(asked, Query(text, mode, limit, filters), symbol, scope_files)
    hits = _hits(asked, question, projects, checked_share("least score", min_score))
    # Where several projects were asked, only the trees of those that answered are looked at.
    trees = dict.fromkeys(hit.project for hit in hits) if asked.labelled else asked.view.projects
    fresh = _judged(asked, trees, policy, output)
    if output == "compact":
        print_compact(hits, labelled=asked.labelled)
    elif output == "text":
        print_text(hits, text, explain=explain, labelled=asked.labelled)
    else:
        _print_documents(asked, hits, output, fresh=fresh, explain=explain)


def _hits(
    asked: Asked, question: "Query", projects: tuple[str, ...] | None, min_score: float
) -> "list[Hit]":
    from codequarry.retrieval.model import configured_model
    from codequarry.retrieval.search import search as answer_of
    from codequarry.retrieval.structure import usage

    model = None if question.mode == "keyword" else configured_model()
    answer = answer_of(asked.reader, question, projects, model)
    notes = answer.warnings
    if not asked.is_past and asked.view.state.engine_settings.exists():
        from codequarry.engines.voices import Voices

        with Voices(asked.view.state) as voices:
            heard = voices.heard(projects or asked.view.projects, question, answer)
        answer, notes = heard.answer, heard.notes
    for sentence in notes:
        note(sentence)
    hits = [hit for hit in answer.hits if hit.score >= min_score]
    if not asked.is_past:
        usage.count(asked.view.state.usage, hits)
    return hits


def _print_documents(
    asked: Asked, hits: "Sequence[Hit]", output: str, *, fresh: bool, explain: bool
) -> None:
    from codequarry.retrieval.documents import envelope, hit_document

    rows = [hit_document(hit, asked.roots, explained=explain) for hit in hits]
    if output == "json":
        print_json(rows, newline=False)
    else:
        chunks = asked.reader.chunks(asked.view.projects)
        print_json(envelope(rows, chunks, fresh=fresh), newline=True)


def _judged(asked: Asked, projects: Iterable[str], policy: str, output: str) -> bool:
    """Tell whether trees and index agree, where anyone wants to know, and act on it."""
    if asked.is_past or (policy == "ignore" and output != "json-envelope"):
        return False
    from codequarry.core.registry import Registry
    from codequarry.retrieval.freshness import freshness_of

    state = asked.view.state
    found = freshness_of(state, Registry(state), projects)
    if policy != "ignore":
        for sentence in found.notes:
            note(sentence)
    if policy == "error" and not found.is_fresh:
        click.get_current_context().exit(STALE_EXIT)
    return found.is_fresh


def _scoped(
    asked: Asked, query: "Query", symbol: str, files: str
) -> "tuple[Query, tuple[str, ...] | None]":
    """Narrow a question and its projects; a scope that is none is told and narrows nothing."""
    projects = asked.view.projects
    if not symbol and not files:
        return query, projects
    from codequarry.retrieval.structure.scope import narrowed, scope_of

    scope = scope_of(asked.view, asked.peer, symbol, [part for part in files.split(",") if part])
    note(scope.note)
    return narrowed(query, scope, projects)


def _each(values: tuple[str, ...]) -> tuple[str, ...]:
    """Split at commas: ``-l go,rust`` means both."""
    parts = tuple(part.strip() for value in values for part in value.split(","))
    if "" in parts:
        raise UsageError("a filter is empty", "leave it out, or give it a value")
    return parts


def _lines(span: str | None) -> tuple[int, int] | None:
    if span is None:
        return None
    found = _SPAN.fullmatch(span.strip())
    if found is None or int(found[1]) > int(found[2]):
        raise UsageError(f"{span!r} is no range of lines", "give the first and the last, as 10-20")
    return int(found[1]), int(found[2])
