"""Git's wildcard patterns as regular expressions over bytes.

pathspec translates the same patterns, but its ``foo`` also matches ``foo/bar``, its ``.`` stops at
a newline and its trimming strips tabs: good for file lists, not for deciding one directory level
the way git does. What is here agrees with ``git check-ignore`` (tests/sources/test_ignore.py).
"""

import re
import string

_STAR = object()
_SPAN = object()
_Token = bytes | object
_ANY = b"[^/]"
_CLASSES = {
    b"alnum": string.ascii_letters + string.digits,
    b"alpha": string.ascii_letters,
    b"blank": " \t",
    b"cntrl": "".join(map(chr, [*range(32), 127])),
    b"digit": string.digits,
    b"graph": "".join(map(chr, range(33, 127))),
    b"lower": string.ascii_lowercase,
    b"print": "".join(map(chr, range(32, 127))),
    b"punct": string.punctuation,
    b"space": string.whitespace,
    b"upper": string.ascii_uppercase,
    b"xdigit": string.hexdigits,
}


def translate(pattern: bytes) -> re.Pattern[bytes] | None:
    """Compile one pattern, without its ``!``, leading ``/`` and trailing ``/``.

    Groups are atomic wherever a later star makes going back useless, so that no pattern of a
    hostile repository takes more than polynomial time.

    Args:
        pattern: As written in an ignore file.

    Returns:
        What matches a whole name or path, or ``None`` when nothing can match the pattern.
    """
    tokens = _tokens(pattern)
    if tokens is None:
        return None
    pieces = _split(tokens, _SPAN)
    last = len(pieces) - 1
    body = b""
    for number, piece in enumerate(pieces):
        part = (b"(?:.*?/)??" if number else b"") + _segment(piece)
        body += part if number == last else b"(?>" + part + b")"
    return re.compile(b"(?s:" + body + rb")\Z")


def _tokens(pattern: bytes) -> list[_Token] | None:
    tokens: list[_Token] = []
    first_special = next((i for i, c in enumerate(pattern) if c in b"*?[\\"), -1)
    i = 0
    while i < len(pattern):
        char = pattern[i : i + 1]
        if char == b"*":
            end = i + len(pattern[i:]) - len(pattern[i:].lstrip(b"*"))
            # Git compares the literal start on its own, so stars right after it count as leading.
            leads = i == first_special or pattern[i - 1 : i] == b"/"
            if end - i > 1 and leads and pattern[end : end + 1] in (b"", b"/"):
                tokens.append(_SPAN if pattern[end : end + 1] else b".*")
                i = end + 1
            else:
                tokens.append(_STAR)
                i = end
        elif char == b"[":
            found = _bracket(pattern, i + 1)
            if found is None:
                return None
            token, i = found
            tokens.append(token)
        elif char == b"\\":
            if i + 1 == len(pattern):
                return None
            tokens.append(re.escape(pattern[i + 1 : i + 2]))
            i += 2
        else:
            tokens.append(_ANY if char == b"?" else re.escape(char))
            i += 1
    return tokens


def _bracket(pattern: bytes, i: int) -> tuple[bytes, int] | None:
    """Read a bracket expression after its ``[``; ``None`` when it never ends."""
    negated = pattern[i : i + 1] in (b"!", b"^")
    i += negated
    members: set[int] = set()
    previous, first = -1, True
    while first or pattern[i : i + 1] != b"]":
        first = False
        if i >= len(pattern):
            return None
        low = pattern[i]
        if low == ord("-") and previous >= 0 and pattern[i + 1 : i + 2] not in (b"", b"]"):
            i += 1 + (pattern[i + 1 : i + 2] == b"\\")
            if i >= len(pattern):
                return None
            members.update(range(previous, pattern[i] + 1))
            previous = -1
        elif pattern[i : i + 2] == b"[:":
            end = pattern.find(b"]", i + 2)
            closed = end > i + 2 and pattern[end - 1 : end] == b":"
            named = _CLASSES.get(pattern[i + 2 : end - 1]) if closed else "["
            if end < 0 or named is None:
                return None
            members.update(named.encode())
            previous, i = (-1, end) if closed else (low, i)
        else:
            i += low == ord("\\")
            if i >= len(pattern):
                return None
            previous = pattern[i]
            members.add(previous)
        i += 1
    chosen = (set(range(256)) - members if negated else members) - {ord("/")}
    return b"(?!)" if not chosen else _set(chosen), i + 1


def _set(members: set[int]) -> bytes:
    return b"[" + b"".join(b"\\x%02x" % member for member in sorted(members)) + b"]"


def _segment(piece: list[_Token]) -> bytes:
    parts = [b"".join(part) for part in _split(piece, _STAR)]  # type: ignore[arg-type]
    body = parts[0]
    for part in parts[1:-1]:
        body += b"(?>" + _ANY + b"*?" + part + b")"
    return body + _ANY + b"*" + parts[-1] if len(parts) > 1 else body


def _split(tokens: list[_Token], mark: object) -> list[list[_Token]]:
    pieces: list[list[_Token]] = [[]]
    for token in tokens:
        if token is mark:
            pieces.append([])
        else:
            pieces[-1].append(token)
    return pieces
