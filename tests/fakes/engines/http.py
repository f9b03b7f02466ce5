"""A gortex, or an MCP server over HTTP, on the loopback: built from the shapes of engines.md 5."""

import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

HEALTH = {"status": "ok", "indexed": True, "schema_version": 1, "api_version": 1, "version": "0.9"}


@dataclass
class Served:
    """A running server.

    Args:
        url: Its address.
        asked: What it was asked: method, path, headers in lower case, decoded body.
    """

    url: str
    asked: list[tuple[str, str, dict[str, str], Any]] = field(default_factory=list)


Answer = Callable[[str, str, Any], tuple[int, dict[str, str], bytes]]


@contextlib.contextmanager
def serving(answer: Answer) -> Iterator[Served]:
    """Serve ``answer(method, path, body)``, which gives status, headers and body."""
    served = Served("")

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def respond(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            raw = self.rfile.read(length)
            body = json.loads(raw) if raw else None
            headers = {name.lower(): value for name, value in self.headers.items()}
            served.asked.append((self.command, self.path, headers, body))
            status, extra, content = answer(self.command, self.path, body)
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                self.send_response(status)
                for name, value in extra.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

        do_GET = do_POST = do_DELETE = respond

        def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    served.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def json_reply(document: Any, status: int = 200) -> tuple[int, dict[str, str], bytes]:
    """Give a JSON response."""
    return status, {"Content-Type": "application/json"}, json.dumps(document).encode()


def tool_reply(document: Any) -> tuple[int, dict[str, str], bytes]:
    """Give gortex's envelope around a document."""
    text = json.dumps(document)
    return json_reply({"content": [{"type": "text", "text": text}], "isError": False})
