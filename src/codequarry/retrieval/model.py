"""The configured embedding model, as a search needs it."""

import os
from collections.abc import Mapping

from codequarry.chunking.profile import CHUNK_PROFILE
from codequarry.embedding.settings import EmbeddingSettings, make_embedder
from codequarry.retrieval.search import QueryVector


def configured_model(environment: Mapping[str, str] = os.environ) -> QueryVector:
    """Give the configured model, with the profile of our chunks.

    Raises:
        EmbeddingError: The model cannot be loaded.
        UsageError: Its settings are wrong.
    """
    embedder = make_embedder(EmbeddingSettings.from_environment(environment))
    profile = embedder.profile.of_chunks(CHUNK_PROFILE)
    return QueryVector(profile.profile_id, embedder.embed_query)
