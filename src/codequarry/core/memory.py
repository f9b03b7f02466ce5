"""How a process that indexes keeps its memory."""

import atexit
import contextlib
import ctypes
import gc
from collections.abc import Iterator

_M_ARENA_MAX = -8  # of glibc's malloc.h; other C libraries have no mallopt, or ignore it
_ARENAS = 2
_THRESHOLDS = 100_000, 50, 100  # of new objects, then of searches; Python's are 700, 10, 10


def share_arenas() -> None:
    """Keep glibc from giving each thread a heap of its own, whose free memory nobody reuses.

    Call it before any thread starts. Measured on the Python standard library: the peak of a whole
    run falls from 1.5 to 1.0 GB.
    """
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, _ARENAS)


def settle_heap() -> None:
    """Search for cycles less often, never in what was imported, and not at all at the exit.

    Call it when all is imported. Measured on ten files: a run falls from 6.1 to 4.7 s of CPU time,
    of which the interpreter spent one second to tear down Dagster's heap.
    """
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
    atexit.register(gc.freeze)


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """Pause the search for cycles during work that makes many objects and no cycles.

    Beside Dagster's heap each search looks at a million objects. Measured on 50,000 files: the walk
    falls from 1.4 to 0.7 s of CPU time.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
