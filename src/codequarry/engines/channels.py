"""One engine's ways to be asked about one project, opened when first needed.

Before the first question the program is identified: another project's program of the same name, a
version nobody tried, and a tool whose schema changed since it was approved are refused.
"""

import asyncio
import os
import re
from dataclasses import dataclass
from pathlib import Path

import msgspec

from codequarry.core.errors import EngineUnavailable
from codequarry.core.files import write_atomically
from codequarry.core.text import repair
from codequarry.engines import mapping as schema
from codequarry.engines.bench import Bench
from codequarry.engines.cli_client import Channel, CommandChannel
from codequarry.engines.deadlines import SECONDS
from codequarry.engines.gortex import GortexChannel
from codequarry.engines.pins import Pins

VERSION_SECONDS = 20.0


@dataclass(frozen=True)
class Access:
    """How a deployment reaches an engine.

    Args:
        program: Absolute path of its program; ``""`` for one reached over HTTP only.
        url: Its address; ``""`` for one on stdio.
        token: Bearer token; never part of a message.
        any_version: Whether a version that nobody tried may be used.
        start_seconds: Time for its server to come up.
    """

    program: str = ""
    url: str = ""
    token: str = ""
    any_version: bool = False
    start_seconds: float = SECONDS["start"]


class Identified(msgspec.Struct, frozen=True):
    """A program that was identified, so that it need not be asked again."""

    program: str
    size: int
    modified: int
    version: str


class Channels:
    """The channels of one engine for one project.

    Args:
        mapping: The engine's mapping.
        access: How to reach it.
        bench: Where it runs.
        folder: Where what is known of the program and its tools is kept.
    """

    def __init__(self, mapping: schema.Mapping, access: Access, bench: Bench, folder: Path) -> None:
        self.bench = bench
        self._mapping = mapping
        self._access = access
        self._folder = folder
        self._open: dict[str, Channel] = {}
        self._opening = asyncio.Lock()
        self.version = ""

    async def of(self, operation: schema.Operation) -> Channel:
        """Give the channel an operation is asked over, opened; one for all who ask at once.

        Raises:
            EngineUnavailable: The program is not the engine, or its tools changed.
            EngineError: It could not be asked for its version or its tools.
        """
        async with self._opening:
            await self._identify()
            if operation.via not in self._open:
                channel = self._channel(operation.via)
                try:
                    await channel.open()
                except BaseException:
                    await channel.close()
                    raise
                self._open[operation.via] = channel
            return self._open[operation.via]

    async def commands(self) -> CommandChannel:
        """Give the channel of its command line, for a sync.

        Raises:
            EngineError: As `of`.
        """
        async with self._opening:
            await self._identify()
        return CommandChannel(self.bench, self._access.program)

    async def close(self) -> None:
        """Close what was opened."""
        opened, self._open = list(self._open.values()), {}
        for channel in opened:
            await channel.close()

    def _channel(self, via: str) -> Channel:
        access, program = self._access, self._mapping.program
        used = {operation.tool for operation in self._mapping.operations.values()}
        pins = Pins(self._folder, self._mapping.id, used)
        if via == "command":
            return CommandChannel(self.bench, access.program)
        if via == "http":
            return GortexChannel(access.url, str(self.bench.tree), access.token, pins.require)
        from codequarry.engines.mcp_client import McpChannel, Server

        argv = () if access.url else (access.program, *program.mcp)
        name, seconds = program.server_name, access.start_seconds
        server = Server(self.bench, argv, access.url, access.token, name, seconds)
        return McpChannel(server, pins.require)

    async def _identify(self) -> None:
        program = self._mapping.program
        if not self._access.program or not program.version or self.version:
            return
        try:
            status = os.stat(self._access.program)
        except OSError as error:
            raise EngineUnavailable(
                f"{self._access.program} cannot be used: {error.strerror}",
                "install it again, or correct its command in engines.toml",
            ) from error
        kept = self._kept()
        same = (self._access.program, status.st_size, status.st_mtime_ns)
        if kept is not None and (kept.program, kept.size, kept.modified) == same:
            self.version = kept.version
        else:
            self.version = await self._ask_version()
            document = Identified(*same, self.version)
            write_atomically(self._folder / "program.json", msgspec.json.encode(document))
        allowed = not program.versions or self.version.startswith(tuple(program.versions))
        if not allowed and not self._access.any_version:
            version, self.version = self.version, ""
            raise EngineUnavailable(
                f"version {version} of {self._mapping.id} was never tried with codequarry "
                f"(known: {', '.join(program.versions)}…)",
                "install such a version, or set any_version = true for it in engines.toml",
            )

    def _kept(self) -> Identified | None:
        try:
            raw = (self._folder / "program.json").read_bytes()
            return msgspec.json.decode(raw, type=Identified)
        except (OSError, msgspec.DecodeError):
            return None

    async def _ask_version(self) -> str:
        program = self._mapping.program
        channel = CommandChannel(self.bench, self._access.program)
        completed = await channel.run([*program.version], VERSION_SECONDS)
        printed = repair(completed.stdout)
        found = re.search(program.version_pattern, printed, re.MULTILINE)
        if completed.returncode != 0 or found is None:
            raise EngineUnavailable(
                f"{self._access.program} is not {self._mapping.display_name}: another program of "
                "that name",
                "set the engine's command in engines.toml",
            )
        return found[1]
