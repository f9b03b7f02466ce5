"""Twins are refused, neighbours linked."""

import numpy as np
import pytest

from codequarry.core.errors import MemoryTwin
from codequarry.memory.memories import Memories
from codequarry.memory.records import Note, Question
from codequarry.memory.remembering import MAX_RELATED, Neighbours, neighbours
from codequarry.memory.vectors import Likeness
from tests.memory.conftest import Clock


def alike(*similarity: float) -> Neighbours:
    ids = np.arange(1, len(similarity) + 1)
    return neighbours(Likeness(ids, np.array(similarity, np.float64)))


def links(memories: Memories) -> dict[int, tuple[int, ...]]:
    found = memories.recall(Question("at 0", limit=100)).memories
    return {memory.id: memory.related for memory in found}


def test_thresholds() -> None:
    """From 0.98 on it is a twin, from 0.70 on a neighbour; the nearest come first (G2)."""
    assert alike(0.6999, 0.70, 0.9799) == Neighbours(0, 0.0, (3, 2))
    assert alike(0.5, 0.98, 0.8) == Neighbours(2, 0.98, (3,))
    assert alike(0.99, 1.0) == Neighbours(2, 1.0, ())


def test_only_the_nine_nearest_count() -> None:
    """Eight links at most; a ninth neighbour is not linked, and twins take places of the nine."""
    assert alike(*[0.9] * 10).related == (1, 2, 3, 4, 5, 6, 7, 8)
    assert alike(*[0.99] * 3, *[0.9] * 9).related == (4, 5, 6, 7, 8, 9)


def test_a_twin_is_refused_and_named(plane: Memories) -> None:
    """The refusal carries the twin's id, and nothing was written."""
    first = plane.remember(Note("at 10"))
    with pytest.raises(MemoryTwin, match=f"memory {first.id} says the same") as refused:
        plane.remember(Note("at 12"))
    assert refused.value.twin == first.id
    assert plane.stats().total == 1


def test_an_allowed_duplicate_is_not_linked_with_its_twin(plane: Memories) -> None:
    """It is kept beside its twin; other neighbours are linked as ever."""
    twin = plane.remember(Note("at 10"))
    near = plane.remember(Note("at 40"))
    double = plane.remember(Note("at 11"), allow_duplicate=True)
    assert double.related == (near.id,)
    assert links(plane)[twin.id] == (near.id,)


def test_links_go_both_ways(plane: Memories) -> None:
    """A new memory points to its neighbours, and they to it."""
    a, b, far = (plane.remember(Note(f"at {angle}")) for angle in (0, 30, 120))
    c = plane.remember(Note("at 15"))
    assert (b.related, far.related, c.related) == ((a.id,), (), (a.id, b.id))
    assert links(plane) == {
        a.id: (b.id, c.id),
        b.id: (a.id, c.id),
        c.id: (a.id, b.id),
        far.id: (),
    }


def test_a_full_neighbour_gets_no_link_back(plane: Memories) -> None:
    """A memory never has more than eight links (G2)."""
    hub = plane.remember(Note("at 0"))
    around = [
        plane.remember(Note(f"at {angle}"), allow_duplicate=True)
        for angle in (-44, 44, -32, 32, -20, 20, -40, 40)
    ]
    last = plane.remember(Note("at 36"), allow_duplicate=True)
    assert hub.id in last.related
    found = links(plane)
    assert found[hub.id] == tuple(stored.id for stored in around)
    assert all(len(related) <= MAX_RELATED for related in found.values())


def test_an_expired_memory_is_no_twin(plane: Memories, clock: Clock) -> None:
    """What is never answered any more refuses nothing and is linked with nothing."""
    plane.remember(Note("at 10", ttl_hours=1))
    clock.pass_hours(1)
    assert plane.remember(Note("at 10")).related == ()


def test_the_same_text_is_a_twin_even_without_words(memories: Memories) -> None:
    """A text in which the model knows no word has no direction, but it equals itself."""
    memories.remember(Note("!!!"))
    memories.remember(Note("???"))
    with pytest.raises(MemoryTwin):
        memories.remember(Note("!!!"))
