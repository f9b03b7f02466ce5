"""An embedding server whose answers a test holds back."""

import threading
from typing import Any

from tests.embedding.server import Answer, EmbeddingServer, openai_answer


class Stage:
    """An embedding server that answers, or holds its answers back.

    Args:
        asked: Set once it was asked.
        open: While it is not set, answers wait, for a minute at most.
    """

    def __init__(self) -> None:
        self.asked, self.open = threading.Event(), threading.Event()
        self.open.set()
        self.server = EmbeddingServer(self.play)

    def play(self, document: dict[str, Any], _number: int) -> Answer:
        self.asked.set()
        self.open.wait(60)
        return Answer(openai_answer(document["input"]))

    @property
    def settings(self) -> dict[str, str]:
        """The environment that points codequarry here."""
        given = {"PROVIDER": "openai", "BASE_URL": self.server.url, "MODEL": "m", "DIMENSIONS": "4"}
        return {f"CODEQUARRY_EMBEDDING_{name}": value for name, value in given.items()}
