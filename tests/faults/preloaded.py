"""What the server of `tests.faults.processes` imports before it forks; nobody else imports this.

Modules that a run would import late are named too, Dagster's storages for one.
"""

import importlib
import warnings

from codequarry.pipelines.definitions import JOB, defs
from tests.faults.reading import loaded_model

_MODULES = (
    "codequarry.assets.maintenance",
    "codequarry.pipelines.launch",
    "codequarry.receipts.removal",
    "codequarry.schemas.rules",
    "tests.faults.checks",
    "tests.faults.child",
    "dagster._core.execution.asset_backfill",
    "dagster._core.execution.execute_in_process",
    "dagster._core.executor.in_process",
    "dagster._core.instance.factory",
    "dagster._core.storage.local_compute_log_manager",
    "dagster._core.storage.sqlite_storage",
    "pandera.polars",
    "upath",
)

for name in _MODULES:
    importlib.import_module(name)
defs.resolve_job_def(JOB)
loaded_model()
# It recommends a fork server, which this is.
warnings.filterwarnings("ignore", message="lancedb fork support", category=RuntimeWarning)
