"""Scores of one answer: NDCG, recall and reciprocal rank of the first ten."""

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import NamedTuple

from evaluation.questions import Question

FIRST = 10


class Place(NamedTuple):
    """One hit: a file and its lines, 1-based; 0 where the answer names none."""

    path: str
    start_line: int
    end_line: int


@dataclass(frozen=True)
class Scores:
    """Scores in 0 to 1. Files count once, at their best hit.

    Args:
        file_ndcg: Over distinct files; every relevant and secondary one gains the same.
        recall: Share of those files among the first ten.
        reciprocal_rank: One over the rank of the first of them.
        symbol_ndcg: Over hits as they are: the chunk that holds the function's first line.
            ``nan`` for a question without one.
    """

    file_ndcg: float
    recall: float
    reciprocal_rank: float
    symbol_ndcg: float


def score(question: Question, hits: Sequence[Place]) -> Scores:
    """Score one answer."""
    files = list(dict.fromkeys(hit.path for hit in hits))[:FIRST]
    wanted = {target.path for target in question.relevant + question.secondary}
    ranks = [rank for rank, path in enumerate(files, 1) if path in wanted]
    return Scores(
        file_ndcg=_gain(ranks) / _gain(range(1, min(FIRST, len(wanted)) + 1)),
        recall=len(ranks) / len(wanted),
        reciprocal_rank=1 / ranks[0] if ranks else 0.0,
        symbol_ndcg=_symbol(question.relevant[0].path, question.relevant[0].line, hits),
    )


def mean(scores: Sequence[Scores]) -> Scores:
    """Average each score over the questions that have it."""
    columns = zip(*map(astuple, scores), strict=True)
    present = ([value for value in column if not math.isnan(value)] for column in columns)
    return Scores(*(math.fsum(c) / len(c) if c else math.nan for c in present))


def _symbol(path: str, line: int, hits: Sequence[Place]) -> float:
    if not line:
        return math.nan
    for rank, hit in enumerate(hits[:FIRST], 1):
        if hit.path == path and hit.start_line <= line <= hit.end_line:
            return _gain([rank])
    return 0.0


def _gain(ranks: Sequence[int]) -> float:
    return math.fsum(1 / math.log2(rank + 1) for rank in ranks)
