"""Which files are worth indexing, told from their name, kind and content (contract.md D4)."""

import hashlib
import os
import re
import stat
from enum import StrEnum
from typing import Final, NamedTuple, Protocol

from codequarry.core.text import is_blank

MAX_FILE_SIZE: Final = 1024 * 1024
HEAD_BYTES: Final = 8192
_BLOCK: Final = 1024 * 1024


class SkipReason(StrEnum):
    """Why a file that was seen is not in the snapshot; the whole vocabulary."""

    TOO_LARGE = "too_large"
    BINARY = "binary"
    BLANK = "blank"
    UNREADABLE = "unreadable"
    NOT_REGULAR = "not_regular"
    SYMLINK_OUTSIDE = "symlink_outside"
    SYMLINK_DANGLING = "symlink_dangling"
    SYMLINK_LOOP = "symlink_loop"
    SYMLINK_DIRECTORY = "symlink_directory"
    SECRET = "secret"  # noqa: S105 - a reason, not a password
    NAME_COLLISION = "name_collision"
    SUBMODULE_ABSENT = "submodule_absent"


UNREAD = frozenset(
    {
        SkipReason.TOO_LARGE,
        SkipReason.BINARY,
        SkipReason.UNREADABLE,
        SkipReason.SYMLINK_OUTSIDE,
        SkipReason.SECRET,
        SkipReason.NAME_COLLISION,
    }
)
"""Reasons that leave a file out which may hold code; another encoding than UTF-8 is ``binary``."""


class HashCache(Protocol):
    """What remembers the hashes of files whose status did not change. Called from threads."""

    def known(self, os_path: bytes, status: os.stat_result) -> str | None:
        """Give the SHA-256 of an eligible file seen with this very status, or ``None``."""
        ...

    def learn(self, os_path: bytes, status: os.stat_result, sha256: str) -> None:
        """Remember an eligible file."""
        ...


class Eligible(NamedTuple):
    """A file that belongs into the snapshot.

    Args:
        size: In bytes.
        sha256: Of the raw bytes.
    """

    size: int
    sha256: str


_SECRET_NAME = re.compile(
    rb"""
    \.env(?!\.(?:example|sample|template|dist)\Z)(?:\..*)? | .*\.env
    | .*\.(?:pem|key|p12|pfx|pkcs12|jks|keystore|kdbx|ppk|pgpass|tfstate|tfstate\.backup)
    | id_(?:rsa|dsa|ecdsa|ed25519|ecdsa_sk|ed25519_sk)
    | \.?_?netrc | \.pgpass | \.my\.cnf | \.npmrc | \.pypirc | \.htpasswd | \.git-credentials
    | \.dockercfg | credentials(?:\.json)? | service[-_]account.*\.json | .*\.mobileprovision
    | secrets\.(?:ya?ml|json|toml|ini)
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_KEY_FILE = re.compile(rb"\s*-----BEGIN [A-Z ]*PRIVATE KEY( BLOCK)?-----")


def is_secret_name(name: bytes) -> bool:
    """Tell whether a file of this name well-knownly holds keys, tokens or passwords."""
    return _SECRET_NAME.fullmatch(name) is not None


def unfit(head: bytes, *, whole: bool) -> SkipReason | None:
    """Judge the start of a file.

    Invalid UTF-8 further on leaves a file eligible; a rune that the window cuts is fine (J-18).

    Args:
        head: At least `HEAD_BYTES`, or all there is.
        whole: Whether ``head`` ends where the file ends.
    """
    window = head[:HEAD_BYTES]
    if b"\0" in window or not _is_utf8(window, whole and len(head) <= HEAD_BYTES):
        return SkipReason.BINARY
    return SkipReason.SECRET if _KEY_FILE.match(window) else None


def judge(content: bytes) -> SkipReason | None:
    """Judge a whole file in memory, its size apart."""
    reason = unfit(content, whole=True)
    return SkipReason.BLANK if reason is None and is_blank(content) else reason


def _is_utf8(window: bytes, whole: bool) -> bool:
    try:
        window.decode("utf-8")
    except UnicodeDecodeError as error:
        return not whole and error.reason == "unexpected end of data"
    return True


def examine(
    path: bytes, os_path: bytes, limit: int, hashes: HashCache | None = None
) -> Eligible | SkipReason | None:
    """Read one file in bounded memory and judge it; never blocks on a FIFO, socket or device.

    Args:
        path: Absolute, free of symlinks.
        os_path: What the file is called below the root.
        limit: Most bytes it may have.
        hashes: Learns of an eligible file.

    Returns:
        Its size and hash, why it is skipped, or ``None`` when it is gone.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError:
        return SkipReason.UNREADABLE
    try:
        return _examine_open(descriptor, os_path, limit, hashes)
    except OSError:
        return SkipReason.UNREADABLE
    finally:
        os.close(descriptor)


def recall(path: bytes, os_path: bytes, limit: int, hashes: HashCache) -> Eligible | None:
    """Give what is known of a file without opening it; the arguments are those of `examine`."""
    try:
        status = os.lstat(path)
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode) or status.st_size > limit:
        return None
    known = hashes.known(os_path, status)
    return Eligible(status.st_size, known) if known else None


def _examine_open(
    descriptor: int, os_path: bytes, limit: int, hashes: HashCache | None
) -> Eligible | SkipReason:
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        return SkipReason.NOT_REGULAR
    if status.st_size > limit:
        return SkipReason.TOO_LARGE
    result = _read(descriptor, status.st_size, limit)
    if hashes and isinstance(result, Eligible):
        hashes.learn(os_path, status, result.sha256)
    return result


def _read(descriptor: int, expected: int, limit: int) -> Eligible | SkipReason:
    head = _block(descriptor, HEAD_BYTES + 1)
    reason = unfit(head, whole=len(head) <= HEAD_BYTES)
    if reason is not None:
        return reason  # of an image, no more is read
    digest = hashlib.sha256()
    size, blank, block = 0, True, head
    while block:
        digest.update(block)
        size += len(block)
        blank = blank and is_blank(block)
        if size > limit:
            return SkipReason.TOO_LARGE
        block = _block(descriptor, min(max(expected, HEAD_BYTES), _BLOCK))
    return SkipReason.BLANK if blank else Eligible(size, digest.hexdigest())


def _block(descriptor: int, size: int) -> bytes:
    """Read ``size`` bytes, fewer only at the end of the file."""
    block = os.read(descriptor, size)
    while 0 < len(block) < size:
        more = os.read(descriptor, size - len(block))
        if not more:
            break
        block += more
    return block
