"""What speaks for and against each candidate, as columns; pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from codequarry.core import roles
from codequarry.index.cards import Card
from codequarry.retrieval.candidates import Candidates
from codequarry.retrieval.query import MAX_WORDS, Query
from codequarry.retrieval.secondary import secondary
from codequarry.retrieval.wordmatch import Floats, Match, match, plain_words, rarity

Flags = npt.NDArray[np.bool_]

_DIRECTORIES = 3
_ASKS_FOR_TESTS = re.compile(r"\b(tests?|testing|specs?)\b", re.IGNORECASE)
_ASKS_FOR_GENERATED = re.compile(r"\bgenerated\b", re.IGNORECASE)
_SEPARATOR = re.compile(r"::|#|\.")


@dataclass(frozen=True)
class Signals:
    """One value of each signal a candidate; all arrays are as long as the candidates.

    Args:
        text: BM25 over its largest.
        vector: Cosine over its largest, not negative.
        stem: The file's name without its suffix, against the question.
        directory: The file's last three directories.
        name: The symbol's bare name.
        container: The name of what the symbol belongs to: its class, else its module.
        weights: What each word of the question counts in a cover.
        exact: 0; 1 where the question is this symbol's name; 2 where it is also qualified so.
        mentioned: The question is not, but holds, this symbol's name, which looks like code.
        is_test: A test's file, and the question does not ask for tests.
        is_generated: A generated file, and the question does not ask for one.
        is_secondary: A declaration, a built copy, an older version, or deprecated (`secondary`).
        is_class: The head of a class, its methods apart.
        is_block: A variable, a constant, or a module's own statements.
        is_gap: Text between symbols.
        is_brief: At most four lines that are not blank.
        file: Number of the file, ascending from 0.
        head: Position of the candidate that holds the first line of the same declaration; its own
            where there is none.
    """

    text: Floats
    vector: Floats
    stem: Match
    directory: Match
    name: Match
    container: Match
    weights: Floats
    exact: npt.NDArray[np.int64]
    mentioned: Flags
    is_test: Flags
    is_example: Flags
    is_generated: Flags
    is_secondary: Flags
    is_class: Flags
    is_block: Flags
    is_gap: Flags
    is_brief: Flags
    file: npt.NDArray[np.int64]
    head: npt.NDArray[np.int64]


def signals(query: Query, found: Candidates) -> Signals:
    """Read every signal from the candidates' cards."""
    cards = found.cards
    paths = [card.path for card in cards]
    names = [card.symbol for card in cards]
    parts = [path.rpartition("/") for path in paths]
    files = _numbers(cards)
    asked = plain_words(query.text)[:MAX_WORDS]
    fields = [
        match(asked, [file.rpartition(".")[0] or file for _, _, file in parts]),
        match(asked, ["/".join(way.split("/")[-_DIRECTORIES:]) for way, _, _ in parts]),
        match(asked, names),
    ]
    exact = _exact(query, cards)
    mentioned = set(query.identifiers)
    return Signals(
        text=_normalised(found.bm25),
        vector=_normalised(np.clip(found.cosine, 0.0, None)),
        stem=fields[0],
        directory=fields[1],
        name=fields[2],
        container=match(asked, [_container(card.symbol_name) for card in cards]),
        weights=rarity(fields),
        exact=exact,
        mentioned=_flags([name in mentioned for name in names]) & (exact == 0),
        is_test=_flags(map(roles.is_test, paths), not _ASKS_FOR_TESTS.search(query.text)),
        is_example=_flags(map(roles.is_example, paths)),
        is_generated=_flags(_generated(cards, files), not _ASKS_FOR_GENERATED.search(query.text)),
        is_secondary=_flags(secondary(query.text, cards)),
        is_class=_flags(card.chunk_type == "class" for card in cards),
        is_block=_flags(card.chunk_type == "block" for card in cards),
        is_gap=_flags(card.origin == "gap" for card in cards),
        is_brief=_flags(card.is_brief for card in cards),
        file=np.array(files, np.int64),
        head=_heads(cards, files),
    )


def _normalised(scores: Floats) -> Floats:
    return scores / max(float(scores.max(initial=0.0)), 1e-12)


def _exact(query: Query, cards: list[Card]) -> npt.NDArray[np.int64]:
    bare = query.bare_symbol
    whole = _SEPARATOR.sub(".", query.text.strip())
    values = [
        0
        if not bare or card.symbol != bare
        else 1
        + (whole != bare and _SEPARATOR.sub(".", f".{card.symbol_name}").endswith(f".{whole}"))
        for card in cards
    ]
    return np.array(values, np.int64)


def _container(qualified_name: str) -> str:
    return _SEPARATOR.sub(".", qualified_name).rpartition(".")[0].rpartition(".")[2]


def _generated(cards: list[Card], files: list[int]) -> list[bool]:
    """Flag every candidate of a file whose name, or a candidate of its first lines, says so."""
    saying = {file for card, file in zip(cards, files, strict=True) if card.is_marked}
    return [
        file in saying or roles.is_generated(card.path)
        for card, file in zip(cards, files, strict=True)
    ]


def _numbers(cards: list[Card]) -> list[int]:
    known: dict[tuple[str, str], int] = {}
    return [known.setdefault((card.project, card.path), len(known)) for card in cards]


def _heads(cards: list[Card], files: list[int]) -> npt.NDArray[np.int64]:
    declared = [
        (file, card.selector.start_line if card.selector else -1, card.symbol_name)
        for card, file in zip(cards, files, strict=True)
    ]
    first: dict[tuple[int, int, str], int] = {}
    for row, (card, key) in enumerate(zip(cards, declared, strict=True)):
        if card.start_line <= key[1]:
            first.setdefault(key, row)
    return np.array([first.get(key, row) for row, key in enumerate(declared)], np.int64)


def _flags(values: Iterable[bool], counts: bool = True) -> Flags:
    flags = np.array(list(values), np.bool_)
    return flags if counts else np.zeros_like(flags)
