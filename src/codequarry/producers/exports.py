"""A whole export: its pages one after the other, checked, sized, and kept byte for byte."""

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import msgspec
import pyarrow as pa

from codequarry.core.errors import ExportChanged, ExportRejected
from codequarry.core.hashing import sha256_hex
from codequarry.producers.pages import ReceivedPage, check_page, decode_page
from codequarry.producers.paths import normalise_filter
from codequarry.producers.protocol import Limits, PageRequest, Producer
from codequarry.schemas.tables import PAGES

_Stored = TypeVar("_Stored")

_BATCH_BYTES = 8 * 1024 * 1024


@dataclass(frozen=True)
class ExportPage:
    """One checked page.

    Args:
        number: 0-based position in the export.
        body: The page as the producer printed it.
        sha256: The hash of ``body``.
        envelope: The decoded page without its records.
    """

    number: int
    body: bytes
    sha256: str
    envelope: ReceivedPage


@dataclass(frozen=True)
class Export:
    """A complete export, held in memory.

    Args:
        pages: One row per page, in the schema PAGES.
        project: The producer's name of the project.
        project_key: Key A.
        index_fingerprint: The fingerprint of the producer's whole index (C2).
        total_records: Records of all pages.
    """

    pages: pa.Table
    project: str
    project_key: str
    index_fingerprint: str
    total_records: int


def load(
    producer: Producer,
    project_key: str,
    files: Iterable[str] | None = None,
    expected_fingerprint: str | None = None,
) -> Export:
    """Load an export into memory; at most ``producer.limits.export_bytes`` of pages.

    Arguments and errors are those of :func:`stream`; an index that moved is read once more.
    """
    pages = load_into(pages_table, producer, project_key, files, expected_fingerprint)
    first = pages.slice(0, 1).drop_columns(["body"]).to_pylist()[0]
    names = ("project", "project_key", "index_fingerprint", "total_records")
    return Export(pages, *(first[name] for name in names))


def load_into(
    store: Callable[[Iterator[ExportPage]], _Stored],
    producer: Producer,
    project_key: str,
    files: Iterable[str] | None = None,
    expected_fingerprint: str | None = None,
) -> _Stored:
    """Hand the pages of an export to ``store``, and once more if the index moved meanwhile (J-49).

    Args:
        store: Consumes the pages; called a second time, with fresh pages, after ExportChanged.
        producer: Whose export to load.
        project_key: Key A.
        files: As for :func:`stream`.
        expected_fingerprint: As for :func:`stream`.

    Returns:
        What ``store`` returned.

    Raises:
        ProducerError: As :func:`stream`; ExportChanged when the index moved twice.
    """
    chosen = None if files is None else normalise_filter(files)
    try:
        return store(stream(producer, project_key, chosen, expected_fingerprint))
    except ExportChanged:
        return store(stream(producer, project_key, chosen, expected_fingerprint))


def stream(
    producer: Producer,
    project_key: str,
    files: Iterable[str] | None = None,
    expected_fingerprint: str | None = None,
) -> Iterator[ExportPage]:
    """Give the pages of an export, each checked before it is given (contract.md B1, B2).

    Args:
        producer: Whose export to load.
        project_key: The locally computed Key A.
        files: The paths of a filtered (v2) export; ``None`` exports the whole index.
        expected_fingerprint: Required of every page, for a certified delta (J-05).

    Raises:
        ExportChanged: The index moved between two pages.
        ExportRejected: A rule or a size limit is broken.
        ProducerError: The producer failed, or ``files`` cannot be sent.
    """
    chosen = None if files is None else normalise_filter(files)
    limits = producer.limits
    first: ReceivedPage | None = None
    received = size = 0
    for number in itertools.count():
        request = PageRequest(received, limits.page_records, limits.content_bytes, chosen)
        body = producer.page(request)
        size += len(body)
        _check_size(len(body), size, limits)
        page = decode_page(body)
        check_page(page, request, first, project_key)
        if expected_fingerprint not in (None, page.index_fingerprint):
            raise ExportRejected("J-05", "the export is not the one the manifest announced")
        received += len(page.records)
        envelope = msgspec.structs.replace(page, records=[], files_filter=[])
        first = first or envelope
        yield ExportPage(number, body, sha256_hex(body), envelope)
        if page.complete:
            # P11 follows: by P6 and P8 the pages hold exactly the total.
            return


def _check_size(page: int, export: int, limits: Limits) -> None:
    if page > limits.page_bytes:
        raise ExportRejected("B1", f"a page is larger than {limits.page_bytes} bytes")
    if export > limits.export_bytes:
        raise ExportRejected("B1", f"the pages are larger than {limits.export_bytes} bytes")


def page_batches(pages: Iterable[ExportPage]) -> Iterator[pa.RecordBatch]:
    """Give pages as record batches in the schema PAGES, of about 8 MiB each."""
    waiting: list[ExportPage] = []
    size = 0
    for page in pages:
        waiting.append(page)
        size += len(page.body)
        if size >= _BATCH_BYTES:
            yield _batch(waiting)
            waiting, size = [], 0
    if waiting:
        yield _batch(waiting)


def pages_table(pages: Iterable[ExportPage]) -> pa.Table:
    """Collect pages into one table in the schema PAGES."""
    return pa.Table.from_batches(page_batches(pages), PAGES)


def _batch(pages: list[ExportPage]) -> pa.RecordBatch:
    own: dict[str, list[object]] = {
        "number": [page.number for page in pages],
        "sha256": [page.sha256 for page in pages],
        "bytes": [len(page.body) for page in pages],
        "body": [page.body for page in pages],
    }
    columns = [
        own.get(name) or [getattr(page.envelope, name) for page in pages] for name in PAGES.names
    ]
    arrays = [pa.array(column, kind.type) for column, kind in zip(columns, PAGES, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=PAGES)
