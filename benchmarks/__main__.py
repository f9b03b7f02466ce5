"""``make bench``: index two trees from nothing, again, and after one change; then search.

Prints a Markdown report; every number comes from this run, and ratios compare figures of one run.
"""

import json
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measured import Measured, measure

QUERIES = (
    "parse an http date header",
    "ordered dictionary",
    "read a csv file with a dialect",
    "shut a thread pool down",
    "normalize unicode text",
    "walk the abstract syntax tree",
    "OrderedDict",
    "extract a member of a zip archive",
)
CODEGRAPH = "@colbymchenry/codegraph"
PEER_ENVIRONMENT = {"CODEGRAPH_NO_DAEMON": "1", "DO_NOT_TRACK": "1"}
COMMAND = str(Path(sys.executable).with_name("codequarry"))


def main() -> None:
    """Run everything in a temporary directory."""
    with tempfile.TemporaryDirectory(prefix="codequarry-bench-") as folder:
        work = Path(folder)
        library = work / "stdlib"
        _copy(Path(sysconfig.get_path("stdlib")), library)
        here = work / "codequarry"
        _copy(Path(__file__).resolve().parents[1], here)
        small = work / "small"
        _copy(here / "src" / "codequarry" / "core", small)
        for line in report(work, library, here, small):
            print(line, flush=True)


def report(work: Path, library: Path, here: Path, small: Path) -> Iterator[str]:
    """Give the report's lines as they are measured."""
    home = {"CODEQUARRY_HOME": str(work / "home")}
    yield "| tree, run | files/s | MB/s | chunks/s | wall s | CPU s | peak MB | index ÷ source |"
    yield "|---|---|---|---|---|---|---|---|"
    full = None
    for tree in (library, here, small):
        first, again, changed = _three_runs(tree, home)
        full = full or first
        size = _bytes(work / "home" / "lance")
        yield _row(f"{tree.name}, first", tree, first, size)
        yield _row(f"{tree.name}, unchanged", tree, again, None)
        yield _row(f"{tree.name}, one file changed", tree, changed, None)
        shutil.rmtree(work / "home")
    assert full is not None
    yield ""
    yield "Seconds an asset, standard library, first run: " + ", ".join(
        f"{name} {value:.2f}" for name, value in json.loads(full.stdout)["seconds"].items()
    )
    yield from _searches(library, home)
    yield from _peer(library, full)


def _three_runs(tree: Path, home: dict[str, str]) -> tuple[Measured, Measured, Measured]:
    argv = [COMMAND, "index", ".", "--format", "json"]
    first = measure(argv, tree, home)
    again = measure(argv, tree, home)
    touched = sorted(tree.rglob("*.py"))[0]
    touched.write_bytes(touched.read_bytes() + b"\n# one more line\n")
    return first, again, measure(argv, tree, home)


def _row(name: str, tree: Path, run: Measured, index_bytes: int | None) -> str:
    done = json.loads(run.stdout)
    source = _bytes(tree)
    ratio = f"{index_bytes / source:.1f}" if index_bytes else ""
    rates = (done["files"], source / 1e6, done["chunks"])
    cells = [f"{amount / run.seconds:,.0f}" for amount in rates]
    return (
        f"| {name} | {' | '.join(cells)} | {run.seconds:.1f} | {run.cpu_seconds:.1f} "
        f"| {run.peak_mb:,.0f} | {ratio} |"
    )


def _searches(library: Path, home: dict[str, str]) -> Iterator[str]:
    measure([COMMAND, "index", ".", "--format", "json"], library, home)
    cold = [
        measure([COMMAND, "search", query, "--format", "json"], library, home).seconds
        for query in QUERIES
    ]
    program = (
        "import json, sys, time\n"
        "from codequarry.retrieval.model import configured_model\n"
        "from codequarry.core.state import StateDirectory\n"
        "from codequarry.index.reader import Reader\n"
        "from codequarry.retrieval.query import Query\n"
        "from codequarry.retrieval.search import search\n"
        "reader, embed, took = Reader(StateDirectory.locate()), configured_model(), []\n"
        "for turn in range(11):\n"
        "    for text in json.loads(sys.argv[1]):\n"
        "        started = time.perf_counter()\n"
        "        search(reader, Query(text), None, embed)\n"
        "        took.append(time.perf_counter() - started) if turn else None\n"
        "print(json.dumps(sorted(took)))\n"
    )
    done = measure([sys.executable, "-c", program, json.dumps(QUERIES)], library, home)
    warm = json.loads(done.stdout)
    yield (
        f"Search, cold process: median {statistics.median(cold):.2f} s, worst {max(cold):.2f} s. "
        f"Warm, in process: median {statistics.median(warm) * 1e3:.1f} ms, "
        f"p95 {warm[int(len(warm) * 0.95)] * 1e3:.1f} ms."
    )


def _peer(library: Path, ours: Measured) -> Iterator[str]:
    if shutil.which("npm") is None:
        yield "npm is not here, so codegraph was not measured."
        return
    with tempfile.TemporaryDirectory(prefix="codegraph-bench-") as folder:
        tool = Path(folder)
        subprocess.run(
            ["npm", "install", "--silent", "--prefix", folder, CODEGRAPH],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        program = str(tool / "node_modules" / ".bin" / "codegraph")
        theirs = measure([program, "init", "-i", "."], library, PEER_ENVIRONMENT)
    yield (
        f"{CODEGRAPH} init on the same tree: {theirs.seconds:.1f} s, {theirs.cpu_seconds:.1f} CPU "
        f"s, {theirs.peak_mb:,.0f} MB; ours ÷ theirs in wall time: "
        f"{ours.seconds / theirs.seconds:.2f}."
    )


def _copy(source: Path, target: Path) -> None:
    ignored = shutil.ignore_patterns(
        "site-packages", "__pycache__", "*.so", "*.a", ".git", ".venv", ".*_cache", ".hypothesis"
    )
    shutil.copytree(source, target, ignore=ignored, symlinks=True)


def _bytes(folder: Path) -> int:
    return sum(p.stat().st_size for p in folder.rglob("*") if p.is_file() and not p.is_symlink())


if __name__ == "__main__":
    started = time.monotonic()
    main()
    print(f"\nMeasured in {time.monotonic() - started:.0f} s.")
