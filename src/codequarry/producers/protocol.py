"""What a producer is to its consumer: pages of records, and a manifest."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Limits:
    """Transport limits of one producer (contract.md B1). Sizes in bytes, times in seconds."""

    page_records: int = 128
    content_bytes: int = 16_384
    page_seconds: float = 30.0
    page_bytes: int = 64 * 1024 * 1024
    export_bytes: int = 128 * 1024 * 1024
    stderr_bytes: int = 64 * 1024
    manifest_seconds: float = 10.0
    manifest_bytes: int = 1024 * 1024


@dataclass(frozen=True)
class PageRequest:
    """One call of ``export-symbols`` (contract.md A1, A2).

    Args:
        offset: Records to skip.
        limit: Records to return at most.
        max_content_bytes: Cut of content, signature and docstring.
        files: Normalised paths of a filtered (v2) export, or ``None`` for the whole index (v1).
    """

    offset: int
    limit: int
    max_content_bytes: int
    files: tuple[str, ...] | None = None


class Producer(Protocol):
    """A source of exports of one project."""

    @property
    def name(self) -> str:
        """``codemap`` or ``codequarry``; stands in receipts as the producer."""
        ...

    @property
    def limits(self) -> Limits:
        """The limits under which it is read."""
        ...

    def page(self, request: PageRequest) -> bytes:
        """Give one page as the producer printed it.

        Raises:
            ProducerError: The producer failed, timed out or broke a limit.
        """
        ...

    def manifest(self) -> bytes:
        """Give the structural manifest as the producer printed it.

        Raises:
            ProducerError: The producer failed, timed out or broke a limit.
        """
        ...
