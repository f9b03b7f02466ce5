"""A full disk under the state directory, each part of it in turn, in a mount namespace."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from codequarry.core.state import StateDirectory
from tests.cli.commands import PROGRAM, environment
from tests.e2e.planting import write
from tests.e2e.running import index, names, search

# In a namespace of its own: the part of the state lies on a small file system without free space,
# and afterwards goes back as the failed run left it.
SCRIPT = r"""
set -eu
mount -t tmpfs -o size=8m tmpfs "$2"
cp -a "$1/." "$2/"
dd if=/dev/zero of="$2/ballast" bs=4k 2>/dev/null || true
mount --bind "$2" "$1"
code=0
"$3" index "$4" || code=$?
"$3" search --project tree --mode keyword --format json alpha > "$5"
umount "$1"
rm "$2/ballast"
rm -rf "$1"
cp -a "$2" "$1"
exit $code
"""


def namespace() -> list[str]:
    """Give the command that makes a mount namespace, or skip where there is none."""
    if shutil.which("unshare") is None:
        pytest.skip("no mount namespaces without unshare")
    command = ["unshare", "--map-root-user", "--mount"]
    if subprocess.run([*command, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("this machine does not let us make a mount namespace")
    return command


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an indexed tree and its deployment."""
    made = tmp_path_factory.mktemp("disk")
    write(made / "tree", {"a.py": b"def alpha():\n    return 1\n"})
    index(StateDirectory(made / "home"), made / "tree")
    return made


@pytest.mark.parametrize("part", ["dagster", "changesets", "lance", "ingestion"])
def test_full_disk(folder: Path, part: str) -> None:
    """One sentence, exit 1, the old index answers; with space again, the next run succeeds."""
    state, root = StateDirectory(folder / "home"), folder / "tree"
    functions = (f"def {part}_{number}():\n    return 3\n\n" for number in range(300))
    write(root, {"b.py": "".join(functions).encode()})
    small, answer = folder / part, folder / "answer.json"
    small.mkdir()
    paths = [state.home / part, small, PROGRAM, root, answer]
    done = subprocess.run(
        [*namespace(), "sh", "-c", SCRIPT, "sh", *map(str, paths)],
        env=environment(state.home),
        capture_output=True,
        timeout=180,
        check=False,
    )
    error = done.stderr.decode()
    assert (done.returncode, done.stdout.decode()) == (1, ""), error
    assert error.startswith("codequarry: ")
    assert error.count("\n") == 1
    assert str(state.home / part) in error
    assert "internal error" not in error
    assert "free space" in error
    assert json.loads(answer.read_text())[0]["symbol_name"] == "a.alpha"

    assert index(state, root).notes["receipt"]["success"] is True
    assert names(search(state, f"{part}_7"))[0] == f"{part}_7"
