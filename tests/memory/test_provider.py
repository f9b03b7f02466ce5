"""A server that is not there is told apart from one that fails."""

import socket
from dataclasses import replace

import pytest

from codequarry.core.errors import EmbeddingError, ProviderUnavailable
from codequarry.core.state import StateDirectory
from codequarry.memory.memories import Memories
from codequarry.memory.provider import reachable_model, require_reachable
from codequarry.memory.records import Note, Question
from tests.embedding.server import Answer, EmbeddingServer
from tests.memory.conftest import Clock, served


def free_address() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}"


def test_nobody_listens(
    plane: Memories, state: StateDirectory, server: EmbeddingServer, clock: Clock
) -> None:
    """Both ways to the model say so, and what needs no model works."""
    plane.remember(Note("at 0"))
    gone = Memories(state, replace(served(server), base_url=free_address()), clock)
    with pytest.raises(ProviderUnavailable, match=r"cannot be reached; start it"):
        gone.recall(Question("at 0"))
    with pytest.raises(ProviderUnavailable):
        gone.remember(Note("at 50"))
    assert gone.stats().total == 1
    assert gone.forget_matching(older_than_hours=0) == 0
    assert gone.forget(1)


def test_a_server_that_refuses_is_there() -> None:
    """An unknown model is another failure than an absent server (G5)."""
    refusing = EmbeddingServer(lambda _document, _number: Answer({}, 404))
    try:
        with pytest.raises(EmbeddingError) as failed, reachable_model(served(refusing)) as model:
            model.embed_query("at 0")
    finally:
        refusing.close()
    assert not isinstance(failed.value, ProviderUnavailable)


def test_a_server_that_goes_away() -> None:
    """A failure after which nobody answers any more counts as absence."""
    server = EmbeddingServer(lambda _document, _number: Answer({}))
    with pytest.raises(ProviderUnavailable):
        _fail_without(server)


def _fail_without(server: EmbeddingServer) -> None:
    with reachable_model(served(server)):
        server.close()
        raise EmbeddingError("the server hung up")


def test_nothing_is_tried_behind_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the proxy can know whether a server behind it is there."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    require_reachable("http://models.invalid")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with pytest.raises(ProviderUnavailable):
        require_reachable(free_address())
