"""The ledger's rows in LanceDB: one append is the moment of publication (design.md 4)."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace

import msgspec
import pyarrow as pa

from codequarry.core.errors import IndexMissing
from codequarry.core.hashing import sha256_hex
from codequarry.index.store import RECEIPTS, Store, Versions, of_project, rows
from codequarry.schemas import tables as shapes


@dataclass(frozen=True)
class Entry:
    """One ledger entry; the columns of schemas.tables.RECEIPTS."""

    sequence: int
    project: str
    project_key: str
    attempt_id: str
    appended_at: str
    mode: str
    reason: str
    from_fingerprint: str
    to_fingerprint: str
    embedding_profile: str
    chunk_profile: str
    versions: str
    details: str
    receipt: str
    receipt_hash: str
    previous_hash: str
    entry_hash: str = ""

    @property
    def table_versions(self) -> Versions:
        """The published version of every table."""
        decoded: dict[str, int] = msgspec.json.decode(self.versions, type=dict[str, int])
        return decoded

    def sealed(self) -> "Entry":
        """Give the entry with its hash: SHA-256 over all other columns as canonical JSON."""
        body = {name: value for name, value in asdict(self).items() if name != "entry_hash"}
        return replace(self, entry_hash=sha256_hex(msgspec.json.encode(body, order="sorted")))


def read(store: Store, project: str | None = None) -> list[Entry]:
    """Give the entries of a project, or of all, oldest first; empty when nothing was published."""
    if RECEIPTS not in store.names():
        return []
    where = None if project is None else of_project(project)
    names = [column.name for column in fields(Entry)]
    found = rows(store.open(RECEIPTS), where, names).sort_by("sequence").to_pylist()
    return [Entry(**row) for row in found]


def append(store: Store, entry: Entry) -> None:
    """Append one sealed entry; from this commit on, readers see what it names."""
    table = store.ensure(RECEIPTS, shapes.RECEIPTS)
    table.add(pa.Table.from_pylist([asdict(entry)], schema=shapes.RECEIPTS))


REMOVED = "removed"
"""The mode of an entry that takes a project out of the index."""


@dataclass(frozen=True)
class Published:
    """What readers may see: the newest entry of each project, and one version of every table.

    Args:
        entries: Name of each indexed project to its newest entry.
        heads: Name of each project that ever was indexed to the hash of its newest entry.
        versions: Table name to published version, from the newest entry of all.
        sequence: Position of that entry; 0 when nothing was published.
    """

    entries: Mapping[str, Entry]
    heads: Mapping[str, str]
    versions: Versions
    sequence: int

    def entry(self, project: str) -> Entry:
        """Give a project's newest entry.

        Raises:
            IndexMissing: The project is not indexed.
        """
        if project not in self.entries:
            raise IndexMissing(
                f"the project {project!r} is not indexed yet", "run `codequarry index` in it"
            )
        return self.entries[project]


def published(store: Store) -> Published:
    """Read what is published now."""
    entries = read(store)
    if not entries:
        return Published({}, {}, {}, 0)
    newest = {entry.project: entry for entry in entries}
    return Published(
        entries={name: entry for name, entry in newest.items() if entry.mode != REMOVED},
        heads={name: entry.entry_hash for name, entry in newest.items()},
        versions=entries[-1].table_versions,
        sequence=entries[-1].sequence,
    )
