"""``make faults``: the whole matrix of faults, then docs/faults.md.

`python -m tests.faults [SCENE …]` takes only these scenes and writes no report.
"""

import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.faults.concurrency import reading_during_publication
from tests.faults.matrix import Outcome, errors, from_lease, kills, kills_within, tries
from tests.faults.points import Fault, Point
from tests.faults.report import Series, report
from tests.faults.scenes import Scene, Scenes

REPORT = Path(__file__).resolve().parents[2] / "docs" / "faults.md"
SCENES = ("full", "delta", "first", "repair", "maintenance", "removal")
SEARCHES = 1000
_WHOLE = ("full", "delta")


def main(chosen: Sequence[str]) -> int:
    """Bring about all faults; 1 when something did not hold."""
    with tempfile.TemporaryDirectory(prefix="codequarry-faults-") as given:
        folder = Path(given)
        scenes = Scenes(folder)
        series = [
            one
            for name in chosen or SCENES
            for one in _series(getattr(scenes, name)(), folder / f"{name}-tries")
        ]
        if not chosen:
            measured = reading_during_publication(scenes.full(), folder / "reading", SEARCHES)
            REPORT.write_text(report(series, measured.lines()), encoding="utf-8")
    problems = [problem for one in series for problem in one.problems]
    print("\n".join(problems) or "no problems")
    return 1 if problems else 0


def _series(scene: Scene, folder: Path) -> Iterator[Series]:
    folder.mkdir()
    points = scene.points(folder)
    for kind, faults in _faults(scene, points).items():
        below = folder / kind.replace(" ", "-")
        below.mkdir()
        started = time.monotonic()
        outcomes = []
        for outcome in tries(scene, faults, below):
            outcomes.append(outcome)
            _tell(outcome, len(outcomes), len(faults))
        yield Series(scene.name, kind, points, outcomes, time.monotonic() - started)


def _faults(scene: Scene, points: list[Point]) -> dict[str, list[Fault]]:
    """Give all kills of a full and of a delta run, those after the lease of others, and errors."""
    if scene.name in _WHOLE:
        within = kills_within(points)
        return {"kill": kills(points), "kill within": within, "error": errors(points, 3)}
    late = from_lease(points)
    return {"kill": kills(late), "kill within": kills_within(late, 1), "error": errors(late, 4)}


def _tell(outcome: Outcome, number: int, total: int) -> None:
    what = "; ".join(outcome.problems) or "holds"
    place = f"{outcome.scene} {number}/{total}: {outcome.fault.kind} {outcome.fault.point}"
    print(f"{place}: {what}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
