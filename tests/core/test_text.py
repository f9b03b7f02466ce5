"""core.text: repair, cut and line ranges, byte for byte (contract.md C0, C3, A1.4)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codequarry.core import text
from codequarry.core.hashing import sha256_hex

SOUP = st.lists(
    st.sampled_from([b"a", b"\n", b"\r", b"\xff", b"\xed\xa0\x80", b"\xef\xbf\xbd", b"\xe2\x82"])
    | st.binary(max_size=3)
    | st.text(max_size=3).map(str.encode)
).map(b"".join)


def test_golden_repair() -> None:
    """C0: runs collapse, a genuine U+FFFD stays by itself, a surrogate's bytes are one run."""
    repaired = text.repair(bytes.fromhex("61fffeefbfbd62eda08063"))
    assert repaired == "a\ufffd\ufffdb\ufffdc"
    assert sha256_hex(repaired) == (
        "25f6d94ac3a26a637fde632dc78acf02db11224a6b1dd90e1a9705c27b5c0830"
    )


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"\xc0\x80", "\ufffd"),
        (b"\xf4\x90\x80\x80x", "\ufffdx"),
        (b"\xe2\x82\n\xac", "\ufffd\n\ufffd"),
        ("é".encode() + b"\xc3", "é\ufffd"),
        (b"", ""),
    ],
)
def test_repair(raw: bytes, expected: str) -> None:
    """Overlong, out-of-range and cut sequences are invalid; a run never crosses an LF."""
    assert text.repair(raw) == expected


@settings(deadline=None)
@given(SOUP)
def test_repair_is_idempotent_and_keeps_valid_text(raw: bytes) -> None:
    """Repaired text is valid, repairing it changes nothing, and valid input is returned as is."""
    repaired = text.repair_bytes(raw)
    assert text.repair_bytes(repaired) is repaired
    assert repaired.decode() == text.repair(raw)
    assert repaired.count(b"\n") == raw.count(b"\n")


def character_at(raw: bytes, start: int) -> str | None:
    for length in range(1, 5):
        try:
            return raw[start : start + length].decode()
        except UnicodeDecodeError:
            continue
    return None


def slow_repair(raw: bytes) -> str:
    repaired, position, broken = "", 0, False
    while position < len(raw):
        character = character_at(raw, position)
        if character is not None:
            repaired += character
        elif not broken:
            repaired += "\ufffd"
        broken = character is None
        position += 1 if character is None else len(character.encode())
    return repaired


@settings(deadline=None)
@given(SOUP)
def test_repair_follows_the_runs(raw: bytes) -> None:
    """Repair equals a walk over the bytes that writes one U+FFFD where a broken run begins."""
    assert text.repair(raw) == slow_repair(raw)


@settings(deadline=None)
@given(SOUP)
def test_repair_of_a_file_is_repair_of_its_lines(raw: bytes) -> None:
    """Repairing before or after cutting lines gives the same lines."""
    assert text.repair(raw).split("\n") == [text.repair(line) for line in raw.split(b"\n")]


@settings(deadline=None)
@given(st.text(), st.integers(0, 40))
def test_cut(given_text: str, limit: int) -> None:
    """A cut is the longest prefix of whole characters within the limit."""
    kept = text.cut(given_text, limit)
    assert given_text.startswith(kept)
    assert len(kept.encode()) <= limit
    if kept != given_text:
        assert len(given_text[: len(kept) + 1].encode()) > limit


def test_line_range() -> None:
    """C3: LF only, CR stays, no trailing LF, ends are clamped, past the end is empty."""
    lines = b"a\r\nb\x0cc\xe2\x80\xa8d\n\nlast\n".split(b"\n")
    assert text.line_range(lines, 1, 2) == b"a\r\nb\x0cc\xe2\x80\xa8d"
    assert text.line_range(lines, 0, 1) == b"a\r"
    assert text.line_range(lines, 4, 99) == b"last\n"
    assert text.line_range(lines, 6, 9) == b""
    assert text.line_range(lines, 3, 2) == b""


def test_line_starts() -> None:
    """D1.1: a final LF opens no further line."""
    assert text.line_starts(b"a\nb\n") == [0, 2]
    assert text.line_starts(b"a\n\nb") == [0, 2, 3]
    assert text.line_starts(b"") == [0]
