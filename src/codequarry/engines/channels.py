"""One engine's ways to be asked about one project, opened when first needed.

Before the first question the program is identified: another project's program of the same name, a
version nobody tried, and a tool whose schema changed since it was approved are refused.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from codequarry.core.errors import EngineUnavailable
from codequarry.core.files import write_atomically
from codequarry.core.text import ascending, repair
from codequarry.engines import mapping as schema
from codequarry.engines.bench import Bench
from codequarry.engines.cli_client import Channel, CommandChannel
from codequarry.engines.gortex import GortexChannel

VERSION_SECONDS = 20.0
_TOOLS_SECONDS = 5.0


@dataclass(frozen=True)
class Access:
    """How a deployment reaches an engine.

    Args:
        program: Absolute path of its program; ``""`` for one reached over HTTP only.
        url: Its address; ``""`` for one on stdio.
        token: Bearer token; never part of a message.
        any_version: Whether a version that nobody tried may be used.
        arguments: More arguments, before those of the mapping.
    """

    program: str = ""
    url: str = ""
    token: str = ""
    any_version: bool = False
    arguments: tuple[str, ...] = ()


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
        self.version = ""

    async def of(self, operation: schema.Operation) -> Channel:
        """Give the channel an operation is asked over.

        Raises:
            EngineUnavailable: The program is not the engine, or its tools changed.
            EngineError: It could not be asked for its version or its tools.
        """
        await self._identify()
        if operation.via not in self._open:
            self._open[operation.via] = await self._channel(operation.via)
        return self._open[operation.via]

    async def commands(self) -> CommandChannel:
        """Give the channel of its command line, for a sync.

        Raises:
            EngineError: As `of`.
        """
        await self._identify()
        return CommandChannel(self.bench, self._access.program)

    async def close(self) -> None:
        """Close what was opened."""
        opened, self._open = list(self._open.values()), {}
        for channel in opened:
            await channel.close()

    async def _channel(self, via: str) -> Channel:
        access = self._access
        if via == "command":
            return CommandChannel(self.bench, access.program)
        if via == "http":
            return GortexChannel(access.url, str(self.bench.tree), access.token)
        from codequarry.engines.mcp_client import McpChannel, Server

        program = self._mapping.program
        argv = () if access.url else (access.program, *access.arguments, *program.mcp)
        channel = McpChannel(
            Server(self.bench, argv, access.url, access.token, program.server_name)
        )
        try:
            self._require_pinned((await channel.tools(_TOOLS_SECONDS)).digests)
        except BaseException:
            await channel.close()
            raise
        return channel

    def _require_pinned(self, listed: Mapping[str, str]) -> None:
        """Compare the listed tools that we use with those approved first."""
        used = {operation.tool for operation in self._mapping.operations.values()}
        found = {name: digest for name, digest in listed.items() if name in used}
        path = self._folder / "tools.json"
        try:
            pinned = msgspec.json.decode(path.read_bytes(), type=dict[str, str])
        except (OSError, msgspec.DecodeError):
            write_atomically(path, msgspec.json.encode(found, order="sorted"))
            return
        changed = ascending(name for name in found if pinned.get(name, found[name]) != found[name])
        if changed:
            raise EngineUnavailable(
                f"the tools {', '.join(changed)} of {self._mapping.id} changed since approval",
                "look at them, then run `codequarry engines probe --approve`",
            )

    async def _identify(self) -> None:
        program = self._mapping.program
        if not self._access.program or not program.version or self.version:
            return
        status = os.stat(self._access.program)
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
