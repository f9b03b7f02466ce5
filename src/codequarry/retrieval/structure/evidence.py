"""How much "these are all" proves: nobody uses it, or nobody could look.

The graph has an edge only where a mention means one symbol for sure enough. So the indexed text of
every file that could use a symbol is read for lines with its name; a line that the graph does not
explain makes an answer a lower bound. It may be a call on a receiver of unknown type, a function
that is handed on, a name in a string, or prose. So does a decorator, which may hand it on too.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from codequarry.graph.conventions import convention_of
from codequarry.graph.queries import REFERENCE_GRAMMARS
from codequarry.retrieval.structure.aliases import aliases_of, exports_only
from codequarry.retrieval.structure.decorated import handed_on
from codequarry.retrieval.structure.named import CHUNKS_READ, Named, lines_naming
from codequarry.retrieval.structure.symbols import Symbol
from codequarry.retrieval.structure.unbound import unbound
from codequarry.retrieval.structure.view import GraphView
from codequarry.syntax.grammars import grammar_of

NAMES_ASKED = 500
"""Names that one answer looks for, at most."""

SHOWN = 20
"""Unexplained lines that an answer lists, at most."""

_GUESTS = {
    "ecmascript": ("astro", "html", "svelte", "vue"),
    "csharp": ("razor", "visualbasic"),
    "c": ("cuda",),
}
"""Family to the languages that hold its code, and whose references are not read."""


class Coverage(StrEnum):
    """What an answer about users of a symbol is worth."""

    COMPLETE = "complete"
    LOWER_BOUND = "lower_bound"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Evidence:
    """How much the absence of further users is proved.

    Args:
        coverage: ``complete``: the graph explains every line that names the symbols;
            ``lower_bound``: there may be more users; ``unknown``: nobody could look.
        reasons: Why it is not complete, one sentence each.
        unresolved: Lines that name a symbol and are not explained; at most `SHOWN`.
        unresolved_count: How many there are.
    """

    coverage: Coverage
    reasons: tuple[str, ...] = ()
    unresolved: tuple[Named, ...] = ()
    unresolved_count: int = 0


def evidence_of(view: GraphView, symbols: Sequence[Symbol]) -> Evidence:
    """Judge whether the users of some symbols of one project are all known.

    Args:
        view: The graph.
        symbols: The symbols; a file among them only counts for its language.

    Raises:
        IndexMissing: No graph was published.
    """
    families = {_family(symbol.path) for symbol in symbols}
    if "" in families:
        return Evidence(Coverage.UNKNOWN, ("references are not read in its language",))
    asked = [symbol for symbol in symbols if not symbol.is_file][:NAMES_ASKED]
    if not asked:
        return Evidence(Coverage.COMPLETE)
    reasons = []
    if len(asked) == NAMES_ASKED:
        reasons.append(f"only {NAMES_ASKED} names were looked for")
    project, names = asked[0].project, {symbol.symbol for symbol in asked}
    languages = _languages(families)
    lines, is_all = lines_naming(view, project, names, languages)
    if not is_all:
        reasons.append(f"only {CHUNKS_READ} of the chunks that name it were read")
    aliases, more = aliases_of(view, asked, lines, languages)
    keys = {symbol.symbol_id for symbol in asked}
    loose = unbound(view, project, _uses(lines, more, asked), keys, aliases)
    if loose:
        reasons.append(_worded(len(loose)))
    if marked := handed_on(view, asked):
        reasons.append(f"{marked[0].fqn} is decorated: what decorates it may call it")
    coverage = Coverage.LOWER_BOUND if reasons else Coverage.COMPLETE
    return Evidence(coverage, tuple(reasons), loose[:SHOWN], len(loose))


def _uses(lines: Sequence[Named], more: Sequence[Named], asked: Sequence[Symbol]) -> list[Named]:
    """Give the lines to explain: an export is none, as who imports it is looked for."""
    homes = {(symbol.path, symbol.symbol) for symbol in asked}
    own = {line for line in lines if (line.path, line.name) in homes and exports_only(line)}
    return sorted({*lines, *more} - own, key=lambda one: (one.path.encode(), one.line, one.name))


def _family(path: str) -> str:
    grammar = grammar_of(path)
    return convention_of(grammar).family if grammar in REFERENCE_GRAMMARS else ""


def _languages(families: Iterable[str]) -> set[str]:
    """Give the languages whose files may use symbols of some families."""
    known = {g for g in REFERENCE_GRAMMARS if convention_of(g).family in set(families)}
    return known.union(*(_GUESTS.get(family, ()) for family in families))


def _worded(count: int) -> str:
    if count == 1:
        return "1 line names it and has no edge"
    return f"{count} lines name it and have no edge"
