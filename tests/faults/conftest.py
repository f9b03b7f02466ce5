"""The scenes, made once for all tests here; each test works on copies."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.faults.scenes import Scenes


@pytest.fixture(scope="session")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> "Scenes":
    from tests.faults.scenes import Scenes  # imports Dagster, whose warnings are tolerated by now

    return Scenes(tmp_path_factory.mktemp("scenes"))
