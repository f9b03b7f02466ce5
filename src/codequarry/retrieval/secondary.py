"""Files that stand for others: type declarations, built copies, older versions, what is deprecated.

Each holds the names and words of the file that does the work, and is seldom the one meant.
"""

import functools
import re
from collections.abc import Iterable, Sequence

from codequarry.core import roles
from codequarry.index.cards import Card

Place = tuple[str, str]
"""A project, and a path in it."""

_BUILT = re.compile(r"(^|.*?/)(?:build|cjs|commonjs|dist|es|esm|lib|module|out|umd)/")
_SOURCE = re.compile(r"(^|.*?/)src/")
_BUILT_FROM_SOURCE = frozenset({"javascript", "typescript"})
_VERSION = re.compile(r"(?:^|(?<=/))v(\d{1,6})/")
_UNNUMBERED = 2
"""The version of a file outside such folders: later than ``v1/``, and no later than ``v2/``."""


_ASKS_FOR_DECLARATIONS = re.compile(r"\b(declarations?|stubs?|typings?|d\.ts|pyi)\b", re.IGNORECASE)
_ASKS_FOR_DEPRECATED = re.compile(r"\b(deprecat|legacy|obsolete)", re.IGNORECASE)
_ASKS_FOR_A_VERSION = re.compile(r"\bv\d", re.IGNORECASE)


def secondary(text: str, cards: Sequence[Card]) -> list[bool]:
    """Flag the candidates that lie in such a file, unless the question asks for its kind.

    Args:
        text: The question.
        cards: The candidates; that a file is a copy or an older version shows among them only.
    """
    places = [(card.project, card.path) for card in cards]
    files = dict.fromkeys(places)
    said = _built(cards)
    if not _ASKS_FOR_A_VERSION.search(text):
        said |= _older(files)
    if not _ASKS_FOR_DECLARATIONS.search(text):
        said |= {place for place in files if roles.is_declaration(place[1])}
    if not _ASKS_FOR_DEPRECATED.search(text):
        said |= {place for place in files if roles.is_deprecated(place[1])}
    return [place in said for place in places]


def _built(cards: Iterable[Card]) -> set[Place]:
    """Find the files that ``src/`` beside their folder has a symbol in common with."""
    declared: set[tuple[str, str, str]] = set()
    copies: list[tuple[tuple[str, str, str], Place]] = []
    for card in cards:
        if not card.symbol or card.language not in _BUILT_FROM_SOURCE:
            continue
        source, built = _roots(card.path)
        if source is not None:
            declared.add((card.project, source, card.symbol))
        elif built is not None:
            copies.append(((card.project, built, card.symbol), (card.project, card.path)))
    return {place for original, place in copies if original in declared}


def _older(places: Iterable[Place]) -> set[Place]:
    """Find the files below a ``v<number>`` folder that holds one with a later version.

    Of `v1/fields.py`, that is the same path below a greater number, or below no such folder. Of
    `v2/a.go` it is not: there the folder is the newer one.
    """
    numbered = {place: found for place in places if (found := _version(place[1]))}
    if not numbered:
        return set()
    newest: dict[Place, int] = {place: _UNNUMBERED for place in places if place not in numbered}
    for (project, _), (_, twin, number) in numbered.items():
        newest[project, twin] = max(newest.get((project, twin), 0), number)
    old = {
        (project, folder)
        for (project, _), (folder, twin, number) in numbered.items()
        if newest[project, twin] > number
    }
    return {place for place, (folder, _, _) in numbered.items() if (place[0], folder) in old}


@functools.lru_cache(maxsize=50_000)
def _roots(path: str) -> tuple[str | None, str | None]:
    """Give what stands before ``src/``, and before a folder of built files, in a path."""
    source, built = _SOURCE.match(path), _BUILT.match(path)
    return source and source[1], built and built[1]


@functools.lru_cache(maxsize=50_000)
def _version(path: str) -> tuple[str, str, int] | None:
    """Give a path up to its ``v<number>/``, the whole path without that, and the number."""
    found = _VERSION.search(path)
    if found is None:
        return None
    return path[: found.end()], path[: found.start()] + path[found.end() :], int(found[1])
