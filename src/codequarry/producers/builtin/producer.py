"""The built-in producer: codemap's contract, answered in process from an index of our own."""

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from codequarry.core.errors import ProducerError
from codequarry.core.hashing import evidence_key
from codequarry.core.state import StateDirectory
from codequarry.producers.builtin.filters import normalised
from codequarry.producers.builtin.index import ProducerIndex, load, save
from codequarry.producers.builtin.manifest import check_readable, manifest_of
from codequarry.producers.builtin.pages import Export
from codequarry.producers.protocol import Limits, PageRequest
from codequarry.schemas.documents import encode
from codequarry.sources.walk import inventory

if TYPE_CHECKING:
    from codequarry.producers.builtin.refresh import Refreshed

NAME = "codequarry"
LIMITS = Limits(
    page_records=2000,
    page_bytes=512 * 1024 * 1024,
    export_bytes=8 * 1024 * 1024 * 1024,
    manifest_seconds=60.0,
    manifest_bytes=16 * 1024 * 1024,
)
_INDEX_FILE = "index.arrow"


def utc_now() -> str:
    """Give the time as RFC 3339, in seconds."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class BuiltinProducer:
    """Implements `codequarry.producers.protocol.Producer` for one project.

    Args:
        root: The project's directory.
        project: Its name.
        state: Where the index is kept.
        now: Gives the time for ``reindex_delta``.
        snapshot: Table `codequarry.schemas.tables.SNAPSHOT` of the whole tree, where the caller
            has just taken it; the manifest then walks no tree.
    """

    def __init__(
        self,
        root: Path,
        project: str,
        state: StateDirectory,
        now: Callable[[], str] = utc_now,
        snapshot: pa.Table | None = None,
    ) -> None:
        self._root = Path(os.path.realpath(root))
        self._project = project
        self._path = state.producer / evidence_key(root) / _INDEX_FILE
        self._now = now
        self._index: ProducerIndex | None = None
        self._snapshot = snapshot
        self._export: tuple[tuple[str, ...] | None, Export] | None = None

    @property
    def name(self) -> str:
        """``codequarry``."""
        return NAME

    @property
    def limits(self) -> Limits:
        """Limits of a producer in our own process: wide, for nothing crosses a pipe."""
        return LIMITS

    @property
    def is_indexed(self) -> bool:
        """Whether there is an index that can be read."""
        return self._loaded() is not None

    def refresh(self, snapshot: pa.Table | None = None, *, anew: bool = False) -> "Refreshed":
        """Bring the index up to date.

        Args:
            anew: Read every file again, whatever is known of it.
            snapshot: Table `codequarry.schemas.tables.SNAPSHOT` of the tree, where the caller has
                just taken it; the manifest then speaks of these files.

        Raises:
            StateError: The index cannot be written.
            ProjectError: The tree cannot be listed.
        """
        # Here, for a status asks for the manifest alone, and the parsers take long to import.
        from codequarry.producers.builtin.refresh import refresh

        files = inventory(self._root).files if snapshot is None else snapshot
        before = self._loaded()
        done = refresh(self._root, self._project, files, None if anew else before, self._now)
        if done.index != before:
            save(done.index, self._path)
        self._index, self._snapshot, self._export = done.index, snapshot, None
        return done

    def page(self, request: PageRequest) -> bytes:
        """Give one page, exactly as the command prints it (contract.md A1, A2).

        Raises:
            ProducerError: Code ``not_indexed``: there is no index.
        """
        index = self._indexed("not_indexed")
        files = normalised(request.files) or None if request.files is not None else None
        if self._export is None or self._export[0] != files or request.offset == 0:
            self._export = files, Export(self._root, self._project, index, files)
        return self._export[1].page(request)

    def manifest(self) -> bytes:
        """Give the structural manifest, exactly as the command prints it (contract.md A3).

        Raises:
            ProducerError: Code ``index_missing``: there is no index; ``operational``: the tree
                cannot be read as a whole.
        """
        index = self._indexed("index_missing")
        snapshot = self._snapshot
        if snapshot is None:
            taken = inventory(self._root)
            check_readable(index, taken)
            snapshot = taken.files
        return encode(manifest_of(self._root, self._project, index, snapshot), indent=True)

    def _indexed(self, code: str) -> ProducerIndex:
        index = self._loaded()
        if index is None:
            raise ProducerError(
                f"project {self._project} is not indexed yet", "run: codequarry index", code
            )
        return index

    def _loaded(self) -> ProducerIndex | None:
        if self._index is None:
            self._index = load(self._path)
        return self._index
