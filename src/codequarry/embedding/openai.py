"""The wire shape that OpenAI, vLLM, TEI, LM Studio, llama.cpp, LiteLLM and others share."""

from collections.abc import Sequence
from typing import Any

import msgspec

PATH = "/embeddings"
MAX_ITEMS = 2048
MAX_TOKENS = 300_000


class _Item(msgspec.Struct):
    index: int
    embedding: list[float]


class _Answer(msgspec.Struct):
    data: list[_Item]


class OpenAIWire(msgspec.Struct, frozen=True):
    """How a request and its answer are written.

    Args:
        model: Name of the model.
        dimensions: Asked of the server, or ``None`` for servers that reject the field.
    """

    model: str
    dimensions: int | None = None
    path: str = PATH

    def request(self, texts: Sequence[str]) -> bytes:
        """Write a request. The format is named because some clients and servers differ in it."""
        body: dict[str, Any] = {"model": self.model, "input": texts, "encoding_format": "float"}
        if self.dimensions is not None:
            body["dimensions"] = self.dimensions
        return msgspec.json.encode(body)

    def vectors(self, answer: bytes) -> list[list[float]]:
        """Read the vectors in the order of the request's texts.

        Raises:
            ValueError: The answer has another shape, or its indexes are not 0, 1, 2, ...
        """
        items = sorted(msgspec.json.decode(answer, type=_Answer).data, key=lambda item: item.index)
        if [item.index for item in items] != list(range(len(items))):
            raise ValueError("its indexes have gaps or repeat")
        return [item.embedding for item in items]
