"""What a text scores for a query, and what each surface makes of it (vectorless.md 2, 3, 6)."""

import math
import re
from dataclasses import dataclass
from typing import Literal

from codequarry.retrieval.lexical.normalise import Terms

WORD, PART = 10, 7
ALL_TERMS, PHRASE, NEARBY = 12, 30, 10
NAME_WEIGHT, PATH_WEIGHT, DOCSTRING_WEIGHT = 4, 1, 1
FILE_WEIGHT = 2
EXPORTED = 5
EXACT_OBJECT = 1_000
"""More than all else can add to an SQL object that the query is the name of."""

DOC_PHRASE, DOC_NEARBY = 18, 6
MAX_DEPTH = 5

DOC_PATH = r"(?i)(?:^|/)docs/|\.(?:md|mdx|rst|adoc|txt)$"
"""What the path of a document matches; written so that polars reads it too."""

_CONFIG_PATH = re.compile(
    r"(?i)\.(?:json|yaml|yml|toml|ini|env)$|(?:^|/)dockerfile$|(?:^|/)\.github/"
)


@dataclass(frozen=True)
class Match:
    """What one text has of a query.

    Args:
        points: The text's score.
        words: The terms that are whole words of it.
        parts: The terms that it holds otherwise.
        phrase: The whole query stands in it as it was asked.
        nearby: All terms stand in it in the order of the query, without being the phrase.
    """

    points: int = 0
    words: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    phrase: bool = False
    nearby: bool = False

    @property
    def terms(self) -> frozenset[str]:
        """All terms that were matched."""
        return frozenset(self.words + self.parts)


def match(normal: str, terms: Terms) -> Match:
    """Score one text; ``date user`` is a phrase of ``validate user``, as in the original.

    Args:
        normal: The text, normalised.
        terms: The query.
    """
    present, compact = set(normal.split()), normal.replace(" ", "")
    words = tuple(term for term in terms.ranked if term in present)
    parts = tuple(term for term in terms.ranked if term not in present and term in compact)
    points = WORD * len(words) + PART * len(parts)
    if len(words) + len(parts) < len(terms.ranked) or len(terms.ranked) < 2:
        return Match(points, words, parts)
    phrase = terms.phrase in normal
    nearby = not phrase and _in_order(normal, terms.ranked)
    points += ALL_TERMS + (PHRASE if phrase else NEARBY if nearby else 0)
    return Match(points, words, parts, phrase, nearby)


def _in_order(normal: str, ranked: tuple[str, ...]) -> bool:
    position = 0
    for term in ranked:
        position = normal.find(term, position)
        if position < 0:
            return False
        position += len(term)
    return True


def most_points(matched: int, total: int) -> int:
    """Give the most that a text can score in which ``matched`` of ``total`` terms were found."""
    return WORD * matched + (ALL_TERMS + PHRASE if matched == total > 1 else 0)


def doc_bonus(found: Match) -> int:
    """Give what a piece of a document scores on top of its match."""
    return DOC_PHRASE if found.phrase else DOC_NEARBY if found.nearby else 0


def boost(distance: int) -> int:
    """Give what a result scores for lying ``distance`` imports away from an anchor."""
    return max(2, 14 - 3 * distance)


def import_depth(depth: float | None) -> int:
    """Give the depth of a traversal: 1 when it is not finite or not given, else 0 to 5, floored."""
    if depth is None or not math.isfinite(depth):
        return 1
    return max(0, min(MAX_DEPTH, math.floor(depth)))


def surface_class(path: str) -> Literal["docs", "config", "code"]:
    """Tell what a file is: ``docs``, ``config`` or ``code``."""
    if re.search(DOC_PATH, path):
        return "docs"
    return "config" if _CONFIG_PATH.search(path) else "code"
