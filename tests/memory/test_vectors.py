"""Models change; vectors of two never meet."""

import pytest

from codequarry.core.errors import MemoryTwin
from codequarry.core.state import StateDirectory
from codequarry.embedding.settings import EmbeddingSettings
from codequarry.index.store import rows
from codequarry.memory import vectors
from codequarry.memory.memories import Memories
from codequarry.memory.records import Note, Question
from codequarry.memory.table import newest
from tests.embedding.server import EmbeddingServer
from tests.memory.conftest import Clock, served


@pytest.fixture
def other(state: StateDirectory, server: EmbeddingServer, clock: Clock) -> Memories:
    """The same memory under another model."""
    return Memories(state, served(server, "another"), clock)


def profiles(state: StateDirectory) -> list[str]:
    table = newest(state)
    assert table is not None
    return sorted(rows(table, None, ["profile"])["profile"].to_pylist())


def test_a_recall_embeds_anew_what_it_asks(
    plane: Memories, other: Memories, state: StateDirectory
) -> None:
    """Under another model, the memories that may answer get its vectors, and only they."""
    plane.remember(Note("at 0", tags=("a",)))
    plane.remember(Note("at 40", tags=("b",)))
    recalled = other.recall(Question("at 0", tags=("a",)))
    assert [found.content for found in recalled.memories] == ["at 0"]
    assert recalled.warnings == ()
    assert profiles(state) == ["ollama:another:4:cosine", "ollama:plane:4:cosine"]


def test_models_of_other_widths(memories: Memories, plane: Memories, state: StateDirectory) -> None:
    """A memory of 256 dimensions is a twin and an answer under a model of 4, and back again."""
    memories.remember(Note("at 10 tokens"))
    with pytest.raises(MemoryTwin):
        plane.remember(Note("at 10"))
    assert len(plane.recall(Question("at 0")).memories) == 1
    assert len(memories.recall(Question("tokens")).memories) == 1
    assert profiles(state) == [EmbeddingSettings().profile.profile_id]


def test_what_is_not_embedded_yet_is_found_by_words(
    plane: Memories, other: Memories, state: StateDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Past the number of one call, words decide, and the answer says of how many."""
    monkeypatch.setattr(vectors, "RENEWED_AT_ONCE", 1)
    plane.remember(Note("at 90"))
    plane.remember(Note("token refresh early"))
    recalled = other.recall(Question("token refresh"))
    assert recalled.memories[0].content == "token refresh early"
    assert recalled.warnings == (
        "1 memories were embedded with another model and compared by words",
    )
    assert other.recall(Question("token refresh")).warnings == ()


def test_renewal_keeps_everything_else(plane: Memories, other: Memories) -> None:
    """Tags, links, times and uses are what they were."""
    plane.remember(Note("at 0", importance=0.9, tags=("a", "b"), ttl_hours=5))
    plane.remember(Note("at 30"))
    before = plane.recall(Question("at 0")).memories
    after = other.recall(Question("at 0")).memories
    for old, new in zip(before, after, strict=True):
        assert (new.id, new.content, new.importance) == (old.id, old.content, old.importance)
        assert (new.tags, new.related) == (old.tags, old.related)
        assert (new.created_at, new.expires_at) == (old.created_at, old.expires_at)
        assert new.access_count == old.access_count + 1
