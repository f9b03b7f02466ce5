"""The indexed projects, as the tests of the graph read them."""

from pathlib import Path

import pytest

from codequarry.index.reader import Reader
from codequarry.retrieval.structure.view import GraphView
from tests.retrieval.structure.town import indexed, state_of


@pytest.fixture(scope="session")
def places(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that holds ``town``, ``village``, ``port`` and ``home``."""
    return indexed(tmp_path_factory)


@pytest.fixture(scope="session")
def town(places: Path) -> GraphView:
    """The graph of the project ``town``."""
    return view(places, "town")


@pytest.fixture(scope="session")
def both(places: Path) -> GraphView:
    """The graph of ``town`` and ``village``."""
    return view(places, "town", "village")


def view(places: Path, *projects: str) -> GraphView:
    state = state_of(places)
    return GraphView(Reader(state), state, projects)
