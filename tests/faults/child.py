"""One run of the program in a process of its own, under an injector.

`python -m tests.faults.child TRACE ARGUMENT…` runs `codequarry ARGUMENT…` and writes its points to
TRACE; with CODEQUARRY_FAULT, a JSON object with the fields of a point, `kind` and `lasting`, it
brings that fault about. The harness calls `perform` in processes forked from a server that has
imported everything, which saves seconds a run.
"""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from codequarry.cli.main import run
from codequarry.core.state import HOME_VARIABLE, StateDirectory
from tests.faults.points import Fault, Injector, Point
from tests.faults.primitives import install

FAULT_VARIABLE = "CODEQUARRY_FAULT"
MAINTAIN = "maintain"


def perform(
    home: Path, arguments: Sequence[str], fault: Fault | None, trace: Path, output: Path | None
) -> None:
    """Run the program as a command would, then leave the process with its exit code.

    Args:
        home: The state directory.
        arguments: Of the command line; or ``maintain`` alone, which is the maintenance asset.
        fault: What goes wrong, if anything.
        trace: Where the points are written.
        output: The file that takes stdout and stderr; ``None`` leaves them.
    """
    for name in [name for name in os.environ if name.startswith("CODEQUARRY")]:
        del os.environ[name]
    os.environ[HOME_VARIABLE] = str(home)
    if output is not None:
        descriptor = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(descriptor, 1)
        os.dup2(descriptor, 2)
    import codequarry.pipelines.launch  # noqa: F401  its import writes nothing that matters

    install(Injector(home, fault, trace))
    code = maintain(home) if list(arguments) == [MAINTAIN] else run(list(arguments))
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def maintain(home: Path) -> int:
    """Run the maintenance asset on a deployment."""
    import dagster as dg

    from codequarry.assets.maintenance import maintenance
    from codequarry.assets.resources import Deployment
    from codequarry.pipelines.launch import QUIET

    result = dg.materialize(
        [maintenance],
        resources={"deployment": Deployment(home=str(StateDirectory(home).home))},
        run_config={
            **QUIET,
            "ops": {"maintenance": {"config": {"keep_receipts": 1, "grace_minutes": 0}}},
        },
        raise_on_error=False,
    )
    return 0 if result.success else 1


def main() -> None:
    """Read the fault from the environment and the rest from the command line."""
    given = json.loads(os.environ.get(FAULT_VARIABLE, "null"))
    fault = None
    if given is not None:
        kind, lasting = given.pop("kind"), given.pop("lasting", False)
        fault = Fault(Point(**given), kind, lasting)
    perform(StateDirectory.locate().home, sys.argv[2:], fault, Path(sys.argv[1]), None)


if __name__ == "__main__":
    main()
