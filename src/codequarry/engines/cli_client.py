"""Engines that are asked by command: one process a question, bounded by core.process."""

import asyncio
import functools
import threading
from typing import Protocol

from codequarry.core.errors import EngineError, ProcessError
from codequarry.core.process import Completed, run
from codequarry.core.text import repair
from codequarry.engines.arguments import Values, fill_argv
from codequarry.engines.bench import Bench
from codequarry.engines.decoding import Reply
from codequarry.engines.mapping import Operation

LARGEST_OUTPUT = 16 * 1024 * 1024
_STDERR_KEPT = 16 * 1024


class Channel(Protocol):
    """A way to ask an engine."""

    async def open(self) -> None:
        """Start what the calls need, in time of its own.

        Raises:
            EngineError: It did not start, or is not what it was approved as.
        """

    async def call(self, operation: Operation, values: Values, seconds: float) -> Reply:
        """Ask, and give what came back.

        Raises:
            EngineError: Nothing usable came back in time.
            UsageError: The engine cannot be asked for such a value.
        """

    async def close(self) -> None:
        """End every process and connection."""


class CommandChannel:
    """An engine's command line.

    Args:
        bench: Where it runs.
        program: Its absolute path.
        output_limit: Bytes of stdout of one call.
    """

    def __init__(self, bench: Bench, program: str, output_limit: int = LARGEST_OUTPUT) -> None:
        self._bench = bench
        self._program = program
        self._limit = output_limit

    async def open(self) -> None:
        """Nothing is kept running."""

    async def call(self, operation: Operation, values: Values, seconds: float) -> Reply:
        """Run the operation's command.

        Raises:
            EngineError: It could not be run, took too long or printed too much.
            UsageError: A value would be read as an option.
        """
        completed = await self.run(fill_argv(operation.argv, values), seconds)
        return Reply(
            text=repair(completed.stdout),
            is_error=completed.returncode != 0,
            returncode=completed.returncode,
            stderr=repair(completed.stderr),
        )

    async def run(self, arguments: list[str], seconds: float) -> Completed:
        """Run the program with arguments of our own; whoever stops waiting ends it.

        Raises:
            EngineError: It could not be run, took too long or printed too much.
        """
        self._bench.prepare()
        command = self._bench.command(self._program, *arguments)
        bench = self._bench
        cancel = threading.Event()
        ended = functools.partial(
            run,
            command,
            bench.tree,
            seconds,
            self._limit,
            _STDERR_KEPT,
            bench.environment,
            cancel=cancel,
        )
        running = asyncio.create_task(asyncio.to_thread(ended))
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            cancel.set()
            # Nobody may go on while it still writes to its store.
            await asyncio.gather(running, return_exceptions=True)
            raise
        except ProcessError as error:
            raise EngineError(f"the engine's command failed: {_worded(error)}", REMEDY) from error

    async def close(self) -> None:
        """Nothing stays open."""


REMEDY = "try again; `codequarry engines probe` tells more"


def _worded(error: ProcessError) -> str:
    """Say what happened without the name of the interpreter that confines the program."""
    return error.message.partition(" ")[2] or error.message
