"""``python -m benchmarks.delta``: a one-file delta beside a full run, on 50,000 files."""

import json
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.measured import Measured, measure

COMMON = "emit"
"""A function of `shared/log.py` that every file of one tree imports and calls."""

COMMON_SHARE = 5
COMMAND = str(Path(sys.executable).with_name("codequarry"))
FILES_A_FOLDER = 100
REPEATS = 7
"""One run's processor time varies by a tenth here, so of the small ones the median counts."""

WORDS = """
    account balance cache channel client config cursor digest event export filter index journal
    ledger limit match merge notify order packet parse query queue record report request result
    retry route schema score session signal snapshot socket stream table token update vector
""".split()


def main(files: int = 50_000) -> None:
    """Measure and print a Markdown report."""
    with tempfile.TemporaryDirectory(prefix="codequarry-delta-") as folder:
        for line in report(Path(folder), files):
            print(line, flush=True)


def report(work: Path, files: int) -> Iterator[str]:
    """Give the report's lines as they are measured."""
    tree, tiny, common = work / "tree", work / "tiny", work / "common"
    plant(tree, files)
    plant(common, files // COMMON_SHARE)
    mention_everywhere(common)
    plant(tiny, 10)
    home = {"CODEQUARRY_HOME": str(work / "home")}
    # The fixed cost is that of a deployment which holds nothing else.
    empty = {"CODEQUARRY_HOME": str(work / "empty")}
    fixed_full = _index(tiny, empty)
    full = _index(tree, home)
    _change_one(tree, home)  # the first also reads what the full run left to the disk
    pairs = [(_change_one(tree, home), _change_one(tiny, empty)) for _ in range(REPEATS)]
    delta, fixed_delta = (_median(runs) for runs in zip(*pairs, strict=True))
    _index(common, home)
    rare, known = _change_one(common, home), _change_one(common, home, COMMON)
    yield f"| run on {files:,} files | mode | CPU s | wall s | peak MB |"
    yield "|---|---|---|---|---|"
    for name, run in (
        ("full", full),
        (f"one file changed, median of {REPEATS}", delta),
        (f"{files // COMMON_SHARE:,} files, one changed", rare),
        ("the same, and it defines a name that all of them mention", known),
        ("10 files, full: the fixed cost", fixed_full),
        (f"10 files, one changed: the fixed cost, median of {REPEATS}", fixed_delta),
    ):
        mode = json.loads(run.stdout)["mode"]
        yield (
            f"| {name} | {mode} | {run.cpu_seconds:.1f} | {run.seconds:.1f} | {run.peak_mb:,.0f} |"
        )
    yield ""
    spent = full.cpu_seconds - fixed_full.cpu_seconds
    moved = max(delta.cpu_seconds - fixed_delta.cpu_seconds, 0.01)
    yield f"Full ÷ delta in CPU time, fixed cost apart: {spent / moved:.0f}."


def plant(root: Path, files: int) -> None:
    """Write a tree of Python files, the same every time."""
    chance = random.Random(7)
    for number in range(files):
        path = root / f"part_{number // FILES_A_FOLDER:03}" / f"module_{number:05}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(module(number, chance))


def mention_everywhere(root: Path) -> None:
    """Let every file call one function, which a file beside them defines."""
    for path in sorted(root.rglob("*.py")):
        text = path.read_text().replace("\n\n", f"\n\nfrom shared.log import {COMMON}\n", 1)
        path.write_text(text.replace("    return [", f"    {COMMON}(value)\n    return [", 1))
    shared = root / "shared" / "log.py"
    shared.parent.mkdir()
    shared.write_text(f"def {COMMON}(value):\n    return value\n")


def module(number: int, chance: random.Random) -> str:
    """Give one file: three functions and a class, that call each other and another module's."""
    one, two, three = chance.sample(WORDS, 3)
    other = chance.randrange(max(number, 1))
    return f'''"""The {one} of part {number}."""

from part_{other // FILES_A_FOLDER:03}.module_{other:05} import {two}_{other}


def {one}_{number}(value):
    """Give the {one} of a {three}."""
    return [{two}_{other}(part) for part in value]


def {two}_{number}(value):
    """Give the {two} of a {one}."""
    return {one}_{number}(value) + [{number}]


class {three.capitalize()}{number}:
    """Holds a {three} with its {one}."""

    def __init__(self, {two}):
        self.{two} = {two}

    def {one}(self):
        """Give the {one}."""
        return {two}_{number}(self.{two})
'''


def _index(tree: Path, home: dict[str, str]) -> Measured:
    return measure([COMMAND, "index", ".", "--format", "json"], tree, home)


def _median(runs: Sequence[Measured]) -> Measured:
    return sorted(runs, key=lambda run: run.cpu_seconds)[len(runs) // 2]


def _change_one(tree: Path, home: dict[str, str], name: str = "added") -> Measured:
    touched = sorted(tree.rglob("module_*.py"))[-1]
    touched.write_text(touched.read_text() + f"\n\ndef {name}():\n    return 1\n")
    return _index(tree, home)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
