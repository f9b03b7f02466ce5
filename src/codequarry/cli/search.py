"""``codequarry search``: questions to the published index."""

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from codequarry.cli import asking
from codequarry.cli.asking import Asked, ask
from codequarry.cli.choice import (
    RANKED,
    annotate_option,
    as_of_option,
    each,
    filter_options,
    mode_option,
    project_options,
    scope_files_option,
    split,
)
from codequarry.cli.hits import FORMATS, print_compact, print_json, print_text
from codequarry.cli.notes import note
from codequarry.core.errors import IndexMissing, UsageError

if TYPE_CHECKING:
    from codequarry.retrieval.lexical.direction import Direction
    from codequarry.retrieval.query import Query
    from codequarry.retrieval.search import Hit

STALE_EXIT = 4
LEXICAL = ("symbol", "path", "text", "graph", "sql")
_SPAN = re.compile(r"([1-9]\d{0,8})-([1-9]\d{0,8})")


@click.command()
@click.argument("query", nargs=-1, required=True)
@project_options
@filter_options
@click.option("--lines", "span", metavar="A-B", help="Only pieces that begin on these lines.")
@click.option("--symbol", default="", help="Only files that a change of this symbol reaches.")
@scope_files_option
@click.option("-n", "--limit", type=int, default=10, show_default=True)
@click.option("--min-score", type=float, default=0.0, help="Drop hits below it, 0 to 1.")
@mode_option((*RANKED, *LEXICAL), "The first three rank code; the others need no model.")
@click.option("--from", "start", default="", help="A file, handle or symbol to be near: graph, …")
@click.option("--depth", type=float, help="Imports that --from reaches.  [default: 1]")
@click.option(
    "--direction",
    type=click.Choice(("both", "out", "in")),
    help="From --from to what it uses (out) or what uses it (in).  [default: both]",
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
@annotate_option
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
    scope_files: tuple[str, ...],
    limit: int,
    min_score: float,
    mode: str,
    start: str,
    depth: float | None,
    direction: "Direction | None",
    as_of: str | None,
    policy: str | None,
    explain: bool,
    annotate: bool,
    output: str,
) -> None:
    """Ask QUERY, a question or an identifier.

    Searches the project around the current directory, or every project outside of one. Notes go to
    stderr, so that stdout holds the answer alone.
    """
    text = " ".join(query)
    narrowing = (languages, globs, kinds, span, symbol, scope_files, min_score)
    near = bool(start or depth is not None or direction)
    lexical = mode in LEXICAL or (mode == "hybrid" and near)
    if lexical and (annotate or any(narrowing)):
        how = "" if mode in LEXICAL else " with --from, --depth or --direction"
        refused = "takes no filters" if any(narrowing) else "has no --annotate"
        remedy = f"leave that out, or use one of {', '.join(RANKED)}"
        raise UsageError(f"mode {mode}{how} {refused}", remedy)
    if near and not lexical:
        raise UsageError(
            f"mode {mode} takes no --from, --depth or --direction",
            f"use hybrid or one of {', '.join(LEXICAL)}",
        )
    policy = policy or ("warn" if output == "text" else "ignore")
    asked = _opened(names, everywhere, as_of, output)
    if lexical:
        from codequarry.cli.lexical import print_answer

        _judged(asked, asked.view.projects, policy, output)
        print_answer(asked, text, mode, limit, start, depth, output, direction or "both")
        return
    from codequarry.retrieval.query import Filters, Query
    from codequarry.retrieval.structure.bounds import checked_share

    filters = Filters(each(languages), each(kinds), globs, (), _lines(span))
    question, projects = _scoped(asked, Query(text, mode, limit, filters), symbol, scope_files)
    hits = _hits(asked, question, projects, checked_share("least score", min_score))
    # A note is due only where a project answered; a verdict on the answer is one on all of them.
    verdict = policy == "error" or output == "json-envelope"
    answered = dict.fromkeys(hit.project for hit in hits)
    trees = answered if asked.labelled and not verdict else asked.view.projects
    fresh = _judged(asked, trees, policy, output)
    if annotate:
        asking.annotate(asked, hits, text)
    if output == "compact":
        print_compact(hits, labelled=asked.labelled)
    elif output == "text":
        print_text(hits, text, explain=explain, labelled=asked.labelled)
    else:
        _print_documents(asked, hits, output, fresh=fresh, explain=explain)


def _opened(names: tuple[str, ...], everywhere: bool, as_of: str | None, output: str) -> Asked:
    """Open the published state; the envelope says where there is none, besides the error (J-56)."""
    try:
        return ask(names, everywhere, as_of, warn=False)
    except IndexMissing:
        if output == "json-envelope" and as_of is None:
            from codequarry.retrieval.documents import envelope

            print_json(envelope([], 0, fresh=False))
        raise


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
        print_json(envelope(rows, chunks, fresh=fresh))


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
    asked: Asked, query: "Query", symbol: str, files: tuple[str, ...]
) -> "tuple[Query, tuple[str, ...] | None]":
    """Narrow a question and its projects; a scope that is none is told and narrows nothing."""
    projects = asked.view.projects
    if not symbol and not files:
        return query, projects
    from codequarry.retrieval.structure.scope import narrowed, scope_of

    scope = scope_of(asked.view, asked.peer, symbol, split(files), here=asked.here)
    note(scope.note)
    return narrowed(query, scope, projects)


def _lines(span: str | None) -> tuple[int, int] | None:
    if span is None:
        return None
    found = _SPAN.fullmatch(span.strip())
    if found is None or int(found[1]) > int(found[2]):
        raise UsageError(f"{span!r} is no range of lines", "give the first and the last, as 10-20")
    return int(found[1]), int(found[2])
