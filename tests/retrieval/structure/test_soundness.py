"""Whoever is told that all users are known has been told of all of them."""

from pathlib import Path

import pytest

from codequarry.core.registry import Registry
from codequarry.core.state import StateDirectory
from codequarry.index.reader import Reader
from codequarry.retrieval.structure.evidence import Coverage, evidence_of
from codequarry.retrieval.structure.lookup import look_up
from codequarry.retrieval.structure.view import GraphView
from tests.e2e.planting import write
from tests.retrieval.structure.tricks import TRICKS, definition_of, files, user_of


@pytest.fixture(scope="module")
def tricks(tmp_path_factory: pytest.TempPathFactory) -> GraphView:
    """The graph of all tricks."""
    from codequarry.pipelines.launch import Options, index_project

    folder: Path = tmp_path_factory.mktemp("tricks")
    state = StateDirectory(folder / "home")
    project = Registry(state).add(write(folder / "tricks", files()))
    index_project(state, project, Options())
    return GraphView(Reader(state), state, ["tricks"])


@pytest.mark.parametrize("trick", TRICKS)
def test_no_user_is_denied(tricks: GraphView, trick: str) -> None:
    """Each way to use a symbol has an edge, or the answer does not call itself complete."""
    symbol = look_up(tricks, definition_of(trick)).one()
    assert not symbol.is_file
    users = tricks.edges([symbol.symbol_id], "in", ("calls", "references"))["path"].to_pylist()
    found = evidence_of(tricks, [symbol])
    is_told = any(path == user_of(trick) and path != symbol.path for path in users)
    assert is_told or found.coverage is not Coverage.COMPLETE
    assert {line.path.split("/")[0] for line in found.unresolved} <= {trick}
    assert bool(found.reasons) == (found.coverage is not Coverage.COMPLETE)
