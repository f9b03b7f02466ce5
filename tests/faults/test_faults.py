"""A sample of what `make faults` does in full: kills and errors at write points of a delta run."""

import json
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from codequarry.core.state import StateDirectory
from codequarry.index.ledger import read
from codequarry.index.store import Store
from tests.cli.commands import environment
from tests.faults.checks import examine
from tests.faults.child import FAULT_VARIABLE
from tests.faults.matrix import errors, from_lease, kills, kills_within, tries
from tests.faults.points import Fault, Point
from tests.faults.processes import forked, perform
from tests.faults.scenes import Scene, Scenes, copied


@pytest.fixture(scope="module")
def scene(scenes: Scenes) -> Scene:
    return scenes.delta()


@pytest.fixture(scope="module")
def points(scene: Scene, tmp_path_factory: pytest.TempPathFactory) -> list[Point]:
    return scene.points(tmp_path_factory.mktemp("dry"))


def problems(scene: Scene, faults: Sequence[Fault], folder: Path) -> dict[str, tuple[str, ...]]:
    return {
        f"{outcome.fault.kind} {outcome.fault.point}": outcome.problems
        for outcome in tries(scene, faults, folder)
        if outcome.problems
    }


def spread(faults: Sequence[Fault], number: int) -> list[Fault]:
    """Take some of many, evenly, the last among them."""
    return [faults[(n + 1) * len(faults) // number - 1] for n in range(number)]


def modes(home: Path) -> list[str]:
    return [entry.mode for entry in read(Store(StateDirectory(home)))]


def loaded() -> bool:
    return {"tests.faults.preloaded", "lancedb", "dagster"} <= sys.modules.keys()


def test_processes_begin_with_all_imported() -> None:
    """A fork of the server has the modules; what fails there to be imported fails in silence."""
    assert forked(loaded)


def test_points_are_found(scene: Scene, points: list[Point], tmp_path: Path) -> None:
    """The dry run is a delta, and finds over forty points: evidence, tables, caches, changesets."""
    home = copied(scene.home, tmp_path / "home")
    assert perform(home, scene.arguments, None, tmp_path / "trace", tmp_path).code == 0
    assert forked(modes, home) == ["full", "full", "delta"]
    assert len(set(points)) == len(points) > 40
    done = {(point.action, point.place.split("/")[0]) for point in points}
    assert done >= {
        ("os.replace", "ingestion"),
        ("os.fsync", "health"),
        ("lance.delete", "lance"),
        ("lance.add", "lance"),
        ("sqlite.commit", "cache"),
        ("sqlite.commit", "graph"),
        ("ipc.write_batch", "changesets"),
        ("os.replace", "producer"),
        ("os.open", "publish.lock"),
    }


def test_kills(scene: Scene, points: list[Point], tmp_path: Path) -> None:
    """Killed anywhere: old or new, never falsely fresh, and the next run puts all right."""
    late = from_lease(points)
    early = points[: points.index(late[0])]
    sample = [
        *spread(kills(late), 4),
        *spread(kills(early), 2),
        *spread(kills_within(points), 2),
    ]
    assert problems(scene, sample, tmp_path) == {}


def test_errors(scene: Scene, points: list[Point], tmp_path: Path) -> None:
    """A full disk, an I/O error or a lost right: one sentence, exit 1, and nothing half-done."""
    evidence = [point for point in points if point.place.startswith(("ingestion", "lance"))]
    locks = [point for point in points if point.place.endswith("lock")]
    sample = [*spread(errors(evidence), 2), *spread(errors(locks), 2)]
    assert problems(scene, sample, tmp_path) == {}


def test_wrong_findings_are_noticed(scene: Scene, tmp_path: Path) -> None:
    """The checks can fail: what differs from the expectation is named, readers and tables."""
    home = copied(scene.home, tmp_path / "home")
    right = scene.expected
    assert right.old is not None
    wrong = replace(right, old=right.neighbour, built_from_nothing=right.old)
    found = forked(examine, home, wrong)
    assert found.readers == "mixed"
    assert "readers see neither" in str(found.problems)
    assert "mended, it is not the index built from nothing: ['files: " in str(found.problems)
    assert "falsely fresh" in str(found.problems)


def test_one_fault_by_hand(scene: Scene, points: list[Point], tmp_path: Path) -> None:
    """One fault can be brought about by hand, with the program as a command."""
    home = copied(scene.home, tmp_path / "home")
    fault = {**asdict(points[0]), "kind": "before"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.child", tmp_path / "trace", *scene.arguments],
        env=environment(home, {FAULT_VARIABLE: json.dumps(fault)}),
        capture_output=True,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
