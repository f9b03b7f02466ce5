"""How a note becomes a memory: its twin refuses it, its neighbours are linked with it."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from lancedb.table import Table

from codequarry.core.errors import MemoryTwin
from codequarry.core.state import StateDirectory
from codequarry.embedding.provider import Vectors
from codequarry.index.store import quote, rows
from codequarry.memory.ranking import nearest
from codequarry.memory.records import Note, Stored
from codequarry.memory.table import alive, among, writing
from codequarry.memory.vectors import Likeness, likeness, replaced
from codequarry.schemas.tables import MEMORIES

TWIN = 0.98
NEIGHBOUR = 0.70
MAX_RELATED = 8
PROBED = 9
"""Nearest memories that are looked at: the most links, and a twin."""

_MS_PER_HOUR = 3_600_000


@dataclass(frozen=True)
class Neighbours:
    """What is near a note.

    Args:
        twin: The id of the nearest memory that says the same, or 0.
        similarity: How alike the twin is.
        related: Ids of its neighbours but twins, the nearest first.
    """

    twin: int
    similarity: float
    related: tuple[int, ...]


def neighbours(found: Likeness) -> Neighbours:
    """Tell twins and neighbours by their similarity (contract.md G2)."""
    best = nearest(found.similarity, found.ids, PROBED)
    near = [(int(found.ids[place]), float(found.similarity[place])) for place in best]
    twin, similarity = next(((i, s) for i, s in near if s >= TWIN), (0, 0.0))
    related = [number for number, alike in near if NEIGHBOUR <= alike < TWIN]
    return Neighbours(twin, similarity, tuple(related[:MAX_RELATED]))


def keep(
    state: StateDirectory,
    note: Note,
    vector: Vectors,
    profile: str,
    now: int,
    *,
    allow_duplicate: bool,
) -> Stored:
    """Write a memory and the links of its neighbours, in one commit.

    Args:
        state: The state directory.
        note: What to keep.
        vector: float32 (dimensions,): of its content.
        profile: Profile of the vector.
        now: Milliseconds since 1970.
        allow_duplicate: Keep it also when a memory says the same.

    Raises:
        MemoryTwin: A memory says the same.
        StateError: The memory cannot be written.
    """
    with writing(state) as table:
        near = neighbours(_likeness(table, note.content, vector, profile, now))
        if near.twin and not allow_duplicate:
            raise MemoryTwin(near.twin, near.similarity)
        number = table.version  # every commit makes the next one, so no id is ever used again
        row = _row(number, note, near.related, vector, profile, now)
        linked = _with_back_links(rows(table, among(near.related), MEMORIES.names), number)
        write = table.merge_insert("id").when_matched_update_all().when_not_matched_insert_all()
        write.execute(pa.concat_tables([linked, row]))
    return Stored(number, near.related)


def _likeness(table: Table, content: str, vector: Vectors, profile: str, now: int) -> Likeness:
    """Compare with all memories; one of the same text is a twin whatever its vector."""
    where = alive(now)
    found = likeness(table, where, content, vector, profile)
    equal = rows(table, f"{where} AND content = {quote(content)}", ["id"])["id"].to_numpy()
    # Common words tell a neighbour too little, so what another profile embedded is left alone.
    comparable = np.arange(len(found.ids)) < len(found.ids) - found.by_words
    similarity = np.where(comparable, found.similarity, 0.0)
    similarity[np.isin(found.ids, equal)] = 1.0
    return Likeness(found.ids, similarity)


def _row(
    number: int, note: Note, related: tuple[int, ...], vector: Vectors, profile: str, now: int
) -> pa.Table:
    lasting = round(note.ttl_hours * _MS_PER_HOUR) if note.ttl_hours > 0 else 0
    memory = {
        "id": number,
        "content": note.content,
        "importance": note.importance,
        "tags": list(note.tags),
        "created_at": now,
        "expires_at": now + max(lasting, 1) if note.ttl_hours > 0 else 0,
        "access_count": 0,
        "last_accessed_at": 0,
        "related": list(related),
        "profile": profile,
        "vector": vector.tolist(),
    }
    return pa.Table.from_pylist([memory], schema=MEMORIES)


def _with_back_links(held: pa.Table, number: int) -> pa.Table:
    links = held["related"].to_pylist()
    added = [ids if len(ids) >= MAX_RELATED else [*ids, number] for ids in links]
    return replaced(held, "related", added).cast(MEMORIES)
