"""Start serving: one client over stdin and stdout, or many over HTTP."""

import hmac
import ipaddress
import socket
import threading
from pathlib import Path
from typing import Any

import anyio
from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings

from codequarry.core.errors import CodequarryError, UsageError
from codequarry.core.state import StateDirectory
from codequarry.serving.deployment import Deployment
from codequarry.serving.mcp import serve_stdio, server_of

TOKEN_VARIABLE = "CODEQUARRY_SERVE_TOKEN"  # noqa: S105 - a name, no token
LEAST_TOKEN = 16
"""Characters of a token, at least."""


def start_stdio(state: StateDirectory, around: Path) -> None:
    """Serve one client until it closes its end."""
    deployment = Deployment(state, around)
    server = _server(deployment)
    # While the client shakes hands, the first answer's needs are fetched.
    threading.Thread(target=warm, args=(deployment,), daemon=True).start()
    try:
        anyio.run(serve_stdio, server)
    finally:
        deployment.close()


def start_http(state: StateDirectory, around: Path, host: str, port: int, token: str) -> None:
    """Serve clients over streamable HTTP at ``/mcp`` until interrupted.

    Args:
        state: The state directory.
        around: The folder whose project is meant when none is named.
        host: Address to listen on.
        port: Port to listen on.
        token: What a client must send as its bearer token; may be empty on loopback.

    Raises:
        UsageError: Others could connect and no token is set, or the address cannot be had.
    """
    import uvicorn

    token = token.strip()
    if token and len(token) < LEAST_TOKEN:
        raise UsageError(
            f"the token in {TOKEN_VARIABLE} is too short", f"use {LEAST_TOKEN} characters or more"
        )
    if not token and not _is_loopback(host):
        raise UsageError(
            f"{host} lets other machines connect, and no token is set",
            f"set {TOKEN_VARIABLE}, or listen on 127.0.0.1",
        )
    listening = _listening(host, port)
    deployment = Deployment(state, around)
    app: Any = _server(deployment).streamable_http_app(
        host=host, transport_security=_known_names(host)
    )
    if token:
        app = _guarded(app, token)
    threading.Thread(target=warm, args=(deployment,), daemon=True).start()
    try:
        settings = uvicorn.Config(app, host=host, port=port, log_level="warning")
        uvicorn.Server(settings).run(sockets=[listening])
    finally:
        deployment.close()


def warm(deployment: Deployment) -> None:
    """Open the index and load the model; what fails here fails again, told, when asked."""
    try:
        reader = deployment.reader()
        for group in reader.groups():
            reader.table(group.table_name)
        deployment.model.embed("warm")
    except CodequarryError:
        return


def _server(deployment: Deployment) -> Server[Any]:
    from codequarry.serving.catalogue import TOOLS

    return server_of(deployment, TOOLS)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise UsageError(
            f"cannot listen on {host}, port {port}: {error.strerror or error}",
            "choose another with --host and --port",
        ) from error


def _known_names(host: str) -> TransportSecuritySettings:
    """Answer only under names of this machine: a web page could else reach us by one of its own."""
    if not _is_loopback(host):
        return TransportSecuritySettings(enable_dns_rebinding_protection=False)  # a token is needed
    bracketed = f"[{host}]" if ":" in host else host
    names = [f"{name}:*" for name in ("127.0.0.1", "localhost", "[::1]", bracketed)]
    return TransportSecuritySettings(
        allowed_hosts=names, allowed_origins=[f"http://{name}" for name in names]
    )


def _guarded(app: Any, token: str) -> Any:
    """Let only requests through that carry the token."""
    wanted = f"Bearer {token}".encode()

    async def guard(scope: Any, receive: Any, send: Any) -> None:
        sent = dict(scope.get("headers", ())).get(b"authorization", b"")
        if scope["type"] == "lifespan" or hmac.compare_digest(sent, wanted):
            await app(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": 401, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    return guard
