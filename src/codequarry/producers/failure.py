"""What a failing codemap says: exit codes and the failure envelope (contract.md A0.1, B1)."""

import msgspec

from codequarry.core.errors import ProducerError
from codequarry.core.process import Completed
from codequarry.schemas.documents import FailureEnvelope, leniently

_CODES = {2: "not_indexed", 3: "index_missing", 4: "index_corrupt", 5: "not_a_repo"}
_HINTS = {
    "not_indexed": "run: codemap index",
    "index_missing": "run: codemap index",
    "index_corrupt": "back up the database, then run: codemap index --reindex",
    "not_a_repo": "run inside a git repository",
}
_ENVELOPE_BYTES = 64 * 1024
_TEXT_CHARACTERS = 500


class _Refusal(msgspec.Struct):
    """What releases without an envelope answer, with exit status 0."""

    indexed: bool = True
    records: msgspec.Raw | None = None


def failure_of(command: str, completed: Completed) -> ProducerError:
    """Word a non-zero exit; standard output is never echoed, it may hold source text (B1).

    In order of preference: standard error, the failure envelope, the bare exit status.
    """
    envelope = _envelope(completed.stdout)
    code = envelope.code if envelope else _CODES.get(completed.returncode, "")
    hint = (envelope.hint if envelope else None) or _HINTS.get(code, "")
    if said := _one_line(completed.stderr.decode("utf-8", "replace")):
        text = said
    elif envelope:
        text = f"{_one_line(envelope.error)} [{_one_line(envelope.code)}]"
    elif completed.returncode < 0:
        text = f"it was ended by signal {-completed.returncode}"
    else:
        text = f"it exited with status {completed.returncode}"
    return ProducerError(f"{command} failed: {text}", _one_line(hint), _one_line(code))


def old_refusal(command: str, stdout: bytes) -> ProducerError | None:
    """Recognise the answer ``indexed: false`` that old releases gave with exit status 0."""
    if len(stdout) > _ENVELOPE_BYTES or b"indexed" not in stdout.lower():
        return None
    try:
        answer = leniently(stdout, _Refusal)
    except ValueError:
        return None
    if answer.indexed or answer.records is not None:
        return None
    return ProducerError(
        f"{command} failed: the project is not indexed", _HINTS["not_indexed"], "not_indexed"
    )


def _envelope(stdout: bytes) -> FailureEnvelope | None:
    if len(stdout) > _ENVELOPE_BYTES:
        return None
    try:
        envelope = leniently(stdout, FailureEnvelope)
    except ValueError:
        return None
    return None if envelope.ok or not envelope.error else envelope


def _one_line(text: str) -> str:
    """Trim, drop what could drive a terminal, and bound a peer's text."""
    printable = "".join(c if c.isprintable() else " " for c in text[: 4 * _TEXT_CHARACTERS])
    return " ".join(printable.split())[:_TEXT_CHARACTERS]
