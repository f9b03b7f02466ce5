"""The head of the ledger beside it: what is published, told without opening LanceDB (J-30).

The ledger is the truth. Whoever appends to it writes this file next, and `codequarry.index.publish`
restores it from the ledger; evidence that it does not name is not published, or not any more.
"""

from collections.abc import Mapping

import msgspec

from codequarry.core.files import write_atomically
from codequarry.core.state import StateDirectory


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """The newest entry of one indexed project.

    Args:
        entry_hash: Of the entry.
        receipt_hash: SHA-256 of its receipt's exact bytes.
        health_hash: SHA-256 of its health sidecar's; empty when the entry does not tell.
        embedding_profile: Profile id that its vectors were made with; empty when not known.
        unread_files: Language to the number of files that could not be indexed.
    """

    entry_hash: str
    receipt_hash: str
    health_hash: str = ""
    embedding_profile: str = ""
    unread_files: dict[str, int] = {}


class _Document(msgspec.Struct, frozen=True):
    projects: dict[str, Head]
    schema_version: int = 1


LEDGER = "receipts.lance"
"""The ledger's folder among the tables."""


def read_heads(state: StateDirectory) -> Mapping[str, Head]:
    """Give Key B of each indexed project to its head; empty when the file, or no ledger, tells."""
    return _read(state) if (state.lance / LEDGER).is_dir() else {}


def had_ledger(state: StateDirectory) -> bool:
    """Tell whether there was a ledger that named a project, wherever it is now."""
    return bool(_read(state))


def _read(state: StateDirectory) -> Mapping[str, Head]:
    try:
        found = msgspec.json.decode(state.ledger_head.read_bytes(), type=_Document)
    except (OSError, msgspec.MsgspecError, RecursionError):
        return {}
    return found.projects if found.schema_version == 1 else {}


def write_heads(state: StateDirectory, heads: Mapping[str, Head]) -> None:
    """Write the file, unless it says just that already; call it under the lease.

    Raises:
        StateError: It cannot be written.
    """
    if heads and _read(state) == heads:
        return
    document = msgspec.json.encode(_Document(dict(heads)), order="sorted")
    write_atomically(state.ledger_head, document, prefix=".head-")
