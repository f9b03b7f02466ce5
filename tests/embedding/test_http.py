"""Providers over HTTP, against a real server on the loopback."""

import contextlib
import socket
import threading
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codequarry.core.errors import EmbeddingError
from codequarry.embedding.http import BYTES_PER_TOKEN, HttpEmbedder, batched
from codequarry.embedding.ollama import OllamaWire
from codequarry.embedding.openai import OpenAIWire
from codequarry.embedding.provider import Profile
from codequarry.embedding.settings import PREFIX, EmbeddingSettings, make_embedder
from codequarry.embedding.transport import Endpoint, _seconds
from tests.embedding.server import WIDTH, Answer, EmbeddingServer, openai_answer, vector_of

PROFILE = Profile("openai", "m", WIDTH)
SOURCE = "def secret_source(): pass"
KEY = "sk-secret-key"


def right(document, _number):
    return Answer(openai_answer(document["input"]))


def unit(texts):
    vectors = np.array([vector_of(text) for text in texts])
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.fixture
def connect():
    """Give an embedder that talks to a server playing a script."""
    opened = []

    def build(play=right, profile=PROFILE, wire=None, items=8, tokens=None, **endpoint):
        server = EmbeddingServer(play)
        settings = {"timeout": 10.0, "backoff": 0.01, "api_key": KEY, "attempts": 3} | endpoint
        target = Endpoint(server.url, **settings)
        embedder = HttpEmbedder(profile, wire or OpenAIWire("m"), target, items, tokens)
        opened.extend([embedder, server])
        return embedder, server

    yield build
    for thing in opened:
        thing.close()


def test_documents_come_back_in_order_at_unit_length(connect):
    """Batches in flight together give one matrix in the order of the texts, normalised."""
    embedder, server = connect(items=3)
    texts = [f"text {'x' * i}" for i in range(20)]
    vectors = embedder.embed_documents(texts)
    assert vectors.dtype == np.float32
    assert np.allclose(vectors, unit(texts), atol=1e-6)
    assert sorted(len(r["input"]) for r in server.requests) == [2, 3, 3, 3, 3, 3, 3]


def test_the_openai_request(connect):
    """Model, texts and the float format are sent, with the key as a bearer token."""
    embedder, server = connect(wire=OpenAIWire("m", dimensions=WIDTH))
    embedder.embed_documents(["a"])
    assert server.paths == ["/embeddings"]
    assert server.requests == [
        {"model": "m", "input": ["a"], "encoding_format": "float", "dimensions": WIDTH}
    ]
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"


def test_the_ollama_request(connect):
    """Ollama's own endpoint is asked as contract.md H3 says."""
    wire = OllamaWire("m", WIDTH, "5m", 2048, '{"seed":1}')
    embedder, server = connect(
        lambda document, _: Answer({"embeddings": [vector_of(t) for t in document["input"]]}),
        wire=wire,
    )
    assert np.allclose(embedder.embed_documents(["a", "bb"]), unit(["a", "bb"]), atol=1e-6)
    assert server.paths == ["/api/embed"]
    assert server.requests[0] == {
        "model": "m",
        "input": ["a", "bb"],
        "truncate": True,
        "dimensions": WIDTH,
        "keep_alive": "5m",
        "options": {"seed": 1, "num_ctx": 2048},
    }


def test_settings_reach_the_server(connect):
    """The environment alone makes an embedder that works."""
    _, server = connect()
    variables = {"PROVIDER": "openai", "MODEL": "m", "DIMENSIONS": "4", "BASE_URL": server.url}
    settings = EmbeddingSettings.from_environment({PREFIX + k: v for k, v in variables.items()})
    embedder = make_embedder(settings)
    assert np.allclose(embedder.embed_query("q"), unit(["q"])[0], atol=1e-6)
    assert "Authorization" not in server.headers[0]
    embedder.close()


def test_templates_word_queries_and_documents(connect):
    """A query and a document are sent in their own template."""
    profile = Profile("openai", "m", WIDTH, "", "query: ", "<{{text}}>")
    embedder, server = connect(profile=profile)
    embedder.embed_query("a")
    embedder.embed_documents(["a"])
    assert [r["input"] for r in server.requests] == [["query: a"], ["<a>"]]


def test_blank_texts_are_not_sent(connect):
    """One blank text fails no batch: it has the zero vector (contract.md J-27)."""
    embedder, server = connect()
    vectors = embedder.embed_documents(["", "a", " \n"])
    assert np.allclose(np.linalg.norm(vectors, axis=1), [0, 1, 0])
    assert [r["input"] for r in server.requests] == [["a"]]
    assert embedder.embed_documents([""]).tolist() == [[0] * WIDTH]
    assert embedder.embed_query(" ").tolist() == [0] * WIDTH
    assert len(server.requests) == 1


def test_a_query_of_broken_bytes_is_sent_as_text(connect):
    """Bytes of a command line that are no UTF-8 do not stop a query."""
    embedder, server = connect()
    embedder.embed_query("a\udcff")
    assert server.requests[0]["input"] == ["a?"]


def test_an_answer_out_of_order_is_sorted(connect):
    """Vectors belong to the index the server names, not to their place."""

    def play(document, _):
        answer = openai_answer(document["input"])
        return Answer(answer | {"data": answer["data"][::-1]})

    embedder, _ = connect(play)
    assert np.allclose(embedder.embed_documents(["a", "bb"]), unit(["a", "bb"]), atol=1e-6)


@pytest.mark.parametrize("retry_after", ["0", "soon", None])
@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_passing_failure_is_retried(connect, status, retry_after):
    """Status 429 and 5xx are tried again, whatever Retry-After says."""
    headers = {"Retry-After": retry_after} if retry_after else {}

    def play(document, number):
        return right(document, number) if number else Answer({}, status, headers)

    embedder, server = connect(play)
    assert np.allclose(embedder.embed_documents(["a"]), unit(["a"]), atol=1e-6)
    assert len(server.requests) == 2


def test_retry_after_is_honoured(connect):
    """The second try waits as long as the server asked, not as long as the backoff says."""
    times = []

    def play(document, number):
        times.append(time.monotonic())
        return right(document, number) if number else Answer({}, 429, {"Retry-After": "1"})

    embedder, _ = connect(play, backoff=0.0)
    embedder.embed_documents(["a"])
    assert times[1] - times[0] >= 1.0


def test_a_long_retry_after_is_an_error_with_the_time(connect):
    """A server that asks for minutes is not waited for; the message says how long."""
    embedder, server = connect(lambda *_: Answer({}, 429, {"Retry-After": "3600"}))
    with pytest.raises(EmbeddingError, match="3600 s"):
        embedder.embed_documents(["a"])
    assert len(server.requests) == 1


def test_retry_after_may_be_a_date():
    """An HTTP date is read as the time until then; nonsense as nothing."""
    soon = datetime.now(UTC) + timedelta(seconds=100)
    seconds = _seconds(format_datetime(soon, usegmt=True))
    assert seconds is not None
    assert 90 < seconds <= 100
    assert _seconds("Thu, 01 Jan 1970 00:00:00 GMT") == 0
    assert _seconds("-5") is None
    assert _seconds("") is None


def test_attempts_end(connect):
    """A server that always fails is an error after the attempts, and nothing else is used."""
    embedder, server = connect(lambda *_: Answer({}, 500))
    with pytest.raises(EmbeddingError, match="status 500"):
        embedder.embed_documents(["a"])
    assert len(server.requests) == 3


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_batch_too_large_is_split(connect, status):
    """A refused batch is halved until it passes; the order stays."""

    def play(document, number):
        texts = document["input"]
        return right(document, number) if len(texts) <= 2 else Answer({}, status)

    embedder, _ = connect(play)
    texts = [f"{'x' * i}y" for i in range(7)]
    assert np.allclose(embedder.embed_documents(texts), unit(texts), atol=1e-6)


def test_one_text_too_large_is_an_error(connect):
    """When a single text is refused, that is the error."""
    embedder, server = connect(lambda *_: Answer({}, 413))
    with pytest.raises(EmbeddingError, match="status 413"):
        embedder.embed_documents(["a", "b", "c", "d"])
    assert [len(r["input"]) for r in server.requests] == [4, 2, 1]


@pytest.mark.parametrize(
    ("status", "remedy"), [(401, "API_KEY"), (403, "API_KEY"), (404, "MODEL"), (418, "BASE_URL")]
)
def test_a_refusal_is_final_and_names_the_remedy(connect, status, remedy):
    """Other refusals are not retried."""
    embedder, server = connect(lambda *_: Answer({}, status))
    with pytest.raises(EmbeddingError, match=remedy):
        embedder.embed_documents(["a"])
    assert len(server.requests) == 1


def test_a_redirect_is_not_followed(connect):
    """The key and the texts go to the configured host only."""
    _, other = connect()
    embedder, _ = connect(lambda *_: Answer({}, 307, {"Location": other.url + "/embeddings"}))
    with pytest.raises(EmbeddingError, match="redirects"):
        embedder.embed_documents(["a"])
    assert other.requests == []


WRONG = {
    "too few": {"data": [{"index": 0, "embedding": [1, 0, 0, 0]}]},
    "none": {"data": []},
    "another width": {"data": [{"index": i, "embedding": [1, 0, 0]} for i in range(2)]},
    "zero": {"data": [{"index": i, "embedding": [0, 0, 0, 0]} for i in range(2)]},
    "index twice": {"data": [{"index": 0, "embedding": [1, 0, 0, 0]} for _ in range(2)]},
    "index missing": {"data": [{"embedding": [1, 0, 0, 0]} for _ in range(2)]},
    "text": {"data": [{"index": i, "embedding": SOURCE} for i in range(2)]},
    "NaN": b'{"data":[{"index":0,"embedding":[NaN,0,0,1]},{"index":1,"embedding":[1,0,0,0]}]}',
    "null": b'{"data":[{"index":0,"embedding":[null,0,0,1]},{"index":1,"embedding":[1,0,0,0]}]}',
    "infinite": b'{"data":[{"index":0,"embedding":[1e300,1e300,0,1]},'
    b'{"index":1,"embedding":[1e999,0,0,0]}]}',
    "garbage": b"\x00\xff<html>" + SOURCE.encode(),
    "empty": b"",
    "deep": b"[" * 100_000,
    "list": b"[]",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_answer_is_an_error(connect, name):
    """Count, width, index, finiteness and shape are checked; the message leaks nothing."""
    embedder, _ = connect(lambda *_: Answer(WRONG[name]))
    with pytest.raises(EmbeddingError) as raised:
        embedder.embed_documents([SOURCE, "b"])
    assert raised.value.remedy
    assert SOURCE not in str(raised.value)
    assert KEY not in str(raised.value)


def test_a_wrong_width_names_the_setting(connect):
    """The message says both widths and which variable to set."""
    embedder, _ = connect(lambda *_: Answer(WRONG["another width"]))
    with pytest.raises(EmbeddingError, match=r"3 dimensions instead of 4.*DIMENSIONS"):
        embedder.embed_documents(["a", "b"])


def test_a_huge_answer_is_cut_off(connect):
    """An answer beyond any embedding's size is not read to its end."""
    embedder, _ = connect(lambda *_: Answer(b" " * 40_000_000))
    with pytest.raises(EmbeddingError, match="more than"):
        embedder.embed_documents(["a"])


def test_a_silent_server_times_out(connect):
    """A server that does not answer in time is an error that names the setting."""
    done = threading.Event()

    def play(document, number):
        done.wait(20)
        return right(document, number)

    embedder, _ = connect(play, timeout=0.2, attempts=2)
    with pytest.raises(EmbeddingError, match="TIMEOUT"):
        embedder.embed_documents(["a"])
    done.set()


def test_an_answer_that_trickles_times_out():
    """The time limit holds for the whole answer, not for each of its bytes."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def trickle():
            connection, _ = listener.accept()
            with connection, contextlib.suppress(OSError):
                connection.recv(65536)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n")
                for _ in range(10_000):
                    connection.sendall(b" ")
                    time.sleep(0.02)

        server = threading.Thread(target=trickle)
        server.start()
        port = listener.getsockname()[1]
        target = Endpoint(f"http://127.0.0.1:{port}", timeout=0.3, attempts=1)
        embedder = HttpEmbedder(PROFILE, OpenAIWire("m"), target, 8)
        with pytest.raises(EmbeddingError, match="TIMEOUT"):
            embedder.embed_query("a")
        embedder.close()
        server.join(10)
        assert not server.is_alive()


def test_a_dead_server_is_an_error():
    """Nothing listening is one clear error, after the attempts."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        target = Endpoint(f"http://127.0.0.1:{port}", attempts=2, backoff=0.01)
        embedder = HttpEmbedder(PROFILE, OpenAIWire("m"), target, 8)
        with pytest.raises(EmbeddingError, match=f"127.0.0.1:{port}"):
            embedder.embed_query("a")
        embedder.close()


def test_an_endpoint_hides_its_key():
    """The key is in no representation."""
    assert KEY not in repr(Endpoint("http://127.0.0.1", KEY))


@given(
    st.lists(st.text(max_size=40), max_size=30), st.integers(1, 5), st.none() | st.integers(1, 9)
)
def test_batches_keep_all_texts_under_both_limits(texts, items, tokens):
    """Nothing is lost or reordered; only a single text may exceed the token limit."""
    batches = list(batched(texts, items, tokens))
    assert [text for batch in batches for text in batch] == texts
    for batch in batches:
        assert 0 < len(batch) <= items
        used = sum(len(text.encode()) // BYTES_PER_TOKEN + 1 for text in batch)
        assert tokens is None or used <= tokens or len(batch) == 1
