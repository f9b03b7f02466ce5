"""Write points: where a run writes below its state directory, and what may be made to fail there.

A point is named by what is done (`os.replace`), to what (a path below the state directory, ids as
stars), by which of our functions, and the how-manieth time: names that are the same in every run.
"""

import json
import os
import re
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

_Result = TypeVar("_Result")

# Ids, hashes, the random parts of temporary names, and Lance's own numbering.
_VARIABLE = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{12,}|(?<=-)[a-z0-9_]{8}(?=\.tmp|$)")
_GENERAL = ("core/files.py", "core/changeset.py")
_PACKAGE = f"{os.sep}codequarry{os.sep}"


@dataclass(frozen=True)
class Point:
    """One write of a run.

    Args:
        action: The primitive, such as ``os.replace``.
        place: What it acts on, below the state directory.
        caller: Our module and function.
        occurrence: 1-based, among those with the same three names.
    """

    action: str
    place: str
    caller: str
    occurrence: int

    def __str__(self) -> str:
        """Give the point in one line."""
        return f"{self.action} {self.place} #{self.occurrence} in {self.caller}"


@dataclass(frozen=True)
class Fault:
    """What happens at a point.

    Args:
        point: Where.
        kind: ``before`` and ``after`` kill the process there, ``within:2`` as soon as the second
            new file of the write is seen; otherwise the name of an errno.
        lasting: Whether everything after it fails in the same way, as on a full disk.
    """

    point: Point
    kind: str
    lasting: bool = False


class Injector:
    """Sees every write of this process below a directory; writes them down, and brings the fault.

    Args:
        home: The state directory; what Dagster keeps in it is left alone.
        fault: What to bring about, if anything.
        trace: Where the points are written, one JSON object a line; outside of ``home``.
    """

    def __init__(self, home: Path, fault: Fault | None, trace: Path) -> None:
        self._home = os.path.realpath(home)
        self._fault = fault
        self._trace = os.open(trace, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._counts: Counter[tuple[str, str, str]] = Counter()
        self._guard = threading.Lock()
        self._inside = threading.local()
        self._failing = False
        self._write = os.write  # the real one, whatever is wrapped later

    def place(self, path: object) -> str | None:
        """Give a path below the state directory with its ids as stars; ``None`` if elsewhere."""
        if not isinstance(path, str | bytes | os.PathLike):
            return None
        full = os.path.abspath(os.fsdecode(path))
        if full != self._home and not full.startswith(self._home + os.sep):
            return None
        below = os.path.relpath(full, self._home)
        if below.split(os.sep)[0] == "dagster":
            return None
        return _VARIABLE.sub("*", below)

    def call(
        self,
        action: str,
        place: str | None,
        fail: Callable[[str], Exception],
        do: Callable[[], _Result],
    ) -> _Result:
        """Do a write, or what the fault wants in its place.

        Args:
            action: The primitive's name.
            place: What `place` gave; a write elsewhere is just done.
            fail: Makes the exception for the name of an errno.
            do: The write. Primitives that it uses itself are no points of their own.
        """
        if place is None or getattr(self._inside, "depth", 0):
            return do()
        point = self._seen(action, place)
        here = self._fault is not None and self._fault.point == point
        if self._fault is not None and (here or self._failing):
            kind, _, number = self._fault.kind.partition(":")
            if kind == "before":
                _die()
            if kind == "within":
                folder = os.path.join(self._home, f"{place}.lance")
                known = _files(folder)
                watch = threading.Thread(
                    target=_die_within, args=(folder, known, int(number)), daemon=True
                )
                watch.start()
            elif kind != "after":
                self._failing = self._fault.lasting
                raise fail(kind)
        self._inside.depth = 1
        try:
            done = do()
        finally:
            self._inside.depth = 0
        if here:
            _die()
        return done

    def _seen(self, action: str, place: str) -> Point:
        names = (action, place, _caller())
        with self._guard:
            self._counts[names] += 1
            point = Point(*names, self._counts[names])
            self._write(self._trace, json.dumps(asdict(point)).encode() + b"\n")
        return point


def read_trace(trace: Path) -> list[Point]:
    """Give the points that a process wrote down, in order."""
    if not trace.exists():
        return []
    lines = trace.read_bytes().split(b"\n")
    return [Point(**json.loads(line)) for line in lines if line]


def _caller() -> str:
    """Name the nearest of our functions that is no general helper."""
    frame: Any = sys._getframe(3)
    general = ""
    while frame is not None:
        _, found, file = frame.f_code.co_filename.rpartition(_PACKAGE)
        if found and "site-packages" not in frame.f_code.co_filename:
            name = f"{file.removesuffix('.py').replace(os.sep, '.')}.{frame.f_code.co_name}"
            if not file.endswith(_GENERAL):
                return name
            general = general or name
        frame = frame.f_back
    return general or "elsewhere"


def _files(folder: str) -> set[str]:
    return {os.path.join(at, name) for at, _, names in os.walk(folder) for name in names}


def _die_within(folder: str, known: set[str], number: int) -> None:
    """Wait for new files in a folder, with this process busy writing them, and kill it."""
    while len(_files(folder) - known) < number:
        pass
    _die()


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)
