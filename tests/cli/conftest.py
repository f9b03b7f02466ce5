"""One small deployment that the tests of the commands only read."""

from pathlib import Path

import pytest

from codequarry.core.state import HOME_VARIABLE, StateDirectory
from tests.cli.commands import installed
from tests.e2e.planting import write


@pytest.fixture(scope="session")
def _small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cli")
    write(
        folder / "demo",
        {
            "a.py": b"def alpha(first, *, second):\n    return first\n",
            "dash.py": (
                "def dashed():\n    '''--full is an option of größe'''\n    return '\x1b[31m'\n"
            ).encode(),
        },
    )
    ran = installed(folder / "home", "index", folder / "demo")
    assert ran.code == 0, ran.err
    return folder


@pytest.fixture
def demo(_small: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The root of an indexed tree called ``demo``; the environment names its deployment."""
    monkeypatch.setenv(HOME_VARIABLE, str(_small / "home"))
    return _small / "demo"


@pytest.fixture
def demo_state(demo: Path) -> StateDirectory:
    """The deployment of ``demo``."""
    return StateDirectory(demo.parent / "home")
