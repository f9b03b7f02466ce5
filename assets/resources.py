"""What assets are configured with: the deployment, the producer, the model, the writer."""

import os
from pathlib import Path

import dagster as dg
from pydantic import PrivateAttr

from codequarry.chunking.profile import CHUNK_PROFILE
from codequarry.core.registry import Project, Registry
from codequarry.core.state import StateDirectory
from codequarry.embedding.cache import EmbeddingCache
from codequarry.embedding.provider import Embedder, Profile
from codequarry.embedding.settings import EmbeddingSettings, make_embedder
from codequarry.index.store import Store
from codequarry.producers.codemap import BINARY_VARIABLE
from codequarry.producers.selection import SETTING_VARIABLE
from codequarry.receipts.attempt import Attempt


class Deployment(dg.ConfigurableResource[None]):
    """The state directory, its registry and its tables.

    Args:
        home: The state directory; empty means ``CODEQUARRY_HOME`` or the platform's default.
    """

    home: str = ""

    @property
    def state(self) -> StateDirectory:
        """The paths of the state directory."""
        return StateDirectory(Path(self.home)) if self.home else StateDirectory.locate()

    def project(self, name: str) -> Project:
        """Give the registered project behind a partition key.

        Raises:
            ProjectError: There is none.
        """
        return Registry(self.state).get(name)

    def store(self) -> Store:
        """Connect to the tables."""
        return Store(self.state)

    def embedding_cache(self, profile: Profile) -> EmbeddingCache:
        """Open the cache of the texts that a model embedded."""
        return EmbeddingCache(self.state.cache, profile)


class Structure(dg.ConfigurableResource[None]):
    """Which structural producer a deployment wants (docs/producers.md).

    Args:
        producer: auto, codemap or builtin; empty means ``CODEQUARRY_PRODUCER``, or auto.
        codemap: Path or name of the codemap binary; empty means ``CODEQUARRY_CODEMAP``, or a
            search of the usual places.
    """

    producer: str = ""
    codemap: str = ""

    @property
    def setting(self) -> str:
        """The producer wanted."""
        return self.producer or os.environ.get(SETTING_VARIABLE, "")

    @property
    def binary(self) -> str:
        """The codemap binary wanted."""
        return self.codemap or os.environ.get(BINARY_VARIABLE, "")


class Embedding(dg.ConfigurableResource[None]):
    """The embedding model that the environment asks for (docs/embedding.md)."""

    _embedder: Embedder | None = PrivateAttr(default=None)

    def embedder(self) -> Embedder:
        """Give the model, loaded once a run.

        Raises:
            UsageError: A setting is wrong.
        """
        if self._embedder is None:
            self._embedder = make_embedder(EmbeddingSettings.from_environment(os.environ))
        return self._embedder

    def teardown_after_execution(self, context: dg.InitResourceContext) -> None:
        """Close the model's connections."""
        if self._embedder is not None:
            self._embedder.close()
            self._embedder = None

    def profile(self) -> Profile:
        """Give the profile of an index made with this model and our chunks."""
        return self.embedder().profile.of_chunks(CHUNK_PROFILE)


class Writer(dg.ConfigurableResource[None]):
    """The single writer's attempt, from its opening receipt to its publication.

    `code_index` opens the attempt and `receipt` publishes it, in one process. A run that ends
    between the two closes the attempt as failed and frees the lease.
    """

    lease_seconds: float = 600.0
    _attempt: Attempt | None = PrivateAttr(default=None)

    def open(self, attempt: Attempt) -> Attempt:
        """Take the lease and open an attempt.

        Raises:
            BusyError: Another writer held the lease for too long.
        """
        attempt.open(self.lease_seconds)
        self._attempt = attempt
        return attempt

    @property
    def attempt(self) -> Attempt:
        """The attempt that `code_index` opened in this process."""
        if self._attempt is None:
            raise dg.Failure("code_index did not run in this process; run the whole job")
        return self._attempt

    def teardown_after_execution(self, context: dg.InitResourceContext) -> None:
        """Close an attempt that was not published."""
        if self._attempt is not None:
            self._attempt.abandon()
            self._attempt = None
