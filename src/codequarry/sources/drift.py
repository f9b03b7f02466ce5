"""How two states of a tree differ, told from the hashes of their files."""

from collections.abc import Mapping
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from codequarry.core.text import ascending


@dataclass(frozen=True)
class Drift:
    """Files that differ between a tree and what is known of it; paths ascending by bytes."""

    modified: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """How many files differ."""
        return len(self.modified) + len(self.new) + len(self.deleted)

    def __bool__(self) -> bool:
        """Tell whether anything differs."""
        return self.total > 0


def hashes_of(files: pa.Table) -> dict[str, str]:
    """Map ``path`` to ``sha256``, the columns of a snapshot or of a producer's index."""
    return dict(zip(files["path"].to_pylist(), files["sha256"].to_pylist(), strict=True))


def drift_between(current: Mapping[str, str], known: Mapping[str, str]) -> Drift:
    """Compare path-to-sha256 mappings of a tree as it is and as it is known."""
    return Drift(
        modified=ascending(p for p, sha256 in current.items() if known.get(p, sha256) != sha256),
        new=ascending(current.keys() - known.keys()),
        deleted=ascending(known.keys() - current.keys()),
    )


def drift_of(current: pa.Table, known: pa.Table) -> Drift:
    """Compare tables with the columns ``path`` and ``sha256``, each path once; no row is a step."""
    places = pc.index_in(current["path"], known["path"].combine_chunks())
    was = known["sha256"].combine_chunks().take(places.combine_chunks())
    differs = pc.fill_null(pc.not_equal(current["sha256"], was), False)
    gone = pc.invert(pc.is_in(known["path"], current["path"].combine_chunks()))
    return Drift(
        modified=ascending(current["path"].filter(differs).to_pylist()),
        new=ascending(current["path"].filter(pc.is_null(places)).to_pylist()),
        deleted=ascending(known["path"].filter(gone).to_pylist()),
    )
