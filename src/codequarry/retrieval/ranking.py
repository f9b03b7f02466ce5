"""The order of hits: two normalised scores, then what names and paths say.

The recipe and its weights were measured on labelled queries (docs/searching.md). Everything here
is pure; ties end in the total order project, path, chunk index.
"""

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from codequarry.core.words import query_words
from codequarry.retrieval.candidates import Candidates
from codequarry.retrieval.query import Query


@dataclass(frozen=True)
class Weights:
    """How much each signal counts; factors multiply, the rest adds."""

    vector: float = 0.5
    stem_cover: float = 0.2
    stem_exact: float = 0.6
    directory_cover: float = 0.2
    name_cover: float = 0.25
    name_precision: float = 0.3
    exact_symbol: float = 1.0
    exact_class: float = 1.15
    embedded_identifier: float = 0.15
    test_file: float = 0.3
    example_file: float = 0.8
    class_head: float = 0.9
    gap: float = 0.95
    coherence: float = 0.1


@dataclass(frozen=True)
class Ranked:
    """Positions of candidates in their final order, with scores in 0 to 1.

    Args:
        positions: Row numbers of the candidates' table, best first.
        scores: Score of each, in the same order; comparable within one answer only.
        components: Name of each signal to its values, in the same order.
    """

    positions: np.ndarray
    scores: np.ndarray
    components: dict[str, np.ndarray]


_TEST = re.compile(
    r"(^|/)(tests?|testing|__tests__|spec|specs)/|(^|/)(test_[^/]*|conftest)\.py$"
    r"|_test\.(go|py|rs|c|cc|cpp)$|\.(test|spec)\.[jt]sx?$|(^|/)[^/]*Tests?\.(java|kt|cs|php|swift|scala)$"
    r"|_spec\.rb$|_test\.rb$"
)
_EXAMPLE = re.compile(r"(^|/)(examples?|docs?|bench(marks?)?|samples?|demos?)/")
_ASKS_FOR_TESTS = re.compile(r"\b(tests?|testing|specs?)\b", re.IGNORECASE)
_PREFIX_CREDIT = 0.7
_PREFIX_LETTERS = 4


RECIPE = Weights()


def rank(query: Query, found: Candidates, weights: Weights = RECIPE) -> Ranked:
    """Order candidates.

    Args:
        query: The question.
        found: Its candidates, ascending by project, path and chunk index.
        weights: The recipe.
    """
    rows = found.table
    paths: list[str] = rows["path"].to_pylist()
    names: list[str] = rows["symbol"].to_pylist()
    fused, parts = _fused(query, found, weights)
    bonus = _names_and_paths(query, paths, names, weights)
    kinds: list[str] = rows["chunk_type"].to_pylist()
    exact = _exact(query, names, kinds, weights)
    factors = _penalties(query, paths, kinds, rows["origin"].to_pylist(), weights)
    score = (fused + bonus + exact) * factors
    files = [f"{p}\0{q}" for p, q in zip(rows["project"].to_pylist(), paths, strict=True)]
    coherent = _coherence(score, files, weights)
    total = score + coherent
    # A stable sort keeps the candidates' own total order among equal scores.
    order = np.argsort(-np.round(total, 9), kind="stable")
    top = max(1.0, float(total.max(initial=0.0)))
    components = {**parts, "names": bonus, "exact": exact, "factor": factors, "coherence": coherent}
    return Ranked(
        order, total[order] / top, {name: values[order] for name, values in components.items()}
    )


def _fused(
    query: Query, found: Candidates, weights: Weights
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    text = found.bm25 / max(float(found.bm25.max(initial=0.0)), 1e-12)
    cosine = np.clip(found.cosine, 0.0, None)
    vector = cosine / max(float(cosine.max(initial=0.0)), 1e-12)
    share = 0.0 if query.bare_symbol and found.bm25.any() else weights.vector
    if query.mode == "semantic" or not found.bm25.any():
        share = 1.0
    elif query.mode == "keyword" or not cosine.any():
        share = 0.0
    return share * vector + (1 - share) * text, {"text": text, "vector": vector}


def _names_and_paths(
    query: Query, paths: Sequence[str], names: Sequence[str], weights: Weights
) -> np.ndarray:
    asked = _plain(query.words)
    bonus = np.zeros(len(paths))
    if not asked:
        return bonus
    for row, (path, name) in enumerate(zip(paths, names, strict=True)):
        *directories, file_name = path.split("/")
        stem = _field_words(file_name.rsplit(".", 1)[0])
        stem_cover = cover(asked, stem)
        bonus[row] = (
            weights.stem_cover * stem_cover
            + weights.stem_exact * stem_cover * (set(stem) == set(asked))
            + weights.directory_cover * cover(asked, _field_words("/".join(directories[-3:])))
        )
        if name:
            own = _field_words(name)
            name_cover = cover(asked, own)
            precision = cover(own, asked)
            bonus[row] += (
                weights.name_cover * name_cover + weights.name_precision * name_cover * precision
            )
    return bonus


@functools.lru_cache(maxsize=50_000)
def _field_words(text: str) -> list[str]:
    """Give the words of a name or path; the same few thousand come back in every search."""
    return _plain(query_words(text))


def _plain(words: Sequence[str]) -> list[str]:
    return [word for word in dict.fromkeys(words) if not word.startswith("=")]


def cover(asked: Sequence[str], field: Sequence[str]) -> float:
    """Give the share of ``asked`` words found in ``field``; a common prefix counts in part."""
    if not asked or not field:
        return 0.0
    present = set(field)
    prefixes = {word[:_PREFIX_LETTERS] for word in field if len(word) >= _PREFIX_LETTERS}
    credit = sum(
        1.0 if word in present else _PREFIX_CREDIT if word[:_PREFIX_LETTERS] in prefixes else 0.0
        for word in asked
    )
    return credit / len(asked)


def _exact(
    query: Query, names: Sequence[str], kinds: Sequence[str], weights: Weights
) -> np.ndarray:
    bare, embedded = query.bare_symbol, set(query.identifiers)
    values = np.zeros(len(names))
    for row, (name, kind) in enumerate(zip(names, kinds, strict=True)):
        if bare and name == bare:
            values[row] = weights.exact_symbol * (weights.exact_class if kind == "class" else 1.0)
        elif name and name in embedded:
            values[row] = weights.embedded_identifier
    return values


def _penalties(
    query: Query,
    paths: Sequence[str],
    kinds: Sequence[str],
    origins: Sequence[str],
    weights: Weights,
) -> np.ndarray:
    """Give the factor of each row: tests, examples, class heads, text between symbols."""
    wants_tests = bool(_ASKS_FOR_TESTS.search(query.text))
    factors = np.ones(len(paths))
    for row, (path, kind, origin) in enumerate(zip(paths, kinds, origins, strict=True)):
        if not wants_tests and is_test(path):
            factors[row] *= weights.test_file
        if _EXAMPLE.search(path):
            factors[row] *= weights.example_file
        if kind == "class" and not query.bare_symbol:
            factors[row] *= weights.class_head
        if origin == "gap":
            factors[row] *= weights.gap
    return factors


def is_test(path: str) -> bool:
    """Tell whether a path is a test's, by the conventions of our languages."""
    return bool(_TEST.search(path))


def _coherence(score: np.ndarray, files: Sequence[str], weights: Weights) -> np.ndarray:
    """Lift the best chunk of each file by what the file scores as a whole."""
    lift = np.zeros(len(files))
    sums: dict[str, float] = {}
    best: dict[str, int] = {}
    for row, name in enumerate(files):
        sums[name] = sums.get(name, 0.0) + float(score[row])
        if name not in best or score[row] > score[best[name]]:
            best[name] = row
    largest = max(sums.values(), default=0.0)
    if largest > 0:
        for name, row in best.items():
            lift[row] = weights.coherence * float(score.max()) * sums[name] / largest
    return lift
