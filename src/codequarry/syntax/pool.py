"""One function over many files on every core, in processes that may die without harm.

A parser holds the interpreter's lock, so threads would not help. Grammars are C code: two kilobytes
of nested YAML sequences end their process by a segmentation fault, and an unclosed bracket can keep
a query busy for a minute, deaf to any deadline. So no file is ever parsed in the caller's process;
small work pays a tenth of a second for that.
"""

import contextlib
import itertools
import json
import queue
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing import Pipe
from typing import Any, Generic, TypeVar

from codequarry.core.columns import workers
from codequarry.core.errors import CodequarryError
from codequarry.syntax.worker import BOOTSTRAP

SMALL_BYTES = 1_000_000
ITEM_SECONDS = 10.0
CRASHED = "crashed"
TIMED_OUT = "timed out"
_BATCH_BYTES = 512 * 1024
_BATCH_ITEMS = 64
_BATCHES_A_WORKER = 3
_START_SECONDS = 60.0

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Outcome(Generic[_Item, _Result]):
    """What came of one item: a value, or the reason why there is none.

    Args:
        item: The item.
        value: The function's result; ``None`` after a failure.
        failure: ``""``, ``"crashed"``, ``"timed out"``, or the name of the exception's class.
    """

    item: _Item
    value: _Result | None
    failure: str = ""


def map_files(
    function: Callable[[_Item], _Result],
    items: Iterable[_Item],
    size: Callable[[_Item], int],
    *,
    seconds: float = ITEM_SECONDS,
    small_bytes: int = SMALL_BYTES,
    processes: int | None = None,
) -> Iterator[Outcome[_Item, _Result]]:
    """Apply ``function`` to every item; outcomes in the items' order, as they become ready.

    Work of no more than ``small_bytes`` is done by one process, more by one on every core. A few
    batches are in flight at a time, so memory stays bounded however many items there are. Callers
    need no ``__main__`` guard and may call from any thread.

    Args:
        function: A module's function; it, items and results must pickle.
        items: What to work on, best given as paths: a worker reads the file itself.
        size: Bytes of work that an item stands for.
        seconds: Limit of one item, after which its process is killed.
        small_bytes: Total size up to which one process is enough.
        processes: How many work when there is more; by default one for every core.

    Raises:
        CodequarryError: A worker process cannot be started.
    """
    remaining = iter(items)
    head: list[_Item] = []
    total = 0
    for item in remaining:
        head.append(item)
        total += size(item)
        if total > small_bytes:
            break
    if not head:
        return
    count = (processes or workers()) if total > small_bytes else 1
    batches = _batches(itertools.chain(head, remaining), size)
    with contextlib.closing(_Pool(function, count, seconds)) as pool:
        waiting: deque[Future[list[Outcome[_Item, _Result]]]] = deque()
        for batch in batches:
            waiting.append(pool.submit(batch))
            if len(waiting) >= count * _BATCHES_A_WORKER:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


def _batches(items: Iterable[_Item], size: Callable[[_Item], int]) -> Iterator[list[_Item]]:
    batch: list[_Item] = []
    total = 0
    for item in items:
        batch.append(item)
        total += size(item)
        if total >= _BATCH_BYTES or len(batch) == _BATCH_ITEMS:
            yield batch
            batch, total = [], 0
    if batch:
        yield batch


class _Worker:
    """A worker process and our end of its pipe."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self._pipe, theirs = Pipe()
        with theirs:
            descriptor = theirs.fileno()
            path = json.dumps([entry for entry in sys.path if isinstance(entry, str)])
            self._process = subprocess.Popen(
                [sys.executable, "-c", BOOTSTRAP, str(descriptor), path],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[descriptor],
                process_group=0,  # Ctrl-C reaches the parent alone, which hangs up
            )
        try:
            self._pipe.send(function)
            is_ready = self._pipe.poll(_START_SECONDS) and self._pipe.recv() == "ready"
        except (EOFError, OSError):
            is_ready = False
        except BaseException:
            self.kill()
            raise
        if not is_ready:
            self.kill()
            raise CodequarryError(
                "a worker process could not be started", f"check that {sys.executable} runs"
            )

    def send(self, batch: Sequence[Any]) -> None:
        with contextlib.suppress(OSError):
            self._pipe.send(batch)

    def receive(self, seconds: float) -> tuple[Any, str]:
        """Take the answer for the next item; a worker that gives none is no longer usable."""
        try:
            return self._pipe.recv() if self._pipe.poll(seconds) else (None, TIMED_OUT)
        except (EOFError, OSError):
            return None, CRASHED

    def stop(self) -> None:
        """Kill the process; whoever waits for its answers gets an end of file."""
        self._process.kill()

    def kill(self) -> None:
        """Kill the process and give up the pipe; only for the thread that drives the worker."""
        self.stop()
        self._process.wait()
        self._pipe.close()


class _Pool:
    """Threads that each drive one worker process at a time."""

    def __init__(self, function: Callable[[Any], Any], count: int, seconds: float) -> None:
        self._function = function
        self._seconds = seconds
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="codequarry-pool")
        self._idle: queue.SimpleQueue[_Worker] = queue.SimpleQueue()
        self._busy: set[_Worker] = set()
        self._lock = threading.Lock()
        self._closed = False

    def submit(self, batch: list[Any]) -> Future[list[Outcome[Any, Any]]]:
        return self._threads.submit(self._run, batch)

    def close(self) -> None:
        """Stop at once: kill the workers, then wait for the threads that drove them."""
        with self._lock:
            self._closed = True
            for worker in self._busy:
                worker.stop()
        self._threads.shutdown(wait=True, cancel_futures=True)
        with contextlib.suppress(queue.Empty):
            while True:
                self._idle.get_nowait().kill()

    def _run(self, batch: list[Any]) -> list[Outcome[Any, Any]]:
        outcomes: list[Outcome[Any, Any]] = []
        suspect = False
        while len(outcomes) < len(batch) and not self._closed:
            start = len(outcomes)
            answers = self._exchange(batch[start : start + 1] if suspect else batch[start:])
            for item, (value, failure) in zip(batch[start:], answers, strict=False):
                if failure == CRASHED and not suspect:
                    # It may have paid for its predecessors: once more, in a process of its own.
                    suspect = True
                    break
                suspect = False
                outcomes.append(Outcome(item, value, failure))
        return outcomes

    def _exchange(self, items: list[Any]) -> list[tuple[Any, str]]:
        """Give a worker some items; the answers end early with the one that lost the worker."""
        worker = self._take()
        answers: list[tuple[Any, str]] = []
        worker.send(items)
        for _ in items:
            answers.append(worker.receive(self._seconds))
            if answers[-1][1] in (CRASHED, TIMED_OUT):
                break
        self._give_back(worker, usable=answers[-1][1] not in (CRASHED, TIMED_OUT))
        return answers

    def _take(self) -> _Worker:
        try:
            worker = self._idle.get_nowait()
        except queue.Empty:
            worker = _Worker(self._function)
        with self._lock:
            self._busy.add(worker)
            if self._closed:
                worker.stop()
        return worker

    def _give_back(self, worker: _Worker, *, usable: bool) -> None:
        with self._lock:
            self._busy.discard(worker)
        if usable:
            self._idle.put(worker)
        else:
            worker.kill()
