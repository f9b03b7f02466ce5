"""Processes forked from a server that has imported everything and used nothing.

A fresh interpreter needs three seconds to import Dagster and LanceDB; a fork of the server none.
"""

import contextlib
import itertools
import multiprocessing
import multiprocessing.context
import signal
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from tests.faults import child
from tests.faults.points import Fault

SECONDS = 120.0
"""How long a process may take before it counts as hanging."""

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")
_numbers = itertools.count()


@dataclass(frozen=True)
class Done:
    """How a run of the program ended.

    Args:
        code: Its exit code; negative, the signal that ended it.
        output: What it wrote on stdout and stderr.
    """

    code: int
    output: str

    @property
    def killed(self) -> bool:
        """Whether it was killed at its point."""
        return self.code == -signal.SIGKILL


def context() -> multiprocessing.context.ForkServerContext:
    """Give the context whose processes are forked from the server."""
    made = multiprocessing.get_context("forkserver")
    made.set_forkserver_preload(["tests.faults.preloaded"])
    return made


def perform(
    home: Path, arguments: Sequence[str], fault: Fault | None, trace: Path, folder: Path
) -> Done:
    """Run the program on a deployment, under an injector.

    Args:
        home: The deployment.
        arguments: Of the command line.
        fault: What goes wrong, if anything.
        trace: Where its write points are written.
        folder: Takes its output for a moment.
    """
    output = folder / f"output-{next(_numbers)}"
    process = context().Process(
        target=child.perform, args=(home, tuple(arguments), fault, trace, output)
    )
    _start(process)
    if not wait([process.sentinel], SECONDS):
        process.kill()
        _join(process)
        return Done(1, f"it hung for {SECONDS:.0f} seconds")
    _join(process)
    text = output.read_text(errors="replace") if output.exists() else ""
    output.unlink(missing_ok=True)
    assert process.exitcode is not None
    return Done(process.exitcode, text)


def forked(
    function: Callable[_Given, _Result], *arguments: _Given.args, **named: _Given.kwargs
) -> _Result:
    """Call a function in a process of its own and give its result.

    Raises:
        ChildProcessError: It raised, died or hung.
    """
    ours, theirs = context().Pipe(duplex=False)
    process = context().Process(target=_called, args=(theirs, function, arguments, named))
    _start(process)
    theirs.close()
    with contextlib.closing(ours):
        try:
            fine, result = ours.recv() if ours.poll(SECONDS) else (False, "it hung")
        except EOFError:
            fine, result = False, "it died"
        finally:
            process.kill()
            _join(process)
    if not fine:
        raise ChildProcessError(f"{function.__name__}: {result}")
    return result  # type: ignore[no-any-return]


# To start a process is to ask for the exit codes of all others, each of which can be read once: a
# thread that waits for one meanwhile would be told 255.
_one_reader = threading.Lock()


def _start(process: ForkServerProcess) -> None:
    with _one_reader:
        process.start()


def _join(process: ForkServerProcess) -> None:
    """Read the exit code of a process that has ended, or was just killed."""
    wait([process.sentinel])
    with _one_reader:
        process.join()


def _called(pipe: Connection, function: Callable[..., Any], arguments: Any, named: Any) -> None:
    import traceback

    try:
        pipe.send((True, function(*arguments, **named)))
    except BaseException:
        pipe.send((False, traceback.format_exc()))
