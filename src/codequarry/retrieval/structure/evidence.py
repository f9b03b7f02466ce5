"""How much "these are all" proves: nobody uses it, or nobody could look.

The graph has an edge only where a mention means one symbol for sure enough. So the indexed text of
every file that could use a symbol is read for lines with its name, with any other name it may have,
and with what may put its name together; a mention that the graph does not explain makes an answer a
lower bound. It may be a call on a receiver of unknown type, a function that is handed on, a name in
a string, or prose. So does what may call a symbol in silence: a decorator, the language itself, a
base class from outside.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from codequarry.graph.conventions import convention_of
from codequarry.graph.queries import REFERENCE_GRAMMARS
from codequarry.index.ledger import Unread
from codequarry.retrieval.structure.aliases import aliases_of, exports_only
from codequarry.retrieval.structure.beside import HOSTS, languages_beside, parted
from codequarry.retrieval.structure.composed import lines_composing
from codequarry.retrieval.structure.decorated import handed_on
from codequarry.retrieval.structure.lineage import called_from_outside, found_by_base
from codequarry.retrieval.structure.named import CHUNKS_READ, Named, lines_naming
from codequarry.retrieval.structure.placed import is_placed
from codequarry.retrieval.structure.symbols import Symbol
from codequarry.retrieval.structure.unbound import unbound
from codequarry.retrieval.structure.unnamed import is_implicit
from codequarry.retrieval.structure.view import GraphView
from codequarry.syntax.grammars import grammar_of

NAMES_ASKED = 500
"""Names that one answer looks for, at most."""

SHOWN = 20
"""Unexplained lines that an answer lists, at most."""

_OF_FILES = "users of a file are told by imports alone"
"""Who runs it, or loads it by its name, has no edge."""

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
        symbols: The symbols; with a file among them, it is a lower bound at best.

    Raises:
        IndexMissing: No graph was published.
    """
    families = {_family(symbol.path) for symbol in symbols}
    if "" in families:
        return Evidence(Coverage.UNKNOWN, ("references are not read in its language",))
    files = [_OF_FILES] if any(symbol.is_file for symbol in symbols) else []
    asked = [symbol for symbol in symbols if not symbol.is_file][:NAMES_ASKED]
    if not asked:
        return Evidence(Coverage.LOWER_BOUND, tuple(files))
    languages = languages_of(families)
    loose, reasons = _textual(view, asked, languages)
    reasons += files + _unread(view, asked[0].project, languages)
    if len(asked) == NAMES_ASKED:
        reasons.insert(0, f"only {NAMES_ASKED} names were looked for")
    if loose:
        reasons.append(_worded(len(loose)))
    reasons += _silent(view, asked)
    coverage = Coverage.LOWER_BOUND if reasons else Coverage.COMPLETE
    return Evidence(coverage, tuple(reasons), tuple(loose[:SHOWN]), len(loose))


def evidence_within(
    view: GraphView, seeds: Sequence[Symbol], nearer: Sequence[Symbol], *, truncated: bool
) -> Evidence:
    """Judge whether a walk to users, and to theirs, has met all of them.

    Args:
        view: The graph.
        seeds: Where it began.
        nearer: The users that it met before its last step: theirs were looked for too. They are
            judged where the users of the seeds are all known.
        truncated: Whether it met too many symbols and stopped.

    Raises:
        IndexMissing: No graph was published.
    """
    evidence = evidence_of(view, seeds)
    walked = [symbol for symbol in nearer if not (symbol.is_file and symbol.is_test)]
    if evidence.coverage is Coverage.COMPLETE and walked:
        evidence = evidence_of(view, walked)
    if not truncated:
        return evidence
    reasons = (*evidence.reasons, "the search met too many symbols and stopped")
    is_less = evidence.coverage is Coverage.COMPLETE
    coverage = Coverage.LOWER_BOUND if is_less else evidence.coverage
    return replace(evidence, coverage=coverage, reasons=reasons)


def _textual(
    view: GraphView, asked: Sequence[Symbol], languages: set[str]
) -> tuple[list[Named], list[str]]:
    """Give the lines that nothing explains, and why there may be more of them."""
    project, names = asked[0].project, {symbol.symbol for symbol in asked}
    asking = languages | languages_beside(asked)
    found, all_naming = lines_naming(view, project, names, asking)
    lines, beside = parted(found, languages, asked)
    aliases = aliases_of(view, asked, lines, languages)
    composing, all_composing = lines_composing(view, asked, languages)
    keys = {symbol.symbol_id for symbol in asked}
    uses = _uses(lines, aliases.lines, asked)
    unexplained = unbound(view, project, uses, keys, aliases.names)
    reasons = [
        f"only {CHUNKS_READ} of the chunks that {what} it were read"
        for what, is_all in (("name", all_naming), ("may compose", all_composing))
        if not is_all
    ]
    loose = _distinct([*unexplained, *aliases.open, *composing, *beside])
    return loose, [*reasons, *aliases.reasons]


def _unread(view: GraphView, project: str, languages: set[str]) -> list[str]:
    """Say which files could use the symbols and are not indexed."""
    entry = view.reader.published.entry(project)
    unread = entry.decoded("details", Unread).unread_files
    number = sum(unread.get(language, 0) for language in languages | HOSTS)
    if not number:
        return []
    files = "1 file" if number == 1 else f"{number:,} files"
    return [f"{files} that may use it could not be indexed (too large, or no UTF-8 text)"]


def _silent(view: GraphView, asked: Sequence[Symbol]) -> list[str]:
    """Say which of the symbols may be called where no line names them."""
    reasons = []
    if marked := handed_on(view, asked):
        reasons.append(f"{marked[0].fqn} is decorated: what decorates it may call it")
    if placed := next(filter(is_placed, asked), None):
        reasons.append(f"{placed.fqn} lies where a framework looks for what it calls")
    if hook := next(filter(is_implicit, asked), None):
        reasons.append(f"{hook.fqn} is called by the language without its name")
    elif heirs := called_from_outside(view, asked):
        reasons.append(f"{heirs[0].fqn} may be called by a base of its type outside of the project")
    if kin := found_by_base(view, asked):
        reasons.append(f"{kin[0].fqn} may be found by a base, which knows its heirs")
    return reasons


def _uses(lines: Sequence[Named], more: Sequence[Named], asked: Sequence[Symbol]) -> list[Named]:
    """Give the lines to explain: an export is none, as who imports it is looked for."""
    homes = {(symbol.path, symbol.symbol) for symbol in asked}
    own = {line for line in lines if (line.path, line.name) in homes and exports_only(line)}
    return _distinct({*lines, *more} - own)


def _distinct(lines: Iterable[Named]) -> list[Named]:
    """Give each line and name once, ascending; of several chunks the one that tells most of it."""
    last = {one.place: one for one in sorted(lines)}
    return [last[place] for place in sorted(last)]


def _family(path: str) -> str:
    grammar = grammar_of(path)
    return convention_of(grammar).family if grammar in REFERENCE_GRAMMARS else ""


def languages_of(families: Iterable[str]) -> set[str]:
    """Give the languages whose files may use symbols of some families."""
    known = {g for g in REFERENCE_GRAMMARS if convention_of(g).family in set(families)}
    return known.union(*(_GUESTS.get(family, ()) for family in families))


def _worded(count: int) -> str:
    if count == 1:
        return "1 line names it and has no edge"
    return f"{count} lines name it and have no edge"
