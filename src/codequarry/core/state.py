"""Where a deployment keeps its state: one directory, never inside a repository (design.md 4)."""

import os
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from codequarry.core.errors import StateError
from codequarry.core.files import unwritable

HOME_VARIABLE = "CODEQUARRY_HOME"


@dataclass(frozen=True)
class StateDirectory:
    """The paths below ``CODEQUARRY_HOME``."""

    home: Path

    @classmethod
    def locate(cls, environment: dict[str, str] | None = None) -> "StateDirectory":
        """Take ``CODEQUARRY_HOME``, else the platform's user data directory.

        Raises:
            StateError: A file stands in its place.
        """
        chosen = (os.environ if environment is None else environment).get(HOME_VARIABLE, "").strip()
        home = Path(chosen).expanduser() if chosen else platformdirs.user_data_path("codequarry")
        home = home.absolute()
        if home.exists() and not home.is_dir():
            raise StateError(
                f"the state directory {home} is a file", f"set {HOME_VARIABLE} to a directory"
            )
        return cls(home)

    @property
    def lance(self) -> Path:
        """The LanceDB tables."""
        return self.home / "lance"

    @property
    def ledger_head(self) -> Path:
        """What the ledger's newest entries say of each project's evidence."""
        return self.lance / "ledger-head.json"

    @property
    def changesets(self) -> Path:
        """What assets pass to each other, one folder per attempt."""
        return self.home / "changesets"

    @property
    def cache(self) -> Path:
        """Vectors of embedded texts, and hashes of unchanged files."""
        return self.home / "cache"

    @property
    def producer(self) -> Path:
        """The built-in producer's own index, one folder per project."""
        return self.home / "producer"

    @property
    def graph(self) -> Path:
        """The code graph's cache of mentions, one file per project."""
        return self.home / "graph"

    @property
    def usage(self) -> Path:
        """How often searches surfaced each symbol."""
        return self.home / "usage.sqlite"

    @property
    def dagster(self) -> Path:
        """The Dagster instance."""
        return self.home / "dagster"

    @property
    def engines(self) -> Path:
        """What code index engines are given and leave: one folder per engine."""
        return self.home / "engines"

    @property
    def engine_settings(self) -> Path:
        """The configuration of the engines, ``code_index.*``."""
        return self.home / "engines.toml"

    @property
    def registry(self) -> Path:
        """The registered projects."""
        return self.home / "projects.json"

    @property
    def lease(self) -> Path:
        """The lock file of the single writer."""
        return self.home / "publish.lock"

    def receipt(self, evidence_key: str) -> Path:
        """The receipt of the project with Key B ``evidence_key`` (contract.md E3)."""
        return self.home / "ingestion" / evidence_key / "receipt.v1.json"

    def health(self, evidence_key: str) -> Path:
        """The health sidecar of the project with Key B ``evidence_key`` (contract.md E8)."""
        return self.home / "health" / evidence_key / "manifest.v1.json"

    def prepare(self) -> None:
        """Create the directory.

        Raises:
            StateError: It cannot be created or written.
        """
        try:
            self.home.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise unwritable(self.home, error) from error
        if not os.access(self.home, os.W_OK | os.X_OK):
            raise StateError(
                f"the state directory {self.home} is not writable",
                f"make it writable, or set {HOME_VARIABLE} to another directory",
            )
