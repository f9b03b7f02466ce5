"""A project's evidence on disk: the receipt and the health sidecar (contract.md E3, E8)."""

import re
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

import msgspec

from codequarry.core.errors import ReceiptError
from codequarry.core.files import locked, write_atomically
from codequarry.core.hashing import is_hex, sha256_hex
from codequarry.core.state import StateDirectory
from codequarry.index.head import Head, read_heads
from codequarry.receipts.lifecycle import MAX_FALLBACKS
from codequarry.schemas.documents import HealthManifest, Receipt, encode

MODES = ("off", "auto", "required")
EFFECTIVE_MODES = ("off", "local", "local_fallback", "structural", "mixed", "unavailable")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)")
_LEAVING = re.compile(r"\A/|(?:\A|/)\.\.(?:/|\Z)")
_SHA256 = re.compile(r"[0-9a-f]{64}")

State = Literal["valid", "missing", "invalid"]
Document = TypeVar("Document", Receipt, HealthManifest)


@dataclass(frozen=True)
class Loaded(Generic[Document]):
    """What was found at an evidence path.

    Args:
        state: Whether there is a valid document, none, or something unusable.
        document: The valid one.
        problem: Why it is invalid.
        published: Whether the ledger's head names a valid one's exact bytes.
    """

    state: State
    document: Document | None = None
    problem: str = ""
    published: bool = True


class Evidence:
    """The receipt and the sidecar of one project."""

    def __init__(self, state: StateDirectory, evidence_key: str) -> None:
        self._state = state
        self._key = evidence_key
        self._receipt = state.receipt(evidence_key)
        self._health = state.health(evidence_key)

    def receipt(self) -> Loaded[Receipt]:
        """Read and validate the receipt; never raises on bad content."""
        try:
            raw = self._receipt.read_bytes()
        except FileNotFoundError:
            return Loaded("missing")
        except OSError as error:
            return Loaded("invalid", problem=error.strerror or "unreadable")
        try:
            receipt = msgspec.json.decode(raw, type=Receipt)
        except (msgspec.DecodeError, RecursionError) as error:
            return Loaded("invalid", problem=str(error))
        problem = _receipt_problem(receipt, self._key)
        if problem:
            return Loaded("invalid", problem=problem)
        head = self.head()
        is_published = head is not None and head.receipt_hash == sha256_hex(raw)
        return Loaded("valid", receipt, published=is_published)

    def health(self) -> Loaded[HealthManifest]:
        """Read and validate the sidecar; never raises on bad content."""
        try:
            raw = self._health.read_bytes()
        except FileNotFoundError:
            return Loaded("missing")
        except OSError as error:
            return Loaded("invalid", problem=error.strerror or "unreadable")
        try:
            manifest = msgspec.json.decode(raw, type=HealthManifest)
        except (msgspec.DecodeError, RecursionError) as error:
            return Loaded("invalid", problem=str(error))
        problem = _health_problem(manifest, self._key)
        if problem:
            return Loaded("invalid", problem=problem)
        head = self.head()
        is_published = head is not None and head.health_hash == sha256_hex(raw)
        return Loaded("valid", manifest, published=is_published)

    def head(self) -> Head | None:
        """Give what the ledger's head says of the project; ``None`` where it names none."""
        return read_heads(self._state).get(self._key)

    def open_receipt(self, receipt: Receipt) -> None:
        """Write the opening receipt, whatever attempt's receipt stood there before.

        Raises:
            StateError: It cannot be written.
        """
        with self._locked():
            write_atomically(self._receipt, encode(receipt), prefix=".receipt-")

    def update_receipt(self, receipt: Receipt) -> bytes:
        """Write a later phase of the attempt whose receipt stands there; give its exact bytes.

        Raises:
            ReceiptError: Another attempt's receipt stands there by now.
            StateError: It cannot be written.
        """
        with self._locked():
            current = self.receipt().document
            if current is None or current.attempt_id != receipt.attempt_id:
                raise ReceiptError(
                    "this attempt was superseded by another one on the same project",
                    "nothing is lost: look at the newer run",
                )
            raw = encode(receipt)
            write_atomically(self._receipt, raw, prefix=".receipt-")
        return raw

    def write_health(self, manifest: HealthManifest) -> bytes:
        """Write the sidecar; give its exact bytes.

        Raises:
            StateError: It cannot be written.
        """
        raw = encode(manifest, indent=True)
        write_atomically(self._health, raw, prefix=".manifest-")
        return raw

    def remove(self) -> None:
        """Remove receipt and sidecar (J-37): the project has no proof any more."""
        with self._locked():
            self._receipt.unlink(missing_ok=True)
            self._health.unlink(missing_ok=True)

    def _locked(self) -> AbstractContextManager[None]:
        return locked(self._receipt.with_name(".lock"), 30)


def _receipt_problem(receipt: Receipt, key: str) -> str:
    files, chunks = receipt.counts.files, receipt.counts.chunks
    counts = (*msgspec.structs.astuple(files), *msgspec.structs.astuple(chunks))
    fallbacks = receipt.fallbacks or []
    claims = receipt.ingestion_complete or receipt.complete or receipt.success
    rules = {
        "schema_version is not 1": receipt.schema_version == 1,
        "it belongs to another project": receipt.project_key == key,
        "attempt_id is malformed": is_hex(receipt.attempt_id.lower(), 32),
        "requested_mode is unknown": receipt.requested_mode in MODES,
        "effective_mode is unknown": receipt.effective_mode in EFFECTIVE_MODES,
        "last_attempt is no time": bool(_TIME.fullmatch(receipt.last_attempt)),
        "last_success is no time": (
            receipt.last_success is None or bool(_TIME.fullmatch(receipt.last_success))
        ),
        "a count is negative": min(counts) >= 0 and receipt.error_count >= 0,
        "there are too many fallbacks": len(fallbacks) <= MAX_FALLBACKS,
        "a fallback is out of bounds": all(
            0 < len(f.code.encode()) <= 64 and 0 < len(f.reason.encode()) <= 256 for f in fallbacks
        ),
        "a partial scope claims completeness": receipt.scope_complete or not claims,
    }
    return next((problem for problem, holds in rules.items() if not holds), "")


def _health_problem(manifest: HealthManifest, key: str) -> str:
    rules = {
        "schema_version is not 1": manifest.schema_version == 1,
        "it belongs to another project": manifest.project_key == key,
        "attempt_id is malformed": is_hex(manifest.attempt_id.lower(), 32),
        "a count is negative": min(manifest.indexed_bytes, *msgspec.structs.astuple(manifest.stats))
        >= 0,
        "a path leaves the project": not any(map(_LEAVING.search, manifest.source_hashes)),
        "a hash is malformed": all(map(_SHA256.fullmatch, manifest.source_hashes.values())),
    }
    return next((problem for problem, holds in rules.items() if not holds), "")
