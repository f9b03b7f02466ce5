"""Replies of engines, decoded: four channels of error, and as many forms of content.

Pure functions over what an engine sent (engines.md 4.2, rules 1 and 2). Content is looked for in
this order: structured content, the longest prefix of the text that is JSON, the text by the
operation's grammar. What an engine sends is data; none of its sentences is passed on as ours.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import msgspec

from codequarry.engines import mapping as schema
from codequarry.engines.types import Outcome

_FIRST_SENTENCE = 4096
_DECODER = json.JSONDecoder()


@dataclass(frozen=True)
class Reply:
    """What came back from one call, however it was made.

    Args:
        text: The text, or stdout.
        structured: Structured content, if any.
        is_error: The engine marked it as an error (MCP ``isError``, exit code, HTTP status).
        rpc_error: The protocol's own error, if it was one.
        returncode: Of a command.
        stderr: Of a command; its last part.
    """

    text: str = ""
    structured: Any = None
    is_error: bool = False
    rpc_error: str | None = None
    returncode: int | None = None
    stderr: str = ""


@dataclass(frozen=True)
class Decoded:
    """What a reply says.

    Args:
        outcome: ``answered`` only when a part could be read.
        parts: ``structured``, ``json`` and ``text``, as far as each could be read, in that order.
        warnings: In our words.
        unread: Lines of text that no rule of the grammar knows.
    """

    outcome: Outcome
    parts: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    unread: int = 0

    @property
    def first(self) -> Any:
        """The first part that could be read."""
        return next(iter(self.parts.values()), None)


def decode(reply: Reply, operation: schema.Operation, mapping: schema.Mapping) -> Decoded:
    """Decode a reply.

    Args:
        reply: What came back.
        operation: What was asked.
        mapping: The engine's mapping.
    """
    if reply.rpc_error is not None:
        return _refused(reply.rpc_error, mapping)
    parts: dict[str, Any] = {}
    if reply.structured is not None:
        parts["structured"] = reply.structured
    document = json_prefix(reply.text)
    if document is not None:
        parts["json"] = document
    said = _complaint(reply, parts)
    if said is not None:
        return _refused(said, mapping)
    if reply.text and document is None:
        outcome = _sentence(reply.text, mapping)
        if outcome is not None:
            return outcome
        read = read_text(reply.text, mapping.grammars.get(operation.grammar, []))
        if read is not None:
            parts["text"] = read.document
            warnings = _unread(read)
            return Decoded("answered", parts, warnings, unread=read.unread)
    if not parts:
        warning = "its reply could not be read"
        return Decoded("failed", {}, (warning,))
    return Decoded("answered", parts)


def json_prefix(text: str) -> Any:
    """Give the object or array that a text begins with, whatever follows it; else ``None``."""
    stripped = text.lstrip(" \t\r\n\ufeff")
    if not stripped.startswith(("{", "[")):
        return None
    try:
        return msgspec.json.decode(stripped)
    except (msgspec.DecodeError, RecursionError):
        pass
    try:
        return _DECODER.raw_decode(stripped)[0]
    except (ValueError, RecursionError):
        return None


@dataclass(frozen=True)
class Read:
    """A text by its grammar: ``{"subject": {…}, "rows": [{…}, …]}``, and how far it was read."""

    document: Mapping[str, Any]
    unread: int
    short: bool


def read_text(text: str, rules: Sequence[schema.LineRule]) -> Read | None:
    """Read a text line by line; ``None`` when no rule knows a line of it.

    A context rule with a group ``count`` announces as many rows; `Read.short` tells that one was
    not kept.
    """
    subject: dict[str, str] = {}
    context: dict[str, str] = {}
    rows: list[dict[str, str]] = []
    known = unread = 0
    announced: list[tuple[int, int]] = []
    for line in text.split("\n"):
        found = _rule_for(line.rstrip("\r"), rules)
        if found is None:
            unread += bool(line.strip())
            continue
        reads, groups = found
        known += 1
        if reads == "subject":
            subject |= groups
        elif reads == "context":
            context = groups
            if groups.get("count", "").isdecimal():
                announced.append((int(groups["count"]), len(rows)))
        elif reads == "row":
            rows.append({**context, **groups})
        elif reads == "more" and rows:
            rows[-1] |= groups
    ends = [start for _, start in announced[1:]] + [len(rows)]
    short = any(end - start != count for (count, start), end in zip(announced, ends, strict=False))
    return Read({"subject": subject, "rows": rows}, unread, short) if known else None


def _rule_for(line: str, rules: Sequence[schema.LineRule]) -> tuple[str, dict[str, str]] | None:
    for rule in rules:
        if match := _compiled(rule.pattern).fullmatch(line):
            groups = {name: value for name, value in match.groupdict().items() if value is not None}
            return rule.reads, groups
    return None


def _unread(read: Read) -> tuple[str, ...]:
    warnings = []
    if read.unread:
        warnings.append(f"{read.unread} lines of its reply could not be read")
    if read.short:
        warnings.append("it announced another number of rows than it gave")
    return tuple(warnings)


def _complaint(reply: Reply, parts: Mapping[str, Any]) -> str | None:
    """Give the error a reply carries, from the second and third channel."""
    for document in parts.values():
        if isinstance(document, dict) and document.get("error"):
            inner = document["error"]
            message = inner.get("message", "") if isinstance(inner, dict) else inner
            return f"{message} {document.get('message', '')} {document.get('code', '')}".strip()
    return (reply.text or reply.stderr) if reply.is_error else None


def _refused(said: str, mapping: schema.Mapping) -> Decoded:
    """Sort an error by what the mapping knows of the engine's words."""
    outcome = _sentence(said, mapping)
    if outcome is not None and outcome.outcome != "answered":
        return outcome
    return Decoded("failed", {}, ("it reported an error",))


def _sentence(text: str, mapping: schema.Mapping) -> Decoded | None:
    """Recognise a whole reply that is one sentence: the fourth channel."""
    opening = text[:_FIRST_SENTENCE].strip()
    if _any(mapping.not_indexed_patterns, opening):
        return Decoded("not_indexed", {}, ("it has no index of this project; sync it",))
    if _any(mapping.stale_patterns, opening):
        return Decoded("stale", {}, ("its index is older than the tree; sync it",))
    # Last of these: only "I looked, and there is none" may be read as an empty answer.
    if _any(mapping.not_found_patterns, opening):
        return Decoded("not_found")
    if _any(mapping.error_patterns, opening):
        return Decoded("failed", {}, ("it reported an error",))
    if _any(mapping.empty_patterns, opening):
        return Decoded("answered", {"text": {"subject": {}, "rows": []}})
    return None


def _any(patterns: Iterable[str], text: str) -> bool:
    return any(_compiled(pattern).search(text) for pattern in patterns)


@lru_cache(maxsize=512)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
