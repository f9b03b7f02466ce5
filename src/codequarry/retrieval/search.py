"""One search, from the question to its hits, over every project asked for."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from lancedb.table import Table

from codequarry.core.errors import EmbeddingError, ProfileMismatch
from codequarry.index.reader import Group, Reader
from codequarry.retrieval.candidates import Candidates, complete, find
from codequarry.retrieval.query import Query, where
from codequarry.retrieval.ranking import RECIPE, Weights, rank
from codequarry.retrieval.reasons import reasons


@dataclass(frozen=True)
class QueryVector:
    """A query's vector and the profile of the model that made it."""

    profile_id: str
    embed: Callable[[str], np.ndarray]


@dataclass(frozen=True)
class Hit:
    """One chunk of an answer, with why it stands there.

    Args:
        components: What each signal gave to the score.
        reasons: The same in words, for a person.
    """

    project: str
    chunk_id: int
    path: str
    content: str
    start_line: int
    end_line: int
    chunk_type: str
    symbol_name: str
    selector: Mapping[str, Any] | None
    source_hash: str
    language: str
    score: float
    components: Mapping[str, float]
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class Answer:
    """Hits, best first, and what the asker should know about them."""

    hits: tuple[Hit, ...]
    warnings: tuple[str, ...] = ()


def search(
    reader: Reader,
    query: Query,
    projects: Iterable[str] | None,
    model: QueryVector | None,
    weights: Weights = RECIPE,
) -> Answer:
    """Answer a query from the published index.

    Args:
        reader: The published state.
        query: The question.
        projects: Which projects to search; all when ``None``.
        model: Makes the query's vector; ``None`` searches by text alone.
        weights: The recipe of the ranking.

    Raises:
        IndexMissing: A project was never indexed.
        EmbeddingError: Mode ``semantic``, and the query cannot be embedded with the profile that
            the index was built with; mode ``hybrid`` answers by text and warns.
    """
    hits: list[Hit] = []
    warnings: list[str] = []
    for group in reader.groups(projects):
        vector, warning = _vector(query, group, model)
        if warning:
            warnings.append(warning)
        words = [] if query.mode == "semantic" and vector is not None else query.words
        if not words and not query.identifiers and vector is None:
            continue
        table = reader.table(group.table_name)
        scope = where(group.projects, query.filters)
        found = find(table, scope, words, vector, query.identifiers)
        hits.extend(_hits(table, query, found, weights))
    hits.sort(key=lambda hit: (-hit.score, hit.project.encode(), hit.path.encode(), hit.start_line))
    return Answer(tuple(hits[: query.limit]), tuple(warnings))


def _vector(query: Query, group: Group, model: QueryVector | None) -> tuple[np.ndarray | None, str]:
    if query.mode == "keyword" or model is None:
        return None, ""
    try:
        if model.profile_id != group.profile_id:
            raise ProfileMismatch(
                f"{', '.join(group.projects)} was indexed with the embedding profile "
                f"{group.profile_id}, and {model.profile_id} is configured",
                "run `codequarry index --full`, or configure the profile of the index",
            )
        return model.embed(query.text), ""
    except EmbeddingError as error:
        if query.mode == "semantic":
            raise
        return None, f"answered by text alone: {error}"


def _hits(table: Table, query: Query, found: Candidates, weights: Weights) -> list[Hit]:
    if not found.table.num_rows:
        return []
    ranked = rank(query, found, weights)
    best = ranked.positions[: query.limit]
    hits = []
    shown = complete(table, found.table.take(pa.array(best))).to_pylist()
    for place, (row_number, row) in enumerate(zip(best, shown, strict=True)):
        score = float(ranked.scores[place])
        hits.append(
            Hit(
                project=row["project"],
                chunk_id=row["chunk_id"],
                path=row["path"],
                content=row["content"],
                start_line=row["start_line"],
                end_line=row["end_line"],
                chunk_type=row["chunk_type"],
                symbol_name=row["symbol_name"],
                selector=row["selector"],
                source_hash=row["source_hash"],
                language=row["language"],
                score=score if math.isfinite(score) else 0.0,
                components={
                    name: round(float(values[place]), 6)
                    for name, values in ranked.components.items()
                },
                reasons=reasons(ranked.signals, int(row_number)),
            )
        )
    return hits
