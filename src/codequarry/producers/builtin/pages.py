"""Pages of an export, byte for byte as contract.md A1 and A2 have them."""

from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from codequarry.core.hashing import filter_fingerprint, producer_key
from codequarry.core.text import cut
from codequarry.producers.builtin.content import Omission, SourceText, read_source
from codequarry.producers.builtin.index import FIELDS, ProducerIndex
from codequarry.producers.protocol import PageRequest
from codequarry.schemas.documents import Page, Record, encode
from codequarry.sources.drift import hashes_of


class Export:
    """One export of an index: the whole of it (v1), or the records of some files (v2).

    Pages that are asked for in order read each file once.

    Args:
        root: The project's real path.
        project: Its registered name.
        index: What to export.
        files: The normalised filter, or ``None`` for v1.
    """

    def __init__(
        self, root: Path, project: str, index: ProducerIndex, files: tuple[str, ...] | None
    ) -> None:
        self._root = root
        self._project = project
        self._key = producer_key(root)
        self._fingerprint = index.fingerprint
        self._filter = files
        self._hashes = hashes_of(index.files)
        self._records = index.records
        if files is not None:
            wanted = pa.array(files, pa.string())
            self._records = index.records.filter(pc.is_in(index.records["file"], value_set=wanted))
        self._open: tuple[str, SourceText | Omission] | None = None

    def page(self, request: PageRequest) -> bytes:
        """Give the records from ``offset`` on; past the end an empty, complete page."""
        total = self._records.num_rows
        records = self._page_records(request)
        reached = request.offset + len(records)
        complete = reached >= total
        is_filtered = self._filter is not None
        page = Page(
            schema_version=self._version,
            project=self._project,
            project_key=self._key,
            index_fingerprint=self._fingerprint,
            offset=request.offset,
            limit=request.limit,
            max_content_bytes=request.max_content_bytes,
            total_records=total,
            returned_records=len(records),
            complete=complete,
            next_offset=None if complete else reached,
            records=records,
            files_filter=list(self._filter) if self._filter is not None else None,
            files_filter_fingerprint=filter_fingerprint(self._filter or ())
            if is_filtered
            else None,
        )
        return encode(page, indent=True)

    @property
    def _version(self) -> int:
        return 1 if self._filter is None else 2

    def _page_records(self, request: PageRequest) -> list[Record]:
        rows = self._records.slice(request.offset, request.limit)
        columns = [rows[name].to_pylist() for name in FIELDS]
        return [
            self._record(request.offset + number, row, request.max_content_bytes)
            for number, row in enumerate(zip(*columns, strict=True), start=1)
        ]

    def _record(
        self,
        ordinal: int,
        row: tuple[str, int, int, str, str, str, str, str, str, str],
        limit: int,
    ) -> Record:
        file, start, end, symbol, fqn, kind, language, signature, docstring, source_hash = row
        source = self._source(file)
        omission = source if isinstance(source, Omission) else None
        content, content_hash, is_cut = "", None, False
        if isinstance(source, SourceText):
            content, content_hash, is_cut = source.window(start, end, limit)
        short_signature, short_docstring = cut(signature, limit), cut(docstring, limit)
        return Record(
            schema_version=self._version,
            ordinal=ordinal,
            project=self._project,
            project_key=self._key,
            index_fingerprint=self._fingerprint,
            file=file,
            start_line=start,
            end_line=end,
            symbol=symbol,
            fqn=fqn,
            kind=kind,
            language=language,
            signature=short_signature,
            docstring=short_docstring,
            source_hash=source_hash,
            content=content,
            content_hash=content_hash,
            signature_truncated=True if len(short_signature) < len(signature) else None,
            docstring_truncated=True if len(short_docstring) < len(docstring) else None,
            content_truncated=True if is_cut else None,
            content_omitted=True if omission else None,
            omission_reason=omission.reason if omission else None,
            file_stale=True if omission and omission.stale else None,
        )

    def _source(self, file: str) -> SourceText | Omission:
        if self._open is None or self._open[0] != file:
            self._open = file, read_source(self._root, file, self._hashes[file])
        return self._open[1]
