"""The engines of a deployment: which can be asked, and why the others cannot (engines.md 3)."""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass

from codequarry.core.errors import UsageError
from codequarry.core.text import ascending
from codequarry.engines.types import CodeIndex


@dataclass(frozen=True)
class Unavailable:
    """An engine that is known and cannot be asked.

    Args:
        id: Its id.
        hint: Why, and the next step.
    """

    id: str
    hint: str


class EngineRegistry:
    """Engines by id."""

    def __init__(self) -> None:
        self._engines: dict[str, CodeIndex] = {}
        self._unavailable: dict[str, str] = {}

    def register(self, engine: CodeIndex) -> None:
        """Add an engine; it clears what `mark_unavailable` said of its id before.

        Raises:
            UsageError: Its id is taken.
        """
        if engine.id in self._engines and engine.id not in self._unavailable:
            raise UsageError(
                f"the engine {engine.id!r} is registered twice", "give each engine an id of its own"
            )
        self._engines[engine.id] = engine
        self._unavailable.pop(engine.id, None)

    def mark_unavailable(self, engine_id: str, hint: str) -> None:
        """Keep an engine listed that cannot be asked.

        Args:
            engine_id: Its id, registered or not.
            hint: Why, and the next step.
        """
        self._unavailable[engine_id] = hint

    def unavailable_hint(self, engine_id: str) -> str | None:
        """Give what `mark_unavailable` said of an id, if anything."""
        return self._unavailable.get(engine_id)

    def unavailable_entries(self) -> tuple[Unavailable, ...]:
        """Give every engine that cannot be asked, ascending by the bytes of its id."""
        return tuple(Unavailable(name, self._unavailable[name]) for name in self.ids(False))

    def ids(self, available: bool = True) -> tuple[str, ...]:
        """Give the ids that can be asked, or those that cannot, ascending by bytes."""
        if not available:
            return ascending(self._unavailable)
        return ascending(name for name in self._engines if name not in self._unavailable)

    def resolve(self, engine_id: str | None) -> CodeIndex | Unavailable | None:
        """Give an engine; none for ``None``, and for one never heard of `Unavailable`."""
        if engine_id is None:
            return None
        if engine_id in self._unavailable:
            return Unavailable(engine_id, self._unavailable[engine_id])
        if engine_id not in self._engines:
            known = ", ".join(ascending({*self._engines, *self._unavailable})) or "none"
            hint = f"no engine is called {engine_id!r} (known: {known}); name it in engines.toml"
            return Unavailable(engine_id, hint)
        return self._engines[engine_id]

    async def close(self) -> None:
        """Close every engine."""
        for engine in self._engines.values():
            await engine.close()


def locate(configured: str, binary: str, environment: Mapping[str, str]) -> tuple[str | None, str]:
    """Find an engine's program: what is configured, else ``PATH``, else nothing.

    Args:
        configured: A path or name from the settings; blank means none.
        binary: The name the engine's mapping gives.
        environment: Where ``PATH`` is read from.

    Returns:
        The absolute path and ``""``, or ``None`` and a hint. A configured path that does not exist
        is never replaced by another find.
    """
    wanted = os.path.expanduser(configured.strip()) or binary
    # A relative entry would run whatever the current directory, often a foreign tree, holds.
    folders = filter(os.path.isabs, environment.get("PATH", "").split(os.pathsep))
    path = None if os.path.isabs(wanted) else os.pathsep.join(folders)
    found = shutil.which(wanted, path=path)
    if found is not None:
        return os.path.abspath(found), ""
    if configured.strip():
        why = f"the configured command {wanted} does not exist or is not executable"
        return None, f"{why}; correct it in engines.toml"
    return None, f"{binary} is not on PATH; install it, or set its command in engines.toml"
