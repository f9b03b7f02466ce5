"""The Dagster assets and their checks, thin: each calls the library and reports.

One asset a module, in the order of the flow (docs/architecture.md). `resources` holds what assets
are configured with; how it is wired is in `codequarry.pipelines`.
"""

import warnings

import dagster as dg

# Two parameters we rely on are not yet marked stable; exact pins and the tests of every run guard
# us, and a person running `codequarry index` need not read about them.
warnings.filterwarnings("ignore", "Specifying a partitions_def on an", dg.PreviewWarning)
warnings.filterwarnings("ignore", "Parameter `data_version` of", dg.BetaWarning)
