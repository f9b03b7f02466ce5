"""How a process that indexes keeps its memory."""

import contextlib
import ctypes

_M_ARENA_MAX = -8  # of glibc's malloc.h; other C libraries have no mallopt, or ignore it
_ARENAS = 2


def share_arenas() -> None:
    """Keep glibc from giving each thread a heap of its own, whose free memory nobody reuses.

    Call it before any thread starts. Measured on the Python standard library: the peak of a whole
    run falls from 1.5 to 1.0 GB.
    """
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, _ARENAS)
