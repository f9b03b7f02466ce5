"""An open deployment: what answers need, kept warm between them."""

import threading
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic

from codequarry.core.errors import ProjectError
from codequarry.core.registry import Registry
from codequarry.core.state import StateDirectory
from codequarry.engines.voices import Voices
from codequarry.index.reader import Reader
from codequarry.index.store import RECEIPTS
from codequarry.receipts.status import Status, status_of
from codequarry.retrieval.freshness import stale_note
from codequarry.retrieval.model import configured_model
from codequarry.retrieval.search import QueryVector
from codequarry.retrieval.structure.codemap import CodemapPeer

STATUS_SECONDS = 30.0
"""Age at which a project's status is taken again, in the background."""


class Deployment:
    """The published state, the model and the projects' statuses of one deployment.

    Safe to use from several threads.

    Args:
        state: The state directory.
        around: The folder whose project is meant when none is named.
    """

    def __init__(self, state: StateDirectory, around: Path) -> None:
        self.state = state
        self._around = around
        self._opening = threading.Lock()
        self._loading = threading.Lock()
        self._model: QueryVector | None = None
        self._reader: Reader | None = None
        self._moved_at = -1
        self._statuses: dict[str, tuple[float, Status]] = {}
        self._pending: set[str] = set()
        self.voices = Voices(state)
        self._watcher = ThreadPoolExecutor(1, thread_name_prefix="status")

    @property
    def registry(self) -> Registry:
        """The registered projects, as they are now."""
        return Registry(self.state)

    @property
    def roots(self) -> Mapping[str, Path]:
        """Name of each project to its root."""
        return {project.name: project.root for project in self.registry.all()}

    def reader(self) -> Reader:
        """Give the newest published state; opened anew only once something was published.

        Raises:
            IndexMissing: Nothing was ever published.
        """
        moved_at = _modified(self.state.lance / f"{RECEIPTS}.lance" / "_versions")
        with self._opening:
            if self._reader is None or moved_at != self._moved_at:
                self._reader, self._moved_at = Reader(self.state), moved_at
            return self._reader

    @property
    def model(self) -> QueryVector:
        """The configured embedding model, loaded once."""
        with self._loading:
            if self._model is None:
                self._model = configured_model()
            return self._model

    def chosen(self, names: Iterable[str]) -> tuple[str, ...] | None:
        """Give the projects that are meant: those named, else the one around; ``None`` means all.

        Raises:
            ProjectError: A name is unknown.
        """
        return self.registry.meant(tuple(names), self._around)

    def one(self, name: str) -> str:
        """Give the project that is meant where there can be only one.

        Raises:
            ProjectError: It is unknown, or none is named and several are registered.
        """
        found = self.chosen([name] if name else [])
        names = found or tuple(project.name for project in self.registry.all())
        if len(names) == 1:
            return names[0]
        raise ProjectError(
            f"{len(names)} projects are registered, and none was named",
            "name one of them" if names else "run `codequarry index PATH` first",
        )

    def peer(self, project: str) -> CodemapPeer | None:
        """Give codemap in a project; ``None`` when the project has no registered root."""
        root = self.roots.get(project)
        return CodemapPeer.of(root) if root else None

    def status(self, name: str) -> Status:
        """Take the status of a project now.

        Raises:
            ProjectError: The name is unknown.
        """
        found = status_of(self.state, self.registry.get(name))
        self._statuses[name] = (monotonic(), found)
        return found

    def last_status(self, name: str) -> Status | None:
        """Give the last status of a project without waiting; an old one is renewed behind it."""
        taken_at, found = self._statuses.get(name, (-STATUS_SECONDS, None))
        if monotonic() - taken_at >= STATUS_SECONDS and name not in self._pending:
            self._pending.add(name)
            self._watcher.submit(self._renew, name)
        return found

    def stale_notes(self, name: str) -> tuple[str, ...]:
        """Say that a project was not fresh when it was last looked at; nothing when it was."""
        last = self.last_status(name)
        return () if last is None or last.verdict.state == "fresh" else (stale_note(last),)

    def _renew(self, name: str) -> None:
        try:
            self.status(name)
        finally:
            self._pending.discard(name)

    def close(self) -> None:
        """Stop looking at trees, and the engines that were asked."""
        self.voices.close()
        self._watcher.shutdown(wait=False, cancel_futures=True)


def _modified(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return -1
