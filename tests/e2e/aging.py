"""What hundreds of small deltas do to a deployment: files on disk, and the time of a search.

``python -m tests.e2e.aging [DELTAS]`` prints the table of docs/deltas.md. Every delta runs the
steps that the assets run, without Dagster, and is published. Maintenance runs when it is due, as
its schedule has it, with no grace for open readers, so that what it leaves can be counted at once.
"""

import statistics
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from codequarry.chunking.profile import CHUNK_PROFILE
from codequarry.core import changeset
from codequarry.core.changeset import Changeset, ChangesetStream, Header
from codequarry.core.registry import Registry
from codequarry.core.state import StateDirectory
from codequarry.embedding.cache import EmbeddingCache
from codequarry.embedding.settings import EmbeddingSettings, make_embedder
from codequarry.index import ledger
from codequarry.index.ledger import MAINTENANCE
from codequarry.index.maintenance import DUE_AFTER, Retention, due, maintain
from codequarry.index.reader import Reader
from codequarry.index.store import Store
from codequarry.receipts.attempt import Attempt
from codequarry.retrieval.model import configured_model
from codequarry.retrieval.query import Query
from codequarry.retrieval.search import search
from codequarry.runs import chunks, export, graph, proof, publish, records, snapshot, vectors
from codequarry.runs.known import known_of
from codequarry.sources.hash_cache import remembered
from tests.e2e.planting import write
from tests.index.test_maintenance import seal

FILES = 400
QUERIES = ("parse the header of a file", "value_7 of module 31", "add two numbers", "value_3_12")


@dataclass(frozen=True)
class Age:
    """A deployment after some deltas.

    Args:
        deltas: How many.
        data_files: Files below ``data/`` of all tables.
        files: Files of all tables.
        bytes: Their size.
        search_ms: Median of a search that opens the published state anew.
        search_cpu_ms: Processor time of one, on average, whatever else the machine does.
    """

    deltas: int
    data_files: int
    files: int
    bytes: int
    search_ms: float
    search_cpu_ms: float


class Line:
    """The steps of a run on one tree, in this process."""

    def __init__(self, state: StateDirectory, root: Path) -> None:
        self.state = state
        self.project = Registry(state).add(root)
        self.embedder = make_embedder(EmbeddingSettings())
        self.profile = self.embedder.profile.of_chunks(CHUNK_PROFILE)

    def run(self) -> str:
        """Take the tree to a published index; give the run's mode."""
        header = Header(
            attempt_id=uuid.uuid4().hex, project=self.project.name, root=str(self.project.root)
        )
        with remembered(self.state, self.project.root) as hashes:
            taken = self._stored("snapshot", snapshot.take_snapshot(header, hashes).stream)
        options = export.ExportOptions(
            False, "auto", "builtin", "", self.profile.profile_id, CHUNK_PROFILE
        )
        known = known_of(self.state, self.project)
        pages = self._stored("export", export.export_pages(taken, options, known, self.state, {}))
        valid = self._stored("records", records.validate_records(taken, pages))
        cut = self._stored("chunks", chunks.cut_chunks(taken, valid))
        linked = self._stored("graph", graph.build(self.state, taken, valid))
        cache = EmbeddingCache(self.state.cache, self.embedder.profile)
        made = self._stored("vectors", vectors.embed_chunks(cut, self.embedder, cache))
        attempt = Attempt(self.state, made.header, "auto")
        attempt.open(60)
        staged = attempt.apply(publish.contents(cut, linked, made, self.profile))
        stream = changeset.tables(made.header, {}, **publish.staged_notes(staged))
        run = proof.Run(taken, valid, cut, made, self._stored("index", stream))
        proof.publish(attempt, run, self.profile)
        return made.header.plan.mode

    def _stored(self, name: str, stream: ChangesetStream) -> Changeset:
        folder = self.state.changesets / name / self.project.name / "attempt"
        changeset.write(folder, stream)
        return changeset.read(folder)


def module(number: int, change: int) -> bytes:
    """Write one file of the tree, as it is after a change."""
    functions = (
        f'def value_{n}_{number}(first, second):\n    """Give value_{n} of module {number}."""\n'
        f"    return first + second + {change if n == change % 10 else n}\n"
        for n in range(10)
    )
    return "\n\n".join(functions).encode()


def age(
    state: StateDirectory,
    root: Path,
    deltas: int,
    every: int,
    due_after: int = DUE_AFTER,
    receipts: int = Retention.receipts,
) -> Iterator[Age]:
    """Index a tree, then change a file and index again, and again.

    Args:
        state: The state directory.
        root: Where the tree is planted.
        deltas: How many.
        every: After how many of them the deployment is measured.
        due_after: Publications after which maintenance is due.
        receipts: How many are kept.
    """
    write(root, {f"package/module_{n}.py": module(n, n) for n in range(FILES)})
    line = Line(state, root)
    assert line.run() == "full"
    yield measured(state, 0)
    for number in range(1, deltas + 1):
        place = number * 37 % FILES
        write(root, {f"package/module_{place}.py": module(place, FILES + number)})
        assert line.run() == "delta"
        if due(ledger.read(Store(state)), due_after):
            maintain(state, Retention(receipts, timedelta(0)), seal(MAINTENANCE))
        if number % every == 0:
            yield measured(state, number)


def measured(state: StateDirectory, deltas: int) -> Age:
    """Count a deployment's files, and time searches in it."""
    found = [path for path in state.lance.rglob("*") if path.is_file()]
    model, times = configured_model(), []
    before = time.process_time()
    for text in QUERIES * 10:
        started = time.perf_counter()
        assert search(Reader(state), Query(text), None, model).hits
        times.append(1000 * (time.perf_counter() - started))
    spent = 1000 * (time.process_time() - before)
    return Age(
        deltas,
        sum("data" in path.relative_to(state.lance).parts for path in found),
        len(found),
        sum(path.stat().st_size for path in found),
        statistics.median(times),
        spent / len(times),
    )


def main() -> None:
    """Print the table."""
    deltas = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    print("| deltas | data files | all files | MB | search, median ms | CPU ms |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        state = StateDirectory(Path(folder, "home"))
        for one in age(state, Path(folder, "tree"), deltas, max(deltas // 20, 1)):
            print(
                f"| {one.deltas} | {one.data_files} | {one.files} | {one.bytes / 1e6:.0f} "
                f"| {one.search_ms:.0f} | {one.search_cpu_ms:.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
