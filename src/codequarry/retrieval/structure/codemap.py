"""The real codemap as a peer that is asked (contract.md A5 to A8, A10).

It may answer, or not answer in one of several ways that stay apart: only an empty answer says that
there is nothing (contract.md F10).
"""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Generic, TypeAlias, TypeVar

import msgspec

from codequarry.core.errors import ProcessError, UsageError
from codequarry.core.hashing import sha256_hex
from codequarry.core.process import run
from codequarry.producers.codemap import BINARY_VARIABLE, locate, needed
from codequarry.producers.failure import failure_of, old_refusal
from codequarry.producers.paths import is_clean
from codequarry.producers.selection import SETTING_VARIABLE, ProducerSetting
from codequarry.retrieval.structure.codemap_documents import (
    PeerAnnotation,
    PeerHotspots,
    PeerImpact,
    PeerImpacts,
    PeerPosition,
    PeerRelated,
)
from codequarry.schemas.documents import leniently

_Document = TypeVar("_Document", bound=msgspec.Struct)

SECONDS = 10.0
STDOUT_BYTES = 4 * 1024 * 1024
NOTE_CHARACTERS = 2_000
DEFAULT_DEPTH = 3
"""How far codemap's ``impact`` looks when it is not told."""


Peers: TypeAlias = "Callable[[str], CodemapPeer | None]"
"""Gives codemap in a project; ``None`` where it is not to be asked, as of the past."""


class Outcome(StrEnum):
    """How a question to a peer ended."""

    ANSWERED = "answered"
    EMPTY = "empty"
    NOT_FOUND = "not_found"
    NOT_INDEXED = "not_indexed"
    ERRORED = "errored"
    MISSING = "missing"


@dataclass(frozen=True)
class Reply(Generic[_Document]):
    """What a peer said.

    Args:
        outcome: How it ended.
        document: The answer; ``None`` unless it is one.
        detail: Why there is none, one sentence.
    """

    outcome: Outcome
    document: _Document | None = None
    detail: str = ""


@dataclass(frozen=True)
class CodemapPeer:
    """codemap, asked about one project.

    Args:
        binary: Its absolute path; ``None`` when there is none.
        root: The project's real path; the working directory of every call.
        absence: Why there is no binary.
        seconds: The deadline of a call.
        environment: The environment of every call; ``None`` inherits ours.
        is_expected: Whether somebody counts on it, so that its absence is worth a word.
    """

    binary: Path | None
    root: Path
    absence: str = "codemap was not found"
    seconds: float = SECONDS
    environment: Mapping[str, str] | None = None
    is_expected: bool = False

    @classmethod
    def of(
        cls, root: Path, environment: Mapping[str, str] = os.environ, *, has_indexed: bool = False
    ) -> "CodemapPeer":
        """Find codemap as the settings say: ``CODEQUARRY_CODEMAP``, ``CODEQUARRY_PRODUCER``.

        A wrong setting makes it missing, with the reason. Of the environment it is given what it
        needs: none of our keys and tokens.

        Args:
            root: The project's real path.
            environment: Holds the settings.
            has_indexed: Whether the index was made from its export; then it is expected, as it is
                where a setting names it.
        """
        try:
            setting = ProducerSetting.parse(environment.get(SETTING_VARIABLE))
            if setting is ProducerSetting.BUILTIN:
                return cls(None, root, "CODEQUARRY_PRODUCER leaves codemap out")
            named = environment.get(BINARY_VARIABLE, "").strip()
            binary = locate(named, environment)
        except UsageError as error:
            return cls(None, root, error.message, is_expected=True)
        expected = has_indexed or bool(named) or setting is ProducerSetting.CODEMAP
        return cls(binary, root, environment=needed(environment), is_expected=expected)

    @property
    def is_silent(self) -> bool:
        """Whether it is not there and nobody counts on it, so that nothing need be said of it."""
        return self.binary is None and not self.is_expected

    def symbol_at(self, path: str, line: int) -> Reply[PeerPosition]:
        """Ask which symbol is at a line (A5)."""
        if not is_clean(path) or line < 1:
            return Reply(Outcome.NOT_FOUND, detail="that is no place of the project")
        reply = self._ask(["symbol-at", _operand(f"{path}:{line}"), "--json"], PeerPosition)
        if reply.document is not None and reply.document.resolution == "none":
            return Reply(Outcome.NOT_FOUND, detail="codemap knows no symbol there")
        return reply

    def impact(self, selector: Mapping[str, object], depth: int) -> Reply[PeerImpact]:
        """Ask what depends on the symbol of a selector (A6); never by its bare name."""
        text = json.dumps(dict(selector), ensure_ascii=False)
        arguments = ["impact", "--selector", text, "--json"]
        if depth != DEFAULT_DEPTH:
            arguments += ["--depth", str(depth)]
        reply = self._ask(arguments, PeerImpacts)
        if reply.document is None:
            return Reply(reply.outcome, detail=reply.detail)
        if not reply.document.indexed:
            return Reply(Outcome.NOT_INDEXED, detail="codemap has not indexed the project")
        result = next(iter(reply.document.results), None)
        if result is None or (not result.found and not result.error):
            return Reply(Outcome.NOT_FOUND, detail="codemap does not know the symbol")
        if result.error:
            return Reply(Outcome.ERRORED, detail="codemap could not resolve the selector")
        stale = reply.document.freshness is not None and reply.document.freshness.stale
        empty = not (result.direct_callers or result.blast_radius or result.tests)
        detail = "its index is behind the working tree" if stale else ""
        return Reply(Outcome.EMPTY if empty else Outcome.ANSWERED, result, detail)

    def hotspots(self, top: int) -> Reply[PeerHotspots]:
        """Ask for the symbols that most hangs on (A7)."""
        reply = self._ask(["hotspots", "--json", "--top", str(top)], PeerHotspots)
        return _emptied(reply, reply.document is not None and not reply.document.hotspots)

    def related_files(self, path: str) -> Reply[PeerRelated]:
        """Ask which files belong with one (A8); a file that codemap does not know is not found."""
        if not is_clean(path):
            return Reply(Outcome.NOT_FOUND, detail="that is no file of the project")
        arguments = ["related-files", _operand(path), "--json"]
        reply = self._ask(arguments, PeerRelated, of_project=False)
        if reply.document is not None and not reply.document.indexed:
            return Reply(Outcome.NOT_FOUND, detail="codemap does not know the file")
        return _emptied(reply, reply.document is not None and not reply.document.related)

    def annotate(
        self, selector: Mapping[str, object], query: str, note: str, data: Mapping[str, object]
    ) -> Reply[PeerAnnotation]:
        """Note on a symbol that a query surfaced it; a second call changes nothing (A10, J-13).

        Args:
            selector: The symbol; it is named by its qualified name.
            query: The query.
            note: The note.
            data: More about it.
        """
        target = str(selector.get("fqn") or "")
        if not target or target.startswith("-"):
            return Reply(Outcome.NOT_FOUND, detail="the selector has no usable qualified name")
        arguments = ["annotate", target, "--note", note[:NOTE_CHARACTERS]]
        arguments += ["--source", "vecgrep", "--data", json.dumps(dict(data), ensure_ascii=False)]
        arguments += ["--external-id", external_id(query, selector), "--json"]
        return self._ask(arguments, PeerAnnotation)

    def _ask(
        self, arguments: Sequence[str], kind: type[_Document], *, of_project: bool = True
    ) -> Reply[_Document]:
        """Run codemap; ``indexed: false`` speaks of the project, as old releases did, or not."""
        if self.binary is None:
            return Reply(Outcome.MISSING, detail=self.absence)
        command = f"codemap {arguments[0]}"
        try:
            done = run(
                [self.binary, *arguments],
                self.root,
                self.seconds,
                STDOUT_BYTES,
                env=self.environment,
            )
        except ProcessError as error:
            return Reply(Outcome.ERRORED, detail=error.message)
        failure = old_refusal(command, done.stdout) if of_project else None
        if done.returncode:
            failure = failure_of(command, done)
        if failure is not None:
            return Reply(_OF_CODE.get(failure.code, Outcome.ERRORED), detail=failure.message)
        try:
            return Reply(Outcome.ANSWERED, leniently(done.stdout, kind))
        except ValueError:
            return Reply(Outcome.ERRORED, detail=f"{command} printed what cannot be read")


_OF_CODE = {
    "not_found": Outcome.NOT_FOUND,
    "not_indexed": Outcome.NOT_INDEXED,
    "index_missing": Outcome.NOT_INDEXED,
}


def is_from_codemap(receipt: str) -> bool:
    """Tell whether the run of a receipt read codemap's export; of one that says nothing, not."""
    try:
        return msgspec.json.decode(receipt, type=_MadeBy).producer == "codemap"
    except msgspec.MsgspecError:
        return False


class _MadeBy(msgspec.Struct, frozen=True):
    producer: str | None = None


def external_id(query: str, selector: Mapping[str, object]) -> str:
    """Give the id of the annotation of a query on a symbol: a SHA-256, free of line numbers."""
    names = [str(selector.get(name) or "") for name in ("file", "fqn", "kind")]
    return sha256_hex("\0".join([query, *names]))


def _operand(text: str) -> str:
    """Keep an operand that begins with a dash from being read as an option."""
    return f"./{text}" if text.startswith("-") else text


def _emptied(reply: Reply[_Document], empty: bool) -> Reply[_Document]:
    return Reply(Outcome.EMPTY, reply.document, reply.detail) if empty else reply
