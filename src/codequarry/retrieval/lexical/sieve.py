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
from codequarry.retrieval.lexical.scoring import ALL_TERMS, NEARBY, PART, PHRASE, WORD

_PHRASE_LETTERS = 256
"""A longer phrase is taken to stand everywhere, rather than made a pattern of."""

_BMP = 0x10000  # beyond it, folding is lower case
_BETWEEN = "[^a-z0-9]*"
_BETWEEN_ANY = r"[^\p{L}\p{N}\p{M}]+"

Bits = npt.NDArray[np.uint64]


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
    rows = encoded.indices.to_numpy()
    return Sifted(found.parts[rows], found.words[rows], found.phrase[rows])


def sift_once(texts: pl.Series, terms: Terms) -> Sifted:
    """Look for the terms of a query in a column of texts that are seldom equal."""
    return _sift(texts, terms)


def _sift(texts: pl.Series, terms: Terms) -> Sifted:
    plain = (texts.str.len_bytes() == texts.str.len_chars()).to_numpy()
    found = Sifted(
        np.zeros(len(texts), np.uint64),
        np.zeros(len(texts), np.uint64),
        np.ones(len(texts), np.bool_),
    )
    at = np.flatnonzero(plain)
    _sift_ascii(texts if len(at) == len(texts) else texts.gather(at), at, terms, found)
    at = np.flatnonzero(~plain)
    if len(at):
        _sift_any(texts.gather(at), at, terms, found)
    return found


def _sift_ascii(texts: pl.Series, at: npt.NDArray[np.int64], terms: Terms, found: Sifted) -> None:
    asked = [term if term.isascii() else "" for term in terms.ranked]
    parts = _bits(texts, [_part(term) for term in asked])
    found.parts[at] = parts
    some = np.flatnonzero(parts)
    held, at = texts.gather(some), at[some]
    found.words[at] = _bits(held, [_word(term) for term in asked]) & parts[some]
    phrase = terms.phrase.replace(" ", "")
    if len(asked) > 1 and len(phrase) <= _PHRASE_LETTERS and phrase.isascii():
        found.phrase[at] = held.str.contains(_part(phrase)).to_numpy()


def _sift_any(texts: pl.Series, at: npt.NDArray[np.int64], terms: Terms, found: Sifted) -> None:
    folded = texts.str.normalize("NFKC").str.to_lowercase().str.replace_many(*_folds())
    compact = folded.str.normalize("NFKC").str.replace_all(_BETWEEN_ANY, "")
    found.parts[at] = found.words[at] = _bits(compact, terms.ranked, literal=True)
    phrase = terms.phrase.replace(" ", "")
    found.phrase[at] = compact.str.contains(phrase, literal=True).to_numpy()


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
