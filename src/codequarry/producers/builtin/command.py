"""What ``codequarry producer`` does, free of the command line that calls it (contract.md A0-A3)."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from codequarry.core.errors import CodequarryError, ProducerError, UsageError
from codequarry.core.state import StateDirectory
from codequarry.producers.builtin.filters import normalised, trimmed
from codequarry.producers.builtin.producer import BuiltinProducer
from codequarry.producers.protocol import PageRequest
from codequarry.schemas.documents import FailureEnvelope, encode

DEFAULT_LIMIT = 1000
LARGEST_LIMIT = 5000
DEFAULT_CONTENT_BYTES = 16_384
LARGEST_CONTENT_BYTES = 262_144
_EXIT_CODES = {
    "not_found": 2,
    "not_indexed": 2,
    "index_missing": 3,
    "index_corrupt": 4,
    "not_a_repo": 5,
}


def export_symbols(
    cwd: Path,
    state: StateDirectory,
    projects: Mapping[str, Path],
    offset: int = 0,
    limit: int = 0,
    max_content_bytes: int = 0,
    files: Sequence[str] = (),
) -> bytes:
    """Answer ``export-symbols --json`` (A1; with files A2).

    The first page of a whole export brings the index up to date; later pages, and every filtered
    one, read the index as it stands, so that the pages of one export agree.

    Args:
        cwd: Where the caller stands.
        state: The state directory.
        projects: The roots of the registered projects by name.
        offset: Records to skip.
        limit: Records to return at most; 0 means 1000.
        max_content_bytes: Cut of content, signature and docstring; 0 means 16384.
        files: The filter as given; when nothing of it is left, the export is a v1 one.

    Raises:
        UsageError: A number is out of bounds.
        CodequarryError: The project or the state directory cannot be used.
    """
    if offset < 0:
        raise UsageError(f"--offset is {offset}", "give 0 or more")
    filtered = normalised(files) or None
    request = PageRequest(
        offset=offset,
        limit=_bounded("--limit", limit, DEFAULT_LIMIT, LARGEST_LIMIT),
        max_content_bytes=_bounded(
            "--max-content-bytes", max_content_bytes, DEFAULT_CONTENT_BYTES, LARGEST_CONTENT_BYTES
        ),
        files=filtered,
    )
    producer = _producer(cwd, state, projects)
    if (filtered is None and offset == 0) or not producer.is_indexed:
        producer.refresh()
    return producer.page(request)


def structural_manifest(cwd: Path, state: StateDirectory, projects: Mapping[str, Path]) -> bytes:
    """Answer ``structural-manifest --json`` (A3).

    Raises:
        ProducerError: There is no index, or the tree cannot be read as a whole.
    """
    return _producer(cwd, state, projects).manifest()


def filter_entries(files: Sequence[str], listing: bytes | None) -> list[str]:
    """Give the entries of ``--files`` and ``--files-from`` (A1).

    Args:
        files: Values of ``--files``, each a comma-separated list.
        listing: The content of ``--files-from``: one path a line, blank lines ignored.
    """
    entries = [entry for value in files for entry in value.split(",")]
    lines = (listing or b"").decode("utf-8", "surrogateescape").split("\n")
    entries.extend(line for line in map(trimmed, lines) if line)
    return entries


def failure(error: CodequarryError) -> tuple[bytes, int]:
    """Give the failure envelope that goes to standard output, and the exit code (A0.1)."""
    code = error.code if isinstance(error, ProducerError) else ""
    if code not in _EXIT_CODES:
        code = "operational"
    envelope = FailureEnvelope(ok=False, error=error.message, code=code, hint=error.remedy or None)
    return encode(envelope, indent=True), _EXIT_CODES.get(code, 1)


def project_at(cwd: Path, projects: Mapping[str, Path]) -> tuple[str, Path]:
    """Find the nearest registered ancestor of ``cwd``, symlinks unresolved (A0).

    Returns:
        The project's name and root; the directory itself and its base name when none encloses it.
    """
    here = Path(os.path.abspath(cwd))
    names = {os.path.abspath(root): name for name, root in projects.items()}
    for directory in (here, *here.parents):
        if str(directory) in names:
            return names[str(directory)], directory
    return here.name or "root", here


def _producer(cwd: Path, state: StateDirectory, projects: Mapping[str, Path]) -> BuiltinProducer:
    name, root = project_at(cwd, projects)
    return BuiltinProducer(root, name, state)


def _bounded(flag: str, value: int, default: int, largest: int) -> int:
    if not 0 <= value <= largest:
        raise UsageError(f"{flag} is {value}", f"give a number from 1 to {largest}")
    return value or default
