"""Fixtures that every package's tests share."""

from pathlib import Path

import pytest

from codequarry.core.state import HOME_VARIABLE, StateDirectory

# Dagster's own use of other packages, and two of its parameters that are not marked stable yet.
TOLERATED = (
    "The `__fields__` attribute is deprecated",
    "InitResourceContext.dagster_run is deprecated",
    "Specifying a partitions_def on an",
    "Parameter `data_version` of",
)


def pytest_configure(config: pytest.Config) -> None:
    """Let what Dagster warns of pass; every other warning is an error."""
    for message in TOLERATED:
        config.addinivalue_line("filterwarnings", f"ignore:{message}")


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StateDirectory:
    """A deployment of its own, also for whatever reads the environment."""
    home = tmp_path / "home"
    monkeypatch.setenv(HOME_VARIABLE, str(home))
    return StateDirectory(home)
