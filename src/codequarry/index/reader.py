"""What readers open: the published versions, never the newest ones (design.md 4)."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import msgspec
from lancedb.table import Table

from codequarry.core.errors import IndexMissing
from codequarry.core.state import StateDirectory
from codequarry.index.ledger import Entry, Published, read, state_after
from codequarry.index.store import Store, among, confirm_columns
from codequarry.schemas import tables as shapes


class ModelOf(msgspec.Struct, frozen=True):
    """The embedding model that an entry's ``details`` name."""

    chunk_table: str
    provider: str
    model: str
    dimensions: int


@dataclass(frozen=True)
class Group:
    """Projects whose chunks lie in one table, because one model embedded them.

    Args:
        is_whole: No other project has chunks in that table.
    """

    table_name: str
    profile_id: str
    projects: tuple[str, ...]
    is_whole: bool


class Reader:
    """The published state of a deployment at one moment.

    Args:
        state: The state directory.
        as_of: The name of a kept entry, a ledger position, a receipt hash, an attempt id or a time;
            ``None`` means now.

    Raises:
        IndexMissing: Nothing was ever published, or not what ``as_of`` names.
        UsageError: ``as_of`` names nothing.
    """

    def __init__(self, state: StateDirectory, as_of: str | None = None) -> None:
        if not state.lance.is_dir():
            raise _nothing()
        self._store = Store(state)
        self._tables: dict[str, Table] = {}
        self._confirmed: set[str] = set()
        entries = read(self._store)
        if as_of is None:
            self.published: Published = state_after(entries)
        else:
            from codequarry.index.past import past_state

            self.published = past_state(self._store, entries, as_of)
        if not self.published.entries:
            raise _nothing()

    def table(self, name: str) -> Table:
        """Open a table at its published version.

        Raises:
            IndexMissing: It was never published.
            IndexStateError: It cannot be opened.
        """
        if name not in self.published.versions:
            raise IndexMissing(f"no table {name!r} was published", "run `codequarry index`")
        if name not in self._tables:
            self._tables[name] = self._store.open(name, self.published.versions[name])
        return self._tables[name]

    def chunk_table(self, group: Group) -> Table:
        """Open the chunks of a group at their published version.

        Raises:
            IndexStateError: They cannot be opened, or another version of codequarry made them.
        """
        table = self.table(group.table_name)
        if group.table_name not in self._confirmed:
            confirm_columns(table, shapes.stored_chunks(1))
            self._confirmed.add(group.table_name)
        return table

    def groups(self, projects: Iterable[str] | None = None) -> tuple[Group, ...]:
        """Group projects by the table that holds their chunks; all when none is named.

        Raises:
            IndexMissing: A project was never indexed.
        """
        names = sorted(self.published.entries if projects is None else set(projects))
        grouped: dict[tuple[str, str], list[str]] = {}
        for name in names:
            entry = self.published.entry(name)
            key = (model_of(entry).chunk_table, entry.embedding_profile)
            grouped.setdefault(key, []).append(name)
        sharing = Counter(model_of(entry).chunk_table for entry in self.published.entries.values())
        return tuple(
            Group(table, profile, tuple(members), len(members) == sharing[table])
            for (table, profile), members in grouped.items()
        )

    def chunks(self, projects: Iterable[str] | None = None) -> int:
        """Count the chunks of some projects, or of all.

        Raises:
            IndexMissing: A project was never indexed.
        """
        return sum(
            self.table(group.table_name).count_rows(among("project", group.projects))
            for group in self.groups(projects)
        )


def model_of(entry: Entry) -> ModelOf:
    """Give the model that an entry's chunks were embedded with.

    Raises:
        IndexStateError: The entry is damaged.
    """
    return entry.decoded("details", ModelOf)


def _nothing() -> IndexMissing:
    return IndexMissing(
        "nothing is indexed in this deployment yet", "run `codequarry index PATH` first"
    )
