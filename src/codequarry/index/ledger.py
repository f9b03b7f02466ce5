"""The ledger's rows in LanceDB: one append is the moment of publication (design.md 4)."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal, TypeVar

import msgspec
import pyarrow as pa

from codequarry.core.errors import IndexMissing, IndexStateError, ReceiptError
from codequarry.core.hashing import sha256_hex
from codequarry.index.head import Head, had_ledger, write_heads
from codequarry.index.store import RECEIPTS, Store, Versions, rows
from codequarry.schemas import tables as shapes

_Kind = TypeVar("_Kind")


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
        """The published version of every table.

        Raises:
            IndexStateError: The entry is damaged.
        """
        return self.decoded("versions", dict[str, int])

    def decoded(self, column: Literal["versions", "details"], kind: type[_Kind]) -> _Kind:
        """Give a JSON column as a type.

        Raises:
            IndexStateError: The entry is damaged.
        """
        try:
            return msgspec.json.decode(getattr(self, column), type=kind)
        except msgspec.MsgspecError as error:
            raise IndexStateError(
                f"entry {self.sequence} of the ledger is damaged: its {column} cannot be read",
                "keep this state directory as evidence, and index into a new one (CODEQUARRY_HOME)",
            ) from error

    def detail(self, name: str) -> str:
        """Give one of the details that are texts; empty when there is none.

        Raises:
            IndexStateError: The entry is damaged.
        """
        return str(self.decoded("details", dict[str, Any]).get(name, ""))

    def sealed(self) -> "Entry":
        """Give the entry with its hash: SHA-256 over all other columns as canonical JSON."""
        body = {name: value for name, value in asdict(self).items() if name != "entry_hash"}
        return replace(self, entry_hash=sha256_hex(msgspec.json.encode(body, order="sorted")))


def read(store: Store) -> list[Entry]:
    """Give all entries, oldest first; empty when nothing was published.

    Raises:
        ReceiptError: There was a ledger, and it is gone: whoever went on without it would take
            every table for one that was never published.
    """
    if RECEIPTS not in store.names():
        if had_ledger(store.state):
            raise ReceiptError(
                f"the ledger in {store.state.lance} is gone, and its tables cannot be trusted",
                "put receipts.lance back, or index into a new state directory (CODEQUARRY_HOME)",
            )
        return []
    names = [column.name for column in fields(Entry)]
    found = rows(store.open(RECEIPTS), None, names).sort_by("sequence").to_pylist()
    return [Entry(**row) for row in found]


def append(store: Store, entry: Entry) -> None:
    """Append one sealed entry; from this commit on, readers see what it names.

    Then write the ledger's head. A crash between the two leaves a head that does not know the new
    evidence, which is unknown then until `codequarry.index.publish.repair`.

    Raises:
        StateError: The head cannot be written.
    """
    table = store.ensure(RECEIPTS, shapes.RECEIPTS)
    table.add(pa.Table.from_pylist([asdict(entry)], schema=shapes.RECEIPTS))
    write_heads(store.state, heads_of(published(store)))


def heads_of(now: "Published") -> Mapping[str, Head]:
    """Give Key B of each indexed project to what the ledger's head says of it.

    Of two projects that once had one root, the newer entry counts.
    """
    return {
        entry.project_key: Head(
            entry_hash=entry.entry_hash,
            receipt_hash=entry.receipt_hash,
            health_hash=entry.detail(HEALTH_HASH),
            embedding_profile=entry.embedding_profile,
            unread_files=entry.decoded("details", Unread).unread_files,
        )
        for entry in sorted(now.entries.values(), key=lambda entry: entry.sequence)
    }


HEALTH_HASH = "health_hash"
"""The detail of an entry that holds the SHA-256 of its health sidecar."""

GRAPH_RULES = "graph_rules"
"""The detail of an entry that holds the version of the rules its edges were made by."""


class Unread(msgspec.Struct, frozen=True):
    """The detail of an entry that says what could not be indexed.

    Args:
        unread_files: Language to the number of files that are too large, no UTF-8 text, or not to
            be opened.
    """

    unread_files: dict[str, int] = {}


class Exported(msgspec.Struct, frozen=True):
    """The detail of an entry that says what its producer had.

    Args:
        exported_records: Records of the producer's whole index; -1 when that is not known.
    """

    exported_records: int = -1


REMOVED = "removed"
"""The mode of an entry that takes a project out of the index."""

MAINTENANCE = "maintenance"
"""The mode of an entry that moves the published versions without changing what they hold."""

NO_PROJECT = ""
"""The project of such an entry; it has a chain of its own."""

_WITHOUT_INDEX = (REMOVED, MAINTENANCE)


@dataclass(frozen=True)
class Published:
    """What readers may see: the newest entry of each project, and one version of every table.

    Args:
        entries: Name of each indexed project to its newest entry.
        heads: Name of each project that ever was indexed to the hash of its newest entry.
        versions: Table name to published version, from the newest entry of all.
        sequence: Position of that entry; 0 when nothing was published.
        later: Of a past state, the entries since then, oldest first.
    """

    entries: Mapping[str, Entry]
    heads: Mapping[str, str]
    versions: Versions
    sequence: int
    later: Sequence[Entry] = ()

    def entry(self, project: str) -> Entry:
        """Give a project's newest entry.

        Raises:
            IndexMissing: The project is not indexed.
        """
        if project in self.entries:
            return self.entries[project]
        following = next((entry for entry in self.later if entry.project == project), None)
        if following is not None:
            raise IndexMissing(
                f"{project!r} was not indexed as of entry {self.sequence} of the ledger",
                f"its next entry is {following.sequence}, of {following.appended_at}",
            )
        raise IndexMissing(
            f"the project {project!r} is not indexed yet", "run `codequarry index` in it"
        )


def published(store: Store) -> Published:
    """Read what is published now."""
    return state_after(read(store))


def state_after(entries: Sequence[Entry], later: Sequence[Entry] = ()) -> Published:
    """Give what readers could see after these entries, oldest first, and before later ones."""
    if not entries:
        return Published({}, {}, {}, 0, later)
    newest = {entry.project: entry for entry in entries}
    return Published(
        entries={n: entry for n, entry in newest.items() if entry.mode not in _WITHOUT_INDEX},
        heads={name: entry.entry_hash for name, entry in newest.items()},
        versions=entries[-1].table_versions,
        sequence=entries[-1].sequence,
        later=later,
    )
