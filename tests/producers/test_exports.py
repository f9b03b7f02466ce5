"""producers.exports: whole exports, their limits, their one restart (contract.md B1, J-49)."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from codequarry.core.errors import ExportChanged, ExportRejected, ProducerError
from codequarry.core.hashing import sha256_hex
from codequarry.producers.exports import load, load_into, page_batches, pages_table, stream
from codequarry.producers.protocol import Limits, PageRequest
from codequarry.schemas.tables import PAGES
from tests.producers.exporting import Document, TreeProducer, make_tree


@dataclass
class Corrupted(TreeProducer):
    """Changes chosen calls: ``lie(number of the call, page)``."""

    lie: Callable[[int, Document], None] = lambda _number, _page: None

    def corrupt(self, page: Document) -> None:
        self.lie(len(self.requests), page)


@pytest.fixture
def producer(tmp_path: Path) -> Corrupted:
    return Corrupted(make_tree(tmp_path))


def test_pages_are_kept_byte_for_byte(producer: Corrupted) -> None:
    """Each row holds the page as printed, its hash and its envelope."""
    export = load(producer, producer.key)
    expected = [TreeProducer.page(producer, PageRequest(offset, 2, 16_384)) for offset in (0, 2)]
    assert export.pages.schema.equals(PAGES, check_metadata=True)
    assert export.pages["body"].to_pylist() == expected
    assert export.pages["sha256"].to_pylist() == [sha256_hex(body) for body in expected]
    assert export.pages["bytes"].to_pylist() == [len(body) for body in expected]
    assert export.pages["offset"].to_pylist() == [0, 2]
    assert export.pages["complete"].to_pylist() == [False, True]
    assert (export.project, export.total_records) == ("demo", 4)
    assert export.index_fingerprint == producer.fingerprint


def test_an_empty_export_is_a_success(producer: Corrupted) -> None:
    """A complete export without records has one page (J-54)."""
    producer.symbols = []
    assert load(producer, producer.key).pages.num_rows == 1


def test_a_filtered_export_asks_with_its_filter_on_every_page(producer: Corrupted) -> None:
    """The normalised filter is part of each request."""
    export = load(producer, producer.key, ["pkg/b.py", "a.py", "a.py"])
    assert {request.files for request in producer.requests} == {("a.py", "pkg/b.py")}
    assert export.pages["schema_version"].to_pylist() == [2, 2]


def test_a_filter_of_unknown_paths_is_an_empty_export(producer: Corrupted) -> None:
    """Unknown paths contribute nothing and fail nothing (A2)."""
    assert load(producer, producer.key, ["gone.py"]).total_records == 0


def test_the_filter_is_proved_on_every_page(producer: Corrupted) -> None:
    """A wrong filter fingerprint on the second page rejects the export (J-06)."""
    producer.lie = lambda number, page: (
        page.update(files_filter_fingerprint="0" * 64) if number == 2 else None
    )
    with pytest.raises(ExportRejected) as caught:
        load(producer, producer.key, ["a.py", "pkg/b.py"])
    assert caught.value.rule == "P10"


def test_pages_come_one_at_a_time(producer: Corrupted) -> None:
    """A page is asked for only when the one before was taken."""
    pages = stream(producer, producer.key)
    assert next(pages).envelope.records == []
    assert len(producer.requests) == 1


def test_size_limits(producer: Corrupted) -> None:
    """A page, or all pages together, one byte over the limit reject the export."""
    sizes = load(producer, producer.key).pages["bytes"].to_pylist()
    producer.limits = Limits(2, page_bytes=max(sizes), export_bytes=sum(sizes))
    load(producer, producer.key)
    for tight in (Limits(2, page_bytes=max(sizes) - 1), Limits(2, export_bytes=sum(sizes) - 1)):
        producer.limits = tight
        with pytest.raises(ExportRejected) as caught:
            load(producer, producer.key)
        assert caught.value.rule == "B1"


MOVES: list[Document] = [
    {"index_fingerprint": "e" * 64},
    {"total_records": 5},
    {"project": "renamed"},
]


@pytest.mark.parametrize("change", MOVES)
def test_an_index_that_moved_once_is_read_again(producer: Corrupted, change: Document) -> None:
    """The export is restarted once, and nothing of the first attempt is kept (J-49)."""
    producer.lie = lambda number, page: page.update(change) if number == 2 else None
    export = load(producer, producer.key)
    assert export.pages["number"].to_pylist() == [0, 1]
    assert [request.offset for request in producer.requests] == [0, 2, 0, 2]


def test_an_index_that_keeps_moving_is_an_error(producer: Corrupted) -> None:
    """The second change is reported, not retried."""
    producer.lie = lambda number, page: page.update(total_records=5) if number % 2 == 0 else None
    with pytest.raises(ExportChanged):
        load(producer, producer.key)
    assert len(producer.requests) == 4


def test_other_breaches_are_not_retried(producer: Corrupted) -> None:
    """Only a moved index earns a second attempt."""
    producer.lie = lambda _number, page: page.update(limit=7)
    with pytest.raises(ExportRejected):
        load(producer, producer.key)
    assert len(producer.requests) == 1


def test_the_announced_fingerprint_is_required(producer: Corrupted) -> None:
    """An export of another index than the manifest's is rejected (J-05)."""
    load(producer, producer.key, expected_fingerprint=producer.fingerprint)
    with pytest.raises(ExportRejected) as caught:
        load(producer, producer.key, expected_fingerprint="1" * 64)
    assert caught.value.rule == "J-05"


def test_the_store_is_called_anew_after_a_restart(producer: Corrupted) -> None:
    """A caller that writes pages elsewhere sees each attempt from its first page."""
    producer.lie = lambda number, page: page.update(total_records=5) if number == 2 else None
    attempts: list[list[int]] = []

    def store(pages: object) -> int:
        attempts.append([])
        for page in pages:  # type: ignore[attr-defined]
            attempts[-1].append(page.number)
        return len(attempts)

    assert load_into(store, producer, producer.key) == 2
    assert attempts == [[0], [0, 1]]


def test_batches_are_bounded(producer: Corrupted, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages leave in batches before all have come."""
    monkeypatch.setattr("codequarry.producers.exports._BATCH_BYTES", 1)
    sizes = [batch.num_rows for batch in page_batches(stream(producer, producer.key))]
    assert sizes == [1, 1]
    assert pages_table([]).num_rows == 0


def test_a_producer_that_fails_on_a_later_page_fails_the_export(producer: Corrupted) -> None:
    """What was read before is no export."""

    def die(number: int, _page: Document) -> None:
        if number == 2:
            raise ProducerError("gone")

    producer.lie = die
    with pytest.raises(ProducerError, match="gone"):
        load(producer, producer.key)
