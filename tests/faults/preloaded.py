"""What the server of `tests.faults.processes` imports before it forks; nobody else imports this."""

import warnings

import codequarry.assets.maintenance
import codequarry.cli.search
import codequarry.pipelines.launch
import codequarry.receipts.removal
import codequarry.receipts.status
import codequarry.retrieval.search
import tests.faults.checks
import tests.faults.child  # noqa: F401

# It recommends a fork server, which this is.
warnings.filterwarnings("ignore", message="lancedb fork support", category=RuntimeWarning)
