"""Runs and readers at the same moment."""

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from codequarry.core.registry import Project
from codequarry.core.state import StateDirectory
from codequarry.index.ledger import Entry, read
from codequarry.index.publish import Lease
from codequarry.index.store import Store
from codequarry.receipts.ledger import broken_entry
from codequarry.receipts.status import status_of
from tests.faults.checks import NEIGHBOUR, PROJECT
from tests.faults.concurrency import reading_during_publication
from tests.faults.points import read_trace
from tests.faults.processes import Done, context, forked, perform
from tests.faults.reading import Content, look
from tests.faults.scenes import Scene, Scenes, copied

POLITE = "another run published quarry while this one was under way"


def run(scene: Scene, home: Path, trace: Path, *options: str) -> Done:
    return perform(home, (*scene.arguments, *options), None, trace, trace.parent)


def end(home: Path, root: Path) -> tuple[Content | None, str, list[Entry]]:
    """Give what readers find of the project, its status, and the ledger."""
    state = StateDirectory(home)
    status = status_of(state, Project(PROJECT, root), {})
    return look(state, PROJECT), status.verdict.state, read(Store(state))


def test_two_runs_of_one_project(scenes: Scenes, tmp_path: Path) -> None:
    """Each publishes or is refused in one sentence; the end is right and the chain holds."""
    scene = scenes.delta()
    home = copied(scene.home, tmp_path / "home")
    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(lambda n: run(scene, home, tmp_path / f"t{n}"), range(2)))
    assert 0 in {done.code for done in both}
    for done in both:
        assert done.code == 0 or (done.code == 1 and POLITE in done.output), done
        assert done.code == 0 or done.output.count("\n") == 1
    content, status, entries = forked(end, home, scene.expected.root)
    assert (content, status) == (scene.expected.new, "fresh")
    assert broken_entry(entries) is None


def test_two_projects(scenes: Scenes, tmp_path: Path) -> None:
    """Two projects at once: both are published, one after the other, each with its own rows."""
    scene = scenes.full()
    home = copied(scene.home, tmp_path / "home")
    neighbour = scene.expected.root.with_name(NEIGHBOUR)
    with ThreadPoolExecutor(2) as pool:
        one = pool.submit(run, scene, home, tmp_path / "one")
        arguments = ("index", str(neighbour), "--full")
        other = pool.submit(perform, home, arguments, None, tmp_path / "other", tmp_path)
    assert (one.result().code, other.result().code) == (0, 0), (one.result(), other.result())
    content, status, entries = forked(end, home, scene.expected.root)
    assert (content, status) == (scene.expected.new, "fresh")
    assert forked(look, StateDirectory(home), NEIGHBOUR) == scene.expected.neighbour
    assert sorted(entry.project for entry in entries[-2:]) == [NEIGHBOUR, PROJECT]
    assert broken_entry(entries) is None


def test_searching_during_publication(scenes: Scenes, tmp_path: Path) -> None:
    """300 searches while runs publish: each gives the old answer or the new one, none fails."""
    scene = scenes.full()
    seen = reading_during_publication(scene, tmp_path / "reading", 300)
    assert scene.expected.old
    assert scene.expected.new
    assert seen.idle.answers == (scene.expected.old.hits,)
    assert seen.busy.answers == (scene.expected.old.hits, scene.expected.new.hits)
    assert len(seen.busy.milliseconds) >= 300
    assert seen.runs


def hold(home: Path, ready: Callable[[], None]) -> None:
    lease = Lease(StateDirectory(home))
    lease.acquire(5)
    ready()
    time.sleep(600)


def test_holder_of_the_lease_is_killed(scenes: Scenes, tmp_path: Path) -> None:
    """A run waits for the lease, and goes on as soon as its holder is dead."""
    scene = scenes.delta()
    home = copied(scene.home, tmp_path / "home")
    forking = context()
    ready = forking.Event()
    holder = forking.Process(target=hold, args=(home, ready.set))
    holder.start()
    try:
        assert ready.wait(30)
        with ThreadPoolExecutor(1) as pool:
            waiting: Future[Done] = pool.submit(run, scene, home, tmp_path / "trace")
            while not any(p.place == "publish.lock" for p in read_trace(tmp_path / "trace")):
                assert not waiting.done(), waiting.result()
                time.sleep(0.05)
            assert not waiting.done()
            holder.kill()
            assert waiting.result().code == 0, waiting.result()
    finally:
        holder.kill()
        holder.join()
    content, status, _ = forked(end, home, scene.expected.root)
    assert (content, status) == (scene.expected.new, "fresh")
