"""Figures of a model by itself: cosine alone over the corpora of the development sets.

`make eval` measures the whole search; this tells two models apart in minutes.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from codequarry.embedding.house import HouseEmbedder
from evaluation.questions import SETS, Question, questions
from training.chunked import chunks_of

FIRST = 10
_RANKED = 300
"""Chunks looked at for ten distinct files."""


class Scores(NamedTuple):
    """NDCG@10 of one answer: over distinct files, and of the function (``nan`` without one)."""

    file: float
    symbol: float


def asked_queries() -> list[str]:
    """Give every query of the evaluation, so that none is learnt."""
    return [question.query for name in SETS for question in questions(name)]


def figures(model: Path, corpora: Path) -> Iterator[str]:
    """Word a line per development set that is laid below ``corpora``.

    Args:
        model: Directory of the model's files.
        corpora: Holds ``<set>/<corpus>`` as `evaluation.corpora.lay` writes it.
    """
    embedder = HouseEmbedder(model)
    for name in SETS:
        scores: list[Scores] = []
        for corpus, asked in groupby(questions(name), lambda question: question.corpus):
            if (corpora / corpus).is_dir():
                scores += score(embedder, chunks_of(corpora / corpus), list(asked))
        if scores:
            file, symbol = (_mean([one[column] for one in scores]) for column in (0, 1))
            yield f"{name}: {len(scores)} queries, file {file:.4f}, symbol {symbol:.4f}"


def score(embedder: HouseEmbedder, chunks: pa.Table, asked: Sequence[Question]) -> list[Scores]:
    """Score a corpus's questions against its chunks (table `CHUNKS`)."""
    vectors = embedder.embed_documents(chunks["embedding_text"])
    places = list(
        zip(*(chunks[name].to_pylist() for name in ("path", "start_line", "end_line")), strict=True)
    )
    found = []
    for question in asked:
        order = np.argsort(-(vectors @ embedder.embed_query(question.query)), kind="stable")
        found.append(_scores(question, [places[row] for row in order[:_RANKED]]))
    return found


def _scores(question: Question, ranked: Sequence[tuple[str, int, int]]) -> Scores:
    files = list(dict.fromkeys(path for path, _, _ in ranked))[:FIRST]
    wanted = {target.path for target in question.relevant + question.secondary}
    best = _gain(range(1, min(FIRST, len(wanted)) + 1))
    file = _gain([rank for rank, path in enumerate(files, 1) if path in wanted]) / best
    target = question.relevant[0]
    if not target.line:
        return Scores(file, math.nan)
    hits = (path == target.path and first <= target.line <= last for path, first, last in ranked)
    rank = next((rank for rank, hit in enumerate(hits, 1) if hit), FIRST + 1)
    return Scores(file, _gain([rank]) if rank <= FIRST else 0.0)


def _gain(ranks: Sequence[int]) -> float:
    return math.fsum(1 / math.log2(rank + 1) for rank in ranks)


def _mean(values: Sequence[float]) -> float:
    present = [value for value in values if not math.isnan(value)]
    return math.fsum(present) / len(present) if present else math.nan
