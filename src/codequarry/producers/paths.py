"""Paths of an export: what may name a file of a project (contract.md R2, A2, J-09)."""

import posixpath
from collections.abc import Iterable

from codequarry.core.errors import ProducerError
from codequarry.core.text import ascending


def is_clean(path: str) -> bool:
    """Tell whether ``path`` is project-relative, below the root and in clean slash form (R2)."""
    return (
        path not in ("", ".", "..")
        and not path.startswith(("/", "../"))
        and posixpath.normpath(path) == path
    )


def can_travel(path: str) -> bool:
    """Tell whether ``path`` means the same to both peers as one line of a filter (J-09)."""
    return (
        is_clean(path)
        and path == path.strip()
        and not any(mark in path for mark in "\n\r\0\\")
        and not any("\ud800" <= character <= "\udfff" for character in path)
    )


def normalise_filter(paths: Iterable[str]) -> tuple[str, ...]:
    """Give the filter of a v2 export: distinct paths, ascending by bytes (A2).

    Raises:
        ProducerError: There is no path, or one of them cannot travel in a filter.
    """
    distinct = set(paths)
    if not distinct:
        raise ProducerError("a filtered export needs at least one path", "run a full export")
    if not all(map(can_travel, distinct)):
        raise ProducerError(
            "a path holds characters that a filtered export cannot carry", "run a full export"
        )
    return ascending(distinct)
