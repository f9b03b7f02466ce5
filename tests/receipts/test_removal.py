"""Taking a project out of the index."""

import subprocess
import sys
from pathlib import Path

import pytest

from codequarry.core.errors import BusyError
from codequarry.core.registry import Registry
from codequarry.core.state import StateDirectory
from codequarry.engines.bench import Needs, bench_for
from codequarry.receipts import removal
from codequarry.receipts.removal import remove_index
from codequarry.retrieval.structure import usage
from tests.cli.commands import here
from tests.e2e.planting import write

HOLD = """
import sys
from pathlib import Path
from codequarry.core.state import StateDirectory
from codequarry.index.publish import leased
with leased(StateDirectory(Path(sys.argv[1]))):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_publishing_run_keeps_its_changesets(
    state: StateDirectory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While another process holds the lease, a removal gives up and has removed nothing."""
    (tmp_path / "shop").mkdir()
    project = Registry(state).add(tmp_path / "shop")
    kept = state.changesets / "chunks" / "shop" / "attempt"
    kept.mkdir(parents=True)
    leased = removal.leased
    monkeypatch.setattr(removal, "leased", lambda state: leased(state, 0.1))
    command = [sys.executable, "-c", HOLD, str(state.home)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(BusyError):
            remove_index(state, project)
        assert kept.is_dir()
        holder.communicate(b"")
    assert not remove_index(state, project)
    assert not kept.exists()


def test_a_removed_project_leaves_nothing_beside_the_tables(
    state: StateDirectory, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The copies that engines have, caches and counts of the project go; those of others stay."""
    for name in ("shop", "other"):
        root = write(tmp_path / name, {"a.py": b"def first():\n    return 1\n"})
        assert here(capfd, "index", root).code == 0
    shop, other = Registry(state).get("shop"), Registry(state).get("other")
    for project in (shop, other):
        bench = bench_for(state, Needs("some/engine"), project)
        write(bench.tree, {"a.py": b"def first():\n    return 1\n"})
        assert here(capfd, "search", "first", "-p", project.name).code == 0
        assert usage.frequencies(state.usage, project.name)
        write(state.cache / "coupling", {f"{project.evidence_key}.arrow": b""})
    assert here(capfd, "projects", "remove", "shop").code == 0
    assert not bench_for(state, Needs("some/engine"), shop).tree.exists()
    assert bench_for(state, Needs("some/engine"), other).tree.exists()
    assert not usage.frequencies(state.usage, "shop")
    assert usage.frequencies(state.usage, "other")
    left = [path for path in state.home.rglob("*") if shop.evidence_key in path.name]
    assert {path.parent.name for path in left} == {"health", "ingestion"}
