"""Engines that speak MCP, over stdio or streamable HTTP, through the official client.

Started at the first question and kept; one server a project. Everything is bounded: the handshake,
each call, each reply, what is printed beside the frames.
"""

import asyncio
import contextlib
import json
import os
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import httpx2
import mcp_types
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from codequarry.core.errors import EngineError, EngineUnavailable
from codequarry.core.hashing import sha256_hex
from codequarry.engines.arguments import Values, fill
from codequarry.engines.bench import Bench
from codequarry.engines.cli_client import REMEDY
from codequarry.engines.decoding import Reply
from codequarry.engines.mapping import Operation
from codequarry.engines.settings import is_loopback
from codequarry.engines.stdio import LARGEST_FRAME, Traffic, serve

HANDSHAKE_SECONDS = 15.0
PATIENCE = 3
"""Calls in a row that a server may leave unanswered before it is ended."""

_LIST_SECONDS = 5.0
_LIST_PAGES = 100


@dataclass(frozen=True)
class Server:
    """How to reach an MCP server.

    Args:
        bench: Where a stdio server runs; also names the project of an HTTP one.
        argv: Program and arguments; empty for HTTP.
        url: Address; empty for stdio.
        token: Bearer token for HTTP; never part of a message.
        name: What the server must call itself; ``""`` allows any name.
        handshake_seconds: Time for its start.
        frame_limit: Bytes of one reply.
    """

    bench: Bench
    argv: tuple[str, ...] = ()
    url: str = ""
    token: str = ""
    name: str = ""
    handshake_seconds: float = HANDSHAKE_SECONDS
    frame_limit: int = LARGEST_FRAME


class McpChannel:
    """One MCP server. Use it from one event loop only.

    Args:
        server: How to reach it.
        approve: Looks at the tools it lists, name to hash, each time it is started; raises
            `EngineUnavailable`.
    """

    def __init__(
        self, server: Server, approve: Callable[[Mapping[str, str]], None] = lambda _: None
    ) -> None:
        self._server = server
        self._approve = approve
        self._starting = asyncio.Lock()
        self._open: _Open | None = None
        self._missed_in_a_row = 0
        self.traffic = Traffic()

    async def open(self) -> None:
        """Start the server, and have its tools approved.

        Raises:
            EngineError: It did not start in time, or its tools are not approved.
        """
        await self._opened()

    async def call(self, operation: Operation, values: Values, seconds: float) -> Reply:
        """Call the operation's tool.

        Raises:
            EngineError: The server is missing, died, or did not answer in time.
        """
        opened = await self._opened()
        arguments = fill(operation.arguments, values)
        try:
            result = await opened.session.call_tool(operation.tool, arguments, seconds)
        except MCPError as error:
            if error.error.code not in _OURS:
                return Reply(rpc_error=error.error.message)
            await self._missed(error.error.code)
            raise EngineError(self._why(operation.tool, seconds), REMEDY) from error
        except (RuntimeError, ValueError) as error:
            # A result that breaks its own output schema, or the protocol.
            return Reply(rpc_error=f"invalid result: {type(error).__name__}")
        self._missed_in_a_row = 0
        return _reply(result)

    async def close(self) -> None:
        """End the server and everything it started."""
        opened, self._open, self._missed_in_a_row = self._open, None, 0
        if opened is not None:
            await opened.stop()

    async def _opened(self) -> "_Open":
        async with self._starting:
            if self._open is not None and self._open.ended:
                await self.close()
            if self._open is None:
                self.traffic = Traffic()
                opened = await _Open.start(self._server, self.traffic)
                try:
                    self._approve(await _listed(opened.session))
                except BaseException:
                    await opened.stop()
                    raise
                self._open = opened
            return self._open

    async def _missed(self, code: int) -> None:
        """Keep a slow server, whose first answer may only warm it; end one that stays silent."""
        self._missed_in_a_row += 1
        if code != mcp_types.REQUEST_TIMEOUT or self._missed_in_a_row >= PATIENCE:
            await self.close()

    def _why(self, tool: str, seconds: float) -> str:
        if self.traffic.ended:
            return f"the engine failed during {tool}: {self.traffic.ended}"
        return f"the engine did not answer {tool} within {seconds:g} s, or closed the connection"


_OURS = (mcp_types.REQUEST_TIMEOUT, mcp_types.CONNECTION_CLOSED)


class _Open:
    """A session, held by a task of its own: it must end in the task that began it."""

    def __init__(self, session: ClientSession, task: "asyncio.Task[None]", done: asyncio.Event):
        self.session = session
        self._task = task
        self._done = done

    @property
    def ended(self) -> bool:
        return self._task.done()

    @classmethod
    async def start(cls, server: Server, traffic: Traffic) -> "_Open":
        ready: asyncio.Future[ClientSession] = asyncio.get_running_loop().create_future()
        done = asyncio.Event()
        task = asyncio.create_task(_hold(server, traffic, ready, done))
        try:
            async with asyncio.timeout(server.handshake_seconds):
                session = await asyncio.shield(ready)
        except BaseException as error:
            opened = cls.__new__(cls)
            opened._task, opened._done = task, done
            await opened.stop()
            if not ready.done():
                ready.cancel()
            if isinstance(error, TimeoutError):
                seconds = server.handshake_seconds
                raise EngineError(
                    f"the engine did not start within {seconds:g} s", REMEDY
                ) from error
            raise
        return cls(session, task, done)

    async def stop(self) -> None:
        """End the holding task; give it a moment, then cancel it."""
        self._done.set()
        finished, _ = await asyncio.wait({self._task}, timeout=3)
        if not finished:
            self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError, Exception):
            await self._task


async def _hold(
    server: Server,
    traffic: Traffic,
    ready: "asyncio.Future[ClientSession]",
    done: asyncio.Event,
) -> None:
    try:
        async with _streams(server, traffic) as streams, ClientSession(*streams) as session:
            handshake = asyncio.create_task(session.initialize())
            waiting = asyncio.create_task(done.wait())
            await asyncio.wait({handshake, waiting}, return_when=asyncio.FIRST_COMPLETED)
            if not handshake.done():
                handshake.cancel()
                return
            waiting.cancel()
            _check_name(server, (await handshake).server_info.name)
            ready.set_result(session)
            await done.wait()
    except Exception as error:
        failure = _failure(error, traffic)
        if not ready.done():
            ready.set_exception(failure)


def _failure(error: BaseException, traffic: Traffic) -> EngineError:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, EngineError):
        return error
    why = f": {traffic.ended}" if traffic.ended else ""
    return EngineError(f"the engine could not be started{why} ({type(error).__name__})", REMEDY)


def _check_name(server: Server, name: str) -> None:
    if server.name and name != server.name:
        raise EngineUnavailable(
            f"another program answers under this engine's name: {name[:40]!r}, not {server.name!r}",
            "set the engine's command in engines.toml",
        )


def _reply(result: Any) -> Reply:
    text = "\n".join(
        block.text for block in result.content if isinstance(block, mcp_types.TextContent)
    )
    return Reply(text, result.structured_content, bool(result.is_error))


async def _listed(session: ClientSession) -> dict[str, str]:
    """Give every tool the server lists, and one hash over its name and input schema."""
    found: dict[str, str] = {}
    page = None
    try:
        async with asyncio.timeout(_LIST_SECONDS):
            for _ in range(_LIST_PAGES):
                listed = await session.list_tools(params=page)
                found |= {tool.name: _digest(tool) for tool in listed.tools}
                if not listed.next_cursor:
                    return found
                page = mcp_types.PaginatedRequestParams(cursor=listed.next_cursor)
    except (MCPError, TimeoutError, RuntimeError, ValueError) as error:
        raise EngineError("its tools could not be listed", REMEDY) from error
    raise EngineError(f"it lists its tools on more than {_LIST_PAGES} pages", REMEDY)


def _digest(tool: mcp_types.Tool) -> str:
    document = tool.model_dump(mode="json", by_alias=True, exclude_none=True)
    schema = json.dumps(document.get("inputSchema", {}), sort_keys=True, ensure_ascii=False)
    return sha256_hex(f"{tool.name}\0{schema}")


@contextlib.asynccontextmanager
async def _streams(server: Server, traffic: Traffic) -> AsyncGenerator[Any, None]:
    if not server.url:
        async with serve(server.bench, list(server.argv), traffic, server.frame_limit) as streams:
            yield streams
        return
    headers = {b"Accept-Encoding": b"identity"}
    if server.token:
        headers[b"Authorization"] = b"Bearer " + os.fsencode(server.token)
    # A proxy of the environment cannot reach this machine's own servers.
    proxied = httpx2.AsyncHTTPTransport(trust_env=not is_loopback(server.url))
    transport = _Bounded(proxied, server.frame_limit)
    async with (
        httpx2.AsyncClient(headers=headers, transport=transport, trust_env=False) as client,
        streamable_http_client(
            server.url, http_client=client, max_sse_event_size=server.frame_limit
        ) as streams,
    ):
        yield streams


class _Bounded(httpx2.AsyncBaseTransport):
    """Refuses a response that grows over a limit, or that would only grow when it is unpacked.

    The one stream that stays open, a GET of events, is bounded event by event by the client.
    """

    def __init__(self, inner: httpx2.AsyncBaseTransport, limit: int) -> None:
        self._inner = inner
        self._limit = limit

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response = await self._inner.handle_async_request(request)
        if response.headers.get("content-encoding", "identity").strip().lower() != "identity":
            await response.aclose()
            raise httpx2.ReadError("a packed reply, which was not asked for")
        kind = response.headers.get("content-type", "").lower()
        if request.method != "GET" or not kind.startswith("text/event-stream"):
            assert isinstance(response.stream, httpx2.AsyncByteStream)
            response.stream = _Counted(response.stream, self._limit)
        return response

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Counted(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream, limit: int) -> None:
        self._inner = inner
        self._limit = limit

    async def __aiter__(self) -> AsyncIterator[bytes]:
        seen = 0
        async for piece in self._inner:
            seen += len(piece)
            if seen > self._limit:
                raise httpx2.ReadError(f"a reply of more than {self._limit} bytes")
            yield piece

    async def aclose(self) -> None:
        await self._inner.aclose()
