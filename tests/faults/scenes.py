"""The trees, the deployments and the runs on which faults are brought about."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from codequarry.core.state import StateDirectory
from tests.e2e.planting import write
from tests.faults.checks import NEIGHBOUR, PROJECT, Expected
from tests.faults.child import MAINTAIN
from tests.faults.points import Fault, Point, read_trace
from tests.faults.processes import forked, perform
from tests.faults.reading import Content, look

_OLD = {
    "stone/cut.py": b"""\
\"\"\"Cutting stone.\"\"\"

from stone.tools import Chisel


def cut_block(block, chisel: Chisel):
    \"\"\"Cut one block.\"\"\"
    return chisel.strike(block)
""",
    "stone/tools.py": b"""\
class Chisel:
    \"\"\"A tool that wears out.\"\"\"

    def strike(self, block):
        return [block, self.sharpness()]

    def sharpness(self):
        return 1
""",
    "stone/old_ledger.py": b"def weigh_old_block(block):\n    return len(block)\n",
    "web/order.ts": b"""\
export function orderBlocks(count: number): string[] {
  return Array.from({ length: count }, (_, i) => label(i));
}

function label(i: number): string {
  return `block ${i}`;
}
""",
    "README.md": b"# Quarry\n\nBlocks are cut to order.\n\n## Prices\n\nBy the block.\n",
}
_NEW = {
    **{path: text for path, text in _OLD.items() if path != "stone/old_ledger.py"},
    "stone/tools.py": _OLD["stone/tools.py"].replace(b"sharpness", b"keenness")
    + b"\n\ndef sharpen_every_block(blocks):\n    return [Chisel().strike(b) for b in blocks]\n",
    "stone/new_scale.py": b"""\
from stone.tools import Chisel


def weigh_new_block(block):
    \"\"\"Weigh a block on the new scale.\"\"\"
    return Chisel().strike(block)
""",
    "README.md": _OLD["README.md"] + b"\n## Deliveries\n\nEvery block by cart.\n",
}
_NEXT_DOOR = {"mill.py": b"def grind_block(block):\n    return block\n", "notes.md": b"# Mill\n"}


@dataclass(frozen=True)
class Scene:
    """A run that is disturbed, and what it starts from and leads to.

    Args:
        name: Its name.
        home: The deployment before the run; every try works on a copy.
        arguments: What runs.
        expected: What may be found around it.
    """

    name: str
    home: Path
    arguments: tuple[str, ...]
    expected: Expected

    def points(self, folder: Path) -> list[Point]:
        """Give the write points of the run, found by a dry run in ``folder``."""
        home = copied(self.home, folder / f"{self.name}-dry")
        trace = folder / f"{self.name}-trace"
        done = perform(home, self.arguments, None, trace, folder)
        assert done.code == 0, done.output
        shutil.rmtree(home)
        return read_trace(trace)


def copied(home: Path, target: Path) -> Path:
    """Copy a deployment, times of files included."""
    shutil.copytree(home, target, symlinks=True)
    return target


class Scenes:
    """The scenes below a folder: `quarry` is disturbed, `neighbour` must not notice.

    All of them see one tree, the new one, which nothing changes any more.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._root, other = folder / PROJECT, folder / NEIGHBOUR
        _planted(other, _NEXT_DOOR)
        self._alone = folder / "home-alone"
        self._index(self._alone, other)
        self.neighbour = _content(self._alone, NEIGHBOUR)
        _planted(self._root, _OLD)
        self._before = self._indexed(self._alone, "home-before")
        self._old = _content(self._before, PROJECT)
        _planted(self._root, _NEW)
        self._after = self._indexed(self._alone, "home-after")
        self._new = _content(self._after, PROJECT)

    def first(self) -> Scene:
        """The first run on a project."""
        return self._scene("first", self._alone, self._run, None, self._new)

    def full(self) -> Scene:
        """A full run on a tree that moved."""
        return self._scene("full", self._before, (*self._run, "--full"), self._old, self._new)

    def delta(self) -> Scene:
        """A certified delta: files changed, new and gone."""
        return self._scene("delta", self._before, self._run, self._old, self._new)

    def repair(self) -> Scene:
        """The run after one that was killed between its commits and its publication."""
        home = copied(self._before, self._folder / "home-half")
        last = Fault(Point("lance.add", "lance/receipts", "index.ledger.append", 1), "before")
        done = perform(home, self._run, last, self._folder / "trace-half", self._folder)
        assert done.killed, done.output
        return self._scene("repair", home, self._run, self._old, self._new)

    def maintenance(self) -> Scene:
        """Compaction and clean-up after some runs."""
        home = copied(self._before, self._folder / "home-used")
        self._index(home, self._root)
        self._index(home, self._root, "--full")
        return self._scene("maintenance", home, (MAINTAIN,), self._new, self._new)

    def removal(self) -> Scene:
        """Taking the project out of the index."""
        return self._scene("removal", self._after, ("projects", "remove", PROJECT), self._new, None)

    @property
    def _run(self) -> tuple[str, ...]:
        return ("index", str(self._root))

    def _scene(
        self,
        name: str,
        home: Path,
        arguments: tuple[str, ...],
        old: Content | None,
        new: Content | None,
    ) -> Scene:
        maintained = arguments == (MAINTAIN,)
        expected = Expected(self._root, old, new, self._new, self.neighbour, maintained)
        return Scene(name, home, arguments, expected)

    def _indexed(self, home: Path, name: str) -> Path:
        made = copied(home, self._folder / name)
        self._index(made, self._root)
        return made

    def _index(self, home: Path, root: Path, *options: str) -> None:
        trace = self._folder / "trace-unused"
        done = perform(home, ("index", str(root), *options), None, trace, self._folder)
        assert done.code == 0, done.output


def _planted(root: Path, files: dict[str, bytes]) -> None:
    """Make a tree of just these files, all of an age that the hash cache trusts."""
    shutil.rmtree(root, ignore_errors=True)
    write(root, files)
    for path in root.rglob("*"):
        os.utime(path, (1_700_000_000, 1_700_000_000))


def _content(home: Path, project: str) -> Content:
    found = forked(look, StateDirectory(home), project)
    assert found is not None
    return found
