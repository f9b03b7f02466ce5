import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from codequarry.core.errors import CodequarryError
from codequarry.syntax.pool import CRASHED, TIMED_OUT, map_files
from tests.syntax import work


def heavy(_item: object) -> int:
    return 1_000_000


def light(_item: object) -> int:
    return 1


def test_no_work_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without items nothing is started."""
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert list(map_files(work.double, [], light)) == []


def test_small_work_takes_one_process() -> None:
    """Below the threshold one process that is not the caller's does everything."""
    pids = {outcome.value for outcome in map_files(work.process, range(200), light, processes=2)}
    assert len(pids) == 1
    assert os.getpid() not in pids


def test_large_work_leaves_the_process_and_keeps_order() -> None:
    """Above the threshold other processes work, and outcomes come in the items' order."""
    outcomes = list(map_files(work.double, range(300), heavy, processes=2))
    assert [outcome.value for outcome in outcomes] == [2 * item for item in range(300)]
    pids = {outcome.value for outcome in map_files(work.process, range(300), heavy, processes=2)}
    assert os.getpid() not in pids
    assert len(pids) == 2


def test_a_dying_worker_loses_only_its_file() -> None:
    """Of a batch, exactly the item that kills its process is reported, twice tried."""
    items = list(range(40))
    outcomes = list(map_files(work.fragile, items, lambda _: 30_000, processes=2))
    assert [outcome.item for outcome in outcomes] == items
    failures = {outcome.item: outcome.failure for outcome in outcomes if outcome.failure}
    assert failures == {13: CRASHED, 14: "ValueError"}
    assert [outcome.value for outcome in outcomes if not outcome.failure] == [
        item for item in items if item not in (13, 14)
    ]


def test_a_victim_of_circumstance_gets_a_second_chance(tmp_path: Path) -> None:
    """An item whose process died once is tried again and succeeds."""
    marker = str(tmp_path / "marker")
    outcomes = list(map_files(work.dies_once, [marker], light))
    assert [(outcome.value, outcome.failure) for outcome in outcomes] == [(marker, "")]


def test_a_file_over_its_time_is_reported() -> None:
    """An item over the limit fails alone; its successors are done by a new process."""
    outcomes = list(map_files(work.slow, [0.0, 60.0, 0.0], heavy, seconds=0.5, processes=1))
    assert [outcome.failure for outcome in outcomes] == ["", TIMED_OUT, ""]


def test_an_exception_is_an_outcome_without_its_text() -> None:
    """A failure names the exception's class and nothing of the source."""
    (outcome,) = map_files(work.fragile, [14], light)
    assert (outcome.value, outcome.failure) == (None, "ValueError")


def test_items_are_taken_as_they_are_needed() -> None:
    """No more than a few batches are ahead of the consumer."""
    taken = 0

    def endless() -> Iterator[int]:
        nonlocal taken
        while True:
            taken += 1
            yield taken

    outcomes = map_files(work.double, endless(), heavy, processes=2)
    assert [next(outcomes).value for _ in range(5)] == [2, 4, 6, 8, 10]
    outcomes.close()  # type: ignore[attr-defined]
    assert taken < 50


def test_closing_early_leaves_no_process() -> None:
    """A consumer that stops kills the workers, even one that is busy."""
    before = threading.active_count()
    outcomes = map_files(work.slow, [0.0, 600.0, 600.0], heavy, seconds=600, processes=2)
    assert next(outcomes).value == 0.0
    outcomes.close()  # type: ignore[attr-defined]
    assert threading.active_count() == before


def test_works_from_a_thread() -> None:
    """The pool needs no main thread."""
    found: list[int | None] = []
    thread = threading.Thread(
        target=lambda: found.extend(
            outcome.value for outcome in map_files(work.double, range(9), heavy, processes=2)
        )
    )
    thread.start()
    thread.join()
    assert found == [2 * item for item in range(9)]


def test_callers_need_no_main_guard(tmp_path: Path) -> None:
    """A script that uses the pool at module level runs once, not once a worker."""
    script = tmp_path / "script.py"
    script.write_text(
        "import sys\n"
        f"sys.path.insert(0, {os.getcwd()!r})\n"
        "from codequarry.syntax.pool import map_files\n"
        "from tests.syntax import work\n"
        "print('started', flush=True)\n"
        "outcomes = map_files(work.fragile, range(15, 40), lambda _: 10**6, processes=2)\n"
        "print(sum(outcome.value for outcome in outcomes))\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["started", str(sum(range(15, 40)))]
    assert done.stderr == ""


def test_ctrl_c_stops_caller_and_worker(tmp_path: Path) -> None:
    """An interrupt of the caller ends it at once and leaves no worker behind."""
    script = tmp_path / "script.py"
    script.write_text(
        "import sys\n"
        f"sys.path.insert(0, {os.getcwd()!r})\n"
        "from codequarry.syntax.pool import map_files\n"
        "from tests.syntax import work\n"
        "items = [0.0, 600.0]\n"
        "for outcome in map_files(work.pid_or_sleep, items, lambda _: 10**6, processes=1,"
        " seconds=600):\n"
        "    print(outcome.value, flush=True)\n"
    )
    caller = subprocess.Popen(
        [sys.executable, script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert caller.stdout is not None
    worker = int(caller.stdout.readline())
    caller.send_signal(signal.SIGINT)
    _, errors = caller.communicate(timeout=30)
    assert "KeyboardInterrupt" in errors
    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)


def test_an_interpreter_that_does_not_run_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that never answers is an error with a remedy, not a wait for ever."""
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(CodequarryError, match="could not be started"):
        list(map_files(work.double, [1, 2], heavy, processes=1))
