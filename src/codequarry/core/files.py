"""Files written whole or not at all, and paths that stay inside their root."""

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import filelock

from codequarry.core.errors import BusyError, StateError


@contextlib.contextmanager
def atomic_writer(path: Path, mode: int = 0o600, prefix: str = ".tmp-") -> Iterator[IO[bytes]]:
    """Open a temporary file beside ``path`` that replaces it when the block ends well.

    The file is flushed to disk before the rename, and its directory after it: a crash leaves the
    old file or the new one.

    Raises:
        StateError: The directory or the file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor, name = tempfile.mkstemp(prefix=prefix, suffix=".tmp", dir=path.parent)
    except OSError as error:
        raise unwritable(path, error) from error
    try:
        with os.fdopen(descriptor, "wb") as handle:
            os.fchmod(descriptor, mode)
            yield handle
            handle.flush()
            os.fsync(handle.fileno())
        os.replace(name, path)
        sync_directory(path.parent)
    except OSError as error:
        _discard(name)
        raise unwritable(path, error) from error
    except BaseException:
        _discard(name)
        raise


def write_atomically(path: Path, content: bytes, mode: int = 0o600, prefix: str = ".tmp-") -> None:
    """Write ``content`` to ``path``: temporary file, fsync, rename, fsync of the directory.

    Raises:
        StateError: The directory or the file cannot be written.
    """
    with atomic_writer(path, mode, prefix) as handle:
        handle.write(content)


def sync_directory(directory: Path) -> None:
    """Flush a directory's entries to disk."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def locked(path: Path, seconds: float) -> Iterator[None]:
    """Hold a lock file for a block; the operating system frees it when its holder dies.

    Args:
        path: The lock file; it and its directory are created when absent.
        seconds: How long to wait for another holder.

    Raises:
        BusyError: Another process held it for ``seconds``.
        StateError: It cannot be created or opened.
    """
    lock = filelock.FileLock(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock.acquire(timeout=seconds)
    except filelock.Timeout as error:
        raise BusyError(
            f"another process has held {path} for {seconds:.0f} seconds",
            "wait for it to end, and run again",
        ) from error
    except OSError as error:
        raise unwritable(path, error) from error
    try:
        yield
    finally:
        lock.release()


def unwritable(path: Path, error: OSError) -> StateError:
    """Word a failed write of ``path`` for a person."""
    return StateError(
        f"cannot write {path}: {error.strerror or error}",
        "free space or permissions there, or point CODEQUARRY_HOME to another directory",
    )


def _discard(name: str) -> None:
    with contextlib.suppress(OSError):
        os.unlink(name)


class UnsafeFile(OSError):
    """A path leaves its root, or is no regular file."""


def read_contained(root: Path, relative: bytes, limit: int | None = None) -> bytes:
    """Read a regular file that lies, symlinks followed, inside ``root`` (contract.md R12).

    A FIFO, socket or device is refused without being opened for reading, so the call never blocks.

    Args:
        root: The project's real path.
        relative: The path below it, as the file system spells it.
        limit: Refuse a file of more bytes.

    Raises:
        UnsafeFile: The path leaves the root, is no regular file, or is over the limit.
        OSError: The file cannot be read.
    """
    base = os.fsencode(root)
    real = os.path.realpath(os.path.join(base, relative))
    if not real.startswith(base.rstrip(b"/") + b"/"):
        raise UnsafeFile("path leaves the project")
    descriptor = os.open(real, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as handle:
        status = os.fstat(handle.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise UnsafeFile("not a regular file")
        if limit is not None and status.st_size > limit:
            raise UnsafeFile("larger than the limit")
        content = handle.read() if limit is None else handle.read(limit + 1)
    if limit is not None and len(content) > limit:
        raise UnsafeFile("larger than the limit")
    return content
