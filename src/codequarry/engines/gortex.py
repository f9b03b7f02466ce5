"""gortex over its own HTTP interface, ``/v1`` (engines.md 5). No real gortex has answered it yet.

``POST /v1/tools/<name>`` with ``{"arguments": …, "format": "json"}``; the project is named by the
header ``X-Gortex-Cwd``. An interface of another major version is refused.
"""

import asyncio
import json
import os
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

import httpx
import msgspec

from codequarry.core.errors import EngineError
from codequarry.core.hashing import sha256_hex
from codequarry.engines.arguments import Values, fill
from codequarry.engines.decoding import Reply
from codequarry.engines.mapping import Operation
from codequarry.engines.settings import is_loopback

API_VERSION = SCHEMA_VERSION = 1
LARGEST_REQUEST = 1024 * 1024
LARGEST_REPLY = 16 * 1024 * 1024
_OPEN_SECONDS = 5.0
_REMEDY = "start gortex, or correct its url in engines.toml"


class Health(msgspec.Struct, frozen=True):
    """What ``GET /v1/health`` says; unknown keys are allowed."""

    schema_version: int
    api_version: int
    status: str = ""
    indexed: bool = False
    nodes: int | None = None
    edges: int | None = None
    version: str = ""


class GortexChannel:
    """One gortex server, seen from one project.

    Args:
        url: Its address, without ``/v1``.
        root: The project's root as gortex knows it; sent with every call.
        token: Bearer token; a server that is not on this machine demands one.
        approve: Looks at the tools it lists, name to hash; raises `EngineUnavailable`.
        reply_limit: Bytes of one reply.
    """

    def __init__(
        self,
        url: str,
        root: str,
        token: str = "",
        approve: Callable[[Mapping[str, str]], None] = lambda _: None,
        reply_limit: int = LARGEST_REPLY,
    ) -> None:
        self._url = url.rstrip("/")
        self._limit = reply_limit
        self._approve = approve
        # As bytes: neither a path nor a token need be ASCII.
        headers = {b"X-Gortex-Cwd": os.fsencode(root), b"Accept-Encoding": b"identity"}
        if token:
            headers[b"Authorization"] = b"Bearer " + os.fsencode(token)
        self._client = httpx.AsyncClient(
            headers=headers,
            follow_redirects=False,
            # A proxy of the environment cannot reach this machine's own servers.
            trust_env=not is_loopback(url),
        )
        self._sound = False

    async def open(self) -> None:
        """Check its interface and its tools, once.

        Raises:
            EngineError: As `call`; another version answers, or its tools are not approved.
        """
        if not self._sound:
            await self._require_version()
            self._approve(await self._tools())
            self._sound = True

    async def call(self, operation: Operation, values: Values, seconds: float) -> Reply:
        """Call the operation's tool.

        Raises:
            EngineError: It cannot be reached, speaks another version, or sent too much.
        """
        await self.open()
        arguments = fill(operation.arguments, values)
        body = msgspec.json.encode({"arguments": arguments, "format": "json"})
        if len(body) > LARGEST_REQUEST:
            raise EngineError("the question is larger than gortex takes", "ask for less")
        status, raw = await self._send("POST", f"/v1/tools/{operation.tool}", body, seconds)
        return _reply(status, raw)

    async def _require_version(self) -> None:
        """Ask for its health, and refuse an interface of another major version."""
        status, raw = await self._send("GET", "/v1/health", None, _OPEN_SECONDS)
        try:
            found = msgspec.json.decode(raw, type=Health)
        except (msgspec.DecodeError, RecursionError) as error:
            raise EngineError(f"no gortex answers at {self._host} ({status})", _REMEDY) from error
        if (found.schema_version, found.api_version) != (SCHEMA_VERSION, API_VERSION):
            raise EngineError(
                f"gortex speaks api {found.api_version}, schema {found.schema_version}; "
                f"known are api {API_VERSION}, schema {SCHEMA_VERSION}",
                "install a gortex of that version",
            )

    async def _tools(self) -> dict[str, str]:
        """Give every tool it lists, and one hash over all but the description."""
        _, raw = await self._send("GET", "/v1/tools", None, _OPEN_SECONDS)
        try:
            listed = msgspec.json.decode(raw, type=list[dict[str, Any]])
        except (msgspec.DecodeError, RecursionError) as error:
            raise EngineError("gortex sent a list of tools that is none", _REMEDY) from error
        return {str(tool.get("name", "")): _digest(tool) for tool in listed}

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    @property
    def _host(self) -> str:
        parts = urlsplit(self._url)
        return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)

    async def _send(
        self, method: str, path: str, body: bytes | None, seconds: float
    ) -> tuple[int, bytes]:
        """Send one request within one deadline, and read a bounded answer."""
        received = bytearray()
        headers = {"Content-Type": "application/json"} if body is not None else {}
        try:
            async with (
                asyncio.timeout(seconds),
                self._client.stream(
                    method, self._url + path, content=body, headers=headers, timeout=seconds
                ) as response,
            ):
                if response.is_redirect:
                    raise EngineError(f"gortex at {self._host} redirects elsewhere", _REMEDY)
                if response.headers.get("content-encoding", "identity").lower() != "identity":
                    raise EngineError(f"gortex at {self._host} sent a packed reply", _REMEDY)
                async for piece in response.aiter_bytes():
                    received += piece
                    if len(received) > self._limit:
                        raise EngineError(
                            f"gortex at {self._host} sent more than {self._limit} bytes",
                            "ask for less",
                        )
                return response.status_code, bytes(received)
        except (TimeoutError, httpx.TimeoutException) as error:
            raise EngineError(
                f"gortex at {self._host} did not answer within {seconds:g} s", _REMEDY
            ) from error
        except httpx.HTTPError as error:
            raise EngineError(
                f"gortex at {self._host} cannot be reached ({type(error).__name__})", _REMEDY
            ) from error


def _digest(tool: Mapping[str, Any]) -> str:
    schema = {key: value for key, value in tool.items() if key != "description"}
    return sha256_hex(msgspec.json.encode(schema, order="deterministic"))


def _reply(status: int, raw: bytes) -> Reply:
    """Read the envelope: content blocks, or an error document with a status of 400 and above."""
    try:
        document = json.loads(raw)
    except (ValueError, RecursionError):
        return Reply(text=raw[:2048].decode("utf-8", "replace"), is_error=True)
    if status >= 400 or not isinstance(document, dict) or "content" not in document:
        return Reply(structured=document, is_error=status >= 400)
    blocks = document["content"] if isinstance(document["content"], list) else []
    texts = [block.get("text", "") for block in blocks if isinstance(block, dict)]
    text = "\n".join(part for part in texts if isinstance(part, str))
    return Reply(text=text, is_error=bool(document.get("isError")))
