"""Fixtures that every package's tests share."""

from pathlib import Path

import pytest

from codequarry.core.state import HOME_VARIABLE, StateDirectory


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StateDirectory:
    """A deployment of its own, also for whatever reads the environment."""
    home = tmp_path / "home"
    monkeypatch.setenv(HOME_VARIABLE, str(home))
    return StateDirectory(home)
