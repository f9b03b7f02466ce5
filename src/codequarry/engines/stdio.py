"""An MCP server on stdio, bounded: frames, noise, and every process it started.

The official client's own transport keeps a frame of any size, logs what is no frame, and leaves
grandchildren of a server that exits in time. So the process is ours, and only the session above it
is the official client's.
"""

import contextlib
import os
import signal
import subprocess
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import TypeAlias

import anyio
import mcp_types
from anyio.abc import Process
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage

from codequarry.core.errors import EngineError
from codequarry.engines.bench import Bench

LARGEST_FRAME = 16 * 1024 * 1024
MOST_NOISE = 16 * 1024 * 1024
_EXIT_SECONDS = 0.5
_READ_BYTES = 256 * 1024


@dataclass
class Traffic:
    """What was read of a server.

    Args:
        noise_bytes: Bytes of the lines of its stdout that were no frame.
        ended: Why reading ended, or ``""`` while it goes on.
    """

    noise_bytes: int = 0
    ended: str = ""


Incoming: TypeAlias = SessionMessage | Exception
Streams: TypeAlias = tuple[
    MemoryObjectReceiveStream[Incoming], MemoryObjectSendStream[SessionMessage]
]


@dataclass
class _Lines:
    """Bytes cut at LF, with a bound on what an unfinished line may hold."""

    limit: int
    rest: bytearray = field(default_factory=bytearray)

    def take(self, piece: bytes) -> list[bytes]:
        """Give the lines that ``piece`` finishes.

        Raises:
            EngineError: A line is over the limit.
        """
        *whole, last = piece.split(b"\n")
        lines = []
        for part in whole:
            self._grow(part)
            lines.append(bytes(self.rest))
            self.rest.clear()
        self._grow(last)
        return lines

    def _grow(self, part: bytes) -> None:
        if len(self.rest) + len(part) > self.limit:
            raise EngineError(f"it sent a reply of more than {self.limit} bytes")
        self.rest += part


@contextlib.asynccontextmanager
async def serve(
    bench: Bench,
    argv: list[str],
    traffic: Traffic,
    frame_limit: int = LARGEST_FRAME,
    noise_limit: int = MOST_NOISE,
) -> AsyncGenerator[Streams, None]:
    """Start a server and give the streams of its frames; nothing of its group survives the block.

    Args:
        bench: Where it runs.
        argv: The program and its arguments.
        traffic: Filled with what was seen.
        frame_limit: Bytes of one frame; a larger one ends the reading.
        noise_limit: Bytes of stdout that are no frame; more ends the reading.

    Raises:
        EngineError: It cannot be started.
    """
    bench.prepare()
    try:
        process = await anyio.open_process(
            bench.command(*argv),
            cwd=bench.tree,
            env=dict(bench.environment),
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        raise EngineError(
            f"{os.path.basename(argv[0])} could not be started: {error.strerror}",
            "check that it is installed and executable",
        ) from error
    to_session, incoming = anyio.create_memory_object_stream[Incoming](0)
    outgoing, from_session = anyio.create_memory_object_stream[SessionMessage](0)
    try:
        async with anyio.create_task_group() as tasks:
            lines = _Lines(frame_limit)
            tasks.start_soon(_read, process, to_session, lines, traffic, noise_limit)
            tasks.start_soon(_write, process, from_session)
            try:
                yield incoming, outgoing
            finally:
                tasks.cancel_scope.cancel()
    finally:
        with anyio.CancelScope(shield=True):
            for stream in (incoming, outgoing, to_session, from_session):
                stream.close()
            await _end(process)


async def _read(
    process: Process,
    to_session: MemoryObjectSendStream[Incoming],
    lines: _Lines,
    traffic: Traffic,
    noise_limit: int,
) -> None:
    assert process.stdout is not None
    # Closing the stream tells the session that the connection is gone; it fails what waits.
    with to_session:
        try:
            while traffic.noise_bytes <= noise_limit:
                for line in lines.take(await process.stdout.receive(_READ_BYTES)):
                    message = _frame(line)
                    if message is not None:
                        await to_session.send(message)
                    elif line.strip():
                        traffic.noise_bytes += len(line)
            traffic.ended = f"it printed more than {noise_limit} bytes that are no frame"
        except EngineError as error:
            traffic.ended = error.message
        except (anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
            traffic.ended = "it ended"


def _frame(line: bytes) -> SessionMessage | None:
    if not line.lstrip().startswith(b"{"):
        return None
    try:
        return SessionMessage(mcp_types.jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError:
        return None


async def _write(process: Process, from_session: MemoryObjectReceiveStream[SessionMessage]) -> None:
    assert process.stdin is not None
    with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
        async for message in from_session:
            text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
            await process.stdin.send(text.encode() + b"\n")


async def _end(process: Process) -> None:
    """Let the server go, then kill what is left of its group, and reap it."""
    assert process.stdin is not None
    assert process.stdout is not None
    with contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
        await process.stdin.aclose()
    with anyio.move_on_after(_EXIT_SECONDS):
        await _drained(process)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    with anyio.move_on_after(2 * _EXIT_SECONDS):
        await process.wait()
    await process.aclose()


async def _drained(process: Process) -> None:
    """Wait for the exit while reading on: a server that still prints must not block on its pipe."""
    assert process.stdout is not None
    with contextlib.suppress(anyio.EndOfStream, anyio.ClosedResourceError, OSError):
        while True:
            await process.stdout.receive(_READ_BYTES)
