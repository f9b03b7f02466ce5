"""The ways to answer that are compared."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from codequarry.index.reader import Reader
from codequarry.retrieval.query import Query
from codequarry.retrieval.ranking import RECIPE, SCORES_ONLY, Weights
from codequarry.retrieval.search import QueryVector, search
from evaluation.questions import Question, project_of
from evaluation.scoring import Scores, score

LIMIT = 50


@dataclass(frozen=True)
class System:
    """A mode of search with the weights of its ranking."""

    name: str
    mode: str
    weights: Weights


SYSTEMS = (
    System("BM25 alone", "keyword", SCORES_ONLY),
    System("vectors alone", "semantic", SCORES_ONLY),
    System("hybrid, no structure", "hybrid", SCORES_ONLY),
    System("BM25 + structure (no vectors)", "keyword", RECIPE),
    System("hybrid + structure (the default)", "hybrid", RECIPE),
)


@dataclass(frozen=True)
class Run:
    """One system's scores over a set, and what each answer took.

    Args:
        seconds: Ascending.
    """

    scores: tuple[Scores, ...]
    seconds: tuple[float, ...]

    def milliseconds(self, share: float) -> float:
        """Give the time that a share of the answers took at most."""
        return self.seconds[int(share * (len(self.seconds) - 1))] * 1e3


def answer(system: System, asked: Sequence[Question], reader: Reader, model: QueryVector) -> Run:
    """Ask every question once, warm."""
    scores, seconds = [], []
    for question in asked:
        query = Query(question.query, mode=system.mode, limit=LIMIT)
        projects = (project_of(question.corpus),)
        started = time.perf_counter()
        hits = search(reader, query, projects, model, system.weights).hits
        seconds.append(time.perf_counter() - started)
        scores.append(score(question, hits))
    return Run(tuple(scores), tuple(sorted(seconds)))
