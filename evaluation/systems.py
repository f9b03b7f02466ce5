"""The ways to answer that are compared."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from codequarry.core.state import StateDirectory
from codequarry.index.reader import Reader
from codequarry.retrieval import search as ranked
from codequarry.retrieval.lexical import search as lexical
from codequarry.retrieval.query import Query
from codequarry.retrieval.ranking import RECIPE, SCORES_ONLY, Weights
from evaluation.questions import Question, project_of
from evaluation.scoring import Place, Scores, score

LIMIT = 50


@dataclass(frozen=True)
class Deployment:
    """What is asked: the published state, its directory, and the model."""

    reader: Reader
    state: StateDirectory
    model: ranked.QueryVector


Ask = Callable[[Deployment, str, str], Sequence[Place]]
"""Answers a query to a project."""


def _ranking(mode: str, weights: Weights) -> Ask:
    def ask(asked: Deployment, text: str, project: str) -> Sequence[Place]:
        query = Query(text, mode=mode, limit=LIMIT)
        hits = ranked.search(asked.reader, query, (project,), asked.model, weights).hits
        return [Place(hit.path, hit.start_line, hit.end_line) for hit in hits]

    return ask


def _vectorless(asked: Deployment, text: str, project: str) -> Sequence[Place]:
    query = lexical.LexicalQuery(text, limit=LIMIT)
    results = lexical.search(asked.reader, query, (project,), asked.state).results
    return [
        Place(one.file, one.range.start.line, one.range.end.line)
        if one.range
        else Place(one.file, 0, 0)
        for one in results
    ]


SYSTEMS: dict[str, Ask] = {
    "BM25 alone": _ranking("keyword", SCORES_ONLY),
    "vectors alone": _ranking("semantic", SCORES_ONLY),
    "hybrid, no structure": _ranking("hybrid", SCORES_ONLY),
    "vectorless (names, paths, texts; `explore`)": _vectorless,
    "BM25 + structure (no vectors)": _ranking("keyword", RECIPE),
    "hybrid + structure (the default)": _ranking("hybrid", RECIPE),
}


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


def answer(ask: Ask, asked: Sequence[Question], deployment: Deployment) -> Run:
    """Ask every question once, warm."""
    scores, seconds = [], []
    for question in asked:
        started = time.perf_counter()
        places = ask(deployment, question.query, project_of(question.corpus))
        seconds.append(time.perf_counter() - started)
        scores.append(score(question, places))
    return Run(tuple(scores), tuple(sorted(seconds)))
