"""The structural manifest, held to rules M0 to M9 (contract.md A3, A4, B6)."""

from enum import StrEnum
from typing import NoReturn

import msgspec

from codequarry.core.errors import ManifestRejected, ProducerError
from codequarry.core.hashing import is_hex
from codequarry.producers.pages import Int64
from codequarry.producers.protocol import Producer
from codequarry.schemas.documents import Manifest, leniently


class Verdict(StrEnum):
    """How a manifest fails (B6)."""

    UNAVAILABLE = "unavailable"
    INVALID = "invalid"
    MISMATCH = "mismatch"


class _Freshness(msgspec.Struct, frozen=True, kw_only=True):
    checked: bool | None = None
    fresh: bool | None = None
    changed: Int64 | None = None
    new: Int64 | None = None
    deleted: Int64 | None = None
    changed_files: list[str] | None = None
    new_files: list[str] | None = None
    deleted_files: list[str] | None = None


class _Delta(msgspec.Struct, frozen=True, kw_only=True):
    from_fingerprint: str = ""
    to_fingerprint: str = ""
    changed_files: list[str] | None = None
    new_files: list[str] | None = None
    deleted_files: list[str] | None = None
    created_at: str | None = None


class _Manifest(msgspec.Struct, frozen=True, kw_only=True):
    schema_version: Int64 | None = None
    export_schema_version: Int64 | None = None
    project: str | None = None
    project_key: str | None = None
    index_fingerprint: str | None = None
    total_records: Int64 | None = None
    complete: bool | None = None
    freshness: _Freshness | None = None
    reindex_delta: _Delta | None = None


_MAY_BE_ABSENT = ("reindex_delta", "changed_files", "new_files", "deleted_files")


def fetch_manifest(
    producer: Producer, project_key: str, expected_fingerprint: str | None = None
) -> Manifest:
    """Ask a producer for its manifest and check it.

    Args:
        producer: Whom to ask.
        project_key: As for :func:`read_manifest`.
        expected_fingerprint: As for :func:`read_manifest`.

    Raises:
        ManifestRejected: M0 to M9.
    """
    try:
        raw = producer.manifest()
    except ProducerError as error:
        raise ManifestRejected("M0", Verdict.UNAVAILABLE, str(error)) from error
    return read_manifest(raw, project_key, expected_fingerprint)


def read_manifest(
    raw: bytes, project_key: str, expected_fingerprint: str | None = None
) -> Manifest:
    """Decode a manifest and hold it to M1 to M9; its file lists and delta are carried through.

    Args:
        raw: The document as the producer printed it.
        project_key: The locally computed Key A.
        expected_fingerprint: The receipt's; ``None`` leaves out M7, as delta planning does.

    Raises:
        ManifestRejected: The first broken rule, with its verdict.
    """
    try:
        read = leniently(raw, _Manifest)
    except (ValueError, RecursionError):
        _invalid("M1", "it is not one JSON object of the contract's types")
    manifest = _complete(read)
    _check_identity(manifest, project_key, expected_fingerprint)
    _check_state(manifest)
    return manifest


def _complete(read: _Manifest) -> Manifest:
    if missing := [*_missing(read), *(_missing(read.freshness) if read.freshness else [])]:
        _invalid("M2", f"{', '.join(missing)} must be present")
    return msgspec.convert(read, Manifest, from_attributes=True)


def _missing(part: msgspec.Struct) -> list[str]:
    required = [name for name in part.__struct_fields__ if name not in _MAY_BE_ABSENT]
    return [name for name in required if getattr(part, name) is None]


def _check_identity(manifest: Manifest, project_key: str, expected: str | None) -> None:
    if (manifest.schema_version, manifest.export_schema_version) != (1, 1):
        _invalid("M3", "its schema versions are not 1")
    if not manifest.project or not is_hex(manifest.project_key, 12):
        _invalid("M4", "the project has no name or no key of 12 hexadecimal digits")
    if manifest.project_key != project_key:
        _mismatch("M5", "the producer's project root is not this project's real path")
    if not is_hex(manifest.index_fingerprint, 64):
        _invalid("M6", "the index fingerprint is not 64 hexadecimal digits")
    if expected not in (None, manifest.index_fingerprint):
        _mismatch("M7", "the producer's index is not the one that was ingested")


def _check_state(manifest: Manifest) -> None:
    if manifest.total_records < 0 or not manifest.complete:
        _invalid("M8", "the total is negative or the export incomplete")
    freshness = manifest.freshness
    counters = (freshness.changed, freshness.new, freshness.deleted)
    if not freshness.checked or min(counters) < 0 or freshness.fresh != (not any(counters)):
        _invalid("M9", "freshness was not checked or contradicts its counters")


def _invalid(rule: str, message: str) -> NoReturn:
    raise ManifestRejected(rule, Verdict.INVALID, message)


def _mismatch(rule: str, message: str) -> NoReturn:
    raise ManifestRejected(rule, Verdict.MISMATCH, message)
