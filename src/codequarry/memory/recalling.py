"""How memories are ranked for a question, and their use counted (contract.md G3)."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
from lancedb.table import Table

from codequarry.core.errors import StateError
from codequarry.core.state import StateDirectory
from codequarry.embedding.provider import Vectors
from codequarry.index.store import rows
from codequarry.memory.ranking import Numbers, lifts, nearest, scores
from codequarry.memory.records import Memory, Preview, Question, Recalled
from codequarry.memory.table import alive, among, tagged, writing
from codequarry.memory.vectors import Likeness, likeness

PREVIEWS, PREVIEW_CHARACTERS = 3, 100
WRITE_SECONDS = 0.7
"""How long a recall waits for other writers before it answers without writing itself."""

_MS_PER_HOUR = 3_600_000
_COLUMNS = [
    *("id", "content", "importance", "tags", "created_at", "expires_at"),
    *("access_count", "last_accessed_at", "related"),
]


def wanted(question: Question, now: int) -> str:
    """Write the filter of the memories that may answer."""
    least = f"importance >= {question.min_importance!r}"
    return f"{alive(now)} AND {least} AND {tagged(question.tags)}"


def answer(
    state: StateDirectory,
    table: Table,
    question: Question,
    vector: Vectors,
    profile: str,
    now: int,
) -> Recalled:
    """Rank memories for a question, the best first, equal ones by ascending id.

    The ``2 * limit`` most alike are candidates. Their order is that of score times usage lift; the
    score that is told is without the lift.

    Args:
        state: The state directory, to count in.
        table: The table, read as it was opened.
        question: The question.
        vector: float32 (dimensions,): of the question.
        profile: Profile of the vector.
        now: Milliseconds since 1970.
    """
    found = likeness(table, wanted(question, now), question.text, vector, profile)
    ranked = _ranked(table, found, question.limit, now)
    previews = _previews(table, wanted(question, now), ranked)
    warnings = []
    if found.by_words:
        warnings.append(
            f"{found.by_words} memories were embedded with another model and compared by words"
        )
    if ranked and not _counted(state, ranked, now):
        warnings.append("this recall could not be counted as a use")
    return Recalled(
        tuple(replace(memory, previews=_shown(memory, previews)) for memory in ranked),
        tuple(warnings),
    )


def _ranked(table: Table, found: Likeness, limit: int, now: int) -> tuple[Memory, ...]:
    best = nearest(found.similarity, found.ids, 2 * limit)
    alike = dict(zip(found.ids[best].tolist(), found.similarity[best].tolist(), strict=True))
    held = rows(table, among(alike), _COLUMNS)
    similarity = np.array([alike[number] for number in held["id"].to_pylist()], np.float64)
    score = scores(similarity, _hours(held, "created_at", now), _numbers(held, "importance"))
    lift = lifts(_numbers(held, "access_count"), _hours(held, "last_accessed_at", now))
    order = np.lexsort((held["id"].to_numpy(), -score * (1 + lift)))[:limit]
    return tuple(
        _memory(row, float(score[place]))
        for place, row in zip(order, held.take(pa.array(order)).to_pylist(), strict=True)
    )


def _previews(table: Table, where: str, memories: Iterable[Memory]) -> dict[int, Preview]:
    """Read the first lines of related memories, of those that may answer too and of no others."""
    linked = {number for memory in memories for number in memory.related}
    if not linked:
        return {}
    held = rows(table, f"{where} AND {among(sorted(linked))}", ["id", "content"])
    return {
        row["id"]: Preview(row["id"], row["content"].strip().split("\n", 1)[0][:PREVIEW_CHARACTERS])
        for row in held.to_pylist()
    }


def _shown(memory: Memory, previews: Mapping[int, Preview]) -> tuple[Preview, ...]:
    known = [previews[number] for number in memory.related if number in previews]
    return tuple(known[:PREVIEWS])


def _numbers(held: pa.Table, name: str) -> Numbers:
    return np.asarray(held[name].to_numpy(), np.float64)


def _hours(held: pa.Table, name: str, now: int) -> Numbers:
    return (now - _numbers(held, name)) / _MS_PER_HOUR


def _memory(row: dict[str, Any], score: float) -> Memory:
    return Memory(
        id=row["id"],
        content=row["content"],
        importance=row["importance"],
        tags=tuple(row["tags"]),
        created_at=row["created_at"],
        expires_at=row["expires_at"],
        access_count=row["access_count"],
        related=tuple(row["related"]),
        score=score,
    )


def _counted(state: StateDirectory, memories: tuple[Memory, ...], now: int) -> bool:
    """Count a use of each; an answer never fails for want of a writable directory."""
    used = {"access_count": "access_count + 1", "last_accessed_at": str(now)}
    try:
        with writing(state, WRITE_SECONDS) as table:
            table.update(where=among(memory.id for memory in memories), values_sql=used)
    except StateError:
        return False
    return True
