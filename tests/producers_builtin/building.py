"""Small projects on disk, and producers over them."""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from codequarry.core.state import StateDirectory
from codequarry.producers.builtin.producer import BuiltinProducer
from codequarry.producers.protocol import PageRequest
from codequarry.schemas.documents import Manifest, Page

TARGET_GO = (
    b"package fixture\n\n// Target returns a stable fixture value.\n"
    b'func Target() string { return "ok" }\n'
)
"""The file of contract.md C7."""

NOW = "2026-01-05T10:00:00Z"


def write(root: Path, files: Mapping[str, bytes]) -> Path:
    for path, content in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return root


def producer(root: Path, state: Path, project: str = "demo") -> BuiltinProducer:
    return BuiltinProducer(root, project, StateDirectory(state), now=lambda: NOW)


def indexed(root: Path, state: Path, project: str = "demo") -> BuiltinProducer:
    made = producer(root, state, project)
    made.refresh()
    return made


def page(
    source: BuiltinProducer,
    offset: int = 0,
    limit: int = 1000,
    content_bytes: int = 16_384,
    files: tuple[str, ...] | None = None,
) -> Page:
    raw = source.page(PageRequest(offset, limit, content_bytes, files))
    return msgspec.json.decode(raw, type=Page)


def manifest(source: BuiltinProducer) -> Manifest:
    return msgspec.json.decode(source.manifest(), type=Manifest)
