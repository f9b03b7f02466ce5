"""``codequarry ledger keep`` and ``release``."""

from pathlib import Path

import pytest

from codequarry.core.state import StateDirectory
from codequarry.index.ledger import read
from codequarry.index.maintenance import kept_names
from codequarry.index.store import Store
from tests.cli.commands import here


def test_an_entry_is_kept_and_released(
    demo_state: StateDirectory, capfd: pytest.CaptureFixture[str]
) -> None:
    """A name keeps one entry, is refused twice, and is given up once."""
    newest = read(Store(demo_state))[-1]
    kept = here(capfd, "ledger", "keep", "v1", "--as-of", newest.receipt_hash[:12])
    assert (kept.code, kept.out) == (0, f"kept entry {newest.sequence} of the ledger as v1\n")
    assert kept_names(Store(demo_state)) == {"v1": newest.sequence}
    assert here(capfd, "ledger").out.split("\n")[newest.sequence - 1].endswith("  kept as v1")
    assert here(capfd, "ledger", "keep", "a2").code == 0
    assert here(capfd, "ledger").out.split("\n")[newest.sequence - 1].endswith("  kept as a2, v1")
    assert here(capfd, "ledger", "release", "a2").code == 0
    now = here(capfd, "search", "-p", "demo", "-f", "json", "alpha")
    then = here(capfd, "search", "-p", "demo", "-f", "json", "--as-of", "v1", "alpha")
    assert then.out == now.out != "[]"
    assert here(capfd, "ledger", "keep", "v1").code == 1
    assert here(capfd, "ledger", "release", "v1").code == 0
    assert kept_names(Store(demo_state)) == {}
    assert "nothing is kept" in here(capfd, "ledger", "release", "v1").err


def test_an_empty_ledger_has_nothing_to_keep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Without an index there is one sentence, and no state is made."""
    monkeypatch.setenv("CODEQUARRY_HOME", str(tmp_path / "home"))
    for arguments in (("keep", "v1"), ("release", "v1")):
        assert here(capfd, "ledger", *arguments).code == 1
    assert not (tmp_path / "home").exists()
