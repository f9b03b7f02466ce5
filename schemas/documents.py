"""The JSON documents that cross a process boundary: page, manifest, receipt, sidecar.

Typed and strict where we write. Where we read another program's document, `leniently` decodes it
as Go's ``encoding/json`` would (contract.md B0).
"""

import json
import re
from typing import Any, TypeVar

import msgspec

_Document = TypeVar("_Document", bound=msgspec.Struct)

_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_ESCAPE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(?P<lone>\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
    r"|\\."
)


class Record(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One symbol of an export page, in the order the contract emits its fields (A1.2)."""

    schema_version: int | None = None
    ordinal: int | None = None
    project: str | None = None
    project_key: str | None = None
    index_fingerprint: str | None = None
    file: str | None = None
    start_line: int | None = None
    end_line: int | None = None
    symbol: str | None = None
    fqn: str | None = None
    kind: str | None = None
    language: str | None = None
    signature: str | None = None
    docstring: str | None = None
    source_hash: str | None = None
    content: str | None = None
    content_hash: str | None = None
    signature_truncated: bool | None = None
    docstring_truncated: bool | None = None
    content_truncated: bool | None = None
    content_omitted: bool | None = None
    omission_reason: str | None = None
    file_stale: bool | None = None


class Page(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One page of ``export-symbols`` (A1.1)."""

    schema_version: int | None = None
    project: str | None = None
    project_key: str | None = None
    index_fingerprint: str | None = None
    offset: int | None = None
    limit: int | None = None
    max_content_bytes: int | None = None
    total_records: int | None = None
    returned_records: int | None = None
    complete: bool | None = None
    next_offset: int | None = None
    records: list[Record] | None = None
    files_filter: list[str] | None = None
    files_filter_fingerprint: str | None = None


class FailureEnvelope(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a failing command prints on stdout under ``--json`` (A0.1)."""

    ok: bool
    error: str
    code: str = ""
    hint: str | None = None


class Freshness(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Whether the working tree equals the producer's index (A3)."""

    checked: bool
    fresh: bool
    changed: int
    new: int
    deleted: int
    changed_files: list[str] | None = None
    new_files: list[str] | None = None
    deleted_files: list[str] | None = None


class ReindexDelta(msgspec.Struct, frozen=True, kw_only=True):
    """What the producer's latest index run changed (A4)."""

    from_fingerprint: str
    to_fingerprint: str
    changed_files: list[str] | None = None
    new_files: list[str] | None = None
    deleted_files: list[str] | None = None
    created_at: str | None = None


class Manifest(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The answer of ``structural-manifest`` (A3)."""

    schema_version: int
    export_schema_version: int
    project: str
    project_key: str
    index_fingerprint: str
    total_records: int
    complete: bool
    freshness: Freshness
    reindex_delta: ReindexDelta | None = None


class OriginCounts(msgspec.Struct, frozen=True):
    """How many files or chunks came from each origin."""

    structural: int = 0
    gap: int = 0
    local: int = 0


class Counts(msgspec.Struct, frozen=True):
    """What an attempt wrote (E3)."""

    files: OriginCounts = OriginCounts()
    chunks: OriginCounts = OriginCounts()


class Fallback(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why part of a run did not use structural data (B7)."""

    code: str
    reason: str
    count: int | None = None


class Receipt(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The proof of one attempt, byte-compatible with contract.md E3."""

    schema_version: int
    attempt_id: str
    scope_complete: bool
    project_key: str
    requested_mode: str
    effective_mode: str
    producer: str | None = None
    producer_version: str | None = None
    contract: str | None = None
    contract_version: int | None = None
    producer_project_key: str | None = None
    index_fingerprint: str | None = None
    counts: Counts
    fallbacks: list[Fallback] | None = None
    error_count: int = 0
    last_attempt: str
    last_success: str | None = None
    ingestion_complete: bool
    complete: bool
    success: bool


class HealthStats(msgspec.Struct, frozen=True, kw_only=True):
    """The sizes that the health sidecar states (E8)."""

    projects: int
    files: int
    chunks: int
    embeddings: int


class HealthManifest(msgspec.Struct, frozen=True, kw_only=True):
    """The health sidecar, byte-compatible with contract.md E8."""

    schema_version: int
    attempt_id: str
    project_key: str
    stats: HealthStats
    indexed_bytes: int
    latest_indexed_at: str
    source_hashes: dict[str, str]
    updated_at: str


def encode(document: msgspec.Struct, *, indent: bool = False) -> bytes:
    """Write a document as Go's encoder does without HTML escaping, one newline at the end.

    Args:
        document: What to write.
        indent: Two spaces a level (A0), or compact (E3).
    """
    body = msgspec.json.encode(document)
    if indent:
        body = msgspec.json.format(body, indent=2)
    # Go always escapes the two Unicode line separators; their bytes occur only inside strings.
    body = body.replace(b"\xe2\x80\xa8", b"\\u2028").replace(b"\xe2\x80\xa9", b"\\u2029")
    return body + b"\n"


def leniently(raw: bytes, kind: type[_Document]) -> _Document:
    """Decode another program's document as Go's ``encoding/json`` would (contract.md B0).

    Unknown keys are ignored, keys match without regard to case, a missing key or ``null`` keeps
    the field's default, the last of duplicate keys wins, invalid UTF-8 and lone surrogate escapes
    become U+FFFD.

    Raises:
        ValueError: The bytes are not one JSON value, or a value has the wrong type.
    """
    text = re.sub("[\udc80-\udcff]", "\ufffd", raw.decode("utf-8", "surrogateescape"))
    if _SURROGATE_ESCAPE.search(text):
        text = _ESCAPE.sub(_mend_escape, text)
    try:
        parsed = json.loads(text, object_pairs_hook=_fold_keys, parse_constant=_refuse_constant)
        return msgspec.convert(parsed, kind, strict=True)
    except (msgspec.ValidationError, RecursionError) as error:
        raise ValueError(f"not a {kind.__name__}: {error}") from None


def _mend_escape(escape: re.Match[str]) -> str:
    return r"\ufffd" if escape["lone"] else escape[0]


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _fold_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return {key.lower(): value for key, value in pairs if value is not None}
