"""Ollama's own wire shape (contract.md H3)."""

from collections.abc import Sequence
from typing import Any

import msgspec

PATH = "/api/embed"
MAX_ITEMS = 64


class _Answer(msgspec.Struct):
    embeddings: list[list[float]]


class OllamaWire(msgspec.Struct, frozen=True):
    """How a request and its answer are written.

    Args:
        model: Name of the model.
        dimensions: Width to cut vectors to.
        keep_alive: How long the server keeps the model loaded, such as ``30m``.
        context: Context length in tokens, or 0 for the model's own.
        options: Further model options as a JSON object, or ``""``.
    """

    model: str
    dimensions: int
    keep_alive: str = "30m"
    context: int = 0
    options: str = ""
    path: str = PATH

    def request(self, texts: Sequence[str]) -> bytes:
        """Write a request."""
        body: dict[str, Any] = {
            "model": self.model,
            "input": texts,
            "truncate": True,
            "dimensions": self.dimensions,
            "keep_alive": self.keep_alive,
        }
        options = msgspec.json.decode(self.options) if self.options else {}
        if self.context:
            options["num_ctx"] = self.context
        if options:
            body["options"] = options
        return msgspec.json.encode(body)

    def vectors(self, answer: bytes) -> list[list[float]]:
        """Read the vectors; they stand in the order of the request's texts.

        Raises:
            ValueError: The answer has another shape.
        """
        return msgspec.json.decode(answer, type=_Answer).embeddings
