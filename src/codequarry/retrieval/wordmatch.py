"""How the words of names and paths match a question's words."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from codequarry.core.words import query_words

Floats = npt.NDArray[np.float64]

_PREFIX_CREDIT = 0.7
_PREFIX_LETTERS = 4


@dataclass(frozen=True)
class Match:
    """One field of each candidate against the question.

    Args:
        credit: (candidates, words of the question): 1 for a word that the field holds, 0.7 for one
            that begins like one of its words, or 0.
        precision: (candidates,): the share of the field's words that the question holds.
    """

    credit: Floats
    precision: Floats

    def cover(self, weights: Floats) -> Floats:
        """Give the weighted share of the question's words that each field holds."""
        return self.credit @ weights / max(float(weights.sum()), 1e-12)


def match(asked: Sequence[str], texts: Sequence[str]) -> Match:
    """Match the question's words with a field of each candidate.

    Args:
        asked: From `plain_words`.
        texts: The field: a name, or a part of a path.
    """
    whole, begun = _sets(tuple(asked))
    nothing = [0.0] * len(asked), 0.0
    known: dict[str, tuple[list[float], float]] = {}
    for text in texts:
        if text in known:
            continue
        words = plain_words(text)
        held, beginnings = _sets(words)
        if held.isdisjoint(whole) and beginnings.isdisjoint(begun):
            known[text] = nothing
        else:
            found = _credit(words, asked)
            known[text] = _credit(asked, words), sum(found) / max(len(found), 1)
    rows = [known[text] for text in texts]
    credit = np.array([row[0] for row in rows], np.float64).reshape(len(texts), len(asked))
    return Match(credit, np.array([row[1] for row in rows], np.float64))


def rarity(fields: Sequence[Match]) -> Floats:
    """Weigh each word of the question by how few of the candidates' fields hold it.

    Among candidates for "parse the config file", the word that only some names hold tells them
    apart.
    """
    rows, words = fields[0].credit.shape
    holds = np.zeros((rows, words), np.bool_)
    for field in fields:
        holds |= field.credit == 1.0
    holders = holds.sum(axis=0)
    weights: Floats = np.log1p((rows - holders + 0.5) / (holders + 0.5))
    return weights


@functools.lru_cache(maxsize=50_000)
def plain_words(text: str) -> tuple[str, ...]:
    """Give the distinct full-text words of a text without its whole compounds.

    Remembered: the same few thousand names come back in every search.
    """
    return tuple(word for word in dict.fromkeys(query_words(text)) if not word.startswith("="))


def _credit(wanted: Sequence[str], held: Sequence[str]) -> list[float]:
    """Give the credit of each wanted word."""
    if not held:
        return [0.0] * len(wanted)
    whole, begun = _sets(tuple(held))
    return [
        1.0 if word in whole else _PREFIX_CREDIT if word[:_PREFIX_LETTERS] in begun else 0.0
        for word in wanted
    ]


@functools.lru_cache(maxsize=50_000)
def _sets(words: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str]]:
    """Give the words, and how the long ones begin; remembered as `plain_words` is."""
    begun = (word[:_PREFIX_LETTERS] for word in words if len(word) >= _PREFIX_LETTERS)
    return frozenset(words), frozenset(begun)
