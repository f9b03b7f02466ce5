"""Which of a file's symbols a line belongs to, and which symbol holds another."""

from collections.abc import Sequence

import numpy as np

OUTSIDE = -1
"""What a line or a symbol belongs to that lies in no symbol of the file."""

_SEPARATORS = tuple(".:#/\\$ ")


class Spans:
    """The line ranges of one file's symbols.

    Args:
        starts: First line of each symbol, 1-based.
        ends: Last line of each symbol, inclusive.
        fqns: Qualified names; they tell what holds what when all stands on one line.
    """

    def __init__(self, starts: Sequence[int], ends: Sequence[int], fqns: Sequence[str]) -> None:
        self._starts = np.asarray(starts, dtype=np.int64)
        self._ends = np.asarray(ends, dtype=np.int64)
        self._fqns = fqns
        # Only lines at which some range begins or has just ended can change the owner, so the
        # work is bounded by the symbols, whatever line numbers a producer claims.
        self._edges = np.unique(np.concatenate([self._starts, self._ends + 1]))
        self._owners = np.full(len(self._edges) + 1, OUTSIDE, dtype=np.int64)
        self.parents: list[int] = [OUTSIDE] * len(starts)
        """Position of the narrowest symbol that holds the whole of this one, or `OUTSIDE`."""
        self._paint()

    def _paint(self) -> None:
        widths = self._ends - self._starts
        depths = np.asarray([len(fqn) for fqn in self._fqns], dtype=np.int64)
        order = np.lexsort((-np.arange(len(widths)), depths, -widths))
        firsts = np.searchsorted(self._edges, self._starts, side="right")
        lasts = np.searchsorted(self._edges, self._ends, side="right")
        for symbol in order.tolist():
            self.parents[symbol] = self._encloser(symbol, int(self._owners[firsts[symbol]]))
            self._owners[firsts[symbol] : lasts[symbol] + 1] = symbol

    def _encloser(self, symbol: int, candidate: int) -> int:
        while candidate != OUTSIDE and not self._holds(candidate, symbol):
            candidate = self.parents[candidate]
        return candidate

    def _holds(self, outer: int, inner: int) -> bool:
        if self._starts[outer] == self._starts[inner] and self._ends[outer] == self._ends[inner]:
            rest = self._fqns[inner].removeprefix(self._fqns[outer])
            return rest != self._fqns[inner] and rest[:1] in _SEPARATORS
        return bool(self._ends[outer] >= self._ends[inner])

    def owners(self, lines: Sequence[int]) -> list[int]:
        """Give, for each line, the position of the narrowest symbol around it, or `OUTSIDE`."""
        at = np.searchsorted(self._edges, np.asarray(lines, dtype=np.int64), side="right")
        return [int(owner) for owner in self._owners[at].tolist()]
