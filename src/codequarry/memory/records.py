"""What is asked of the memory, and what it answers; every rule on a single value is here."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from codequarry.core.errors import UsageError

DEFAULT_IMPORTANCE = 0.5
MAX_CONTENT_BYTES = 65_536
MAX_TAGS = 64
MAX_LIMIT = 1_000
MAX_HOURS = 876_000.0
"""A hundred years."""


@dataclass(frozen=True)
class Note:
    """Something to remember (contract.md G2).

    Args:
        content: At most 65,536 bytes, not blank.
        importance: 0 to 1; 0 and below mean 0.5, above 1 means 1.
        tags: Each once, without spaces around; blank ones are dropped.
        ttl_hours: Hours until it expires; 0 and below mean never.

    Raises:
        UsageError: A value cannot be used.
    """

    content: str
    importance: float = DEFAULT_IMPORTANCE
    tags: tuple[str, ...] = ()
    ttl_hours: float = 0.0

    def __post_init__(self) -> None:
        content = encodable(self.content)
        if not content.strip():
            raise UsageError("there is nothing to remember", "give the memory a text")
        if len(content.encode()) > MAX_CONTENT_BYTES:
            raise UsageError(
                f"a memory has at most {MAX_CONTENT_BYTES} bytes", "remember a shorter text"
            )
        if math.isnan(self.importance):
            raise UsageError("the importance is not a number", "use 0 to 1")
        if not self.ttl_hours <= MAX_HOURS:
            raise UsageError(
                "the time to live is out of range", f"use hours, at most {MAX_HOURS:.0f}"
            )
        importance = min(self.importance, 1.0) if self.importance > 0 else DEFAULT_IMPORTANCE
        object.__setattr__(self, "content", content)
        object.__setattr__(self, "importance", importance)
        object.__setattr__(self, "tags", distinct_tags(self.tags))


@dataclass(frozen=True)
class Question:
    """What to recall (contract.md G3).

    Args:
        text: The question, not blank.
        tags: A memory must carry all of them, each exactly.
        min_importance: The least importance of an answer.
        limit: 1 to 1,000 answers.

    Raises:
        UsageError: A value cannot be used.
    """

    text: str
    tags: tuple[str, ...] = ()
    min_importance: float = 0.0
    limit: int = 10

    def __post_init__(self) -> None:
        text = encodable(self.text)
        if not text.strip():
            raise UsageError("the question is empty", "ask for something")
        if not 1 <= self.limit <= MAX_LIMIT:
            raise UsageError(f"the limit {self.limit} is out of range", f"use 1 to {MAX_LIMIT}")
        if not math.isfinite(self.min_importance):
            raise UsageError("the least importance is not a number", "use 0 to 1")
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "tags", distinct_tags(self.tags))


@dataclass(frozen=True)
class Stored:
    """A memory was kept under ``id``, linked to ``related``."""

    id: int
    related: tuple[int, ...] = ()


@dataclass(frozen=True)
class Preview:
    """The first line of a related memory, at most 100 characters of it."""

    id: int
    line: str


@dataclass(frozen=True)
class Memory:
    """One memory of an answer; times in milliseconds since 1970, ``expires_at`` 0 is never.

    Args:
        id: Never used for another one.
        content: What was remembered.
        importance: 0 to 1.
        tags: In the order given.
        created_at: When it was remembered.
        expires_at: From then on it is never answered.
        access_count: Recalls that returned it before this one.
        related: Ids of its neighbours.
        score: Without the usage lift.
        previews: Up to three of the neighbours that the question's tags and limits allow.
    """

    id: int
    content: str
    importance: float
    tags: tuple[str, ...]
    created_at: int
    expires_at: int
    access_count: int
    related: tuple[int, ...]
    score: float
    previews: tuple[Preview, ...] = ()


@dataclass(frozen=True)
class Recalled:
    """Memories, best first, and what the asker should know about them."""

    memories: tuple[Memory, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Stats:
    """What the memory holds; times in milliseconds since 1970, 0 when it is empty.

    Args:
        total: Memories that have not expired; the other values but ``expired`` are theirs.
        expired: Memories that are never answered any more.
        oldest: When the first was made.
        newest: When the last was made.
        tag_counts: Memories of each tag, the most frequent first, then by the tags' bytes.
    """

    total: int = 0
    expired: int = 0
    oldest: int = 0
    newest: int = 0
    tag_counts: Mapping[str, int] | None = None


def distinct_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Give tags without spaces around, each once, in the order given.

    Raises:
        UsageError: They are too many.
    """
    stripped = (encodable(tag).strip() for tag in tags)
    found = tuple(dict.fromkeys(tag for tag in stripped if tag))
    if len(found) > MAX_TAGS:
        raise UsageError(f"{len(found)} tags are too many", f"use at most {MAX_TAGS}")
    return found


def encodable(text: str) -> str:
    """Replace what no UTF-8 can hold: an argument of the command line may hold any bytes."""
    return text.encode("utf-8", "replace").decode("utf-8")
