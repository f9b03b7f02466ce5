"""The order of hits: two normalised scores, then what names, paths and roles of files say.

The recipe and its weights were measured on labelled queries (docs/retrieval.md). Everything here is
pure; ties end in the total order project, path, chunk index.
"""

from dataclasses import dataclass

import numpy as np

from codequarry.retrieval.candidates import Candidates
from codequarry.retrieval.query import Query
from codequarry.retrieval.signals import Signals, signals
from codequarry.retrieval.wordmatch import Floats

SCORE_DIGITS = 9
"""Digits behind the point that tell two scores apart; the rest depends on the order of sums."""


@dataclass(frozen=True)
class Weights:
    """How much each signal counts; those below ``exact_symbol`` but ``coherence`` are factors."""

    vector: float = 0.5
    stem_cover: float = 0.2
    stem_whole: float = 0.6
    directory_cover: float = 0.15
    container_cover: float = 0.1
    name_cover: float = 0.25
    name_precision: float = 0.4
    mentioned: float = 0.15
    exact_class: float = 0.15
    exact_symbol: float = 1.0
    test_file: float = 0.3
    example_file: float = 0.8
    generated_file: float = 0.5
    secondary_file: float = 0.5
    class_head: float = 0.9
    block: float = 0.85
    gap: float = 0.9
    brief: float = 0.85
    coherence: float = 0.1


RECIPE = Weights()
SCORES_ONLY = Weights(
    stem_cover=0,
    stem_whole=0,
    directory_cover=0,
    container_cover=0,
    name_cover=0,
    name_precision=0,
    mentioned=0,
    exact_class=0,
    exact_symbol=0,
    test_file=1,
    example_file=1,
    generated_file=1,
    secondary_file=1,
    class_head=1,
    block=1,
    gap=1,
    brief=1,
    coherence=0,
)
"""No signal but the text's and the vector's score."""


@dataclass(frozen=True)
class Ranked:
    """Positions of candidates in their final order, with scores in 0 to 1.

    Args:
        positions: Row numbers of the candidates' table, best first.
        scores: Score of each, in the same order; comparable within one answer only.
        components: Name of each signal to its values, in the same order.
        signals: What the components were made of, in the candidates' order.
    """

    positions: np.ndarray
    scores: Floats
    components: dict[str, Floats]
    signals: Signals


def rank(query: Query, found: Candidates, weights: Weights = RECIPE) -> Ranked:
    """Order candidates.

    Args:
        query: The question.
        found: Its candidates, ascending by project, path and chunk index.
        weights: The recipe.
    """
    seen = signals(query, found)
    names = _names_and_paths(seen, weights)
    factors = _factors(query, seen, weights)
    score = (_fused(query, found, seen, weights) + names) * factors
    if weights.exact_symbol:
        score = _heads_first(score, seen)
    coherent = _coherence(score, seen, weights)
    total = score + coherent
    # More than any other signal can give: what has the asked name comes before what has not.
    above = weights.exact_symbol * (1.0 + float(total.max(initial=0.0)))
    exact: Floats = seen.exact.astype(np.float64) * above
    total = total + exact
    # A stable sort keeps the candidates' own total order among equal scores.
    order = np.argsort(-np.round(total, SCORE_DIGITS), kind="stable")
    top = max(1.0, float(total.max(initial=0.0)))
    components: dict[str, Floats] = {
        "text": seen.text,
        "vector": seen.vector,
        "names": names,
        "exact": exact,
        "factor": factors,
        "coherence": coherent,
    }
    return Ranked(
        order,
        total[order] / top,
        {name: values[order] for name, values in components.items()},
        seen,
    )


def _fused(query: Query, found: Candidates, seen: Signals, weights: Weights) -> Floats:
    share = weights.vector
    if query.mode == "semantic" or not found.bm25.any():
        share = 1.0
    elif query.mode == "keyword" or query.bare_symbol or not seen.vector.any():
        share = 0.0
    fused: Floats = share * seen.vector + (1 - share) * seen.text
    return fused


def _names_and_paths(seen: Signals, weights: Weights) -> Floats:
    stem, name = seen.stem.cover(seen.weights), seen.name.cover(seen.weights)
    bonus: Floats = (
        weights.stem_cover * stem
        + weights.stem_whole * stem * (seen.stem.precision == 1.0)
        + weights.directory_cover * seen.directory.cover(seen.weights)
        + weights.container_cover * seen.container.cover(seen.weights)
        + weights.name_cover * name
        + weights.name_precision * name * seen.name.precision
        + weights.mentioned * seen.mentioned
        + weights.exact_class * (seen.is_class & (seen.exact > 0))
    )
    return bonus


def _factors(query: Query, seen: Signals, weights: Weights) -> Floats:
    is_head = seen.is_class & (not query.bare_symbol)
    flagged = (
        (seen.is_test, weights.test_file),
        (seen.is_example, weights.example_file),
        (seen.is_generated, weights.generated_file),
        (seen.is_secondary, weights.secondary_file),
        (is_head, weights.class_head),
        (seen.is_block, weights.block),
        (seen.is_gap, weights.gap),
        (seen.is_brief, weights.brief),
    )
    factors: Floats = np.ones(len(seen.text), np.float64)
    for flags, factor in flagged:
        factors[flags] *= factor
    return factors


def _heads_first(score: Floats, seen: Signals) -> Floats:
    """Of a declaration in several pieces, let the first change places with the best.

    Its first lines say what the declaration is.
    """
    swapped = score.copy()
    done: set[int] = set()
    for row in np.argsort(-np.round(score, 9), kind="stable").tolist():
        head = int(seen.head[row])
        if head != row and head not in done:
            swapped[head], swapped[row] = score[row], score[head]
        done.add(head)
    return swapped


def _coherence(score: Floats, seen: Signals, weights: Weights) -> Floats:
    """Lift the best chunk of each file by what the file scores as a whole."""
    lift: Floats = np.zeros(len(score))
    sums = np.bincount(seen.file, score)
    largest = float(sums.max(initial=0.0))
    if largest > 0:
        order = np.argsort(-score, kind="stable")
        files, first = np.unique(seen.file[order], return_index=True)
        best = order[first]
        lift[best] = weights.coherence * float(score.max()) * sums[files] / largest
    return lift
