import os
import socket
from pathlib import Path

import pytest

from codequarry.core.errors import BusyError, StateError
from codequarry.core.files import (
    UnsafeFile,
    atomic_writer,
    locked,
    read_contained,
    write_atomically,
)


def test_write_replaces_whole(tmp_path: Path) -> None:
    """A written file has exactly the new bytes and mode, and no temporary is left."""
    path = tmp_path / "deep" / "file"
    write_atomically(path, b"one")
    write_atomically(path, b"two")
    assert path.read_bytes() == b"two"
    assert path.stat().st_mode & 0o777 == 0o600
    assert os.listdir(path.parent) == ["file"]


def test_failed_block_keeps_the_old_file(tmp_path: Path) -> None:
    """An error while writing leaves the old bytes and no temporary."""
    path = tmp_path / "file"
    write_atomically(path, b"old")
    with pytest.raises(RuntimeError), atomic_writer(path) as handle:  # noqa: PT012
        handle.write(b"half")
        raise RuntimeError
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["file"]


def test_full_disk_is_a_state_error() -> None:
    """A device without space gives an error that says what to do."""
    with pytest.raises(StateError, match="CODEQUARRY_HOME"):
        write_atomically(Path("/dev/full/x"), b"data")


@pytest.mark.parametrize("escape", ["../outside", "link", "/etc/passwd"])
def test_paths_stay_inside(tmp_path: Path, escape: str) -> None:
    """No relative path, symlink or absolute path reads outside of the root."""
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "outside").write_text("secret")
    (root / "link").symlink_to(tmp_path / "outside")
    with pytest.raises(UnsafeFile):
        read_contained(root, os.fsencode(escape))


def test_special_files_are_not_opened(tmp_path: Path) -> None:
    """A FIFO, a socket and a directory are refused at once, without blocking."""
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "dir").mkdir()
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(tmp_path / "socket"))
    server.close()
    for name in (b"fifo", b"dir", b"socket"):
        with pytest.raises(OSError, match=r".+"):
            read_contained(tmp_path, name)


def test_size_limit(tmp_path: Path) -> None:
    """A file over the limit is refused, one at the limit is read."""
    (tmp_path / "f").write_bytes(b"12345")
    assert read_contained(tmp_path, b"f", 5) == b"12345"
    with pytest.raises(UnsafeFile, match="limit"):
        read_contained(tmp_path, b"f", 4)


def test_lock_is_exclusive(tmp_path: Path) -> None:
    """Who waits in vain is told so; an error of the block itself passes as it is."""
    path = tmp_path / "new" / "file.lock"
    in_vain = pytest.raises(BusyError, match="another process has held")
    with locked(path, 0), in_vain, locked(path, 0):
        pass
    with pytest.raises(FileNotFoundError), locked(path, 0):
        (tmp_path / "absent").read_bytes()
    with locked(path, 0):
        pass


def test_lock_that_cannot_be_made(tmp_path: Path) -> None:
    """A lock file that cannot be opened is a state error with its path."""
    (tmp_path / "file.lock").mkdir()
    with (
        pytest.raises(StateError, match=r"cannot write .*file\.lock"),
        locked(tmp_path / "file.lock", 0),
    ):
        pass
