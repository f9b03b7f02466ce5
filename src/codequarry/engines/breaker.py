"""A circuit breaker: an engine that keeps failing is left alone for a while (engines.md 3)."""

import contextlib
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from codequarry.core.errors import StateError
from codequarry.core.files import write_atomically

FAILURES = 3
FIRST_REST = 60.0
LONGEST_REST = 900.0


class _Count(msgspec.Struct, frozen=True):
    failures: int = 0
    rest: float = 0.0
    until: float = 0.0


class Breaker:
    """Opens after three failures in a row for 60 s, then doubles up to 15 min.

    After a rest calls are let through again: a success closes it, one failure opens it for twice as
    long. It is kept in a file, so that a process that asks once counts too.

    Args:
        kept: The file; without one it is forgotten with the process.
        clock: Gives seconds; shared by all processes that share the file.
    """

    def __init__(self, kept: Path | None = None, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._kept = kept
        self._count = _Count()
        if kept is not None:
            with contextlib.suppress(OSError, msgspec.DecodeError):
                self._count = msgspec.json.decode(kept.read_bytes(), type=_Count)

    @property
    def resting_for(self) -> float:
        """Seconds until calls are let through; 0 when they are now."""
        # A clock that was set back must not lengthen a rest.
        return min(max(0.0, self._count.until - self._clock()), self._count.rest)

    @property
    def is_open(self) -> bool:
        """Whether calls are refused."""
        return self.resting_for > 0

    def succeeded(self) -> None:
        """Count a success."""
        self._become(_Count())

    def failed(self) -> None:
        """Count a failure."""
        failures, rest = self._count.failures + 1, self._count.rest
        if failures < FAILURES:
            self._become(_Count(failures))
            return
        rest = min(2 * rest, LONGEST_REST) if rest else FIRST_REST
        self._become(_Count(failures, rest, self._clock() + rest))

    def _become(self, count: _Count) -> None:
        if count == self._count:
            return
        self._count = count
        if self._kept is not None:
            # An engine's answer is worth more than this note.
            with contextlib.suppress(StateError):
                write_atomically(self._kept, msgspec.json.encode(count))
