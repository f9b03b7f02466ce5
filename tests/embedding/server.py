"""A real HTTP server on the loopback that plays a script of answers."""

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

WIDTH = 4


class Answer:
    """What to send for one request; a plain document means status 200."""

    def __init__(self, body: Any, status: int = 200, headers: dict[str, str] | None = None):
        self.body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.status = status
        self.headers = headers or {}


Play = Callable[[dict[str, Any], int], Answer]


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_):
        pass  # a client that hangs up is part of some tests


class EmbeddingServer:
    """Answers each POST with ``play(document, number of the request)``; keeps what it was sent."""

    def __init__(self, play: Play):
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self._lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                document = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with outer._lock:
                    number = len(outer.requests)
                    outer.requests.append(document)
                    outer.headers.append(dict(self.headers))
                    outer.paths.append(self.path)
                answer = play(document, number)
                try:
                    self.send_response(answer.status)
                    for name, value in answer.headers.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(answer.body)))
                    self.end_headers()
                    self.wfile.write(answer.body)
                except OSError:
                    self.close_connection = True  # the client gave up, as some tests want

            def log_message(self, *_):
                pass

        self._server = _Server(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    @property
    def url(self) -> str:
        """The base address."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def vector_of(text: str) -> list[float]:
    """A vector that tells texts apart, not of unit length."""
    return [3.0 * len(text), 1.0, float(sum(text.encode()) % 97), 2.0]


def openai_answer(texts: list[str]) -> dict[str, Any]:
    """A right answer of an OpenAI-compatible server."""
    items = [{"index": i, "embedding": vector_of(text)} for i, text in enumerate(texts)]
    return {"object": "list", "data": items, "usage": {"total_tokens": 1}}
