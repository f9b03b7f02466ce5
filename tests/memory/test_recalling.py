"""What is answered, in which order, and that it was used."""

import pytest

from codequarry.core.state import StateDirectory
from codequarry.memory.memories import Memories
from codequarry.memory.records import Note, Question
from codequarry.memory.table import folder
from tests.embedding.server import EmbeddingServer
from tests.memory.conftest import Clock, served


def texts(memories: Memories, question: str = "at 0", **filters) -> list[str]:
    return [found.content for found in memories.recall(Question(question, **filters)).memories]


def test_nothing_remembered_asks_no_model(
    plane: Memories, server: EmbeddingServer, state: StateDirectory
) -> None:
    """An empty memory answers nothing, sends nothing and creates nothing."""
    assert texts(plane) == []
    assert server.requests == []
    assert not folder(state).exists()


def test_tags_match_whole_and_all(plane: Memories) -> None:
    """Each tag must be carried exactly: no part of one, no other case (J-58)."""
    plane.remember(Note("at 0", tags=("codemap", "abc")))
    plane.remember(Note("at 20", tags=("codemap",)))
    plane.remember(Note("at 40", tags=("code", "ABC", "it's", "a%")))
    assert texts(plane, tags=("codemap",)) == ["at 0", "at 20"]
    assert texts(plane, tags=("codemap", "abc")) == ["at 0"]
    assert texts(plane, tags=("code",)) == texts(plane, tags=("it's", "a%")) == ["at 40"]
    for tag in ("cod", "codema", "ab", "%", "a_", "' OR true --"):
        assert texts(plane, tags=(tag,)) == []


def test_least_importance_is_inclusive(plane: Memories) -> None:
    """A memory of just that importance answers."""
    plane.remember(Note("at 0", importance=0.3))
    plane.remember(Note("at 20", importance=0.29))
    assert texts(plane, min_importance=0.3) == ["at 0"]


@pytest.mark.parametrize("hours", [1 / 3_600_000, 1.0, 1000.0])
def test_expired_is_never_answered(plane: Memories, clock: Clock, hours: float) -> None:
    """From the moment of its expiry on, a memory is gone from every answer."""
    plane.remember(Note("at 0", ttl_hours=hours))
    plane.remember(Note("at 30", ttl_hours=0))
    assert texts(plane) == ["at 0", "at 30"]
    clock.pass_hours(hours)
    assert texts(plane) == ["at 30"]
    assert plane.stats().expired == 1


def test_score_is_the_formula(plane: Memories, clock: Clock) -> None:
    """Cosine, age and importance enter as written, and use does not (G3)."""
    plane.remember(Note("at 60", importance=0.8))
    clock.pass_hours(720)
    for _ in range(3):
        (found,) = plane.recall(Question("at 0")).memories
        assert found.score == pytest.approx(0.5 * 0.5 * 1.2, abs=1e-6)
    assert found.access_count == 2


def test_use_raises_a_place_and_no_score(plane: Memories) -> None:
    """Of two nearly equal memories the used one stands first, with its own lower score."""
    plane.remember(Note("at 20", tags=("a",)))
    plane.remember(Note("at -22", tags=("b",)))
    assert texts(plane) == ["at 20", "at -22"]
    for _ in range(10):
        plane.recall(Question("at 0", tags=("b",)))
    first, second = plane.recall(Question("at 0")).memories
    assert (first.content, second.content) == ("at -22", "at 20")
    assert first.score < second.score


def test_only_what_was_answered_counts_as_used(plane: Memories) -> None:
    """A candidate cut off by the limit was not used."""
    for angle in (0, 30, 60):
        plane.remember(Note(f"at {angle}"))
    for _ in range(4):
        plane.recall(Question("at 0", limit=1))
    counts = {
        found.content: found.access_count for found in plane.recall(Question("at 0")).memories
    }
    assert counts == {"at 0": 4, "at 30": 0, "at 60": 0}


def test_candidates_are_the_most_alike(plane: Memories, clock: Clock) -> None:
    """Twice the limit by similarity are ranked: an old near one is not lost to young far ones."""
    plane.remember(Note("at 0"))
    plane.remember(Note("at 20"))
    clock.pass_hours(72_000)
    plane.remember(Note("at 40"))
    assert texts(plane, limit=1) == ["at 0"]
    assert texts(plane, limit=2) == ["at 40", "at 0"]


def test_previews_stay_within_the_question(plane: Memories, clock: Clock) -> None:
    """Up to three neighbours are shown by their first line; never another project's, or expired."""
    plane.remember(Note("at 15 gone", tags=("p",), ttl_hours=1))
    plane.remember(Note("at -15 other", tags=("q",)))
    for angle in (30, -30, 43, -43):
        plane.remember(Note(f"at {angle} near\nmore", tags=("p",)))
    plane.remember(Note("at 0", tags=("p",)))
    clock.pass_hours(2)
    first = plane.recall(Question("at 0", tags=("p",))).memories[0]
    assert first.content == "at 0"
    assert len(first.related) == 6
    lines = [preview.line for preview in first.previews]
    assert lines == ["at 30 near", "at -30 near", "at 43 near"]


def test_the_house_model_finds_by_meaning(memories: Memories) -> None:
    """Without any server, a question finds the memory that speaks of it."""
    memories.remember(Note("refresh tokens five minutes before they expire"))
    memories.remember(Note("the parser keeps comments"))
    assert texts(memories, "when is a token refreshed?")[0].startswith("refresh tokens")


def test_odd_questions_and_texts(memories: Memories) -> None:
    """Any text can be remembered and asked for; quotes and control characters are only text."""
    odd = ['it\'s "quoted" -- DROP', "tab\tand\x1b[31m", "Zeilen\nund\r\nmehr", "ünï 😀", "'", "%"]
    for text in odd:
        memories.remember(Note(text, tags=(text,)))
    for text in odd:
        (found,) = memories.recall(Question(text, tags=(text,))).memories
        assert found.content == text


def test_a_memory_that_cannot_be_written_answers(
    plane: Memories, state: StateDirectory, server: EmbeddingServer, clock: Clock
) -> None:
    """The answer says that it was not counted; after a change of the model, words decide."""
    plane.remember(Note("at 0"))
    lock = state.home / "memory.lock"
    lock.unlink()
    lock.mkdir()
    recalled = plane.recall(Question("at 0"))
    assert len(recalled.memories) == 1
    assert recalled.warnings == ("this recall could not be counted as a use",)
    recalled = Memories(state, served(server, "another"), clock).recall(Question("at 0"))
    assert len(recalled.memories) == 1
    assert "compared by words" in recalled.warnings[0]
