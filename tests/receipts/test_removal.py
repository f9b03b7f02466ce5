"""Taking a project out of the index."""

import subprocess
import sys
from pathlib import Path

import pytest

from codequarry.core.errors import BusyError
from codequarry.core.registry import Registry
from codequarry.core.state import StateDirectory
from codequarry.receipts import removal
from codequarry.receipts.removal import remove_index

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
