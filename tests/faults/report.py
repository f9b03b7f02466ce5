"""The report of `make faults`: docs/faults.md."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tests.faults.matrix import ERRNOS, Outcome
from tests.faults.points import Point


@dataclass(frozen=True)
class Series:
    """The faults of one kind in one scene.

    Args:
        scene: The scene's name.
        kind: What was brought about.
        points: The points of the scene's dry run.
        outcomes: One for each fault.
        seconds: Wall time of all.
    """

    scene: str
    kind: str
    points: Sequence[Point]
    outcomes: Sequence[Outcome]
    seconds: float

    @property
    def problems(self) -> list[str]:
        """What did not hold, with where."""
        return [
            f"{self.scene}, {outcome.fault.kind} {outcome.fault.point}: {problem}"
            for outcome in self.outcomes
            for problem in outcome.problems
        ]


_INTRODUCTION = """\
# Publish under fire

Written by `make faults`; do not edit. A run is disturbed at its *write points*: every open for
writing, rename, flush, removal and new directory below `CODEQUARRY_HOME` (Dagster's own folder
apart), every Arrow batch and file end, every script, insert and commit of the SQLite caches, every
LanceDB mutation. They are found by wrapping those primitives in a dry run (`tests/faults`), not
listed by hand. Then one run a fault is made on a copy of the deployment, in a process of its own:

* `kill` ends it by SIGKILL just before a point and, in another run, just after it; points of
  changesets and caches follow each other without a gap, so there only before;
* `kill within` ends it while LanceDB is writing, when the first or second new file of a mutation is
  seen;
* `error` lets the point fail with ENOSPC (from there on all of them, as on a full disk), EIO (once)
  or EACCES (from there on), in turn.

After each, from outside: readers see exactly the old or the new state in files, symbols, edges,
chunks with vectors, and a search, never a mixture; `status` says fresh only when the rows are
those of the tree and the receipt is the published attempt's; the ledger's chain holds; another
project is untouched; the next run succeeds, and its rows equal those of an index built from
nothing in every column. An error ends in exit 1 and one sentence without a traceback, or, where
only a cache is lost, in a published, certified result.
"""


def report(series: Sequence[Series], concurrency: Iterable[str]) -> str:
    """Write the report."""
    total = sum(len(one.outcomes) for one in series)
    problems = [problem for one in series for problem in one.problems]
    minutes = sum(one.seconds for one in series) / 60
    lines = [
        _INTRODUCTION,
        f"{total} faults, {len(problems)} problems, {minutes:.0f} minutes on two workers.\n",
        "| scene | points | fault | runs | readers see old / new | status fresh / stale / unknown "
        "| problems |",
        "|---|---|---|---|---|---|---|",
        *map(_row, series),
        "\nThe scenes: `first`, the first run on a project; `full`, `--full` on a tree that moved; "
        "`delta`, a certified delta of files changed, new and gone; `repair`, the run after one "
        "killed between its commits and its publication; `maintenance`, compaction and clean-up; "
        "`removal`, `projects remove`. In `first` and `repair` the points before the lease are "
        "those of `full` and left out.\n",
        "## Errors\n",
        "| errno | runs | exit 1, one sentence | exit 0, only a cache was lost |",
        "|---|---|---|---|",
        *_errno_rows(series),
        "\n## Points\n",
        "Primitives of the full and the delta run, by how often they occur.\n",
        "| primitive | full | delta |",
        "|---|---|---|",
        *_primitive_rows(series),
        "\n## Concurrency\n",
        *concurrency,
        "\n## Problems\n",
        *([f"* {problem}" for problem in problems] or ["None."]),
    ]
    return "\n".join(lines) + "\n"


def _row(one: Series) -> str:
    readers = Counter(outcome.findings.readers for outcome in one.outcomes)
    status = Counter(outcome.findings.status.split(" ")[0] for outcome in one.outcomes)
    return (
        f"| {one.scene} | {len(one.points)} | {one.kind} | {len(one.outcomes)} "
        f"| {readers['old']} / {readers['new']} "
        f"| {status['fresh']} / {status['stale']} / {status['unknown']} | {len(one.problems)} |"
    )


def _errno_rows(series: Iterable[Series]) -> list[str]:
    outcomes = [outcome for one in series for outcome in one.outcomes]
    rows = []
    for name in ERRNOS:
        codes = Counter(outcome.done.code for outcome in outcomes if outcome.fault.kind == name)
        rows.append(f"| {name} | {codes.total()} | {codes[1]} | {codes[0]} |")
    return rows


def _primitive_rows(series: Iterable[Series]) -> list[str]:
    counts = {
        one.scene: Counter(point.action for point in one.points)
        for one in series
        if one.scene in ("full", "delta")
    }
    names = sorted({name for counted in counts.values() for name in counted})
    none: Counter[str] = Counter()
    full, delta = counts.get("full", none), counts.get("delta", none)
    return [f"| `{name}` | {full[name]} | {delta[name]} |" for name in names]
