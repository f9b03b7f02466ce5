"""The configuration of engines: ``code_index.*`` in ``engines.toml`` of the state directory.

::

    [code_index]
    deployment = "commercial"             # or "noncommercial"; unspecified counts as commercial

    [code_index.engines."harshkedia177/axon"]
    command = "/opt/axon/bin/axon"        # or url = "http://127.0.0.1:7411"
    weight = 0.0                          # of its answers in the ranking; 0: it is never asked
    sync = "hourly"                       # manual, hourly, daily, or a cron expression

    [[code_index.grants]]
    engine = "abhigyanpatwari/gitnexus"
    spdx = "PolyForm-Noncommercial-1.0.0"
    granted_by = "legal@example.com"
    reference = "LIC-17"
    expires = 2027-12-31
"""

import datetime
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from codequarry.core.errors import UsageError
from codequarry.engines.licence import Deployment, Grant
from codequarry.engines.types import ENGINE_ID

CADENCES = {"hourly": "0 * * * *", "daily": "0 3 * * *"}
_CRON = re.compile(r"(?:[\d*/,-]+ +){4}[\d*/,-]+")
_DEADLINES = ("start", "search", "context", "impact", "status", "sync")


class EngineSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One engine's settings.

    Args:
        enabled: Whether it may be used at all.
        command: Path or name of its program; empty searches ``PATH``.
        url: Address of an engine that runs as a server.
        token_variable: The environment variable that holds its bearer token.
        mapping: A mapping file of one's own, for an engine that codequarry does not know.
        weight: Of its answers in the ranking, 0 to 1; 0 never asks it.
        sync: When it is synced: ``manual``, ``hourly``, ``daily`` or a cron expression.
        deadlines: Seconds by operation: search, context, impact, status, sync; and ``start``, the
            time it may take to come up before its first question.
        environment: More environment of its processes.
        memory: Bytes of resident memory of its processes; 0 takes the mapping's, else 4 GiB.
        network: Whether its processes may use the network.
        any_version: Whether a version that nobody tried may be used.
    """

    enabled: bool = True
    command: str = ""
    url: str = ""
    token_variable: str = ""
    mapping: str = ""
    weight: float = 0.0
    sync: str = "manual"
    deadlines: dict[str, float] = {}
    environment: dict[str, str] = {}
    memory: int = 0
    network: bool = False
    any_version: bool = False

    @property
    def cron(self) -> str | None:
        """The cron expression of its syncs; ``None`` for manual ones."""
        return None if self.sync == "manual" else CADENCES.get(self.sync, self.sync)


class _Grant(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    engine: str
    spdx: str
    granted_by: str
    reference: str
    expires: datetime.date | None = None


@dataclass(frozen=True)
class CodeIndexSettings:
    """The settings of all engines.

    Args:
        deployment: What this deployment is used for.
        engines: Settings by engine id.
        grants: Recorded licence permissions.
    """

    deployment: Deployment = "unspecified"
    engines: Mapping[str, EngineSettings] = field(default_factory=dict)
    grants: tuple[Grant, ...] = ()

    def of(self, engine: str) -> EngineSettings:
        """Give the settings of one engine; the defaults when nothing was set."""
        return self.engines.get(engine, EngineSettings())


def load(path: Path) -> CodeIndexSettings:
    """Read the settings; a file that does not exist sets nothing.

    Raises:
        UsageError: A key is wrong; the message names it.
    """
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return CodeIndexSettings()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}", "make it readable") from error
    try:
        document = msgspec.toml.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path.name} is no TOML: {error}", "correct that line") from error
    return parse(document)


def parse(document: Mapping[str, Any]) -> CodeIndexSettings:
    """Check the settings.

    Args:
        document: The decoded file.

    Raises:
        UsageError: A key is wrong; the message names it.
    """
    _only(document, ("code_index",), "")
    own = _table(document.get("code_index", {}), "code_index")
    _only(own, ("deployment", "engines", "grants"), "code_index.")
    engines = _table(own.get("engines", {}), "code_index.engines")
    grants = own.get("grants", [])
    if not isinstance(grants, list):
        raise _bad("code_index.grants", "is no list of tables")
    return CodeIndexSettings(
        _converted(own.get("deployment", "unspecified"), Deployment, "code_index.deployment"),
        {engine: _engine(engine, table) for engine, table in engines.items()},
        tuple(_grant(number, table) for number, table in enumerate(grants)),
    )


def _engine(engine: str, table: Any) -> EngineSettings:
    key = f'code_index.engines."{engine}"'
    if not ENGINE_ID.fullmatch(engine):
        raise _bad(key, "is not publisher/name")
    found: EngineSettings = _converted(table, EngineSettings, key)
    if not 0 <= found.weight <= 1:
        raise _bad(f"{key}.weight", f"is {found.weight:g}, not 0 to 1")
    if found.url:
        _check_url(f"{key}.url", found.url)
    if found.sync not in ("manual", *CADENCES) and not _CRON.fullmatch(found.sync):
        raise _bad(f"{key}.sync", "is neither manual, hourly, daily nor a cron expression")
    for name, seconds in found.deadlines.items():
        if name not in _DEADLINES:
            raise _bad(f"{key}.deadlines.{name}", f"is none of {', '.join(_DEADLINES)}")
        if not 0 < seconds <= 86_400:
            raise _bad(f"{key}.deadlines.{name}", "is not above 0 and at most 86400 seconds")
    if found.memory < 0:
        raise _bad(f"{key}.memory", "is negative")
    return found


def _grant(number: int, table: Any) -> Grant:
    key = f"code_index.grants[{number}]"
    found: _Grant = _converted(table, _Grant, key)
    for name in ("engine", "spdx", "granted_by", "reference"):
        if not getattr(found, name).strip():
            raise _bad(f"{key}.{name}", "is empty")
    return Grant(found.engine, found.spdx, found.granted_by, found.reference, found.expires)


def _check_url(key: str, url: str) -> None:
    try:
        parts = urlsplit(url)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1)
    except ValueError:
        sound = False
    if not sound or parts.query or parts.fragment:
        raise _bad(key, "is no http or https address")
    if parts.username is not None or parts.password is not None:
        raise _bad(key, "holds a user name or password; use token_variable")


def is_loopback(url: str) -> bool:
    """Tell whether an address is one of this machine's own."""
    return urlsplit(url).hostname in ("localhost", "127.0.0.1", "::1")


def _converted(value: Any, kind: Any, key: str) -> Any:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        # msgspec ends its message in " - at `$.weight`".
        what, _, where = str(error).partition(" - at `$")
        raise _bad(f"{key}{where.rstrip('`')}", what) from error


def _table(value: Any, key: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise _bad(key, "is no table")
    return value


def _only(table: Mapping[str, Any], known: tuple[str, ...], prefix: str) -> None:
    for key in table:
        if key not in known:
            raise _bad(f"{prefix}{key}", f"is unknown (known: {', '.join(known)})")


def _bad(key: str, what: str) -> UsageError:
    return UsageError(f"engines.toml: {key} {what[:1].lower()}{what[1:]}", "correct that key")
