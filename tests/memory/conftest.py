"""A memory whose clock and model the tests hold in their hands."""

import math
from collections.abc import Iterator
from typing import Any

import pytest

from codequarry.core.state import StateDirectory
from codequarry.embedding.settings import EmbeddingSettings
from codequarry.memory.memories import Memories
from tests.embedding.server import WIDTH, Answer, EmbeddingServer

START = 1_700_000_000.0


class Clock:
    """Stands still until a test moves it."""

    def __init__(self) -> None:
        self.seconds = START

    def __call__(self) -> float:
        return self.seconds

    def pass_hours(self, hours: float) -> None:
        self.seconds += hours * 3600


def _direction(text: str) -> list[float]:
    """Point a text such as ``at 30 degrees`` there; every other text along the third axis."""
    words = text.split()
    if words[:1] != ["at"]:
        return [0.0, 0.0, 1.0, 0.0]
    angle = math.radians(float(words[1]))
    return [math.cos(angle), math.sin(angle), 0.0, 0.0]


def _answer(document: dict[str, Any], _number: int) -> Answer:
    return Answer({"embeddings": [_direction(text) for text in document["input"]]})


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    """A model server for which the cosine of ``at X`` and ``at Y`` is that of the angle between."""
    serving = EmbeddingServer(_answer)
    yield serving
    serving.close()


def served(server: EmbeddingServer, model: str = "plane") -> EmbeddingSettings:
    """Give the settings of a model of that server."""
    return EmbeddingSettings(
        provider="ollama", model=model, dimensions=WIDTH, base_url=server.url, timeout=10.0
    )


@pytest.fixture
def clock() -> Clock:
    """The memory's clock."""
    return Clock()


@pytest.fixture
def plane(state: StateDirectory, server: EmbeddingServer, clock: Clock) -> Memories:
    """A memory whose texts are directions in a plane."""
    return Memories(state, served(server), clock)


@pytest.fixture
def memories(state: StateDirectory, clock: Clock) -> Memories:
    """A memory with the house model."""
    return Memories(state, EmbeddingSettings(), clock)
