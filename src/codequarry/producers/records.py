"""From the pages of an export to validated records (contract.md B3).

Rules R1 to R5 reject the whole export; R6 to R13 drop the records of one file.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from codequarry.core.errors import ExportRejected
from codequarry.core.hashing import FINGERPRINT_FIELDS, FingerprintDigest, index_fingerprint
from codequarry.core.text import REPLACEMENT
from codequarry.producers.pages import (
    ReceivedPage,
    ReceivedRecord,
    check_same_export,
    decode_page,
)
from codequarry.producers.record_rules import LAST_LINE, RecordOrder, RecordRules
from codequarry.producers.source_rules import SourceRules
from codequarry.schemas.tables import QUARANTINE, RECORDS, VALIDATED

_TEXTS = tuple(name for name in FINGERPRINT_FIELDS if not name.endswith("_line"))
_COPIED = RECORDS.names[1:-1]


@dataclass(frozen=True)
class Validated:
    """What validation made of an export.

    Args:
        records: The usable records in export order, in the schema RECORDS.
        quarantine: The files whose records were dropped, in the schema QUARANTINE.
        files: The files of ``records`` with the hash they had on disk, in the schema VALIDATED.
        total_records: Records of the export, dropped ones included.
        fingerprint_matches: Whether the export's own records give its fingerprint (C2); ``None``
            for a filtered export and where cut or repaired texts leave it open.
    """

    records: pa.Table
    quarantine: pa.Table
    files: pa.Table
    total_records: int
    fingerprint_matches: bool | None


def validate(bodies: Iterable[bytes], root: Path) -> Validated:
    """Validate all records of an export, page by page, in bounded memory.

    Args:
        bodies: The export's pages in order, each as the producer printed it.
        root: The project's root, whose files the records are compared with.

    Raises:
        ExportRejected: P1, P5, P11 or one of R1 to R5.
    """
    checker = _Checker(root)
    batches = [checker.take(page) for page in _pages(bodies)]
    first = checker.first
    if first is None or checker.order.accepted != first.total_records:
        raise ExportRejected("P11", "the number of records is not the announced total")
    return checker.result(pa.Table.from_batches(batches, RECORDS), first)


def _pages(bodies: Iterable[bytes]) -> Iterator[ReceivedPage]:
    first = None
    for body in bodies:
        page = decode_page(body)
        first = first or page
        check_same_export(page, first)
        yield page


class _Checker:
    """Holds what the rules remember between pages."""

    def __init__(self, root: Path) -> None:
        self.first: ReceivedPage | None = None
        self.order = RecordOrder()
        self._rules = RecordRules()
        self._sources = SourceRules(root.resolve())
        self._broken: dict[str, tuple[str, int]] = {}
        self._fingerprint: _Recomputed | None = None

    def take(self, page: ReceivedPage) -> pa.RecordBatch:
        """Validate a page's records and give those that are usable so far."""
        if self.first is None:
            self.first = page
            self._fingerprint = _Recomputed(page.project_key)
        kept: list[ReceivedRecord] = []
        ordinals: list[int] = []
        for record in page.records:
            self.order.accept(record, page)
            if record.file in self._broken:
                continue
            if rule := self._broken_rule(record):
                line = max(min(record.start_line, LAST_LINE), -LAST_LINE)
                self._broken[record.file] = (rule, line)
                continue
            kept.append(record)
            ordinals.append(self.order.accepted)
        if self._fingerprint is not None:
            self._fingerprint.add(page.records)
        return _batch(kept, ordinals)

    def _broken_rule(self, record: ReceivedRecord) -> str | None:
        content = record.content.encode()
        return self._rules.broken(record, content) or self._sources.broken(record, content)

    def result(self, records: pa.Table, first: ReceivedPage) -> Validated:
        """Drop the records that came before their file's first breach."""
        broken = pa.array(list(self._broken), pa.string())
        if self._broken:
            records = records.filter(pc.invert(pc.is_in(records["file"], value_set=broken)))
        rows = [(file, rule, line) for file, (rule, line) in self._broken.items()]
        seen = [item for item in self._sources.seen.items() if item[0] not in self._broken]
        matches = None
        if self._fingerprint is not None and first.schema_version == 1:
            matches = self._fingerprint.matches(first.index_fingerprint)
        return Validated(
            records.combine_chunks(),
            _table(rows, QUARANTINE),
            _table(seen, VALIDATED),
            self.order.accepted,
            matches,
        )


def _table(rows: Iterable[tuple[object, ...]], schema: pa.Schema) -> pa.Table:
    listed = list(rows)
    columns = [[row[position] for row in listed] for position in range(len(schema))]
    arrays = [pa.array(column, kind.type) for column, kind in zip(columns, schema, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)


def _batch(kept: list[ReceivedRecord], ordinals: list[int]) -> pa.RecordBatch:
    truncated = [record.signature_truncated or record.docstring_truncated for record in kept]
    copied = [[getattr(record, name) for record in kept] for name in _COPIED]
    columns: list[list[object]] = [list(ordinals), *copied, list(truncated)]
    arrays = [pa.array(column, kind.type) for column, kind in zip(columns, RECORDS, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=RECORDS)


class _Recomputed:
    """The fingerprint of C2 over records as transported, and whether they can prove it."""

    def __init__(self, project_key: str) -> None:
        self._digest = FingerprintDigest(project_key)
        self._exact = True

    def add(self, records: list[ReceivedRecord]) -> None:
        """Add the next records of the export."""
        if any(r.signature_truncated or r.docstring_truncated for r in records):
            self._exact = False
        columns = [[getattr(r, name) for r in records] for name in FINGERPRINT_FIELDS]
        # The producer hashes texts before their repair, so a repaired one proves nothing.
        texts = (c for name, c in zip(FINGERPRINT_FIELDS, columns, strict=True) if name in _TEXTS)
        self._exact = self._exact and not any(REPLACEMENT in str(t) for c in texts for t in c)
        if self._exact:
            self._digest.update(columns)

    def matches(self, fingerprint: str) -> bool | None:
        """Compare; ``None`` when a text was cut or repaired."""
        return self._digest.hexdigest() == fingerprint if self._exact else None


def fingerprint_matches(records: pa.Table, project_key: str, fingerprint: str) -> bool | None:
    """Recompute an index fingerprint (contract.md C2, J-10).

    Args:
        records: *Every* record of the index in export order, in the schema RECORDS.
        project_key: Key A.
        fingerprint: What to compare with.

    Returns:
        Whether they agree; ``None`` when a text was cut or repaired in transport.
    """
    if pc.any(records["truncated"]).as_py():
        return None
    # The producer hashes texts before their repair, so a repaired one proves nothing.
    if any(_is_repaired(records[name]) for name in _TEXTS):
        return None
    return (
        index_fingerprint(project_key, [records[name] for name in FINGERPRINT_FIELDS])
        == fingerprint
    )


def _is_repaired(texts: pa.ChunkedArray) -> bool:
    """Look for the mark of a repair; most columns are plain ASCII, which is sooner told."""
    if pc.all(pc.string_is_ascii(texts)).as_py():
        return False
    return bool(pc.any(pc.match_substring(texts, REPLACEMENT)).as_py())


def moved_files(files: pa.Table, snapshot: Mapping[str, str]) -> list[str]:
    """Give the validated files whose bytes are not those of the snapshot (contract.md B4).

    A file that the snapshot leaves out (ignored, too large) is not indexed and does not count.

    Args:
        files: In the schema VALIDATED.
        snapshot: Path to sha256 of each eligible file.
    """
    pairs = zip(files["file"].to_pylist(), files["sha256"].to_pylist(), strict=True)
    return [file for file, sha256 in pairs if snapshot.get(file, sha256) != sha256]
