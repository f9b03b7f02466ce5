"""One page of an export: decoded fast, read leniently when need be, held to rules P1 to P10."""

from typing import Annotated

import msgspec

from codequarry.core.errors import ExportChanged, ExportRejected
from codequarry.core.hashing import filter_fingerprint, is_hex
from codequarry.producers.protocol import PageRequest
from codequarry.schemas.documents import leniently

Int64 = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
"""Go's ``int``: a number beyond it does not decode (B0)."""


class ReceivedRecord(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One record as read: a missing key is its zero value (contract.md A1.2, B0)."""

    schema_version: Int64 = 0
    ordinal: Int64 = 0
    project: str = ""
    project_key: str = ""
    index_fingerprint: str = ""
    file: str = ""
    start_line: Int64 = 0
    end_line: Int64 = 0
    symbol: str = ""
    fqn: str = ""
    kind: str = ""
    language: str = ""
    signature: str = ""
    docstring: str = ""
    source_hash: str = ""
    content: str = ""
    content_hash: str = ""
    signature_truncated: bool = False
    docstring_truncated: bool = False
    content_truncated: bool = False
    content_omitted: bool = False
    omission_reason: str = ""
    file_stale: bool = False


class ReceivedPage(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One page as read: a missing key is its zero value (contract.md A1.1, B0)."""

    schema_version: Int64 = 0
    project: str = ""
    project_key: str = ""
    index_fingerprint: str = ""
    offset: Int64 = 0
    limit: Int64 = 0
    max_content_bytes: Int64 = 0
    total_records: Int64 = 0
    returned_records: Int64 = 0
    complete: bool = False
    next_offset: Int64 = 0
    records: list[ReceivedRecord] = []
    files_filter: list[str] = []
    files_filter_fingerprint: str = ""


class _ExactRecord(ReceivedRecord, frozen=True, kw_only=True, gc=False, forbid_unknown_fields=True):
    pass


class _ExactPage(ReceivedPage, frozen=True, kw_only=True, gc=False, forbid_unknown_fields=True):
    # The fast path refuses unknown keys: `Offset` is one to it, and `offset` to Go.
    records: list[_ExactRecord] = []  # type: ignore[assignment]


_EXACT = msgspec.json.Decoder(_ExactPage)


def decode_page(raw: bytes) -> ReceivedPage:
    """Decode a page as Go's ``encoding/json`` would (contract.md B0).

    What the fast decoder accepts, the lenient one accepts with the same result: the fast one takes
    no unknown key, no null, no broken UTF-8.

    Raises:
        ExportRejected: P1, the bytes are not a page.
    """
    try:
        return _EXACT.decode(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        pass
    try:
        return leniently(raw, ReceivedPage)
    except (ValueError, RecursionError):
        raise ExportRejected("P1", "a page is not the JSON document of the contract") from None


def check_page(
    page: ReceivedPage, request: PageRequest, first: ReceivedPage | None, project_key: str
) -> None:
    """Hold one decoded page to rules P2 to P10 (contract.md B2).

    Args:
        page: The page.
        request: What was asked.
        first: The export's first page, or ``None`` when ``page`` is the first.
        project_key: The locally computed Key A.

    Raises:
        ExportChanged: P5, the index moved since the first page.
        ExportRejected: Another rule is broken.
    """
    _check_identity(page, request, project_key)
    if first is not None:
        check_same_export(page, first)
    _check_counts(page, request)
    if request.files is not None:
        _check_filter(page, request.files)


def check_same_export(page: ReceivedPage, first: ReceivedPage) -> None:
    """Hold a later page to the first one's project, fingerprint and total (P5).

    Raises:
        ExportChanged: One of them differs.
    """
    if _export_of(page) != _export_of(first):
        raise ExportChanged("P5", "the producer's index changed between pages")


def _export_of(page: ReceivedPage) -> tuple[str, str, int]:
    return page.project, page.index_fingerprint, page.total_records


def _check_identity(page: ReceivedPage, request: PageRequest, project_key: str) -> None:
    expected = 1 if request.files is None else 2
    if page.schema_version != expected:
        raise ExportRejected("P2", f"schema version {page.schema_version} is not {expected}")
    if not page.project:
        raise ExportRejected("P3", "the project has no name")
    if page.project_key != project_key or not is_hex(page.project_key, 12):
        # J-51: nearly always two roots, not two projects.
        raise ExportRejected("P3", "the producer's project root is not this project's real path")
    if not is_hex(page.index_fingerprint, 64):
        raise ExportRejected("P4", "the index fingerprint is not 64 hexadecimal digits")


def _check_counts(page: ReceivedPage, request: PageRequest) -> None:
    returned, total = page.returned_records, page.total_records
    echo = (page.offset, page.limit, page.max_content_bytes)
    if echo != (request.offset, request.limit, request.max_content_bytes):
        raise ExportRejected("P6", "offset, limit or content window do not echo the request")
    if total < 0 or returned != len(page.records) or returned > request.limit:
        raise ExportRejected("P7", "the record counts contradict each other or the limit")
    end = page.offset + returned
    if page.complete:
        if page.next_offset != 0 or end != total:
            raise ExportRejected("P8", "the last page does not end at the total")
    elif returned == 0 or page.next_offset != end or end >= total:
        raise ExportRejected("P9", "the next offset does not continue the page")


def _check_filter(page: ReceivedPage, files: tuple[str, ...]) -> None:
    if page.files_filter_fingerprint != filter_fingerprint(files):
        raise ExportRejected("P10", "the filter's fingerprint is not the requested one")
    wanted = frozenset(files)
    if any(record.file not in wanted for record in page.records):
        raise ExportRejected("P10", "a record lies outside the requested files")
