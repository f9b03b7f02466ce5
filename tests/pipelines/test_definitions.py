"""The code location loads, and its job is the whole line with its checks."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import dagster as dg

from codequarry.assets.partitions import projects
from codequarry.core.state import HOME_VARIABLE, StateDirectory
from codequarry.pipelines.definitions import JOB, defs

FLOW = {
    "source_snapshot": set(),
    "export_pages": {"source_snapshot"},
    "symbol_records": {"source_snapshot", "export_pages"},
    "chunks": {"source_snapshot", "symbol_records"},
    "graph_edges": {"source_snapshot", "symbol_records"},
    "embeddings": {"chunks"},
    "code_index": {"symbol_records", "chunks", "graph_edges", "embeddings"},
    "receipt": {"source_snapshot", "symbol_records", "chunks", "embeddings", "code_index"},
}
"""Each asset, and what it cannot do without (design.md 3)."""


def test_definitions_are_sound() -> None:
    """Every resource, input and check that the definitions name is there."""
    dg.Definitions.validate_loadable(defs)


def test_job_is_the_whole_line() -> None:
    """The job holds the eight assets, each made from those before it, one partition a project."""
    job = defs.resolve_job_def(JOB)
    keys = {key.to_user_string(): key for key in job.asset_layer.selected_asset_keys}
    assert set(keys) == set(FLOW)
    graph = job.asset_layer.asset_graph
    for name, before in FLOW.items():
        node = graph.get(keys[name])
        assert before <= {parent.to_user_string() for parent in node.parent_keys}
        assert node.partitions_def == projects


def test_each_asset_has_a_blocking_check() -> None:
    """Nothing follows an asset whose data a check found wrong."""
    graph = defs.resolve_job_def(JOB).asset_layer.asset_graph
    blocking = {
        key.asset_key.to_user_string()
        for key in graph.asset_check_keys
        if graph.get_check_spec(key).blocking
    }
    assert set(FLOW) <= blocking


def test_workspace_loads(state: StateDirectory) -> None:
    """Dagster itself finds the code location of the workspace file valid."""
    workspace = Path(__file__).parents[2] / "workspace.yaml"
    done = subprocess.run(
        [Path(sys.executable).with_name("dagster"), "definitions", "validate", "-w", workspace],
        env={**os.environ, HOME_VARIABLE: str(state.home)},
        capture_output=True,
        timeout=180,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert b"All code locations passed validation" in done.stdout + done.stderr


def test_assets_are_thin() -> None:
    """No asset module holds an algorithm: none imports what tables are computed with."""
    folder = Path(__file__).parents[2] / "assets"
    for path in folder.glob("*.py"):
        tree = ast.parse(path.read_text())
        imported = {
            alias.name.partition(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, ast.Import)
            for alias in node.names
        }
        assert not imported & {"polars", "pyarrow", "lancedb", "numpy", "pandera", "tree_sitter"}
