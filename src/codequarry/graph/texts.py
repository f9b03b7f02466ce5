"""Files of a snapshot that are read for what their text alone tells."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from codequarry.core.files import read_contained

_FILE_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True)
class Texts:
    """The files of a project whose paths match a pattern.

    Args:
        root: The project's real path.
        snapshot: schemas.tables.SNAPSHOT.
        pattern: A regular expression that is found in their paths.
    """

    root: Path
    snapshot: pa.Table
    pattern: str

    def read(self, path: str) -> bytes | None:
        """Give a file's bytes; ``None`` if it is none of them, over 4 MiB, or unreadable."""
        os_path = self._os_paths.get(path)
        if os_path is None:
            return None
        try:
            return read_contained(self.root, os_path, _FILE_BYTES)
        except OSError:
            return None

    @cached_property
    def _os_paths(self) -> Mapping[str, bytes]:
        files = self.snapshot.filter(pc.match_substring_regex(self.snapshot["path"], self.pattern))
        columns = (files[name].to_pylist() for name in ("path", "os_path"))
        return dict(zip(*columns, strict=True))
