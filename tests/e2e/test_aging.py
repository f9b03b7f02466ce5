"""Many small deltas: with maintenance when it is due, a deployment does not grow for ever."""

import itertools
from pathlib import Path

import pytest

from codequarry.core.state import StateDirectory
from tests.e2e import aging


def test_files_stay_few(
    tmp_path: Path, state: StateDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many deltas follow, data files are no more than some maintenances ago."""
    monkeypatch.setattr(aging, "FILES", 40)
    ages = list(aging.age(state, tmp_path / "tree", 11, 1, due_after=3, receipts=1))
    counts = [one.data_files for one in ages]
    steps = [after - before for before, after in itertools.pairwise(counts)]
    assert sum(step > 0 for step in steps) >= 8
    assert max(counts[8:]) <= max(counts[:8])
