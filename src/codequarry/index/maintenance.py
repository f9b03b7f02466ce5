"""Compaction, index optimisation and clean-up: the same rows in fewer files, fewer old versions.

Versions that kept ledger entries name are *pinned*, each by a Lance branch that starts there. Not
by a Lance tag: LanceDB refuses to clean a table at all that has a tag on an old version, while a
branch's origin is left alone and everything between is removed. Entries themselves stay for ever.

A project keeps its last entries until it is removed; any entry can be kept under a name besides
(`keep`, `let_go`).
"""

import contextlib
import os
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from lancedb.table import Table

from codequarry.core.errors import IndexStateError, UsageError
from codequarry.core.state import StateDirectory
from codequarry.index import ledger
from codequarry.index.ledger import MAINTENANCE, NO_PROJECT, REMOVED, Entry, Published, published
from codequarry.index.publish import leased, repair, staged_versions
from codequarry.index.store import RECEIPTS, Store, Versions, faults_worded

DUE_AFTER = 50
"""Publications after which maintenance pays (docs/deltas.md)."""

LEFTOVER_AGE = timedelta(days=1)
"""Unfinished files that did not change for so long belong to no run."""

_UNFINISHED = re.compile(r"\.spool-.+|\.[a-z]+-.+\.tmp")  # names of core.files and core.changeset
_FOREIGN = re.compile(r"dagster|.+\.lance")
_RECENT = "receipt"
_SPARE_NAMES = 5
_NO_TIME = timedelta(milliseconds=1)  # LanceDB warns of zero, for it cannot know of our pins
_NAME = re.compile(r"(?=.{1,64}\Z)[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*")
_PIN = re.compile(rf"(?:{_RECENT}|keep-(?P<name>.+))-(?P<sequence>\d+)(?:\.\d)?")


@dataclass(frozen=True)
class Retention:
    """What a clean-up leaves.

    Args:
        receipts: Newest ledger entries kept of each project; at least one.
        grace: Younger versions stay, for readers that opened them.
    """

    receipts: int = 5
    grace: timedelta = timedelta(hours=1)


@dataclass(frozen=True)
class Maintained:
    """What a maintenance run did.

    Args:
        entry: The ledger entry that published it; ``None`` when there was nothing to maintain.
        kept: Sequences of the entries whose versions are pinned, ascending.
        removed_versions: Table versions that are gone.
        uncleaned: Tables that carry Lance tags of somebody else, and so were compacted only.
        swept: Unfinished files of killed runs that are gone.
    """

    entry: Entry | None
    kept: tuple[int, ...] = ()
    removed_versions: int = 0
    uncleaned: tuple[str, ...] = ()
    swept: int = 0


Seal = Callable[[Published, Versions], Entry]
"""Makes the entry that publishes compacted versions (codequarry.receipts.ledger)."""


def due(entries: Sequence[Entry], after: int = DUE_AFTER) -> bool:
    """Tell whether ``after`` entries were published since the last maintenance."""
    recent = entries[-after:]
    return len(recent) == after and all(entry.mode != MAINTENANCE for entry in recent)


def maintain(
    state: StateDirectory, retention: Retention, seal: Seal, lease_seconds: float = 600.0
) -> Maintained:
    """Compact, clean and publish every table, under the lease.

    What is published stays pinned until the compacted versions are published in its place, so a
    crash anywhere leaves a state that `codequarry.index.publish.repair` puts right.

    Raises:
        BusyError: Another writer held the lease for too long.
        StateError: The tables cannot be written.
    """
    with leased(state, lease_seconds), faults_worded(state):
        swept = sweep(state, time.time() - LEFTOVER_AGE.total_seconds())
        store = Store(state)
        repair(store)
        before, entries = published(store), ledger.read(store)
        if not entries:
            return Maintained(None, swept=swept)
        kept = kept_entries(entries, retention.receipts)
        tables = {name: store.open(name) for name in before.versions if name in store.names()}
        removed, uncleaned = 0, []
        for name, table in tables.items():
            versions = {entry.sequence: entry.table_versions.get(name) for entry in kept}
            pin_recent(table, versions)
            had = _versions(table)
            if not _clean(table, retention.grace):
                uncleaned.append(name)
            removed += len(had - _versions(table))
        entry = seal(before, staged_versions(store))
        ledger.append(store, entry)
        _clean(store.open(RECEIPTS), retention.grace)
        pinned = tuple(found.sequence for found in available(store, kept))
    return Maintained(entry, pinned, removed, tuple(uncleaned), swept)


def sweep(state: StateDirectory, before: float) -> int:
    """Remove the unfinished files that killed runs left; give how many they were.

    LanceDB's tables and Dagster's folder are theirs to clean.

    Args:
        state: The state directory.
        before: Files that changed later stay, seconds since 1970: they may be somebody's work.
    """
    swept = 0
    for folder, inside, names in os.walk(state.home):
        if Path(folder) in (state.home, state.lance):
            inside[:] = [name for name in inside if not _FOREIGN.fullmatch(name)]
        for name in filter(_UNFINISHED.fullmatch, names):
            with contextlib.suppress(OSError):
                path = Path(folder, name)
                if path.lstat().st_mtime < before:
                    path.unlink()
                    swept += 1
    return swept


def kept_entries(entries: Sequence[Entry], number: int) -> tuple[Entry, ...]:
    """Give the last ``number`` entries of each project that is there, and what is published now.

    Of a removed project none stays; entries of others made before its removal name its rows too.

    Args:
        entries: The whole ledger, oldest first.
        number: At least one.

    Raises:
        UsageError: ``number`` is not positive.
    """
    if number < 1:
        raise UsageError(f"{number} receipts cannot be kept of a project", "keep at least 1")
    left = {entry.project: _allowance(entry, number) for entry in entries}
    current = next((entry for entry in reversed(entries) if entry.mode != MAINTENANCE), None)
    kept = []
    for entry in reversed(entries):
        if left[entry.project] > 0 or entry is current:
            kept.append(entry)
        left[entry.project] -= 1
    return tuple(reversed(kept))


def _allowance(newest: Entry, number: int) -> int:
    """Give how many entries are kept of a project, by its newest."""
    if newest.mode == REMOVED:
        return 0
    return 1 if newest.project == NO_PROJECT else number


def pin_recent(table: Table, versions: Mapping[int, int | None]) -> None:
    """Pin a table's versions of the recent entries, and unpin those of older ones.

    Args:
        table: A table at its newest version.
        versions: Sequence of each recent entry to the version it names, if any.
    """
    existing = _versions(table)
    wanted = {number: version for number, version in versions.items() if version in existing}
    pinned = {}
    for pin in table.branches.list():
        match = _PIN.fullmatch(pin)
        if match and match["name"] is None:
            pinned[int(match["sequence"])] = pin
    for number, version in wanted.items():
        if number not in pinned:
            _pin(table, f"{_RECENT}-{number}", version)
    for number, pin in pinned.items():
        if number not in wanted:
            table.branches.delete(pin)


def keep(state: StateDirectory, entry: Entry, name: str) -> None:
    """Keep the versions of one entry under a name, until it is let go.

    Raises:
        UsageError: The name is malformed or taken.
        IndexStateError: The versions are gone already.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} cannot name a kept receipt", "use letters, digits, and . _ -")
    with leased(state), faults_worded(state):
        store = Store(state)
        if name in kept_names(store):
            raise UsageError(f"the name {name!r} is taken", "let it go first, or use another")
        if not available(store, [entry]):
            raise IndexStateError(
                f"the versions of ledger entry {entry.sequence} were removed",
                "keep a receipt while it is among the last ones of its project",
            )
        for table, version in entry.table_versions.items():
            _pin(store.open(table), f"keep-{name}-{entry.sequence}", version)


def let_go(state: StateDirectory, name: str) -> bool:
    """Give up a name of `keep`; tell whether there was one."""
    found = False
    with leased(state), faults_worded(state):
        store = Store(state)
        for table in _indexed(store):
            for pin in table.branches.list():
                if (match := _PIN.fullmatch(pin)) and match["name"] == name:
                    table.branches.delete(pin)
                    found = True
    return found


def kept_names(store: Store) -> dict[str, int]:
    """Give the names of `keep` and the sequences of the entries they keep."""
    pins = (_PIN.fullmatch(pin) for table in _indexed(store) for pin in table.branches.list())
    return {pin["name"]: int(pin["sequence"]) for pin in pins if pin and pin["name"]}


def available(store: Store, entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Give the entries whose table versions all still exist."""
    existing = {name: _versions(store.open(name)) for name in store.names()}
    return tuple(
        entry
        for entry in entries
        if all(v in existing.get(name, ()) for name, v in entry.table_versions.items())
    )


def _indexed(store: Store) -> list[Table]:
    return [store.open(name) for name in store.names() if name != RECEIPTS]


def _versions(table: Table) -> set[int]:
    return {found["version"] for found in table.list_versions()}


def _pin(table: Table, name: str, version: int | None) -> None:
    # A branch whose making was cut short can never be made again, so the next try is called else.
    for spare in range(_SPARE_NAMES):
        try:
            table.branches.create(f"{name}.{spare}" if spare else name, from_version=version)
        except RuntimeError:
            if spare == _SPARE_NAMES - 1:
                raise
        else:
            return


def _clean(table: Table, grace: timedelta) -> bool:
    """Compact a table and remove its old unpinned versions; tell whether these could be removed."""
    cleanable = not table.tags.list()
    older = max(grace, _NO_TIME) if cleanable else timedelta(days=36_500)
    table.optimize(cleanup_older_than=older, delete_unverified=True)
    return cleanable
