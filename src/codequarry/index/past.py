"""The past: which ledger entry a person means, and what readers could see as of it."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime

from codequarry.core.errors import IndexMissing, UsageError
from codequarry.index.ledger import MAINTENANCE, Entry, Published, state_after
from codequarry.index.maintenance import available, kept_names
from codequarry.index.store import Store

_HASH_PREFIX = re.compile(r"[0-9a-f]{8,64}")
_SHOWN = 8
_LONGEST = 64  # digits; Python refuses to read thousands of them


def past_state(
    store: Store, entries: Sequence[Entry], as_of: str, *, openable: bool = True
) -> Published:
    """Give what readers could see as of an entry; arguments and errors are `past_entry`'s.

    Raises:
        IndexMissing: No project was indexed then.
    """
    last = past_entry(store, entries, as_of, openable=openable)
    then = [entry for entry in entries if entry.sequence <= last.sequence]
    past = state_after(then, entries[len(then) :])
    if not past.entries:
        raise IndexMissing(
            f"no project was indexed as of entry {last.sequence} of the ledger",
            "see `codequarry ledger` for the states there are",
        )
    return past


def past_entry(
    store: Store, entries: Sequence[Entry], as_of: str, *, openable: bool = True
) -> Entry:
    """Find the entry that a person names, also by the name it is kept under.

    Args:
        store: The tables.
        entries: The whole ledger, oldest first.
        as_of: A name of `codequarry.index.maintenance.keep`, or what `entry_as_of` takes.
        openable: Whether its table versions must still exist.

    Raises:
        UsageError: ``as_of`` names nothing.
        IndexMissing: There is no such entry, or its versions were removed.
    """
    kept = kept_names(store).get(as_of.strip())
    moment = as_of if kept is None else str(kept)
    return entry_as_of(entries, moment, available(store, entries) if openable else None)


def entry_as_of(entries: Sequence[Entry], text: str, kept: Iterable[Entry] | None = None) -> Entry:
    """Find the entry that a person names, to open the versions it published.

    Args:
        entries: The whole ledger, oldest first.
        text: A position in the ledger, at least 8 digits of a receipt's or an entry's hash, an
            attempt id, or a time of RFC 3339, which names the entry that was the newest then.
        kept: The entries whose versions still exist; all when not given.

    Raises:
        UsageError: The text is none of these, or begins several hashes.
        IndexMissing: There is no such entry, or its versions were removed.
    """
    found = _named(entries, text.strip())
    left = tuple(entries if kept is None else kept)
    if found is None:
        raise IndexMissing(f"the ledger has no entry as of {text!r}", _listed(left))
    if found not in left:
        raise IndexMissing(
            f"the table versions of ledger entry {found.sequence} were removed", _listed(left)
        )
    return found


def _named(entries: Sequence[Entry], text: str) -> Entry | None:
    if text.isascii() and text.isdigit() and len(text) <= _LONGEST:
        at = next((entry for entry in entries if entry.sequence == int(text)), None)
        if at is not None or len(text) < 8:
            return at
    digits = text.lower().replace("-", "")
    attempts = [entry for entry in entries if entry.attempt_id == digits]
    if attempts:
        return attempts[0]  # the entry of a removal repeats the attempt that it removes
    if not _HASH_PREFIX.fullmatch(text.lower()):
        return _newest_at(entries, text)
    start = text.lower()
    hashed = [e for e in entries if e.receipt_hash.startswith(start)]
    hashed = hashed or [e for e in entries if e.entry_hash.startswith(start)]
    if len({entry.receipt_hash for entry in hashed}) > 1:
        raise UsageError(f"{text!r} begins {len(hashed)} receipt hashes", "give more digits")
    return hashed[0] if hashed else None


def _newest_at(entries: Sequence[Entry], text: str) -> Entry | None:
    moment = _time(text)
    if moment is None:
        raise UsageError(
            f"{text[:_LONGEST]!r} names no state of the index",
            "give a position in the ledger, at least 8 digits of a receipt's hash, an attempt id, "
            "or a time with its offset such as 2026-01-31T12:00:00Z",
        )
    # A maintenance entry holds the rows of the one before it, which is kept longer.
    dated = ((e, _time(e.appended_at)) for e in reversed(entries) if e.mode != MAINTENANCE)
    return next((entry for entry, appended in dated if appended and appended <= moment), None)


def _time(text: str) -> datetime | None:
    """Read a time; one without an offset is none, and so is what a damaged entry holds."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else None


def _listed(kept: Sequence[Entry]) -> str:
    shown = [
        f"{entry.sequence} ({entry.project or entry.mode} {entry.appended_at} "
        f"{entry.receipt_hash[:12]})"
        for entry in kept[-_SHOWN:]
    ]
    more = f"{len(kept) - _SHOWN} older ones, " if len(kept) > _SHOWN else ""
    return f"kept are: {more}{', '.join(shown)}" if kept else "nothing is kept yet"
