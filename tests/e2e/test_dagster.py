"""What the Dagster instance shows of a run that the command line made."""

from collections.abc import Iterator

import dagster as dg
import pytest
from dagster import DagsterEventType, DagsterInstance, DagsterRunStatus

from codequarry.pipelines.launch import instance_of
from tests.e2e.conftest import Shop
from tests.e2e.test_index import ASSETS


@pytest.fixture
def instance(shop: Shop) -> Iterator[DagsterInstance]:
    with instance_of(shop.state) as opened:
        yield opened


@pytest.fixture
def run(instance: DagsterInstance, shop: Shop) -> dg.DagsterRun:
    attempt = shop.receipt["attempt_id"]
    return next(run for run in instance.get_runs() if run.run_id.replace("-", "") == attempt)


def test_run_is_there(instance: DagsterInstance, run: dg.DagsterRun) -> None:
    """The run is kept, succeeded, belongs to the project's partition and says its mode and why."""
    assert run.status is DagsterRunStatus.SUCCESS
    assert run.tags["dagster/partition"] == "shop"
    assert run.tags["codequarry/mode"] == "full"
    assert run.tags["codequarry/reason"] == "first_run"
    assert instance.get_dynamic_partitions("projects") == ["shop"]


def test_every_asset_says_what_it_made(
    instance: DagsterInstance, run: dg.DagsterRun, shop: Shop
) -> None:
    """All eight assets materialised with attempt, rows, columns, bytes and a data version."""
    logs = instance.all_logs(run.run_id, of_type=DagsterEventType.ASSET_MATERIALIZATION)
    made = {log.asset_materialization.asset_key.to_user_string(): log.asset_materialization
            for log in logs if log.asset_materialization}  # fmt: skip
    assert set(made) == set(ASSETS)
    for name, materialization in made.items():
        metadata = materialization.metadata
        assert metadata["attempt"].value == shop.receipt["attempt_id"]
        assert metadata["mode"].value == "full"
        assert materialization.tags
        assert materialization.tags["dagster/data_version"]
        if name != "code_index":
            assert metadata["dagster/column_schema"].value.columns
            assert metadata["dagster/row_count"].value == rows_of(name, shop)
    receipt = made["receipt"].metadata
    assert receipt["to_fingerprint"].value == shop.document["to_fingerprint"]
    assert receipt["from_fingerprint"].value == ""
    assert receipt["receipt"].value == shop.receipt
    assert receipt["ledger_sequence"].value == 1
    assert receipt["texts_embedded"].value == shop.document["texts_embedded"]


def rows_of(asset: str, shop: Shop) -> object:
    """Give the rows an asset must report, or anything where only the run knows."""
    known = {
        "source_snapshot": shop.document["files"],
        "chunks": shop.document["chunks"],
        "embeddings": shop.document["chunks"],
        "receipt": 1,
    }
    return known.get(asset, AnyCount())


class AnyCount:
    """Equals every positive number."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, int) and other > 0

    __hash__ = None  # type: ignore[assignment]


def test_every_check_passed(instance: DagsterInstance, run: dg.DagsterRun) -> None:
    """Each asset was checked at least once, every check passed, and each names its asset."""
    logs = instance.all_logs(run.run_id, of_type=DagsterEventType.ASSET_CHECK_EVALUATION)
    evaluations = [log.asset_check_evaluation for log in logs]
    assert {found.asset_key.to_user_string() for found in evaluations if found} == set(ASSETS)
    assert all(found and found.passed and found.blocking for found in evaluations)
