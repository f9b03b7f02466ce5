"""Data versions, by which Dagster tells what is stale."""

from pathlib import Path

from dagster import DagsterEventType, DagsterInstance

from codequarry.core.state import StateDirectory
from codequarry.pipelines.definitions import ASSETS
from tests.e2e.planting import write
from tests.e2e.running import index


def versions(instance: DagsterInstance, run_id: str) -> dict[str, str]:
    """Give the data version of each asset that a run made."""
    made = {}
    for log in instance.all_logs(run_id, of_type=DagsterEventType.ASSET_MATERIALIZATION):
        assert log.asset_materialization is not None
        name = log.asset_materialization.asset_key.to_user_string()
        made[name] = (log.asset_materialization.tags or {})["dagster/data_version"]
    return made


def test_another_tree_has_other_versions(
    instance: DagsterInstance, state: StateDirectory, tmp_path: Path
) -> None:
    """A file that no producer knows makes every asset another too; the same tree makes none."""
    root = write(tmp_path / "shop", {"a.py": b"def first():\n    return 1\n", "README": b"one\n"})
    first = index(state, root)
    again = index(state, root)
    assert again.mode == "none"
    write(root, {"README": b"two\n"})
    drifted = index(state, root)
    assert drifted.mode == "delta"
    assert drifted.notes["to_fingerprint"] == first.notes["to_fingerprint"]
    before, after = versions(instance, first.run_id), versions(instance, drifted.run_id)
    assert versions(instance, again.run_id) == before
    assert set(before) == set(after) == ASSETS - {"maintenance"}
    assert not [name for name in before if before[name] == after[name]]
