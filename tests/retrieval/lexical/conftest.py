"""One deployment that all tests of the lexical modes read: a tree in two published states."""

from pathlib import Path

import pytest

from codequarry.core.state import StateDirectory
from codequarry.index.reader import Reader
from tests.cli.commands import installed
from tests.e2e.planting import write
from tests.retrieval.lexical.trees import AUTH, TREE


@pytest.fixture(scope="session")
def _published(tmp_path_factory: pytest.TempPathFactory) -> StateDirectory:
    folder = tmp_path_factory.mktemp("lexical")
    tree = folder / "lexicon"
    for files in ({**TREE, "src/auth.ts": b"// shifted\n" * 3 + AUTH}, {"src/auth.ts": AUTH}):
        write(tree, files)
        ran = installed(folder / "home", "index", tree)
        assert ran.code == 0, ran.err
    return StateDirectory(folder / "home")


@pytest.fixture
def published(_published: StateDirectory) -> StateDirectory:
    """A deployment with the project ``lexicon``."""
    return _published


@pytest.fixture(scope="session")
def reader(_published: StateDirectory) -> Reader:
    """Its newest published state."""
    return Reader(_published)


@pytest.fixture(scope="session")
def earlier(_published: StateDirectory) -> Reader:
    """The state before: ``src/auth.ts`` had three more lines at its top."""
    return Reader(_published, "1")


@pytest.fixture(scope="session")
def tree(_published: StateDirectory) -> Path:
    """The root of the tree."""
    return _published.home.parent / "lexicon"
