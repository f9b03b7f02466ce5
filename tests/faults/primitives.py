"""The primitives by which anything is written, wrapped in this process for good.

Nothing here names a place in our code: whatever opens, renames, flushes, removes, makes, commits
or mutates below the state directory goes through one of these.
"""

import builtins
import errno
import functools
import io
import os
import sqlite3
from collections.abc import Callable
from typing import Any

import lancedb.db
import lancedb.table
import pyarrow as pa

from tests.faults.points import Injector

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_ON_PATH = ("unlink", "remove", "rmdir", "truncate", "chmod", "link", "symlink", "utime")
_TO_TARGET = ("replace", "rename")
_ON_DESCRIPTOR = ("fsync", "fdatasync", "ftruncate", "fchmod", "write")
_TABLE = ("add", "delete", "update", "_do_merge", "create_index", "optimize", "restore")
_BRANCHES = ("create", "delete")
_DATABASE = ("create_table", "drop_table")
_SQLITE_FAULTS = {
    "ENOSPC": (sqlite3.SQLITE_FULL, "database or disk is full"),
    "EIO": (sqlite3.SQLITE_IOERR, "disk I/O error"),
    "EACCES": (sqlite3.SQLITE_READONLY, "attempt to write a readonly database"),
}


def install(injector: Injector) -> None:
    """Wrap every primitive of this process."""
    _wrap_os(injector)
    _wrap_open(injector)
    _wrap_arrow(injector)
    _wrap_sqlite(injector)
    _wrap_lance(injector)


def os_fault(name: str) -> OSError:
    """Make the exception that the operating system's answer gives."""
    code = getattr(errno, name)
    return OSError(code, os.strerror(code))


def lance_fault(name: str) -> RuntimeError:
    """Make the exception that LanceDB gives for the operating system's answer."""
    code = getattr(errno, name)
    return RuntimeError(
        f"lance error: LanceError(IO): Generic LocalFileSystem error: {os.strerror(code)} "
        f"(os error {code}), lance-io/src/object_writer.rs:1:1"
    )


def sqlite_fault(name: str) -> sqlite3.OperationalError:
    """Make the exception that SQLite gives for the operating system's answer."""
    code, message = _SQLITE_FAULTS[name]
    error = sqlite3.OperationalError(message)
    error.sqlite_errorcode = code
    return error


def _wrap_os(injector: Injector) -> None:
    def wrap(name: str, target: Callable[..., object]) -> None:
        real = getattr(os, name)

        @functools.wraps(real)
        def wrapped(*arguments: Any, **named: Any) -> Any:
            place = injector.place(target(*arguments, **named))
            return injector.call(f"os.{name}", place, os_fault, lambda: real(*arguments, **named))

        setattr(os, name, wrapped)

    wrap("mkdir", _made)
    for name in _ON_PATH:
        wrap(name, lambda path, *_rest, dir_fd=None, **_named: _joined(path, dir_fd))
    for name in _TO_TARGET:
        wrap(name, lambda _source, target, **_named: target)
    for name in _ON_DESCRIPTOR:
        wrap(name, lambda descriptor, *_rest: _path_of(descriptor))
    wrap("open", _opened_for_writing)


def _opened_for_writing(
    path: Any, flags: int, _mode: int = 0o777, *, dir_fd: int | None = None
) -> object:
    return _joined(path, dir_fd) if flags & _WRITES else None


def _made(path: Any, _mode: int = 0o777, *, dir_fd: int | None = None) -> object:
    """Give the directory that is really made: not one that exists, or lacks its parent."""
    full = os.fsdecode(_joined(path, dir_fd))  # type: ignore[arg-type]
    parent = os.path.dirname(full.rstrip(os.sep)) or os.curdir
    return full if os.path.isdir(parent) and not os.path.lexists(full) else None


def _joined(path: Any, directory: int | None) -> object:
    if isinstance(path, int):
        return _path_of(path)
    if directory is None:
        return path
    return os.path.join(_path_of(directory), os.fsdecode(path))


def _path_of(descriptor: Any) -> str:
    number = descriptor if isinstance(descriptor, int) else descriptor.fileno()
    try:
        return os.readlink(f"/proc/self/fd/{number}").removesuffix(" (deleted)")
    except OSError:
        return ""


def _wrap_open(injector: Injector) -> None:
    real = io.open

    @functools.wraps(real)
    def wrapped(file: Any, mode: str = "r", *arguments: Any, **named: Any) -> Any:
        writes = set(mode) & set("wax+") and not isinstance(file, int)
        place = injector.place(file) if writes else None
        return injector.call("open", place, os_fault, lambda: real(file, mode, *arguments, **named))

    builtins.open = io.open = wrapped  # type: ignore[assignment]


class _Writer:
    """An Arrow file writer whose every batch and whose end are points."""

    def __init__(self, injector: Injector, place: str | None, real: Any) -> None:
        self._injector, self._place, self._real = injector, place, real

    def write_batch(self, *arguments: Any) -> None:
        self._do("ipc.write_batch", lambda: self._real.write_batch(*arguments))

    def write_table(self, *arguments: Any) -> None:
        self._do("ipc.write_table", lambda: self._real.write_table(*arguments))

    def close(self) -> None:
        self._do("ipc.close", self._real.close)

    def __enter__(self) -> "_Writer":
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _do(self, action: str, do: Callable[[], object]) -> None:
        self._injector.call(action, self._place, os_fault, do)


def _wrap_arrow(injector: Injector) -> None:
    real_file, opened = pa.OSFile, dict[int, str | None]()

    def os_file(path: Any, mode: str = "r", *arguments: Any) -> Any:
        place = injector.place(path) if "w" in mode or "a" in mode else None
        made = injector.call(
            "pa.OSFile", place, os_fault, lambda: real_file(path, mode, *arguments)
        )
        opened[id(made)] = place
        return made

    def wrap(name: str) -> None:
        real = getattr(pa.ipc, name)

        def wrapped(sink: Any, *arguments: Any, **named: Any) -> Any:
            named_place = injector.place(getattr(sink, "name", None))
            place = opened.get(id(sink)) or named_place
            return _Writer(injector, place, real(sink, *arguments, **named))

        setattr(pa.ipc, name, wrapped)

    pa.OSFile = os_file
    for name in ("new_file", "new_stream"):
        wrap(name)


def _wrap_sqlite(injector: Injector) -> None:
    real = sqlite3.connect

    def connect(database: Any, *arguments: Any, **named: Any) -> Any:
        place = injector.place(database) if database else None
        if place is None:
            return real(database, *arguments, **named)

        class Watched(sqlite3.Connection):
            """A connection whose scripts, inserts and commits are points."""

            def executescript(self, *given: Any) -> Any:
                return self._do("sqlite.script", lambda: super(Watched, self).executescript(*given))

            def executemany(self, *given: Any) -> Any:
                return self._do("sqlite.insert", lambda: super(Watched, self).executemany(*given))

            def __exit__(self, *error: Any) -> Any:
                if error[0] is not None:
                    return super().__exit__(*error)
                return self._do("sqlite.commit", lambda: super(Watched, self).__exit__(*error))

            def _do(self, action: str, do: Callable[[], Any]) -> Any:
                return injector.call(action, place, sqlite_fault, do)

        return injector.call(
            "sqlite.connect",
            place,
            sqlite_fault,
            lambda: real(database, *arguments, **named, factory=Watched),
        )

    sqlite3.connect = connect  # type: ignore[assignment]


def _wrap_lance(injector: Injector) -> None:
    def wrap(owner: type, name: str, action: str, table: Callable[..., str]) -> None:
        real = getattr(owner, name)

        @functools.wraps(real)
        def wrapped(self: Any, *arguments: Any, **named: Any) -> Any:
            return injector.call(
                action,
                f"lance/{table(self, *arguments)}",
                lance_fault,
                lambda: real(self, *arguments, **named),
            )

        setattr(owner, name, wrapped)

    for name in _TABLE:
        action = f"lance.{'merge_insert' if name == '_do_merge' else name}"
        wrap(lancedb.table.LanceTable, name, action, lambda table, *_rest: table.name)
    for name in _DATABASE:
        action = f"lance.{name}"
        wrap(lancedb.db.LanceDBConnection, name, action, lambda _database, table, *_rest: table)
    for name in _BRANCHES:
        action = f"lance.branches.{name}"
        wrap(lancedb.table.Branches, name, action, lambda branches, *_rest: branches._parent.name)
