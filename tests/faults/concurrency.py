"""A reader that searches without a pause while a run publishes."""

import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import TYPE_CHECKING

from codequarry.core.state import StateDirectory
from codequarry.index.reader import Reader
from tests.e2e.running import index
from tests.faults.checks import PROJECT
from tests.faults.processes import context, forked
from tests.faults.reading import hits
from tests.faults.scenes import Scene, copied

if TYPE_CHECKING:
    from multiprocessing.sharedctypes import Synchronized

Hits = tuple[tuple[str, str, int], ...]


@dataclass(frozen=True)
class Searches:
    """What a reader saw.

    Args:
        answers: The different answers, in the order of their first sight.
        milliseconds: Time of each search, the opening of the ledger included.
    """

    answers: tuple[Hits, ...]
    milliseconds: tuple[float, ...]

    @property
    def p95(self) -> float:
        """The 95th percentile, in milliseconds."""
        return statistics.quantiles(self.milliseconds, n=20)[-1]


@dataclass(frozen=True)
class Reading:
    """Searches without and during publications.

    Args:
        idle: With nothing else going on.
        busy: While runs published, one after the other.
        runs: How many.
    """

    idle: Searches
    busy: Searches
    runs: int

    def lines(self) -> Iterator[str]:
        """Word it for the report."""
        idle, busy = self.idle, self.busy
        yield (
            f"{len(busy.milliseconds)} searches, each opening the published state anew, during "
            f"{self.runs} full runs one after the other: no error, {len(busy.answers)} different "
            "answers, the old one and the new one. 95th percentile "
            f"{busy.p95:.0f} ms against {idle.p95:.0f} ms idle ({busy.p95 / idle.p95:.1f} times), "
            "with the run on the same two cores."
        )


def searches(home: Path, number: int, runs: "Synchronized[int] | None" = None) -> Searches:
    """Ask ``number`` times for what is published just then, and on until a run has ended."""
    state = StateDirectory(home)
    answers: dict[Hits, None] = {}
    times: list[float] = []
    hits(Reader(state), PROJECT)  # what is imported and opened once does not count
    while len(times) < number or (runs is not None and not runs.value):
        started = time.perf_counter()
        answers[hits(Reader(state), PROJECT)] = None
        times.append((time.perf_counter() - started) * 1000)
    return Searches(tuple(answers), tuple(times))


def reading_during_publication(scene: Scene, folder: Path, number: int) -> Reading:
    """Search a scene's deployment while runs follow each other; the first one moves the state.

    Raises:
        ChildProcessError: A search failed.
    """
    folder.mkdir()
    home = copied(scene.home, folder / "home")
    idle = forked(searches, home, number // 4)
    forking = context()
    ended, counted = forking.Event(), forking.Value("i", 0)
    running = forking.Process(target=_publish, args=(home, scene.expected.root, ended, counted))
    running.start()
    try:
        busy = forked(searches, home, number, counted)
    finally:
        ended.set()
        running.join(60)
    assert running.exitcode == 0
    return Reading(idle, busy, counted.value)


def _publish(home: Path, root: Path, ended: Event, counted: "Synchronized[int]") -> None:
    while not ended.is_set():
        index(StateDirectory(home), root, full=True)
        counted.value += 1
