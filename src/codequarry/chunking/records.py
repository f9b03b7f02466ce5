"""The validated records of an export, file by file."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from codequarry.core.hashing import FINGERPRINT_FIELDS, profile_hash

_PROFILE_FIELDS = (*FINGERPRINT_FIELDS, "content_hash")


class FileRecord(NamedTuple):
    """What chunking needs of one record."""

    start_line: int
    end_line: int
    symbol: str
    fqn: str
    kind: str
    signature: str
    docstring: str

    @property
    def chunk_type(self) -> str:
        """The type of its chunks (contract.md D1)."""
        return _CHUNK_TYPES.get(self.kind.lower(), "block")


_CHUNK_TYPES = {
    **dict.fromkeys(("function", "method", "test", "constructor"), "function"),
    **dict.fromkeys(("class", "type", "struct", "interface", "enum"), "class"),
}


class FileRecords(NamedTuple):
    """The records of one file, in export order, and their profile hash (contract.md C8)."""

    records: list[FileRecord]
    profile: str


class RecordsByFile:
    """Finds the records of a file without holding them as Python objects.

    Args:
        records: Table `RECORDS`; each file's rows in export order.
    """

    def __init__(self, records: pa.Table) -> None:
        files = records["file"].combine_chunks().dictionary_encode()
        codes = files.indices.to_numpy(zero_copy_only=False)
        if np.any(codes[1:] < codes[:-1]):
            order = np.argsort(codes, kind="stable")
            records, codes = records.take(order), codes[order]
        self._records = records.select(_PROFILE_FIELDS).combine_chunks()
        edges = np.searchsorted(codes, np.arange(len(files.dictionary) + 1)).tolist()
        names = files.dictionary.to_pylist()
        self._rows = {
            name: (edges[code], edges[code + 1] - edges[code]) for code, name in enumerate(names)
        }

    def __iter__(self) -> Iterator[str]:
        """Give the files that have records."""
        return iter(self._rows)

    def of(self, path: str) -> FileRecords | None:
        """Give the records of ``path``, or ``None`` when it has none."""
        rows = self._rows.get(path)
        if rows is None:
            return None
        columns = self._records.slice(*rows).to_pydict()
        records = map(FileRecord, *(columns[name] for name in FileRecord._fields))
        profile = profile_hash(zip(*(columns[name] for name in _PROFILE_FIELDS), strict=True))
        return FileRecords(list(records), profile)
