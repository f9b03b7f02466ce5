"""One table, many processes, and the index beside it."""

import contextlib
import multiprocessing
import multiprocessing.connection
from datetime import timedelta
from pathlib import Path

import pytest

from codequarry.core.errors import BusyError, IndexStateError
from codequarry.core.files import locked
from codequarry.core.state import StateDirectory
from codequarry.embedding.settings import EmbeddingSettings
from codequarry.index.publish import leased, repair
from codequarry.index.store import Store
from codequarry.memory import table as memory_table
from codequarry.memory.memories import Memories
from codequarry.memory.records import Note, Question
from codequarry.memory.table import folder, newest, writing
from tests.memory.conftest import Clock

WRITERS, NOTES, RECALLS = 3, 5, 3


def write(home: str, number: int) -> None:
    memories = Memories(StateDirectory(Path(home)), EmbeddingSettings())
    for turn in range(NOTES):
        memories.remember(Note(f"writer{number} turn{turn} {'x' * turn}"), allow_duplicate=True)


def read(home: str, _number: int) -> None:
    memories = Memories(StateDirectory(Path(home)), EmbeddingSettings())
    counted = 0
    while counted < RECALLS:
        recalled = memories.recall(Question("the common ground", tags=("common",)))
        assert len(recalled.memories) == 1
        counted += not recalled.warnings  # on a busy machine one may say that it did not count


def test_concurrent_writers_lose_nothing(state: StateDirectory, memories: Memories) -> None:
    """Real processes remember and recall at once: every memory, link and use is there after."""
    memories.remember(Note("the common ground", tags=("common",)))
    spawn = multiprocessing.get_context("spawn")
    running = [
        spawn.Process(target=work, args=(str(state.home), number))
        for number in range(WRITERS)
        for work in (write, read)[: 2 if number < 2 else 1]
    ]
    for process in running:
        process.start()
    for process in running:
        process.join(180)
        assert process.exitcode == 0
    found = memories.recall(Question("writer turn", limit=1000)).memories
    assert len(found) == len({memory.id for memory in found}) == WRITERS * NOTES + 1
    assert {memory.content for memory in found} >= {
        f"writer{number} turn{turn} {'x' * turn}"
        for number in range(WRITERS)
        for turn in range(NOTES)
    }
    ids = {memory.id for memory in found}
    assert all(set(memory.related) <= ids - {memory.id} for memory in found)
    (common,) = (memory for memory in found if memory.content == "the common ground")
    assert common.access_count == 2 * RECALLS


def write_until_killed(home: str, told: "multiprocessing.connection.Connection") -> None:
    memories = Memories(StateDirectory(Path(home)), EmbeddingSettings())
    for turn in range(10_000):
        told.send(memories.remember(Note(f"turn{turn} alone"), allow_duplicate=True).id)


def test_a_killed_writer_loses_nothing(state: StateDirectory, memories: Memories) -> None:
    """What a writer was told is stored outlives its SIGKILL, and the next writer goes on."""
    spawn = multiprocessing.get_context("spawn")
    hearing, told = spawn.Pipe(duplex=False)
    process = spawn.Process(target=write_until_killed, args=(str(state.home), told))
    process.start()
    told.close()
    heard = [hearing.recv() for _ in range(5)]
    process.kill()
    process.join(60)
    with contextlib.suppress(EOFError):
        while True:
            heard.append(hearing.recv())
    hearing.close()
    memories.remember(Note("the next one"), allow_duplicate=True)
    found = {memory.id for memory in memories.recall(Question("turn", limit=1000)).memories}
    assert found >= set(heard)


def test_the_index_leaves_memories_alone(state: StateDirectory, memories: Memories) -> None:
    """A repair of the index, which drops tables that nobody published, never sees this one."""
    memories.remember(Note("kept"))
    with leased(state):
        store = Store(state)
        assert (store.names(), repair(store)) == ((), ())
        # Nor does a memory wait for whoever publishes.
        memories.remember(Note("while an index run goes on"))
    assert memories.stats().total == 2


def test_versions_and_files_stay_few(
    state: StateDirectory, memories: Memories, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many small writes leave a bounded number of files, and every row."""
    monkeypatch.setattr(memory_table, "_GRACE", timedelta(milliseconds=1))
    for number in range(60):
        memories.remember(Note(f"w{number}" * 3), allow_duplicate=True)
    table = newest(state)
    assert table is not None
    assert len(table.list_versions()) < 50
    assert table.count_rows() == 60


def test_a_busy_table(state: StateDirectory, memories: Memories) -> None:
    """A recall answers uncounted while others write; a writer gives up with a remedy."""
    memories.remember(Note("refresh tokens early"))
    with locked(state.home / "memory.lock", 1):
        recalled = memories.recall(Question("tokens"))
        with pytest.raises(BusyError, match="run again"), writing(state, 0.1):
            pass
    assert recalled.warnings == ("this recall could not be counted as a use",)
    assert len(recalled.memories) == 1


def test_a_damaged_table(state: StateDirectory, memories: Memories) -> None:
    """It is named with a remedy, and never taken for an empty memory."""
    memories.remember(Note("refresh tokens early"))
    for path in (folder(state) / "memories.lance" / "_versions").iterdir():
        path.write_bytes(b"damaged")
    for act in (memories.stats, lambda: memories.recall(Question("tokens"))):
        with pytest.raises(IndexStateError, match=r"is damaged; restore"):
            act()
    with pytest.raises(IndexStateError):
        memories.remember(Note("something else"))


def test_data_files_that_are_gone(state: StateDirectory, memories: Memories) -> None:
    """Lost rows are an error too, not fewer answers."""
    memories.remember(Note("refresh tokens early"))
    for path in (folder(state) / "memories.lance" / "data").iterdir():
        path.unlink()
    with pytest.raises(IndexStateError):
        memories.recall(Question("tokens"))


def test_stats(memories: Memories, clock: Clock) -> None:
    """Living and expired are counted apart; tags go by number, then by their bytes."""
    assert memories.stats().total == 0
    memories.remember(Note("first one", tags=("b", "a"), ttl_hours=1))
    clock.pass_hours(2)
    memories.remember(Note("second thing", tags=("b", "é")))
    clock.pass_hours(1)
    memories.remember(Note("third matter", tags=("z", "é")))
    held = memories.stats()
    assert (held.total, held.expired) == (2, 1)
    assert held.newest - held.oldest == 3_600_000
    assert list((held.tag_counts or {}).items()) == [("é", 2), ("b", 1), ("z", 1)]
