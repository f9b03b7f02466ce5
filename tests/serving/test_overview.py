"""The tool ``code_overview``, called as the server calls it."""

import json
from collections.abc import Iterator

import pytest

from codequarry.core.errors import ProjectError, UsageError
from codequarry.serving.deployment import Deployment
from codequarry.serving.overview import OVERVIEW
from tests.retrieval.structure.town import indexed, state_of


@pytest.fixture
def deployment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """Two projects, asked from within neither."""
    folder = indexed(tmp_path_factory)
    opened = Deployment(state_of(folder), folder / "home")
    yield opened
    opened.close()


def test_one_project(deployment: Deployment) -> None:
    """The answer holds the sentences once, and the lists beside them."""
    answer, said = OVERVIEW.call(deployment, {"project": "town"})
    assert said == "\n".join(answer["summary"])
    assert answer["overview"]["communities"]["clusters"][0]["folder"] == "town"
    assert "summary" not in answer["overview"]
    assert len(json.dumps(answer)) < 8_000


def test_which_project(deployment: Deployment) -> None:
    """Where several projects are registered, one must be named, and rightly."""
    for given in ({}, {"project": "nowhere"}):
        with pytest.raises(ProjectError):
            OVERVIEW.call(deployment, given)
    with pytest.raises(UsageError):
        OVERVIEW.call(deployment, {"projects": ["town"]})


def test_declared_small() -> None:
    """What every agent reads of the tool is short."""
    schemas = (OVERVIEW.input_schema, OVERVIEW.output_schema)
    assert len(json.dumps(schemas, separators=(",", ":"))) < 700
