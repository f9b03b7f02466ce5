"""A circuit breaker: an engine that keeps failing is left alone for a while (engines.md 3)."""

from collections.abc import Callable

FAILURES = 3
FIRST_REST = 60.0
LONGEST_REST = 900.0


class Breaker:
    """Opens after three failures in a row for 60 s, then doubles up to 15 min.

    After a rest one call is let through: its success closes the breaker, its failure opens it for
    twice as long.

    Args:
        clock: Gives seconds that only grow.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._failures = 0
        self._rest = 0.0
        self._closed_until = 0.0

    @property
    def resting_for(self) -> float:
        """Seconds until the next call is let through; 0 when it is now."""
        return max(0.0, self._closed_until - self._clock())

    @property
    def is_open(self) -> bool:
        """Whether calls are refused."""
        return self.resting_for > 0

    def succeeded(self) -> None:
        """Count a success."""
        self._failures, self._rest, self._closed_until = 0, 0.0, 0.0

    def failed(self) -> None:
        """Count a failure."""
        self._failures += 1
        if self._failures >= FAILURES:
            self._rest = min(2 * self._rest, LONGEST_REST) if self._rest else FIRST_REST
            self._closed_until = self._clock() + self._rest
