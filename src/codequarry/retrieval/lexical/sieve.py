"""Which terms of a query a column of texts holds, without a Python step a row.

The sieve reads texts as they are. It tells exactly which terms a text holds at all, and a bound of
what it scores that is never too low: so whatever it lets fall behind cannot be the best hit.
"""

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from codequarry.core.columns import Texts, strings
from codequarry.retrieval.lexical.normalise import Terms
from codequarry.retrieval.lexical.scoring import (
    ALL_TERMS,
    DOC_PHRASE,
    NEARBY,
    PART,
    PHRASE,
    WORD,
)

_PHRASE_LETTERS = 256
"""A longer phrase is taken to stand everywhere, rather than made a pattern of."""

_MANY_TERMS = 18
"""So many are looked for faster in a text without its spaces, which takes a while to make."""

_BMP = 0x10000  # beyond it, folding is lower case
_BETWEEN = "[^a-z0-9]*"
_BETWEEN_ANY = r"[^\p{L}\p{N}\p{M}]+"

Bits = npt.NDArray[np.uint64]
Rows = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Sifted:
    """What the sieve found in each text.

    Args:
        parts: Bit ``i``: the text holds term ``i``. Exact.
        words: Bit ``i``: term ``i`` may be a whole word of it.
        phrase: It may hold the phrase.
    """

    parts: Bits
    words: Bits
    phrase: npt.NDArray[np.bool_]

    def at(self, rows: Rows) -> "Sifted":
        """Give what was found in some of the texts, in the order asked for."""
        return Sifted(self.parts[rows], self.words[rows], self.phrase[rows])

    def most_points(self, total: int) -> npt.NDArray[np.int64]:
        """Give the most that each text can score, of a query with ``total`` terms."""
        held, whole = np.bitwise_count(self.parts), np.bitwise_count(self.words)
        points = PART * held.astype(np.int64) + (WORD - PART) * whole.astype(np.int64)
        together = ALL_TERMS + np.where(self.phrase, PHRASE, NEARBY)
        return points + np.where((held == total) & (total > 1), together, 0)


def sift(texts: Texts, terms: Terms) -> Sifted:
    """Look for the terms of a query in a column of texts, in equal texts once."""
    encoded = strings(texts).dictionary_encode()
    found = _sift(pl.Series(encoded.dictionary, dtype=pl.String), terms)
    return found.at(encoded.indices.to_numpy())


def sift_once(texts: pl.Series, terms: Terms, best: int) -> Sifted:
    """Look for the terms of a query in a column of texts that are seldom equal.

    Words are told from parts only where a text can be among the ``best``, for any weight and bonus
    that is equal for all; the bound of the rest is the looser for it, and still below theirs.
    """
    return _sift(texts, terms, best)


def _sift(texts: pl.Series, terms: Terms, best: int | None = None) -> Sifted:
    plain = (texts.str.len_bytes() == texts.str.len_chars()).to_numpy()
    found = Sifted(
        np.zeros(len(texts), np.uint64),
        np.zeros(len(texts), np.uint64),
        np.ones(len(texts), np.bool_),
    )
    at = np.flatnonzero(plain)
    _sift_ascii(texts if len(at) == len(texts) else texts.gather(at), at, terms, found, best)
    at = np.flatnonzero(~plain)
    if len(at):
        _sift_any(texts.gather(at), at, terms, found)
    return found


def _sift_ascii(texts: pl.Series, at: Rows, terms: Terms, found: Sifted, best: int | None) -> None:
    asked = [term if term.isascii() else "" for term in terms.ranked]
    if len(asked) < _MANY_TERMS:
        parts = _bits(texts, [_part(term) for term in asked])
    else:
        compact = texts.str.to_lowercase().str.replace_all("[^a-z0-9]+", "")
        parts = _bits(compact, asked, literal=True)
    found.parts[at] = found.words[at] = parts
    some = np.flatnonzero(parts)
    if best is not None:
        some = some[_hopeful(parts[some], len(asked), best)]
    held, at = texts.gather(some), at[some]
    found.words[at] = _bits(held, [_word(term) for term in asked]) & parts[some]
    phrase = terms.phrase.replace(" ", "")
    if len(asked) > 1 and len(phrase) <= _PHRASE_LETTERS and phrase.isascii():
        found.phrase[at] = held.str.contains(_part(phrase)).to_numpy()


def _hopeful(parts: Bits, total: int, best: int) -> npt.NDArray[np.bool_]:
    """Tell which texts can be among the best, knowing no more than the terms that they hold."""
    held = np.bitwise_count(parts).astype(np.int64)
    if len(held) <= best:
        return np.ones(len(held), np.bool_)
    together = (held == total) & (total > 1)
    least = PART * held + np.where(together, ALL_TERMS, 0)
    most = WORD * held + np.where(together, ALL_TERMS + PHRASE + DOC_PHRASE, 0)
    hopeful: npt.NDArray[np.bool_] = most >= np.partition(least, -best)[-best]
    return hopeful


def _sift_any(texts: pl.Series, at: Rows, terms: Terms, found: Sifted) -> None:
    folded = _folded(texts.str.normalize("NFKC").str.to_lowercase())
    compact = folded.str.normalize("NFKC").str.replace_all(_BETWEEN_ANY, "")
    found.parts[at] = found.words[at] = _bits(compact, terms.ranked, literal=True)
    phrase = terms.phrase.replace(" ", "")
    found.phrase[at] = compact.str.contains(phrase, literal=True).to_numpy()


def _folded(texts: pl.Series) -> pl.Series:
    """Case-fold texts in lower case; few hold a letter that this changes."""
    letters, folds = _folds()
    some = np.flatnonzero(texts.str.contains(f"[{''.join(letters)}]").to_numpy())
    if not len(some):
        return texts
    return texts.scatter(some, texts.gather(some).str.replace_many(letters, folds))


def _bits(texts: pl.Series, patterns: Sequence[str], *, literal: bool = False) -> Bits:
    bits = np.zeros(len(texts), np.uint64)
    for number, pattern in enumerate(patterns):
        if pattern:
            held = texts.str.contains(pattern, literal=literal).to_numpy()
            bits |= held.astype(np.uint64) << np.uint64(number)
    return bits


def _part(term: str) -> str:
    """Match a term in an ASCII text, whatever stands between its letters."""
    return f"(?i){_BETWEEN.join(term)}" if term else ""


def _word(term: str) -> str:
    """Match a term where it may be a whole word: words end before capitals and signs only."""
    if not term:
        return ""
    head, tail = term[0], term[1:]
    opened = f"(?:^|[^A-Za-z0-9])(?i:{head})"
    start = f"(?:{opened}|{head.upper()})" if head.isalpha() else opened
    return f"{start}(?i:{tail})(?:[^a-z0-9]|$)"


@functools.cache
def _folds() -> tuple[list[str], list[str]]:
    """Give the letters that case folding changes beyond lower case, and what they become."""
    letters = [
        letter
        for letter in map(chr, range(_BMP))
        if (letter.isalpha() or letter == "\u0345") and letter.lower().casefold() != letter.lower()
    ]
    lowered = sorted({letter.lower() for letter in letters})
    return lowered, [letter.casefold() for letter in lowered]
