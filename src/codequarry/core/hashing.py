"""Hashes and keys of the contract (contract.md C1 to C8)."""

import hashlib
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from codequarry.core.text import ascending

if TYPE_CHECKING:
    import pyarrow as pa

FINGERPRINT_SEED = "codemap-structural-export-v1"
FILTER_SEED = "codemap-structural-export-filter-v2"
PROFILE_SEED = "vecgrep-codemap-structural-consumer-v4-selectors"
STRUCTURAL_FILE_SEED = "vecgrep-codemap-structural-v1"
FINGERPRINT_FIELDS = (
    *("file", "start_line", "end_line", "symbol", "fqn", "kind", "language"),
    *("signature", "docstring", "source_hash"),
)
"""A record's fields in the order of the index fingerprint (C2)."""

EXPORT_ORDER = (
    *("file", "start_line", "end_line", "fqn", "kind", "symbol", "language"),
    *("signature", "docstring", "source_hash"),
)
"""What records are sorted by, strings by their bytes (A1.3); not the order of C2."""

_FINGERPRINT_ROWS = 10_000


def sha256_hex(data: bytes | str) -> str:
    """Give the lower-case hexadecimal SHA-256 of bytes, or of a text's UTF-8."""
    raw = data.encode("utf-8") if isinstance(data, str) else data
    return hashlib.sha256(raw).hexdigest()


def sha256_file(path: bytes | str | Path) -> str:
    """Give the hexadecimal SHA-256 of a file, read in bounded memory.

    Raises:
        OSError: The file cannot be read.
    """
    with open(path, "rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def is_hex(value: object, digits: int) -> bool:
    """Tell whether ``value`` is a string of exactly ``digits`` lower-case hexadecimal digits."""
    return isinstance(value, str) and len(value) == digits and not value.strip("0123456789abcdef")


def producer_key(root: Path | str) -> str:
    """Give Key A, the producer's project key: 12 digits of SHA-1 over the real path (C1)."""
    return hashlib.sha1(os.fsencode(os.path.realpath(root)), usedforsecurity=False).hexdigest()[:12]


def evidence_key(root: Path | str) -> str:
    """Give Key B, the key of receipts and health manifests: SHA-256 over the real path (C5)."""
    return hashlib.sha256(os.fsencode(os.path.realpath(root))).hexdigest()


def _nul_terminated(parts: Iterable[str]) -> bytes:
    return "".join(f"{part}\0" for part in parts).encode("utf-8")


class FingerprintDigest:
    """The fingerprint of an export (C2), taken in pieces.

    Args:
        project_key: Key A.
    """

    def __init__(self, project_key: str) -> None:
        self._digest = hashlib.sha256(_nul_terminated([FINGERPRINT_SEED, project_key]))

    def update(self, columns: "Sequence[pa.Array | pa.ChunkedArray | Sequence[object]]") -> None:
        """Add the next records, as the ten columns of :func:`index_fingerprint`."""
        import pyarrow as pa
        import pyarrow.compute as pc

        arrays = [
            c if isinstance(c, pa.Array | pa.ChunkedArray) else pa.array(map(str, c), pa.string())
            for c in columns
        ]
        table = pa.table(arrays, [str(n) for n in range(10)])
        for batch in table.to_batches(max_chunksize=_FINGERPRINT_ROWS):
            texts = [column.cast(pa.large_string()) for column in batch.columns]
            # Joined with an empty last field, each row is its fields, every one NUL-terminated.
            end, separator = (pa.scalar(text, pa.large_string()) for text in ("", "\0"))
            joined = pc.binary_join_element_wise(*texts, end, separator)
            _, offsets, data = joined.buffers()
            if data is not None:
                length = int.from_bytes(memoryview(offsets)[len(joined) * 8 :][:8], sys.byteorder)
                self._digest.update(memoryview(data)[:length])

    def hexdigest(self) -> str:
        """Give the fingerprint of what was added so far."""
        return self._digest.hexdigest()


def index_fingerprint(
    project_key: str, columns: "Sequence[pa.Array | pa.ChunkedArray | Sequence[object]]"
) -> str:
    """Give the fingerprint of an export (C2).

    Args:
        project_key: Key A.
        columns: Ten equally long columns in export order: file, start_line, end_line, symbol, fqn,
            kind, language, signature, docstring, source_hash. Arrow columns cost no Python step
            a value.
    """
    digest = FingerprintDigest(project_key)
    digest.update(columns)
    return digest.hexdigest()


def filter_fingerprint(paths: Iterable[str]) -> str:
    """Give the fingerprint of a normalised file filter (C4)."""
    return sha256_hex(_nul_terminated([FILTER_SEED, *ascending(set(paths))]))


def profile_hash(rows: Iterable[Sequence[object]]) -> str:
    """Give the profile hash of one structural file (C8).

    Args:
        rows: The file's records in export order, eleven fields each: file, start_line, end_line,
            symbol, fqn, kind, language, signature, docstring, source_hash, content_hash.
    """
    fields = [str(field) for row in rows for field in row]
    return sha256_hex(_nul_terminated([PROFILE_SEED, *fields]))


def structural_file_hash(file_hash: str, profile: str) -> str:
    """Give the stored hash of a structural file (C8); no NUL ends its last part."""
    return sha256_hex("\0".join([STRUCTURAL_FILE_SEED, file_hash, profile]))
