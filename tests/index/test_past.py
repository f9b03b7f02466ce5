from dataclasses import replace

import pytest

from codequarry.core.errors import IndexMissing, UsageError
from codequarry.core.hashing import sha256_hex
from codequarry.core.state import StateDirectory
from codequarry.index.ledger import MAINTENANCE, REMOVED, Entry, read
from codequarry.index.past import entry_as_of, past_state
from codequarry.index.store import Store
from tests.receipts.test_ledger import grow


def entry(sequence: int, mode: str = "full", **changes: str) -> Entry:
    made = Entry(
        sequence=sequence,
        project="shop",
        project_key="",
        attempt_id=f"{sequence:032x}",
        appended_at=f"2026-01-05T10:00:{sequence:02}.500000Z",
        mode=mode,
        reason="",
        from_fingerprint="",
        to_fingerprint="",
        embedding_profile="",
        chunk_profile="",
        versions="{}",
        details="{}",
        receipt="{}",
        receipt_hash=sha256_hex(str(sequence)),
        previous_hash="",
    )
    return replace(made, **changes)  # type: ignore[arg-type]


ENTRIES = [entry(1), entry(2), entry(3, MAINTENANCE), entry(4), entry(5, REMOVED)]


@pytest.mark.parametrize(
    ("text", "sequence"),
    [
        ("2", 2),
        (" 3 ", 3),
        (f"{4:032x}", 4),
        ("00000000-0000-0000-0000-000000000004", 4),
        (sha256_hex("1")[:8], 1),
        (sha256_hex("2"), 2),
        (sha256_hex("4")[:20].upper(), 4),
        ("2026-01-05T10:00:02.500000Z", 2),
        ("2026-01-05T10:00:02Z", 1),
        ("2026-01-05T10:00:03.9Z", 2),
        ("2026-01-05T12:00:04.500+02:00", 4),
        ("2031-01-01T00:00:00Z", 5),
    ],
)
def test_every_way_to_name_an_entry(text: str, sequence: int) -> None:
    """Position, attempt, receipt hash and time each find their entry."""
    assert entry_as_of(ENTRIES, text).sequence == sequence


def test_removal_does_not_hide_its_attempt() -> None:
    """The attempt that a removal repeats means the attempt, not the removal."""
    removal = entry(6, REMOVED, attempt_id=f"{4:032x}")
    assert entry_as_of([*ENTRIES, removal], f"{4:032x}").sequence == 4


def test_digits_alone_may_be_a_hash() -> None:
    """Eight digits that are no position are the start of a hash."""
    digits = entry(6, receipt_hash="12345678" + "a" * 56)
    assert entry_as_of([*ENTRIES, digits], "12345678").sequence == 6


def test_ambiguous_hash_is_refused() -> None:
    """A prefix of two receipts' hashes names neither."""
    twins = [entry(1, receipt_hash="ab" * 31 + "00"), entry(2, receipt_hash="ab" * 31 + "11")]
    with pytest.raises(UsageError, match="more digits"):
        entry_as_of(twins, "abababab")


@pytest.mark.parametrize("text", ["", "yesterday", "2026-01-05", "2026-01-05T10:00:00", "abc"])
def test_what_names_nothing_is_a_usage_error(text: str) -> None:
    """Anything else, a time without its offset included, is an error that says what to give."""
    with pytest.raises(UsageError, match="offset such as"):
        entry_as_of(ENTRIES, text)


@pytest.mark.parametrize("text", ["9", "deadbeef", "f" * 32, "2020-01-01T00:00:00Z"])
def test_absent_entries_say_what_is_kept(text: str) -> None:
    """An entry that is not there is an error that lists those that are."""
    with pytest.raises(IndexMissing, match=r"kept are: 4 \(shop 2026-01-05T10:00:04.500000Z "):
        entry_as_of(ENTRIES, text, kept=ENTRIES[3:4])


def test_removed_versions_are_not_opened() -> None:
    """An entry whose versions are gone is never replaced by a near one in silence."""
    with pytest.raises(IndexMissing, match="entry 1 were removed; kept are: 2 "):
        entry_as_of(ENTRIES, "2026-01-05T10:00:02Z", kept=ENTRIES[1:])


def test_long_lists_are_cut() -> None:
    """An error shows the newest few of what is kept, and how many more there are."""
    many = [entry(n) for n in range(1, 31)]
    with pytest.raises(IndexMissing, match="kept are: 22 older ones, 23 ") as caught:
        entry_as_of(many, "99")
    assert len(str(caught.value)) < 1000


def test_empty_ledger_is_said() -> None:
    """Before the first publication nothing is kept."""
    with pytest.raises(IndexMissing, match="nothing is kept yet"):
        entry_as_of([], "1")


def test_thousands_of_digits_name_nothing() -> None:
    """A number that Python refuses to read is what names nothing, and is shown cut."""
    with pytest.raises(UsageError, match="names no state") as caught:
        entry_as_of(ENTRIES, "9" * 5000)
    assert len(str(caught.value)) < 400


def test_a_damaged_time_is_passed_over() -> None:
    """An entry whose time cannot be read is never the newest of a moment, and no internal error."""
    damaged = [*ENTRIES[:2], replace(ENTRIES[3], appended_at="altered")]
    assert entry_as_of(damaged, "2031-01-01T00:00:00Z").sequence == 2


def test_past_states(state: StateDirectory) -> None:
    """As of an entry there is what was published then; what came later is told where it lacks."""
    store = Store(state)
    for project, mode in (("a", "full"), ("b", "full"), ("a", REMOVED), ("b", REMOVED)):
        grow(store, project, 1, mode)
    entries = read(store)
    moments = {number: past_state(store, entries, number, openable=False) for number in "123"}
    assert [sorted(past.entries) for past in moments.values()] == [["a"], ["a", "b"], ["b"]]
    with pytest.raises(IndexMissing, match=r"as of entry 1 .*; its next entry is 2, of"):
        moments["1"].entry("b")
    with pytest.raises(IndexMissing, match="'a' is not indexed yet"):
        moments["3"].entry("a")
    with pytest.raises(IndexMissing, match="no project was indexed as of entry 4"):
        past_state(store, entries, "4", openable=False)
    with pytest.raises(IndexMissing, match="were removed"):
        past_state(store, entries, "1")
