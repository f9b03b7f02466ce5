"""What is forgotten is gone, with the links to it, and nothing else is."""

import math

import pytest

from codequarry.core.errors import UsageError
from codequarry.core.state import StateDirectory
from codequarry.memory.memories import Memories
from codequarry.memory.records import Note, Question
from codequarry.memory.table import folder
from tests.memory.conftest import Clock


def links(memories: Memories) -> dict[int, tuple[int, ...]]:
    found = memories.recall(Question("at 0", limit=100)).memories
    return {memory.id: memory.related for memory in found}


def test_one_by_its_id(plane: Memories) -> None:
    """It goes once; the others lose the link to it and keep the rest."""
    a, b, c = (plane.remember(Note(f"at {angle}")).id for angle in (0, 20, 40))
    assert plane.forget(a)
    assert links(plane) == {b: (c,), c: (b,)}
    assert not plane.forget(a)


def test_an_id_is_never_used_again(plane: Memories) -> None:
    """Not even that of the newest memory, forgotten before the next came."""
    used = []
    for _ in range(4):
        used.append(plane.remember(Note("at 0")).id)
        plane.forget(used[-1])
    assert used == sorted(set(used))
    assert used[0] == 1


def test_tags_are_exact_and_either(plane: Memories) -> None:
    """Any of the tags suffices, a part of one does not."""
    for angle, tag in ((0, "cod"), (30, "codemap"), (60, "other"), (90, "kept")):
        plane.remember(Note(f"at {angle}", tags=(tag,)))
    assert plane.matching(("cod",)) == 1
    assert plane.forget_matching(("cod", "other")) == 2
    assert plane.stats().tag_counts == {"codemap": 1, "kept": 1}


def test_age_or_tag(plane: Memories, clock: Clock) -> None:
    """Old memories go, and those with the tag, whether old or not (G4)."""
    plane.remember(Note("at 0"))
    clock.pass_hours(10)
    plane.remember(Note("at 40", tags=("x",)))
    plane.remember(Note("at 80"))
    assert plane.matching(older_than_hours=10.0) == 0
    assert plane.forget_matching(("x",), older_than_hours=9.5) == 2
    assert [found.content for found in plane.recall(Question("at 0")).memories] == ["at 80"]


@pytest.mark.parametrize("hours", [1e9, 1e18, 1e308])
def test_ages_beyond_all_time(plane: Memories, hours: float) -> None:
    """Nothing is older than a huge age, which is no fault of the table."""
    plane.remember(Note("at 0"))
    assert plane.forget_matching(older_than_hours=hours) == 0


@pytest.mark.parametrize("hours", [math.nan, math.inf, -1.0])
def test_ages_that_are_refused(plane: Memories, hours: float) -> None:
    """No number and a negative one forget nothing."""
    with pytest.raises(UsageError):
        plane.forget_matching(older_than_hours=hours)


def test_nothing_chosen_is_refused(plane: Memories) -> None:
    """Forgetting everything must be asked for; blank tags are no choice."""
    plane.remember(Note("at 0"))
    for tags in ((), ("", " ")):
        with pytest.raises(UsageError, match="nothing says what to forget"):
            plane.forget_matching(tags)


def test_forgetting_creates_nothing(plane: Memories, state: StateDirectory) -> None:
    """Where nothing was remembered, nothing is forgotten and no table is made."""
    assert not plane.forget(1)
    assert plane.forget_matching(("x",)) == 0
    assert not folder(state).exists()
