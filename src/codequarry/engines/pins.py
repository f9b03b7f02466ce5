"""The tools of an engine as they were approved: a hash of name and schema each, in one file."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from codequarry.core.errors import EngineUnavailable
from codequarry.core.files import write_atomically
from codequarry.core.text import ascending

_FILE = "tools.json"
_REMEDY = "look at its tools, then run `codequarry engines probe --approve`"


@dataclass(frozen=True)
class Pins:
    """What of an engine's tools is approved.

    The tools it lists first are: whoever configured it trusted it then.

    Args:
        folder: The engine's folder.
        engine: Its id.
        used: The tools that its mapping calls.
    """

    folder: Path
    engine: str
    used: Collection[str]

    def require(self, listed: Mapping[str, str]) -> None:
        """Compare the listed tools that we use with the approved ones.

        Args:
            listed: Name of each listed tool to its hash.

        Raises:
            EngineUnavailable: A tool changed, was not there then, or what was approved is lost.
            StateError: It cannot be written.
        """
        path = self.folder / _FILE
        try:
            pinned = msgspec.json.decode(path.read_bytes(), type=dict[str, str])
        except FileNotFoundError:
            write_atomically(path, msgspec.json.encode(dict(listed), order="sorted"))
            return
        except (OSError, msgspec.DecodeError, RecursionError) as error:
            message = f"the list of approved tools of {self.engine} cannot be read"
            raise EngineUnavailable(message, _REMEDY) from error
        found = ascending(name for name in listed if name in self.used)
        self._refuse([name for name in found if name not in pinned], "were never approved")
        changed = [name for name in found if pinned.get(name) != listed[name]]
        self._refuse(changed, "changed since approval")

    def _refuse(self, names: Collection[str], why: str) -> None:
        if names:
            tools = f"the tools {', '.join(names)} of {self.engine}"
            raise EngineUnavailable(f"{tools} {why}", _REMEDY)


def forget(folder: Path) -> None:
    """Approve whatever the engine lists next."""
    (folder / _FILE).unlink(missing_ok=True)
