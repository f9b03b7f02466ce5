"""The far end of `codequarry.syntax.pool`: one process that works through batches of items."""

from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

BOOTSTRAP = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[2]); "
    "from codequarry.syntax.worker import main; main(int(sys.argv[1]))"
)
"""Run with ``python -c``: unlike multiprocessing, it never imports the parent's ``__main__``."""


def main(descriptor: int) -> None:
    """Answer each batch with one (value, failure) pair an item, until the parent hangs up.

    Args:
        descriptor: Our end of the parent's pipe.
    """
    with Connection(descriptor) as parent:
        try:
            function: Callable[[Any], Any] = parent.recv()
            parent.send("ready")
            while True:
                for item in parent.recv():
                    parent.send(_attempt(function, item))
        except (EOFError, ConnectionError):
            return


def _attempt(function: Callable[[Any], Any], item: object) -> tuple[Any, str]:
    try:
        return function(item), ""
    except Exception as error:
        return None, type(error).__name__
