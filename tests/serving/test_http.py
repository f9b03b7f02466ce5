"""The same server over streamable HTTP."""

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx
import httpx2
import pytest
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

from codequarry.serving.start import TOKEN_VARIABLE
from tests.cli.commands import PROGRAM, environment, installed

TOKEN = "a token of this test"


@contextmanager
def serving(served: Path, token: str = "", host: str = "127.0.0.1") -> Iterator[str]:
    """A server on a free port of this machine, and its address."""
    port = free_port()
    process = subprocess.Popen(
        [PROGRAM, "serve", "mcp", "--transport", "http", "--host", host, "--port", str(port)],
        cwd=served / "shop",
        env=environment(served / "home", {TOKEN_VARIABLE: token}),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    try:
        yield _ready(process, f"http://{host}:{port}/mcp")
    finally:
        process.terminate()
        process.communicate(timeout=60)


def free_port() -> int:
    """A port nobody listens at now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _ready(process: "subprocess.Popen[bytes]", address: str) -> str:
    for _ in range(600):
        assert process.poll() is None, process.communicate()[0]
        try:
            httpx.get(address, timeout=5)
        except httpx.TransportError:
            time.sleep(0.1)
        else:
            return address
    raise AssertionError("the server did not start")


def test_http_answers_those_with_the_token(served: Path) -> None:
    """With the token a client gets the answer that stdio gives; without it, 401 and nothing."""

    async def ask(address: str) -> Any:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with (
            httpx2.AsyncClient(headers=headers) as http,
            streamable_http_client(address, http_client=http) as streams,
            ClientSession(*streams[:2]) as session,
        ):
            await session.initialize()
            return await session.call_tool("code_search", {"query": "checkout"})

    with serving(served, TOKEN) as address:
        for headers in ({}, {"Authorization": "Bearer another"}):
            assert httpx.post(address, json={}, headers=headers).status_code == 401
        answer = anyio.run(ask, address)
    assert answer.structured_content["hits"][0]["path"] == "shop/cart.py"


def test_http_refuses_foreign_hosts(served: Path) -> None:
    """A request that a web page makes through a name of its own is refused (DNS rebinding)."""
    for host in ("127.0.0.1", "127.0.0.2"):
        with serving(served, host=host) as address:
            found = httpx.post(address, json={}, headers={"Host": "evil.example"})
            assert found.status_code == 421


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "example.org"])
def test_open_doors_need_a_token(served: Path, host: str) -> None:
    """Listening to other machines without a token is refused before anything is opened."""
    ran = installed(served / "home", "serve", "mcp", "--transport", "http", "--host", host)
    assert ran.code == 1
    assert TOKEN_VARIABLE in ran.err


@pytest.mark.parametrize("token", ["  ", "short"])
def test_a_token_must_be_one(served: Path, token: str) -> None:
    """A blank token is none, and a short one is refused."""
    ran = installed(
        served / "home",
        *("serve", "mcp", "--transport", "http", "--host", "0.0.0.0"),
        extra={TOKEN_VARIABLE: token},
    )
    assert ran.code == 1
    assert TOKEN_VARIABLE in ran.err
