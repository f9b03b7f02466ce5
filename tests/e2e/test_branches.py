"""One repository over switches of its branch: what runs embed, and the chain that Dagster shows."""

import itertools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import dagster as dg
from dagster import AssetKey, DagsterInstance

from codequarry.core.state import StateDirectory
from codequarry.index.store import SYMBOLS, Store, of_project, rows
from codequarry.pipelines.launch import instance_of
from tests.cli.commands import installed
from tests.e2e.planting import git, shop, write
from tests.e2e.running import index, names, search

CHANGED = b"def sorted_out():\n    return 'of the branch'\n"
NEW = b"def only_on_the_branch():\n    return 2\n"
TAGS = ("mode", "reason", "files_changed", "files_new", "files_deleted")


def history(instance: DagsterInstance, project: str) -> list[dg.AssetMaterialization]:
    """Give the materializations of `receipt` in a partition, as the UI lists them, oldest first."""
    records = dg.AssetRecordsFilter(asset_key=AssetKey("receipt"), asset_partitions=[project])
    found = instance.fetch_materializations(records, limit=100).records
    made = [record.asset_materialization for record in reversed(found)]
    return [one for one in made if one is not None]


def told(made: dg.AssetMaterialization) -> Mapping[str, Any]:
    return {name: value.value for name, value in made.metadata.items()}


def test_there_and_back_embeds_nothing(tmp_path: Path, state: StateDirectory) -> None:
    """A → B → A and to B again: certified deltas, each text embedded once, an unbroken chain."""
    root = shop(tmp_path)
    first = index(state, root)
    git(root, "checkout", "--quiet", "-b", "branch")
    (root / "web/src/checkout.ts").unlink()
    write(root, {"legacy/windows.py": CHANGED, "shop/branch.py": NEW})
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "A branch")
    there = index(state, root)
    assert (there.mode, there.reason) == ("delta", "attested")
    assert there.notes["texts_embedded"] > 0
    git(root, "checkout", "--quiet", "-")
    back = index(state, root)
    assert (back.mode, back.notes["texts_embedded"]) == ("delta", 0)
    assert back.notes["texts_reused"] > 0
    assert back.notes["to_fingerprint"] == first.notes["to_fingerprint"]
    found = names(search(state, "only on the branch sorted out", limit=100))
    assert not {"only_on_the_branch", "sorted_out"} & set(found)
    git(root, "checkout", "--quiet", "branch")
    again = index(state, root)
    assert (again.mode, again.notes["texts_embedded"]) == ("delta", 0)
    assert index(state, root).mode == "none"

    with instance_of(state) as instance:
        chain = [told(made) for made in history(instance, "shop")]
        runs = {run.run_id: run for run in instance.get_runs()}
    modes = [step["mode"] for step in chain]
    assert modes == ["full", "delta", "delta", "delta", "none"]
    for before, step in itertools.pairwise(chain):
        assert step["from_fingerprint"] == before["to_fingerprint"]
    files = [(s["files_changed"], s["files_new"], s["files_deleted"]) for s in chain]
    assert files == [(0, first.notes["files"], 0), (1, 1, 1), (1, 1, 1), (1, 1, 1), (0, 0, 0)]
    assert chain[0]["rows_removed"] == 0
    assert all(0 < step["rows_written"] < chain[0]["rows_written"] for step in chain[1:4])
    assert all(step["rows_removed"] > 0 for step in chain[1:4])
    assert (chain[4]["rows_written"], chain[4]["rows_removed"]) == (0, 0)
    for outcome, step in zip((first, there, back, again), chain, strict=False):
        tags = runs[outcome.run_id].tags
        assert all(tags[f"codequarry/{name}"] == str(step[name]) for name in TAGS)
        assert tags["codequarry/from"] == step["from_fingerprint"]
        assert tags["codequarry/to"] == step["to_fingerprint"]
        assert tags["codequarry/rows_written"] == str(step["rows_written"])
        assert tags["codequarry/rows_removed"] == str(step["rows_removed"])

    assert installed(state.home, "ledger").code == 0
    symbols = rows(Store(state).open(SYMBOLS), of_project("shop"), ["symbol"])["symbol"]
    assert "only_on_the_branch" in symbols.to_pylist()
