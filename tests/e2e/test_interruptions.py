"""Runs that end too soon: readers keep what was published, and the next run puts all right."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from codequarry.core.hashing import evidence_key
from codequarry.core.state import StateDirectory
from codequarry.index.ledger import read
from codequarry.index.store import Store
from codequarry.receipts.evidence import Evidence
from codequarry.receipts.ledger import broken_entry
from codequarry.receipts.lifecycle import succeeded
from tests.cli.commands import PROGRAM, environment
from tests.e2e.planting import write
from tests.e2e.running import index, names, search
from tests.embedding.stage import Stage

# What each point of death patches in the dying process: it ends as kill -9 ends it.
DEATHS = {
    "between two tables": "attempt.index_columns = die",
    "between commits and publication": "attempt.Attempt.publish = die",
    "between publication and receipt": (
        "append = ledger.append; ledger.append = lambda *rest: (append(*rest), die())"
    ),
}
DYING = """
import os, signal, sys
from codequarry.index import ledger
from codequarry.receipts import attempt
def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)
{patch}
from codequarry.cli.main import run
sys.exit(run(["index", sys.argv[1]]))
"""


@dataclass(frozen=True)
class Deployment:
    """One indexed tree, on which run after run dies and is mended."""

    state: StateDirectory
    root: Path

    def write(self, function: str) -> None:
        """Make a function the only one of the tree's second file."""
        write(self.root, {"b.py": f"def {function}():\n    return 3\n".encode()})

    def answer(self) -> set[str]:
        """Give the functions that readers find."""
        asked = "alpha beta gamma delta"
        return set(names(search(self.state, asked, "tree", mode="keyword", limit=50)))


@pytest.fixture(scope="module")
def deployment(tmp_path_factory: pytest.TempPathFactory) -> Deployment:
    folder = tmp_path_factory.mktemp("interrupted")
    root = write(folder / "tree", {"a.py": b"def alpha():\n    return 1\n"})
    made = Deployment(StateDirectory(folder / "home"), root)
    made.write("old_beta")
    index(made.state, root)
    return made


@pytest.mark.parametrize("moment", DEATHS)
def test_killed(deployment: Deployment, moment: str) -> None:
    """However far a killed run came, readers see old or new, and the next run puts all right."""
    state, root = deployment.state, deployment.root
    evidence = Evidence(state, evidence_key(root))
    before, proof = deployment.answer(), evidence.receipt().document
    function = f"new_{moment.replace(' ', '_')}_delta"
    deployment.write(function)
    died = subprocess.run(
        [sys.executable, "-c", DYING.format(patch=DEATHS[moment]), root],
        env=environment(state.home),
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert died.returncode == -signal.SIGKILL, died.stderr.decode()

    published = moment == "between publication and receipt"
    assert deployment.answer() == ({"alpha", function} if published else before)
    receipt = evidence.receipt().document
    assert proof
    assert receipt
    assert not succeeded(receipt)
    assert receipt.last_success == proof.last_success

    mended = index(state, root)
    assert mended.notes["receipt"]["success"] is True
    assert deployment.answer() == {"alpha", function}
    assert broken_entry(read(Store(state))) is None


@pytest.fixture
def stage() -> Iterator[Stage]:
    made = Stage()
    yield made
    made.open.set()
    made.server.close()


def test_interrupted(
    tmp_path: Path, state: StateDirectory, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C while texts are embedded: exit 130, one line, the old index, and a sound next run."""
    for name, value in stage.settings.items():
        monkeypatch.setenv(name, value)
    deployment = Deployment(state, tmp_path / "tree")
    deployment.write("old_beta")
    index(state, deployment.root)
    deployment.write("new_beta")
    stage.asked.clear()
    stage.open.clear()
    running = subprocess.Popen(
        [PROGRAM, "index", deployment.root],
        env=environment(state.home, stage.settings),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert stage.asked.wait(60)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    stage.open.set()
    assert running.returncode == 130
    assert out == b""
    assert err.decode().strip() == "interrupted; what was published before still answers"
    assert deployment.answer() == {"old_beta"}
    index(state, deployment.root)
    assert deployment.answer() == {"new_beta"}
