from collections.abc import Iterator

import pytest
from dagster import DagsterInstance

from codequarry.core.state import StateDirectory


@pytest.fixture
def instance(state: StateDirectory) -> Iterator[DagsterInstance]:
    # Dagster warns while it is imported, and a conftest is imported before warnings are filtered.
    from codequarry.pipelines.launch import instance_of

    with instance_of(state) as opened:
        yield opened
