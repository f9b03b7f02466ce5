"""The code location: assets, checks, the job, and what they are configured with."""

import dagster as dg

from codequarry.assets import (
    chunks,
    code_index,
    embeddings,
    export_pages,
    graph_edges,
    receipt,
    source_snapshot,
    symbol_records,
)
from codequarry.assets.resources import Deployment, Embedding, Structure, Writer
from codequarry.core.memory import share_arenas
from codequarry.pipelines.io_manager import ChangesetIOManager

MODULES = [
    source_snapshot,
    export_pages,
    symbol_records,
    chunks,
    graph_edges,
    embeddings,
    code_index,
    receipt,
]
JOB = "index_project"

share_arenas()

deployment = Deployment()

index_project = dg.define_asset_job(
    JOB,
    selection=dg.AssetSelection.groups("index"),
    executor_def=dg.in_process_executor,
    description="Index one project: from its files to a published, certified index.",
)

defs = dg.Definitions(
    assets=dg.load_assets_from_modules(MODULES),
    asset_checks=dg.load_asset_checks_from_modules(MODULES),
    jobs=[index_project],
    resources={
        "deployment": deployment,
        "structure": Structure(),
        "embedding": Embedding(),
        "writer": Writer(),
        "io_manager": ChangesetIOManager(deployment=deployment),
    },
)
