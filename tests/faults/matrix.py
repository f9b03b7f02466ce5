"""Many faults, each on a copy of its scene's deployment, two at a time."""

import shutil
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.faults.checks import Findings, examine
from tests.faults.points import Fault, Point, read_trace
from tests.faults.processes import Done, forked, perform
from tests.faults.scenes import Scene, copied

WORKERS = 2
KILLS = ("before", "after")
ERRNOS = ("ENOSPC", "EIO", "EACCES")
_TRANSIENT = ("changesets/", "cache/", "graph/")


@dataclass(frozen=True)
class Outcome:
    """What came of one fault.

    Args:
        scene: Name of the scene.
        fault: The fault.
        done: How the disturbed run ended.
        findings: What was found afterwards.
        problems: What does not hold, of the run's end and of the findings; empty when all is well.
    """

    scene: str
    fault: Fault
    done: Done
    findings: Findings
    problems: tuple[str, ...]


def tries(scene: Scene, faults: Iterable[Fault], folder: Path) -> Iterator[Outcome]:
    """Bring about each fault; outcomes in their order."""
    with ThreadPoolExecutor(WORKERS) as pool:
        numbered = ((scene, fault, folder / f"{scene.name}-{n}") for n, fault in enumerate(faults))
        yield from pool.map(lambda given: _try(*given), numbered)


def _try(scene: Scene, fault: Fault, folder: Path) -> Outcome:
    folder.mkdir()
    home = copied(scene.home, folder / "home")
    done = perform(home, scene.arguments, fault, folder / "trace", folder)
    reached = fault.point in read_trace(folder / "trace")
    findings = forked(examine, home, scene.expected)
    # Maintenance is no command: its end is one of Dagster's run logs.
    worded = scene.expected.maintained or _is_one_sentence(done)
    problems = [*findings.problems, *_end(fault, done, reached, findings, worded)]
    shutil.rmtree(folder)
    return Outcome(scene.name, fault, done, findings, tuple(problems))


def _end(
    fault: Fault, done: Done, reached: bool, findings: Findings, worded: bool
) -> Iterator[str]:
    """Judge how the disturbed run ended."""
    if not reached:
        yield "the point was not reached"
    elif fault.kind not in ERRNOS:
        if not done.killed:
            yield f"it was not killed: exit {done.code}: {done.output}"
    elif done.code == 0:
        if findings.readers != "new":
            yield "it claims success, and readers see the old state"
    elif done.code != 1 or not worded:
        yield f"it ends badly: exit {done.code}: {done.output}"


def _is_one_sentence(done: Done) -> bool:
    lines = done.output.strip("\n").split("\n")
    return (
        len(lines) == 1 and lines[0].startswith("codequarry: ") and "internal error" not in lines[0]
    )


def kills(points: Sequence[Point]) -> list[Fault]:
    """Kill before every point, and after each that leaves something to later runs.

    What lies in `_TRANSIENT` is followed at once by another point of the same run.
    """
    return [
        Fault(point, kind)
        for point in points
        for kind in KILLS
        if kind == "before" or not point.place.startswith(_TRANSIENT)
    ]


def kills_within(points: Sequence[Point], files: int = 2) -> list[Fault]:
    """Kill in the midst of each LanceDB mutation: when its first, second, … file is seen."""
    return [
        Fault(point, f"within:{number}")
        for point in points
        if point.action.startswith("lance.")
        for number in range(1, files + 1)
    ]


def from_lease(points: Sequence[Point]) -> list[Point]:
    """Give the points from the taking of the lease on; before it every kind of run is alike."""
    start = next(n for n, point in enumerate(points) if point.place == "publish.lock")
    return list(points[start:])


def errors(points: Sequence[Point], every: int = 1) -> list[Fault]:
    """Give faults that the operating system answers with, in turn, at every so-manieth point.

    A full disk and a lost right last; an I/O error comes once.
    """
    chosen = points[::every]
    return [
        Fault(point, ERRNOS[n % len(ERRNOS)], lasting=ERRNOS[n % len(ERRNOS)] != "EIO")
        for n, point in enumerate(chosen)
    ]
