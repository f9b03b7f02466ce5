"""The code location: assets, checks, the job, and what they are configured with."""

import dagster as dg

from codequarry.assets import (
    chunks,
    code_index,
    embeddings,
    export_pages,
    graph_edges,
    maintenance,
    receipt,
    source_snapshot,
    symbol_records,
)
from codequarry.assets.resources import Deployment, Embedding, Structure, Writer
from codequarry.core.memory import settle_heap, share_arenas
from codequarry.pipelines.engines import engine_definitions
from codequarry.pipelines.io_manager import ChangesetIOManager
from codequarry.pipelines.schedules import due_maintenance, nightly_verification
from codequarry.pipelines.sensors import moved_projects

MODULES = [
    source_snapshot,
    export_pages,
    symbol_records,
    chunks,
    graph_edges,
    embeddings,
    code_index,
    receipt,
    maintenance,
]
JOB = "index_project"
ASSETS = frozenset(module.__name__.rpartition(".")[2] for module in MODULES)
"""The names of the assets; each stands in a module of its name."""

share_arenas()

deployment = Deployment()

index_project = dg.define_asset_job(
    JOB,
    selection=dg.AssetSelection.groups("index"),
    executor_def=dg.in_process_executor,
    description="Index one project: from its files to a published, certified index.",
)

maintain_index = dg.define_asset_job(
    "maintain_index",
    selection=dg.AssetSelection.groups("maintenance"),
    executor_def=dg.in_process_executor,
    description="Compact the tables and remove old versions that no kept receipt names.",
)

# One object at module scope, or Dagster does not load the code location.
defs = dg.Definitions.merge(
    dg.Definitions(
        assets=dg.load_assets_from_modules(MODULES),
        asset_checks=dg.load_asset_checks_from_modules(MODULES),
        jobs=[index_project, maintain_index],
        sensors=[moved_projects],
        schedules=[nightly_verification, due_maintenance],
        resources={
            "deployment": deployment,
            "structure": Structure(),
            "embedding": Embedding(),
            "writer": Writer(),
            "io_manager": ChangesetIOManager(deployment=deployment),
        },
    ),
    engine_definitions(deployment),
)

settle_heap()
