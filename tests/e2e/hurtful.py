"""A tree with everything that could hurt, and ways to run without root's rights."""

import os
import shutil
import socket
from pathlib import Path

import pytest

from tests.e2e.planting import write

SECRET = b"def outside_secret():\n    return 'not of this project'\n"

ODD_NAMES = {
    b"with space.py": "spaced_name",
    b'it\'s "quoted".py': "quoted_name",
    b"new\nline.py": "broken_name",
    b"percent%20;semi.py": "percent_name",
    b"caf\xe9.py": "latin_name",
    "größe.py".encode(): "umlaut_name",
    b"-dash.py": "dashed_name",
    b"back\\slash.py": "slashed_name",
}
"""File name to the one function in it."""

SKIPPED = {
    "binary": 1,
    "blank": 2,
    "not_regular": 2,
    "symlink_dangling": 1,
    "symlink_directory": 1,
    "symlink_loop": 1,
    "symlink_outside": 2,
    "too_large": 1,
    "unreadable": 1,
}


def hurtful(folder: Path) -> Path:
    """Make the tree below ``folder``; give its root."""
    root = folder / "hurtful"
    write(folder / "elsewhere", {"outside.py": SECRET})
    write(
        root,
        {
            "good.py": b"def good_function():\n    return 1\n",
            "empty.py": b"",
            "blank.py": b" \n\t\n",
            "binary.py": b"\x00\x01\x02def binary_function(): pass",
            "half_utf8.py": b"x = 1\n" * 2000 + b"def late_bytes():\n    return '\xff\xfe'\n",
            "one_line.js": b"var oneHugeLine = [" + b"123456," * 100_000 + b"0]",
            "deep/" * 60 + "deep.py": b"def very_deep():\n    return 1\n",
            "unreadable.py": b"def unreadable_function(): pass\n",
        },
    )
    for name, function in ODD_NAMES.items():
        path = os.path.join(os.fsencode(root), name)
        with open(path, "wb") as handle:
            handle.write(f"def {function}():\n    return 1\n".encode())
    (root / "unreadable.py").chmod(0)
    with open(root / "huge.py", "wb") as handle:
        handle.truncate(300 * 1024 * 1024)
    os.mkfifo(root / "fifo.py")
    listen(root, "socket.py")
    for name, target in {
        "loop.py": "loop.py",
        "leaves.py": "../elsewhere/outside.py",
        "leaves": "../elsewhere",
        "dangling.py": "nowhere.py",
        "again.py": "good.py",
        "turn": ".",
    }.items():
        (root / name).symlink_to(target)
    return root.resolve()


def listen(root: Path, name: str) -> None:
    """Leave a socket behind; its address is relative, for addresses are short."""
    before = Path.cwd()
    os.chdir(root)
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(name)
    finally:
        os.chdir(before)


def without_rights() -> tuple[str, ...]:
    """Give what to put before a command so that file permissions hold even for root."""
    if os.geteuid() != 0:
        return ()
    if shutil.which("setpriv") is None:
        pytest.skip("root reads everything here, and there is no setpriv to take that right away")
    return ("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--")
