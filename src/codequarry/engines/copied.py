"""Files of a copy whose owner may have meddled with it: written, known again, and removed safely.

An engine writes beside its copy, so a folder of it may have become a link to elsewhere, and a file
another one. Nothing here follows a link below the copy's root.
"""

import contextlib
import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import msgspec

from codequarry.core.files import write_atomically
from codequarry.core.hashing import sha256_hex


class Copied(msgspec.Struct, frozen=True):
    """One file of the copy as it was written.

    Args:
        sha256: Of its content.
        size: Bytes.
        inode: Its number in the file system.
        changed: When content or owner last changed, nanoseconds; a program cannot set it.
    """

    sha256: str
    size: int
    inode: int
    changed: int


def write(tree: Path, path: str, content: bytes) -> Copied:
    """Write one file; whatever stands in its way is removed.

    Raises:
        OSError: It cannot be written.
        StateError: It cannot be written.
    """
    folder = tree
    for part in Path(path).parts[:-1]:
        folder = folder / part
        if not _is(folder, stat.S_ISDIR):
            folder.unlink(missing_ok=True)
            folder.mkdir(mode=0o700)
    target = tree / path
    if _is(target, stat.S_ISDIR):
        shutil.rmtree(target)
    write_atomically(target, content)
    status = os.lstat(target)
    return Copied(sha256_hex(content), status.st_size, status.st_ino, status.st_ctime_ns)


def is_untouched(tree: Path, path: str, known: Copied) -> bool:
    """Tell whether a file is still the one that was written."""
    try:
        status = os.lstat(tree / path)
    except OSError:
        return False
    now = (status.st_size, status.st_ino, status.st_ctime_ns)
    same = now == (known.size, known.inode, known.changed)
    return same and stat.S_ISREG(status.st_mode)


def remove(tree: Path, path: str) -> None:
    """Remove a file and the folders that it leaves empty.

    Raises:
        OSError: It cannot be removed.
    """
    target = tree / path
    folders = [folder for folder in target.parents if folder != tree and tree in folder.parents]
    if not all(_is(folder, stat.S_ISDIR) for folder in folders):
        return
    if _is(target, stat.S_ISDIR):
        shutil.rmtree(target)
    else:
        target.unlink(missing_ok=True)
    for folder in folders:
        with contextlib.suppress(OSError):
            os.rmdir(folder)


def _is(path: Path, kind: Callable[[int], bool]) -> bool:
    try:
        return kind(os.lstat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
