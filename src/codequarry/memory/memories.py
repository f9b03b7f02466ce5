"""The memory of a deployment: remember, recall, forget, and what it holds.

Every text in it is data that some agent wrote: whoever shows one says so, and obeys none.
"""

import contextlib
import time
from collections.abc import Callable

import pyarrow as pa
import pyarrow.compute as pc

from codequarry.core.errors import StateError
from codequarry.core.state import StateDirectory
from codequarry.embedding.settings import EmbeddingSettings
from codequarry.index.store import rows
from codequarry.memory import forgetting, recalling, remembering
from codequarry.memory.provider import reachable_model
from codequarry.memory.records import Note, Question, Recalled, Stats, Stored
from codequarry.memory.table import alive, newest
from codequarry.memory.vectors import renew

Clock = Callable[[], float]
"""Gives seconds since 1970."""


class Memories:
    """The memories of all projects of a deployment.

    Args:
        state: The state directory.
        settings: The embedding model; the environment's when not given.
        clock: Seconds since 1970.
    """

    def __init__(
        self,
        state: StateDirectory,
        settings: EmbeddingSettings | None = None,
        clock: Clock = time.time,
    ) -> None:
        self._state = state
        self._settings = settings
        self._clock = clock

    def remember(self, note: Note, *, allow_duplicate: bool = False) -> Stored:
        """Keep a note, and link it with its neighbours (contract.md G2).

        Args:
            note: What to keep.
            allow_duplicate: Keep it also when a memory says the same; the two are not linked.

        Raises:
            MemoryTwin: A memory says the same.
            EmbeddingError: The provider failed; `ProviderUnavailable` when it cannot be reached.
            StateError: The memory cannot be written; `BusyError` when others write all the time.
        """
        with reachable_model(self._model()) as embedder:
            vector = embedder.embed_documents([note.content])[0]
            table = newest(self._state)
            if table is not None:
                renew(self._state, table, alive(self._now()), embedder)
            profile = embedder.profile.profile_id
        return remembering.keep(
            self._state, note, vector, profile, self._now(), allow_duplicate=allow_duplicate
        )

    def recall(self, question: Question) -> Recalled:
        """Find memories by meaning, best first, and count that they were used (contract.md G3).

        An expired memory is never among them. A deployment that remembers nothing asks no model.

        Raises:
            EmbeddingError: The provider failed; `ProviderUnavailable` when it cannot be reached.
            IndexStateError: The memory is damaged.
        """
        table = newest(self._state)
        now = self._now()
        wanted = recalling.wanted(question, now)
        if table is None or not rows(table, wanted, ["id"]).num_rows:
            return Recalled()
        with reachable_model(self._model()) as embedder:
            vector = embedder.embed_query(question.text)
            # Where nothing can be written now, those of another model are found by their words.
            with contextlib.suppress(StateError):
                if renew(self._state, table, wanted, embedder, recalling.WRITE_SECONDS):
                    table = newest(self._state) or table
            profile = embedder.profile.profile_id
        return recalling.answer(self._state, table, question, vector, profile, now)

    def forget(self, number: int) -> bool:
        """Forget one memory; tell whether there was one.

        Raises:
            StateError: The memory cannot be written.
        """
        return forgetting.forget(self._state, f"id = {number}") == 1

    def matching(self, tags: tuple[str, ...] = (), older_than_hours: float | None = None) -> int:
        """Count what `forget_matching` would forget now.

        Raises:
            UsageError: Neither is given, or the hours are no number.
        """
        chosen = forgetting.chosen(tags, older_than_hours, self._now())
        table = newest(self._state)
        return 0 if table is None else int(rows(table, chosen, ["id"]).num_rows)

    def forget_matching(
        self, tags: tuple[str, ...] = (), older_than_hours: float | None = None
    ) -> int:
        """Forget memories that carry any of the tags, exactly, or are older (contract.md G4).

        Returns:
            How many were forgotten.

        Raises:
            UsageError: Neither is given, or the hours are no number.
            StateError: The memory cannot be written.
        """
        return forgetting.forget(
            self._state, forgetting.chosen(tags, older_than_hours, self._now())
        )

    def stats(self) -> Stats:
        """Count what is remembered; needs no model.

        Raises:
            IndexStateError: The memory is damaged.
        """
        table = newest(self._state)
        if table is None:
            return Stats()
        held = rows(table, None, ["tags", "created_at", "expires_at"])
        now = self._now()
        living = pc.or_(pc.equal(held["expires_at"], 0), pc.greater(held["expires_at"], now))
        kept = held.filter(living)
        times = pc.min_max(kept["created_at"]).as_py()
        return Stats(
            total=kept.num_rows,
            expired=held.num_rows - kept.num_rows,
            oldest=times["min"] or 0,
            newest=times["max"] or 0,
            tag_counts=_tag_counts(kept["tags"]),
        )

    def _model(self) -> EmbeddingSettings:
        return self._settings or EmbeddingSettings.from_environment()

    def _now(self) -> int:
        return int(self._clock() * 1000)


def _tag_counts(tags: pa.ChunkedArray) -> dict[str, int]:
    counted = pc.value_counts(pc.list_flatten(tags)).to_pylist()
    counted.sort(key=lambda row: (-row["counts"], row["values"].encode()))
    return {row["values"]: row["counts"] for row in counted}
