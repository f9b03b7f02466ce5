"""Which producer a run reads, and what it says when it could not (contract.md B4, B5, B7)."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Generic, Self, TypeVar

from codequarry.core.errors import ProducerError, ProducerMissing, UsageError
from codequarry.producers.protocol import Producer
from codequarry.schemas.documents import Fallback

_Loaded = TypeVar("_Loaded")


class _Setting(StrEnum):
    @classmethod
    def parse(cls, text: str | None) -> Self:
        """Read a setting: trimmed, without regard to case; empty means ``auto``.

        Raises:
            UsageError: It is none of the values.
        """
        wanted = (text or "").strip().lower() or "auto"
        for member in cls:
            if member.value == wanted:
                return member
        name = re.sub("(?<=[a-z])(?=[A-Z])", " ", cls.__name__).lower()
        raise UsageError(f"the {name} cannot be {wanted[:40]!r}", f"use one of {', '.join(cls)}")


class StructuralMode(_Setting):
    """Whether a run reads symbols at all, and whether it may do without (B5)."""

    OFF = "off"
    AUTO = "auto"
    REQUIRED = "required"


SETTING_VARIABLE = "CODEQUARRY_PRODUCER"
"""The environment variable with the producer's setting."""


class ProducerSetting(_Setting):
    """Which producer a deployment wants."""

    AUTO = "auto"
    CODEMAP = "codemap"
    BUILTIN = "builtin"


class ProducerKind(StrEnum):
    """A producer that can be opened."""

    CODEMAP = "codemap"
    BUILTIN = "builtin"


class FallbackCode(StrEnum):
    """The bounded vocabulary of receipts (B7)."""

    CODEMAP_DISABLED = "codemap_disabled"
    PRODUCER_UNAVAILABLE = "producer_unavailable"
    PARTIAL_STRUCTURAL_SNAPSHOT = "partial_structural_snapshot"
    PRODUCER_ERROR = "producer_error"
    LOCAL_CHUNKER_USED = "local_chunker_used"
    PARTIAL_SCOPE = "partial_scope"
    STRUCTURAL_LOAD_FAILED = "structural_load_failed"
    STRUCTURAL_PREFLIGHT_FAILED = "structural_preflight_failed"
    STORAGE_RESET_FAILED = "storage_reset_failed"
    PROJECT_ROOT_FAILED = "project_root_failed"
    INDEX_FAILED = "index_failed"
    POSTFLIGHT_FAILED = "postflight_failed"
    RECEIPT_PERSISTENCE_FAILED = "receipt_persistence_failed"


REASONS = {
    FallbackCode.CODEMAP_DISABLED: "the codemap integration is switched off",
    FallbackCode.PRODUCER_UNAVAILABLE: "the structural producer was not available",
    FallbackCode.PARTIAL_STRUCTURAL_SNAPSHOT: "some files have no usable structural records",
    FallbackCode.PRODUCER_ERROR: "the structural producer failed and a fallback was used",
    FallbackCode.LOCAL_CHUNKER_USED: (
        "files without usable structural records used the local chunker"
    ),
    FallbackCode.PARTIAL_SCOPE: "the run covered only part of the project",
    FallbackCode.STRUCTURAL_LOAD_FAILED: "the required structural export could not be loaded",
    FallbackCode.STRUCTURAL_PREFLIGHT_FAILED: (
        "files changed after the required structural export was validated"
    ),
    FallbackCode.STORAGE_RESET_FAILED: "the stored index could not be replaced",
    FallbackCode.PROJECT_ROOT_FAILED: "the project root could not be resolved",
    FallbackCode.INDEX_FAILED: "the index run failed",
    FallbackCode.POSTFLIGHT_FAILED: "the index could not be completed after writing",
    FallbackCode.RECEIPT_PERSISTENCE_FAILED: "the receipt could not be finalised",
}
"""One fixed sentence a code, at most 256 bytes; no provider, command or file text."""


def fallback(code: FallbackCode, count: int | None = None) -> Fallback:
    """Give the receipt's entry for a code."""
    return Fallback(code=code.value, reason=REASONS[code], count=count)


@dataclass(frozen=True)
class Choice:
    """Which producers to try, in order.

    Args:
        mode: The mode that was asked for.
        producers: None of them: every file uses the local chunker.
        binary: The codemap binary, when codemap is among ``producers``.
        fallbacks: Why a wanted producer is not among them.
    """

    mode: StructuralMode
    producers: tuple[ProducerKind, ...]
    binary: Path | None = None
    fallbacks: tuple[Fallback, ...] = ()


def choose(
    mode: StructuralMode, setting: ProducerSetting, binary: Path | None, enabled: bool = True
) -> Choice:
    """Decide which producers a run tries (B5). Setting ``builtin`` never looks at codemap.

    Args:
        mode: What the run asked for.
        setting: What the deployment wants.
        binary: Where ``codemap.locate`` found the binary.
        enabled: Whether codemap may be used; ``required`` ignores it.

    Raises:
        ProducerMissing: ``required`` needs codemap, and it was not found.
    """
    if mode is StructuralMode.OFF:
        return Choice(mode, ())
    if setting is ProducerSetting.BUILTIN:
        return Choice(mode, (ProducerKind.BUILTIN,))
    if mode is StructuralMode.REQUIRED:
        if binary is None:
            raise ProducerMissing(
                "structural chunks are required, and the codemap binary was not found",
                "install codemap, set CODEQUARRY_CODEMAP to it, or CODEQUARRY_PRODUCER to builtin",
            )
        return Choice(mode, (ProducerKind.CODEMAP,), binary)
    spare = (ProducerKind.BUILTIN,) if setting is ProducerSetting.AUTO else ()
    if enabled and binary is not None:
        return Choice(mode, (ProducerKind.CODEMAP, *spare), binary)
    if spare:
        return Choice(mode, spare)
    missing = FallbackCode.PRODUCER_UNAVAILABLE if enabled else FallbackCode.CODEMAP_DISABLED
    return Choice(mode, (), fallbacks=(fallback(missing),))


@dataclass(frozen=True)
class Selected(Generic[_Loaded]):
    """What the first working producer gave.

    Args:
        producer: The producer, or ``None`` when none was tried or none worked.
        result: What was loaded from it.
        fallbacks: For the receipt.
        errors: Why the earlier ones failed, for logs only.
    """

    producer: Producer | None
    result: _Loaded | None
    fallbacks: tuple[Fallback, ...]
    errors: tuple[ProducerError, ...]


def load_first(
    choice: Choice,
    producer_of: Callable[[ProducerKind], Producer],
    load: Callable[[Producer], _Loaded],
) -> Selected[_Loaded]:
    """Load from the first producer that works.

    Args:
        choice: What to try.
        producer_of: Opens a producer.
        load: Loads from it; its ProducerError means "try the next".

    Raises:
        ProducerError: The mode is ``required``, and the producer failed.
    """
    errors: list[ProducerError] = []
    for kind in choice.producers:
        try:
            producer = producer_of(kind)
            result = load(producer)
        except ProducerError as error:
            if choice.mode is StructuralMode.REQUIRED:
                raise
            errors.append(error)
            continue
        return Selected(producer, result, _fallbacks(choice, errors), tuple(errors))
    return Selected(None, None, _fallbacks(choice, errors), tuple(errors))


def _fallbacks(choice: Choice, errors: list[ProducerError]) -> tuple[Fallback, ...]:
    failed = (fallback(FallbackCode.PRODUCER_ERROR),) if errors else ()
    return choice.fallbacks + failed


def judge(mode: StructuralMode, usable_files: int, broken_files: int) -> tuple[Fallback, ...]:
    """Decide whether a complete, validated export may be used (the table of B4).

    Args:
        mode: What the run asked for.
        usable_files: Files with validated records.
        broken_files: Files in quarantine.

    Returns:
        What the receipt says about it.

    Raises:
        ProducerError: No file is usable though some have records, or the mode is ``required`` and
            some file is not.
    """
    if not broken_files:
        return ()
    if not usable_files or mode is StructuralMode.REQUIRED:
        raise ProducerError(
            f"{broken_files} of {usable_files + broken_files} files with symbols do not agree with "
            "the working tree or the contract",
            "index the project again with its producer, then repeat the run",
        )
    return (fallback(FallbackCode.PARTIAL_STRUCTURAL_SNAPSHOT, broken_files),)
