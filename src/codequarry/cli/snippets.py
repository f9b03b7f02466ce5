"""The lines of a hit that say most about the question, with its words marked."""

import re
from collections.abc import Callable, Sequence

from codequarry.core.words import query_words

_TOKEN = re.compile(r"[^\W\d]\w*")
_MIN_LETTERS = 2

Style = Callable[[str], str]


def window(lines: Sequence[str], asked: frozenset[str], size: int) -> int:
    """Give the first of ``size`` neighbouring lines with the most different words asked for.

    The earliest of equals, and the beginning where no line has any.
    """
    found = [words_of(line) & asked for line in lines]
    last = max(len(lines) - size, 0)
    return max(
        range(last + 1),
        key=lambda first: (len(frozenset().union(*found[first : first + size])), -first),
    )


def marked(line: str, asked: frozenset[str], style: Style) -> str:
    """Style the identifiers of a line that hold a word asked for."""
    return _TOKEN.sub(
        lambda found: style(found[0]) if words_of(found[0]) & asked else found[0], line
    )


def words_of(text: str) -> frozenset[str]:
    """Give the code words of a text that are long enough to mark."""
    return frozenset(word for word in query_words(text) if len(word) >= _MIN_LETTERS)
