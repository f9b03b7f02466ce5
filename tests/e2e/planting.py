"""Trees on disk that tests index."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

TREES = Path(__file__).parent.parent / "trees"

# Git would not keep these as they are: it may convert line ends, and leaves out what is ignored.
SPECIAL = {
    "legacy/windows.py": b'def read_registry(key):\r\n    """Read a key."""\r\n    return key\r\n',
    "legacy/no_newline.go": b"package legacy\n\nfunc LastLine() string { return `end` }",
    ".gitignore": b"generated/\n*.log\n",
    "generated/bundle.js": b"function generatedBundleCode() { return 1 }\n",
    "debug.log": b"a line that nobody wants indexed\n",
}


def shop(folder: Path) -> Path:
    """Plant the shop in ``folder`` as a committed git repository; give its root."""
    root = folder / "shop"
    shutil.copytree(TREES / "shop", root)
    write(root, SPECIAL)
    git(root, "init", "--quiet")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "The shop")
    return root.resolve()


def write(root: Path, files: Mapping[str, bytes]) -> Path:
    """Write files below ``root``; give ``root``."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return root


def git(root: Path, *arguments: str) -> str:
    """Run git, free of the machine's settings."""
    who = {f"GIT_{role}_{what}": "tester@example.org" for role in ("AUTHOR", "COMMITTER")
           for what in ("NAME", "EMAIL")}  # fmt: skip
    plain = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(
        ["git", *arguments],
        cwd=root,
        env={**os.environ, **who, **plain},
        capture_output=True,
        check=True,
    )
    return done.stdout.decode()
