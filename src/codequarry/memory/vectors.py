"""How alike memories are to a text, by the vectors of one embedding profile.

Vectors of two profiles are never compared. A memory of another profile is embedded anew, some at a
time; until then it is found by its words, and the asker is told.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from lancedb.table import Table

from codequarry.core.errors import IndexStateError
from codequarry.core.state import StateDirectory
from codequarry.core.words import query_words
from codequarry.embedding.provider import Embedder, Vectors
from codequarry.index.store import quote, rows
from codequarry.memory.ranking import Numbers
from codequarry.memory.table import WRITE_SECONDS, among, writing
from codequarry.schemas.tables import MEMORIES

RENEWED_AT_ONCE = 256
"""Memories of another profile that one call embeds anew: some 10 requests of a slow server."""

Ids = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Likeness:
    """How alike some memories are to a text.

    Args:
        ids: int64 (n,).
        similarity: float64 (n,): cosine, or for the last ``by_words`` the share of common words.
        by_words: Memories that another profile embedded.
    """

    ids: Ids
    similarity: Numbers
    by_words: int = 0


def renew(
    state: StateDirectory,
    table: Table,
    where: str,
    embedder: Embedder,
    seconds: float = WRITE_SECONDS,
) -> bool:
    """Embed memories of another profile anew; tell whether there were any.

    Args:
        state: The state directory, to write to.
        table: The table, read as it was opened.
        where: Which memories.
        embedder: The model in use.
        seconds: How long to wait for other writers.

    Raises:
        EmbeddingError: The provider failed.
        StateError: The table cannot be written; `BusyError` when others write all the time.
    """
    profile = embedder.profile.profile_id
    stale = rows(table, f"{where} AND profile != {quote(profile)}", ["id"])["id"].to_pylist()
    if not stale:
        return False
    chosen = rows(table, among(sorted(stale)[:RENEWED_AT_ONCE]), ["id", "content"])
    fresh = embedder.embed_documents(chosen["content"])
    by_id = dict(zip(chosen["id"].to_pylist(), fresh, strict=True))
    with writing(state, seconds) as current:
        held = rows(current, among(by_id), MEMORIES.names)
        vectors = [by_id[number].tolist() for number in held["id"].to_pylist()]
        held = replaced(held, "profile", [profile] * held.num_rows)
        write = current.merge_insert("id").when_matched_update_all()
        write.execute(replaced(held, "vector", vectors))
    return True


def likeness(table: Table, where: str, text: str, vector: Vectors, profile: str) -> Likeness:
    """Compare memories with a text, a batch at a time, so that memory stays bounded.

    Args:
        table: The table, read as it was opened.
        where: Which memories.
        text: The text.
        vector: float32 (dimensions,): its vector.
        profile: Profile of the vector.
    """
    ids: list[Ids] = []
    cosines: list[Numbers] = []
    stale: list[int] = []
    wanted = vector.astype(np.float64)
    for batch in _batches(table, where, ["id", "profile", "vector"]):
        same = pc.equal(batch["profile"], profile)
        stale.extend(batch.filter(pc.invert(same))["id"].to_pylist())
        ours = batch.filter(same)
        flat = ours["vector"].flatten().to_numpy(zero_copy_only=False)
        ids.append(ours["id"].to_numpy())
        cosines.append(flat.reshape(len(ours), len(vector)).astype(np.float64) @ wanted)
    if stale:
        others = rows(table, among(stale), ["id", "content"])
        ids.append(others["id"].to_numpy())
        cosines.append(_common_words(text, others["content"].to_pylist()))
    if not ids:
        return Likeness(np.zeros(0, np.int64), np.zeros(0))
    return Likeness(np.concatenate(ids), np.concatenate(cosines), len(stale))


def replaced(held: pa.Table, name: str, values: Sequence[object]) -> pa.Table:
    """Give whole rows with one column anew."""
    place = MEMORIES.get_field_index(name)
    return held.set_column(place, MEMORIES.field(name), pa.array(values, MEMORIES.field(name).type))


def _batches(table: Table, where: str, columns: list[str]) -> Iterator[pa.RecordBatch]:
    try:
        yield from table.search().where(where).select(columns).to_batches()
    except (RuntimeError, OSError) as error:
        raise IndexStateError(
            "the stored memories are damaged and cannot be read",
            "restore the state directory from a backup",
        ) from error


def _common_words(text: str, contents: list[str]) -> Numbers:
    wanted = set(query_words(text))
    shared = [len(wanted & set(query_words(content))) for content in contents]
    return np.array(shared, np.float64) / max(len(wanted), 1)
