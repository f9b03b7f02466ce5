"""Definitions that a decorator, annotation or attribute hands on: a framework may call them."""

import re
from collections.abc import Iterator, Sequence

from codequarry.index.store import quote
from codequarry.retrieval.structure.statements import family_of
from codequarry.retrieval.structure.symbols import Symbol
from codequarry.retrieval.structure.view import GraphView

_SYMBOLS_PER_READ = 100
_BEGINS = re.compile(r"\s*(?:@|#?\[\[?)\s*\w")
_ARGUMENTS = re.compile(r"\([^()]*(?:\)|\Z)")
_NESTED = 9
_ASIDE = re.compile(r"/\*.*?(?:\*/|\Z)|//.*|(?<!\S)#\s.*")
# In brackets, marks stand at the beginning or behind others; elsewhere, these hold an index.
_MARKS = re.compile(r"(?:^\s*@\s*|(?<![\w'\"`/])@)([\w.:]+)|(?:^|\])\s*#?\[([^\]]*)")
_COMMENT = re.compile(r"\s*(?://|/?\*|#(?!\[))")
_NO_MARKS = frozenset({"ruby", "lua", "shell"})
_HARMLESS = frozenset(
    """abstractmethod allow cache cached_property cfg classmethod dataclass deprecated derive doc
    final functionalinterface functools inline lru_cache maybe_unused must_use nodiscard nonnull
    noreturn notnull nullable obsolete overload override property safevarargs setter staticmethod
    suppresswarnings total_ordering typing warn wraps""".split()
)
"""Last words of marks that hand nothing on."""


def handed_on(view: GraphView, symbols: Sequence[Symbol]) -> tuple[Symbol, ...]:
    """Give the symbols of one project whose definition carries a mark that may hand them on.

    Args:
        view: The graph.
        symbols: The symbols.

    Raises:
        IndexMissing: The project was never indexed.
    """
    found: list[Symbol] = []
    for start in range(0, len(symbols), _SYMBOLS_PER_READ):
        some = symbols[start : start + _SYMBOLS_PER_READ]
        lines = _lines_around(view, some)
        found += [symbol for symbol in some if is_marked(lines, symbol)]
    return tuple(found)


def _lines_around(view: GraphView, symbols: Sequence[Symbol]) -> dict[tuple[str, int], str]:
    """Read the text of the chunks in which symbols begin, and of those just before."""
    begins = " OR ".join(
        f"(path = {quote(symbol.path)} AND start_line <= {symbol.start_line}"
        f" AND end_line >= {symbol.start_line - 1})"
        for symbol in symbols
    )
    lines: dict[tuple[str, int], str] = {}
    for path, first, content in view.chunk_texts(symbols[0].project, begins):
        for number, line in enumerate(content.rstrip("\n").split("\n"), first):
            lines[path, number] = line
    return lines


def is_marked(lines: dict[tuple[str, int], str], symbol: Symbol) -> bool:
    """Tell whether a mark stands where a symbol begins, or on the lines right before.

    A mark over several lines is read backwards from the line that closes its last bracket.
    """
    if family_of(symbol.path) in _NO_MARKS:
        return False
    texts = [lines.get((symbol.path, symbol.start_line), "")]
    number, depth = symbol.start_line - 1, 0
    while (text := lines.get((symbol.path, number), "")).strip():
        number -= 1
        if _COMMENT.match(text):
            continue
        depth += sum(map(text.count, ")]}")) - sum(map(text.count, "([{"))
        if depth <= 0 and _BEGINS.match(text) is None:
            break
        texts.append(text)
    return any(mark.lower() not in _HARMLESS for text in texts for mark in _marks(text))


def _marks(text: str) -> Iterator[str]:
    """Give the last word of each mark of a line."""
    for _ in range(_NESTED):
        text = _ARGUMENTS.sub("", text)
    for mark in _MARKS.finditer(_ASIDE.sub("", text)):
        for one in (mark[1] or mark[2]).split(","):
            if words := re.findall(r"\w+", one):
                yield words[-1]
