"""Byte-exact text rules of the contract (contract.md C0, C3, J-19).

Lines end at LF only; invalid UTF-8 is repaired by runs, as Go's ``strings.ToValidUTF8`` does.
"""

import re
from collections.abc import Iterable

REPLACEMENT = "\ufffd"
_BROKEN_RUN = re.compile("[\udc80-\udcff]+")
# Control characters but tab and line feed, and what reorders text on a screen.
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def repair(raw: bytes) -> str:
    """Decode UTF-8, turning every maximal run of invalid bytes into one U+FFFD (C0).

    A genuine U+FFFD of the input is kept and never merged with a neighbour.
    """
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return _BROKEN_RUN.sub(REPLACEMENT, raw.decode("utf-8", "surrogateescape"))


def repair_bytes(raw: bytes) -> bytes:
    """Give ``repair(raw)`` as UTF-8; returns ``raw`` itself when it is already valid."""
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return repair(raw).encode("utf-8")
    return raw


def cut(text: str, limit: int) -> str:
    """Cut to at most ``limit`` UTF-8 bytes, stepping back to a whole character (A1.4)."""
    if len(text) * 4 <= limit:
        return text
    raw = text.encode("utf-8")
    if len(raw) <= limit:
        return text
    end = limit
    while end and raw[end] & 0xC0 == 0x80:
        end -= 1
    return raw[:end].decode("utf-8")


def ascending(texts: Iterable[str]) -> tuple[str, ...]:
    """Sort texts by their UTF-8 bytes, as contracts and listings order them everywhere."""
    return tuple(sorted(texts, key=str.encode))


def harmless(text: str) -> str:
    """Spell out what steers a terminal: a project's text must not, nor open a line of its own."""
    return harmless_lines(text.replace("\n", r"\x0a"))


def harmless_lines(text: str) -> str:
    """Spell out what steers a terminal, but keep lines."""
    return _STEERING.sub(_spelt, text)


def _spelt(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def counted(number: int, one: str, many: str = "") -> str:
    """Word a number of things: ``1 file``, ``2,000 files``; ``many`` where an s does not do."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def line_starts(raw: bytes) -> list[int]:
    """Give the byte offset of each line; a final LF opens no further line (D1.1).

    An empty input has one line, at offset 0.
    """
    starts = [0]
    starts.extend(match.end() for match in re.finditer(rb"\n", raw) if match.end() < len(raw))
    return starts


def line_range(lines: list[bytes], start: int, end: int) -> bytes:
    r"""Join lines ``start`` to ``end`` (1-based, inclusive) with LF; no trailing LF (C3).

    Args:
        lines: The file's bytes split on ``b"\n"``.
        start: First line; below 1 means 1.
        end: Last line; clamped to the file.
    """
    return b"\n".join(lines[max(start, 1) - 1 : max(end, 0)])


_ASCII_SPACE = b" \t\n\r\v\f"
_SPACE = (
    " \t\n\r\v\f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)


def is_blank(raw: bytes) -> bool:
    """Tell whether UTF-8 is white space only, as Go's ``strings.TrimSpace`` means it (J-19)."""
    rest = raw.strip(_ASCII_SPACE)
    return not rest or (rest[0] > 0x7F and not rest.decode("utf-8", "replace").strip(_SPACE))
