"""Rules R1 to R11 over the records of one export (contract.md B3); nothing here reads the disk."""

import hashlib
import re

from codequarry.core.errors import ExportRejected
from codequarry.producers.pages import ReceivedPage, ReceivedRecord
from codequarry.producers.paths import is_clean

LAST_LINE = 2**31 - 1
"""The greatest line that RECORDS can hold."""

_HEX64 = re.compile(r"[0-9a-f]{64}", re.ASCII)


class RecordOrder:
    """Rules R1 to R5: a breach rejects the whole export.

    Keeps what it must remember from record to record and from page to page.
    """

    def __init__(self) -> None:
        self.accepted = 0
        self._numbered = False
        self._file = ""
        self._key: tuple[object, ...] = ()

    def accept(self, record: ReceivedRecord, page: ReceivedPage) -> None:
        """Take the next record.

        Raises:
            ExportRejected: R1 to R5.
        """
        _check_envelope(record, page)
        if record.file != self._file:
            if not is_clean(record.file):
                raise ExportRejected("R2", "a record's path is not a clean path in the project")
            self._file = record.file
        if self.accepted == 0:
            self._numbered = record.ordinal != 0
        if self._numbered != (record.ordinal != 0):
            raise ExportRejected("R3", "some records have ordinals and some have none")
        if self._numbered:
            if record.ordinal != self.accepted + 1:
                raise ExportRejected("R4", f"ordinal {record.ordinal} follows {self.accepted}")
        else:
            self._check_ascending(record)
        self.accepted += 1

    def _check_ascending(self, record: ReceivedRecord) -> None:
        # Comparing code points orders valid text as comparing its UTF-8 bytes does.
        key = (
            record.file,
            record.start_line,
            record.end_line,
            record.fqn,
            record.kind,
            record.symbol,
            record.language,
            record.signature,
            record.docstring,
            record.source_hash,
        )
        if self.accepted and key <= self._key:
            raise ExportRejected("R5", "records without ordinals are not strictly ascending")
        self._key = key


def _check_envelope(record: ReceivedRecord, page: ReceivedPage) -> None:
    if (
        record.schema_version != page.schema_version
        or record.project != page.project
        or record.project_key != page.project_key
        or record.index_fingerprint != page.index_fingerprint
    ):
        raise ExportRejected("R1", "a record belongs to another export than its page")


class RecordRules:
    """Rules R6 to R11: a breach drops the structural records of one file."""

    def __init__(self) -> None:
        self._selectors: set[tuple[str, int, str, str]] = set()

    def broken(self, record: ReceivedRecord, content: bytes) -> str | None:
        """Give the first rule that the record breaks.

        Args:
            record: The record.
            content: ``record.content`` as UTF-8.
        """
        return _broken_alone(record, content) or self._repeated(record)

    def _repeated(self, record: ReceivedRecord) -> str | None:
        selector = (record.file, record.start_line, record.fqn, record.kind)
        if selector in self._selectors:
            return "R11"
        self._selectors.add(selector)
        return None


def _broken_alone(record: ReceivedRecord, content: bytes) -> str | None:
    lines_fit = 1 <= record.start_line <= record.end_line <= LAST_LINE
    if not (lines_fit and record.kind and record.language):
        return "R6"
    if record.file_stale or record.content_omitted or record.omission_reason:
        return "R7"
    if not _HEX64.fullmatch(record.content_hash):
        return "R8"
    whole = not record.content_truncated
    if whole and hashlib.sha256(content).hexdigest() != record.content_hash:
        return "R9"
    if not _HEX64.fullmatch(record.source_hash):
        return "R10"
    return None
