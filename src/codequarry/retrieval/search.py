"""One search, from the question to its hits, over every project asked for."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
from lancedb.table import Table

from codequarry.core.errors import EmbeddingError, ProfileMismatch
from codequarry.index.reader import Group, Reader
from codequarry.retrieval.candidates import Candidates, contents, find
from codequarry.retrieval.query import Query, where
from codequarry.retrieval.ranking import RECIPE, SCORE_DIGITS, Weights, rank
from codequarry.retrieval.reasons import reasons

_UNKNOWN = {
    "semantic": "the model knows no word of the question, so nothing is found by meaning",
    "hybrid": "answered by text alone: the model knows no word of the question",
}

_WORDLESS = "answered by meaning alone: the question has no word that tells texts apart"


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
        IndexStateError: The chunks are damaged, or another version of codequarry wrote them.
        EmbeddingError: Mode ``semantic``, and the query cannot be embedded with the profile that
            any of the projects was built with; those that were built with another are left out
            with a warning. Mode ``hybrid`` answers by text and warns.
    """
    hits: list[Hit] = []
    warnings: list[str] = []
    groups = reader.groups(projects)
    if query.mode == "semantic" and model is not None:
        fitting, left_out = fitting_groups(groups, model.profile_id)
        # Where the model answers for none, all are asked, for their error.
        groups, warnings = (fitting, left_out) if fitting else (groups, [])
    for group in groups:
        vector, warning = _vector(query, group, model)
        if warning and warning not in warnings:
            warnings.append(warning)
        words = [] if query.mode == "semantic" and model is not None else query.words
        if not words and not query.identifiers:
            if vector is None:
                continue
            if query.mode == "hybrid" and _WORDLESS not in warnings:
                warnings.append(_WORDLESS)
        table = reader.chunk_table(group)
        scope = where(None if group.is_whole else group.projects, query.filters)
        found = find(table, scope, words, vector, query.identifiers)
        hits.extend(_hits(table, query, found, weights))
    hits.sort(key=lambda hit: (-hit.score, hit.project.encode(), hit.path.encode(), hit.start_line))
    return Answer(tuple(hits[: query.limit]), tuple(warnings))


def fitting_groups(groups: Iterable[Group], profile_id: str) -> tuple[tuple[Group, ...], list[str]]:
    """Keep the groups that a model answers for, and warn of the projects of the others."""
    listed = tuple(groups)
    fitting = tuple(group for group in listed if group.profile_id == profile_id)
    others = [name for group in listed if group not in fitting for name in group.projects]
    if not others:
        return fitting, []
    return fitting, [f"left out, for their embedding profile is another: {', '.join(others)}"]


def _vector(query: Query, group: Group, model: QueryVector | None) -> tuple[np.ndarray | None, str]:
    if query.mode == "keyword" or model is None:
        return None, ""
    try:
        if model.profile_id != group.profile_id:
            theirs, ours = _told_apart(group.profile_id, model.profile_id)
            raise ProfileMismatch(
                f"{', '.join(group.projects)} was indexed with the embedding profile {theirs}, "
                f"and {ours} is configured",
                "run `codequarry index --full`, or configure the profile of the index",
            )
        vector = model.embed(query.text)
        return (vector, "") if np.any(vector) else (None, _UNKNOWN[query.mode])
    except EmbeddingError as error:
        if query.mode == "semantic":
            raise
        return None, f"answered by text alone: {error}"


def _told_apart(one: str, other: str) -> tuple[str, str]:
    """Cut two profile ids to provider, model and dimensions, where these tell them apart."""
    models = tuple(":".join(profile.split(":")[:3]) for profile in (one, other))
    return (models[0], models[1]) if models[0] != models[1] else (one, other)


def _hits(table: Table, query: Query, found: Candidates, weights: Weights) -> list[Hit]:
    if not found.cards:
        return []
    ranked = rank(query, found, weights)
    best: list[int] = ranked.positions[: query.limit].tolist()
    texts = contents(table, [found.row_ids[row] for row in best])
    hits = []
    for place, (row, content) in enumerate(zip(best, texts, strict=True)):
        card, score = found.cards[row], float(ranked.scores[place])
        hits.append(
            Hit(
                project=card.project,
                chunk_id=card.chunk_id,
                path=card.path,
                content=content,
                start_line=card.start_line,
                end_line=card.end_line,
                chunk_type=card.chunk_type,
                symbol_name=card.symbol_name,
                selector=msgspec.structs.asdict(card.selector) if card.selector else None,
                source_hash=card.source_hash,
                language=card.language,
                # As finely as `rank` orders: twins of two projects tie, whatever the last bits.
                score=round(score, SCORE_DIGITS) if math.isfinite(score) else 0.0,
                components={
                    name: round(float(values[place]), 6)
                    for name, values in ranked.components.items()
                },
                reasons=reasons(ranked.signals, row),
            )
        )
    return hits
