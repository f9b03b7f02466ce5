"""Builds small exports over a real tree, to be corrupted by tests."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from codequarry.core import hashing
from codequarry.core.text import cut, repair
from codequarry.producers.protocol import Limits, PageRequest

Document = dict[str, Any]
FILES = {
    "a.py": b"def one():\n    return 1\n\n\ndef two():\r\n    return '\xff\xfe'\n",
    "pkg/b.py": b"class B:\n    def method(self):\n        pass",
}
COLUMNS = (
    *("file", "start_line", "end_line", "symbol", "fqn", "kind", "language"),
    *("signature", "docstring", "source_hash"),
)


def make_tree(root: Path) -> Path:
    """Write FILES below ``root``."""
    for name, content in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)
    return root


def symbol(file: str, start: int, end: int, name: str, kind: str = "function") -> Document:
    """One symbol of the producer's index."""
    return {
        "file": file,
        "start_line": start,
        "end_line": end,
        "symbol": name,
        "fqn": f"{file}.{name}",
        "kind": kind,
        "language": "python",
        "signature": f"def {name}()",
        "docstring": "",
        "source_hash": "b" * 64,
    }


SYMBOLS = [
    symbol("a.py", 1, 2, "one"),
    symbol("a.py", 5, 6, "two"),
    symbol("pkg/b.py", 1, 3, "B", "class"),
    symbol("pkg/b.py", 2, 3, "method", "method"),
]


@dataclass
class TreeProducer:
    """An honest in-process producer; ``corrupt`` may change the document of a page."""

    root: Path
    symbols: list[Document] = field(default_factory=lambda: [dict(s) for s in SYMBOLS])
    limits: Limits = field(default_factory=lambda: Limits(page_records=2))
    requests: list[PageRequest] = field(default_factory=list)

    @property
    def name(self) -> str:
        return "tree"

    @property
    def key(self) -> str:
        return hashing.producer_key(self.root)

    @property
    def fingerprint(self) -> str:
        columns = [[symbol[name] for symbol in self.symbols] for name in COLUMNS]
        return hashing.index_fingerprint(self.key, columns)

    def corrupt(self, page: Document) -> None:
        """Change a page before it is printed."""

    def page(self, request: PageRequest) -> bytes:
        self.requests.append(request)
        page = self.document(request)
        self.corrupt(page)
        return printed(page)

    def manifest(self) -> bytes:
        return printed(
            {
                "schema_version": 1,
                "export_schema_version": 1,
                "project": "demo",
                "project_key": self.key,
                "index_fingerprint": self.fingerprint,
                "total_records": len(self.symbols),
                "complete": True,
                "freshness": {"checked": True, "fresh": True, "changed": 0, "new": 0, "deleted": 0},
            }
        )

    def document(self, request: PageRequest) -> Document:
        files = request.files
        chosen = [s for s in self.symbols if files is None or s["file"] in files]
        part = chosen[request.offset : request.offset + request.limit]
        end = request.offset + len(part)
        page = {
            **self.envelope(files),
            "offset": request.offset,
            "limit": request.limit,
            "max_content_bytes": request.max_content_bytes,
            "total_records": len(chosen),
            "returned_records": len(part),
            "complete": end >= len(chosen),
            **({"next_offset": end} if end < len(chosen) else {}),
            "records": [
                self.record(symbol, request.offset + number, request)
                for number, symbol in enumerate(part, 1)
            ],
        }
        if files is not None:
            page["files_filter"] = list(files)
            page["files_filter_fingerprint"] = hashing.filter_fingerprint(files)
        return page

    def envelope(self, files: Iterable[str] | None) -> Document:
        return {
            "schema_version": 1 if files is None else 2,
            "project": "demo",
            "project_key": self.key,
            "index_fingerprint": self.fingerprint,
        }

    def record(self, symbol: Document, ordinal: int, request: PageRequest) -> Document:
        lines = (self.root / symbol["file"]).read_bytes().split(b"\n")
        text = repair(b"\n".join(lines[symbol["start_line"] - 1 : symbol["end_line"]]))
        content = cut(text, request.max_content_bytes)
        flags = {} if content == text else {"content_truncated": True}
        digest = hashlib.sha256(text.encode()).hexdigest()
        body = {"content": content, "content_hash": digest}
        return {**self.envelope(request.files), "ordinal": ordinal, **symbol, **body, **flags}


def printed(document: Document) -> bytes:
    """Print a document as the producer does."""
    return json.dumps(document, indent=2, ensure_ascii=False).encode() + b"\n"
