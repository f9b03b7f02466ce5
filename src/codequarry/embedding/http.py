"""Embedding over HTTP: batches, splits and checks. The wire shapes are modules of their own.

A server that fails is an error; there is never another model in its place.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

import numpy as np

from codequarry.core.columns import Texts, strings
from codequarry.core.errors import EmbeddingError
from codequarry.embedding.provider import Profile, Vectors, apply_template
from codequarry.embedding.transport import Endpoint, RequestTooLarge, Transport

BYTES_PER_TOKEN = 3
REQUESTS_IN_FLIGHT = 4
_WINDOW_ROWS = 4096  # texts held as Python strings at one time
_BYTES_PER_NUMBER = 64  # of a float in the answer, white space included
_ANSWER_OVERHEAD = 1 << 20


class Wire(Protocol):
    """How one kind of server writes requests and answers."""

    @property
    def path(self) -> str:
        """Path below the base address."""
        ...

    def request(self, texts: Sequence[str]) -> bytes:
        """Write a request as JSON."""
        ...

    def vectors(self, answer: bytes) -> list[list[float]]:
        """Read the vectors in the order of the texts.

        Raises:
            ValueError: The answer is not of this wire.
        """
        ...


class HttpEmbedder:
    """A model behind an HTTP endpoint.

    Args:
        profile: What the model makes; answers of another width are refused.
        wire: The server's dialect.
        endpoint: Where it is.
        max_items: Texts of one request.
        max_tokens: Estimated tokens of one request, or no limit.
    """

    def __init__(
        self,
        profile: Profile,
        wire: Wire,
        endpoint: Endpoint,
        max_items: int,
        max_tokens: int | None = None,
    ) -> None:
        self.profile = profile
        self.max_items = max_items
        self.max_tokens = max_tokens
        self._wire = wire
        self._host = endpoint.host
        self._transport = Transport(endpoint)

    def embed_documents(self, texts: Texts) -> Vectors:
        """Embed a column of documents; some requests are in flight at once.

        A blank text is not sent (contract.md J-27) and has the zero vector.

        Returns:
            float32 (rows, dimensions).

        Raises:
            EmbeddingError: The server failed, or answered something else than asked.
        """
        vectors = np.zeros((len(texts), self.profile.dimensions), np.float32)
        for start in range(0, len(texts), _WINDOW_ROWS):
            window = strings(texts[start : start + _WINDOW_ROWS]).to_pylist()
            sent = [row for row, text in enumerate(window) if text.strip()]
            if sent:
                template = self.profile.document_template
                worded = [apply_template(template, window[row]) for row in sent]
                vectors[[start + row for row in sent]] = self._embed(worded)
        return vectors

    def embed_query(self, text: str) -> Vectors:
        """Embed one query; a blank one has the zero vector.

        Returns:
            float32 (dimensions,).

        Raises:
            EmbeddingError: As for documents.
        """
        if not text.strip():
            return np.zeros(self.profile.dimensions, np.float32)
        # A command line can hold bytes that are no text.
        sound = text.encode("utf-8", "replace").decode("utf-8")
        worded = apply_template(self.profile.query_template, sound)
        return self._embed_batch([worded]).reshape(self.profile.dimensions)

    def close(self) -> None:
        """Close the connections."""
        self._transport.close()

    def _embed(self, texts: list[str]) -> Vectors:
        batches = list(batched(texts, self.max_items, self.max_tokens))
        if len(batches) == 1:
            return self._embed_batch(batches[0])
        pool = ThreadPoolExecutor(min(REQUESTS_IN_FLIGHT, len(batches)))
        try:
            return np.concatenate(list(pool.map(self._embed_batch, batches)))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def _embed_batch(self, texts: list[str]) -> Vectors:
        limit = _ANSWER_OVERHEAD + len(texts) * self.profile.dimensions * _BYTES_PER_NUMBER
        try:
            answer = self._transport.post(self._wire.path, self._wire.request(texts), limit)
        except RequestTooLarge:
            if len(texts) == 1:
                raise
            middle = len(texts) // 2
            halves = [self._embed_batch(texts[:middle]), self._embed_batch(texts[middle:])]
            return np.concatenate(halves)
        return self._checked(answer, len(texts))

    def _checked(self, answer: bytes, count: int) -> Vectors:
        try:
            rows = self._wire.vectors(answer)
        except (ValueError, RecursionError):
            # The decoder's words may quote the answer.
            raise self._wrong("an answer that is no list of embeddings") from None
        if len(rows) != count:
            raise self._wrong(f"{len(rows)} vectors for {count} texts")
        width = self.profile.dimensions
        for row in rows:
            if len(row) != width:
                raise self._wrong(
                    f"a vector of {len(row)} dimensions instead of {width}",
                    "set CODEQUARRY_EMBEDDING_DIMENSIONS to the model's width",
                )
        vectors = np.array(rows, np.float64)
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not (np.isfinite(norms) & (norms > 0)).all():
            raise self._wrong("a vector that is zero or not finite")
        return np.asarray(vectors / norms, np.float32)

    def _wrong(self, what: str, remedy: str = "") -> EmbeddingError:
        return EmbeddingError(
            f"the embedding server {self._host} sent {what} for model {self.profile.model}",
            remedy or "check CODEQUARRY_EMBEDDING_MODEL and _BASE_URL",
        )


def batched(texts: Sequence[str], max_items: int, max_tokens: int | None) -> Iterator[list[str]]:
    """Cut texts into requests under both limits; one text over the limit goes alone."""
    batch: list[str] = []
    used = 0
    for text in texts:
        tokens = len(text.encode()) // BYTES_PER_TOKEN + 1
        full = len(batch) == max_items or (max_tokens is not None and used + tokens > max_tokens)
        if batch and full:
            yield batch
            batch, used = [], 0
        batch.append(text)
        used += tokens
    if batch:
        yield batch
