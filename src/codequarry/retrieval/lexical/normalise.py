"""Texts as the lexical modes compare them (vectorless.md 1), for every script.

ASCII text comes out exactly as the original's rules say. Beyond it, which the original drops, text
is NFKC and case-folded, and every letter, digit and mark belongs to a word.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property

MAX_TERMS = 64
"""Terms of a query that count; the rest is reported as omitted."""

LONGEST_TERM = 128
"""Letters of the longest term that counts; no name is longer."""

SYNTAX_WORDS = frozenset(
    "a an are can did do does how is the what when where which who why".split()
)
"""Words that only make a question of a query."""

_HUMP = re.compile(r"([a-z0-9])([A-Z])")
_ACRONYM = re.compile(r"([A-Z])([A-Z][a-z])")
_BETWEEN = re.compile(r"[^a-z0-9]+")
_NAME = r"[^\W\d]\w*"
_IDENTIFIER = re.compile(rf"{_NAME}(?:(?:::|[.#:]){_NAME})*")
_PATH = re.compile(r"[^\s/]*/(?:\S*|.*\.\w+)", re.DOTALL)


def normalise(text: str) -> str:
    """Split a text where identifiers do, fold its case, and join its words by single spaces."""
    if not text.isascii():
        return _normalise_any(text)
    spaced = _ACRONYM.sub(r"\1 \2", _HUMP.sub(r"\1 \2", text))
    return _BETWEEN.sub(" ", spaced.lower()).strip()


def _normalise_any(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text)
    spaced = []
    for before, here, after in zip(" " + plain, plain, plain[1:] + " ", strict=False):
        if here.isupper() and (
            before.islower() or before.isdigit() or (before.isupper() and after.islower())
        ):
            spaced.append(" ")
        spaced.append(here)
    folded = unicodedata.normalize("NFKC", "".join(spaced).casefold())
    return " ".join("".join(letter if _in_word(letter) else " " for letter in folded).split())


def _in_word(letter: str) -> bool:
    return letter.isalnum() or unicodedata.category(letter).startswith("M")


def tokens(text: str) -> tuple[str, ...]:
    """Give the words of a text, each once, in the order of their first appearance."""
    return tuple(dict.fromkeys(normalise(text).split()))


@dataclass(frozen=True)
class Terms:
    """A query, taken apart for ranking.

    Args:
        text: The query as it was asked.
    """

    text: str

    @cached_property
    def is_identifier(self) -> bool:
        """Whether the whole query is one identifier, or several joined by ``.``, ``#``, ``:``."""
        return _IDENTIFIER.fullmatch(self.text.strip()) is not None

    @cached_property
    def is_path(self) -> bool:
        """Whether the query is a path: a slash, and no blank but inside of a file's name."""
        return _PATH.fullmatch(self.text.strip()) is not None

    @cached_property
    def _sequence(self) -> tuple[str, ...]:
        every = tuple(normalise(self.text).split())
        telling = tuple(word for word in every if word not in SYNTAX_WORDS)
        return every if self.is_identifier or self.is_path or not telling else telling

    @cached_property
    def _all(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self._sequence))

    @cached_property
    def ranked(self) -> tuple[str, ...]:
        """The terms to rank by, each once, in the order of the query."""
        return tuple(term for term in self._all if len(term) <= LONGEST_TERM)[:MAX_TERMS]

    @property
    def omitted(self) -> int:
        """How many further terms the query has."""
        return len(self._all) - len(self.ranked)

    @cached_property
    def phrase(self) -> str:
        """The terms as a sequence, duplicates kept."""
        kept = set(self.ranked)
        return " ".join(word for word in self._sequence if word in kept)
