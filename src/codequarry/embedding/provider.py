"""What an embedding provider is, and the profile that names what it makes."""

from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from codequarry.core.columns import Texts
from codequarry.core.errors import ProfileMismatch
from codequarry.core.hashing import sha256_hex

Vectors: TypeAlias = npt.NDArray[np.float32]
"""float32 (rows, dimensions), or (dimensions,): unit length, or zero where a text has no word."""

TEXT_SLOT = "{{text}}"


@dataclass(frozen=True)
class Profile:
    """Everything two vectors must share to be comparable (contract.md E9).

    Args:
        provider: ``house``, ``ollama`` or ``openai``.
        model: The provider's name of the model.
        dimensions: Width of a vector.
        preprocessor: The chunk profile whose texts are embedded, or ``""`` for the model alone.
        query_template: How a query is worded for the model, or ``""``.
        document_template: How a document is worded for the model, or ``""``.
        ollama_context: Ollama's context length in tokens, or 0.
        ollama_options: Ollama's options as a JSON object, or ``""``.
    """

    provider: str
    model: str
    dimensions: int
    preprocessor: str = ""
    query_template: str = ""
    document_template: str = ""
    ollama_context: int = 0
    ollama_options: str = ""
    distance: str = "cosine"
    modality: str = "text"
    schema_version: int = 1

    @property
    def profile_id(self) -> str:
        """The one string that stands for all fields (contract.md E9)."""
        parts = [self.provider, self.model, str(self.dimensions), self.distance]
        if self.preprocessor:
            parts.append(self.preprocessor)
        if self.query_template or self.document_template:
            parts += ["templates", sha256_hex(f"{self.query_template}\0{self.document_template}")]
        if self.ollama_context or self.ollama_options:
            parts += ["ollama", sha256_hex(f"{self.ollama_context}\0{self.ollama_options}")]
        return ":".join(parts)

    def of_chunks(self, chunk_profile: str) -> "Profile":
        """Give the profile of an index whose chunks follow ``chunk_profile``."""
        return replace(self, preprocessor=chunk_profile)


class Embedder(Protocol):
    """A model that turns texts into vectors of unit length.

    A text without any word has the zero vector: there is nothing to compare it by.
    """

    @property
    def profile(self) -> Profile:
        """The model's profile, without a chunk profile."""
        ...

    @property
    def max_items(self) -> int:
        """Texts of one request."""
        ...

    @property
    def max_tokens(self) -> int | None:
        """Estimated tokens of one request, or no limit."""
        ...

    def embed_documents(self, texts: Texts) -> Vectors:
        """Embed a column of documents of any length.

        Returns:
            float32 (rows, dimensions).

        Raises:
            EmbeddingError: The provider failed, or answered something else than asked.
        """
        ...

    def embed_query(self, text: str) -> Vectors:
        """Embed one query.

        Returns:
            float32 (dimensions,).

        Raises:
            EmbeddingError: As for documents.
        """
        ...

    def close(self) -> None:
        """Release connections."""
        ...


def require_profile(stored: str, current: Profile) -> None:
    """Refuse to mix vectors of two profiles (contract.md E9, J-40).

    Args:
        stored: The profile id that the index was built with.
        current: The profile that is about to be used.

    Raises:
        ProfileMismatch: They differ.
    """
    if stored != current.profile_id:
        raise ProfileMismatch(
            f"the index was built with embedding profile {stored}, "
            f"not with {current.profile_id} as now configured",
            "run `codequarry index --full`, or restore the former CODEQUARRY_EMBEDDING_ settings",
        )


def apply_template(template: str, text: str) -> str:
    """Word a text for a model: the slot is replaced; a template without one is a prefix."""
    if TEXT_SLOT in template:
        return template.replace(TEXT_SLOT, text)
    return template + text
