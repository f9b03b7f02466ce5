"""Users of a symbol in other projects: no edge leads there, so they are places to look at.

A line counts that names the symbol, in a file that also names the symbol's module or package, or
the project where neither has a name of its own. A project that defines the same symbol in the same
file, such as another worktree, means its own.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from codequarry.core.text import ascending
from codequarry.graph.conventions import convention_of
from codequarry.graph.queries import REFERENCE_GRAMMARS
from codequarry.index.store import quote
from codequarry.retrieval.structure.evidence import Coverage, Evidence, languages_of
from codequarry.retrieval.structure.named import CHUNKS_READ, Named, Names, lines_anywhere
from codequarry.retrieval.structure.symbols import Symbol
from codequarry.retrieval.structure.view import GraphView
from codequarry.syntax.grammars import grammar_of

SHOWN = 20
"""Lines that an answer lists, at most."""

_TOLD_PROJECTS = 3
_NAMELESS = frozenset({"__init__", "index", "lib", "main", "mod"})
"""Stems of files that are known by their folder's name."""
_COMMON = frozenset({"", "include", "lib", "src"})


@dataclass(frozen=True)
class Elsewhere:
    """Lines of other projects that may use a symbol.

    Args:
        places: By project, path and line; at most `SHOWN`.
        count: How many there are.
        projects: The projects that have some, ascending.
        searched: How many other projects were looked in.
        left_out: How many other indexed projects were not.
        is_cut: Whether too much names it to be read whole.
    """

    places: tuple[Named, ...] = ()
    count: int = 0
    projects: tuple[str, ...] = ()
    searched: int = 0
    left_out: int = 0
    is_cut: bool = False

    def judged(self, evidence: Evidence) -> Evidence:
        """Give evidence that also knows these lines: with some, it is no longer complete."""
        reasons = [self._told()] if self.count else []
        if self.is_cut:
            reasons.append(f"only {CHUNKS_READ} of the chunks that name it elsewhere were read")
        if not reasons:
            return evidence
        complete = evidence.coverage is Coverage.COMPLETE
        return replace(
            evidence,
            coverage=Coverage.LOWER_BOUND if complete else evidence.coverage,
            reasons=(*evidence.reasons, *reasons),
        )

    def _told(self) -> str:
        named = ", ".join(self.projects[:_TOLD_PROJECTS])
        more = len(self.projects) - _TOLD_PROJECTS
        named += f" and {more} more projects" if more > 0 else ""
        lines = "1 line names" if self.count == 1 else f"{self.count} lines name"
        return f"{lines} it in {named}, where no edge leads"


NOT_LOOKED = Elsewhere()
"""What is known before anybody looked."""


def elsewhere(view: GraphView, symbol: Symbol) -> Elsewhere:
    """Look for users of a symbol in the other projects of a view.

    Raises:
        IndexMissing: No graph was published.
    """
    others = [name for name in view.projects if name != symbol.project]
    unasked = len(view.reader.published.entries) - 1 - len(others)
    grammar = grammar_of(symbol.path)
    if not others or symbol.is_file or grammar not in REFERENCE_GRAMMARS:
        return Elsewhere(left_out=unasked + len(others))
    found = _lines(view, symbol, others, convention_of(grammar).family)
    lines, projects = found.lines, ascending({line.project for line in found.lines})
    is_cut = not found.is_all
    return Elsewhere(lines[:SHOWN], len(lines), projects, len(others), unasked, is_cut)


def _lines(view: GraphView, symbol: Symbol, projects: Iterable[str], family: str) -> Names:
    same = f"path = {quote(symbol.path)} AND fqn = {quote(symbol.fqn)}"
    owners = {twin.project for twin in view.symbols(same)}
    asked = [name for name in projects if name not in owners]
    languages = languages_of([family])
    if not asked:
        return Names((), True)
    named = lines_anywhere(view.reader, asked, {symbol.symbol}, languages)
    if not named.lines:
        return named
    words = module_words(symbol.project, symbol.path)
    modules = lines_anywhere(view.reader, asked, words, languages)
    files = {(line.project, line.path) for line in modules.lines}
    kept = tuple(line for line in named.lines if (line.project, line.path) in files)
    return Names(kept, named.is_all and modules.is_all)


def module_words(project: str, path: str) -> frozenset[str]:
    """Give the words by which other files name a module: its stem, and its folder's name.

    Where neither says anything, as of ``src/lib.rs``, these are the spellings of the project.
    """
    place = PurePosixPath(path)
    folder = next((part for part in reversed(place.parent.parts) if part not in _COMMON), "")
    stem = place.name.split(".")[0]
    words = {"" if stem in _NAMELESS else stem, folder} - {""}
    return frozenset(words or {project, project.replace("-", "_")})
