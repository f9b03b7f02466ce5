"""Decoded replies, read into refs: paths into documents, lines, names, and the subject's check."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from codequarry.engines import mapping as schema
from codequarry.engines.decoding import Decoded
from codequarry.engines.paths import base_name, project_path
from codequarry.engines.types import CodeRef, Completeness

_LAST_PART = re.compile(r"::|[.#/]")
_LARGEST_LINE = 2**31
_DEGRADES: Mapping[str, Completeness] = {
    "degraded": "degraded",
    "warning": "degraded",
    "filters_relaxed": "degraded",
    "lower_bound": "lower_bound",
    "unresolvedSites": "lower_bound",
    "truncated": "truncated",
}
_SEVERITY: tuple[Completeness, ...] = (
    "complete",
    "truncated",
    "lower_bound",
    "degraded",
    "unknown",
)


@dataclass(frozen=True)
class Place:
    """Whose rows are read.

    Args:
        engine: The engine's id.
        project_key: Key A of the project.
        roots: Absolute paths that mean the project's root.
    """

    engine: str
    project_key: str
    roots: tuple[str, ...]


@dataclass(frozen=True)
class Row:
    """One row of an answer.

    Args:
        ref: What it names.
        score: As the engine gave it.
        snippet: Source text.
        signature: Its signature.
        reason: Why it is there, in the engine's vocabulary.
    """

    ref: CodeRef
    score: float | None = None
    snippet: str | None = None
    signature: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Rows:
    """Rows of one reply.

    Args:
        rows: In the engine's order.
        outside: Rows dropped because their path is not in the project, or they have none.
    """

    rows: tuple[Row, ...]
    outside: int = 0


def select(decoded: Decoded, path: str) -> Iterator[tuple[Any, str]]:
    """Give every value a path leads to, each with the last key that a ``*`` stood for."""
    part, separator, rest = path.partition(":")
    if separator and part in ("structured", "json", "text"):
        document = decoded.parts.get(part)
        yield from walk(document, rest) if document is not None else ()
    else:
        yield from walk(decoded.first, path)


def walk(document: Any, path: str, key: str = "") -> Iterator[tuple[Any, str]]:
    """Give every value that a path without a part's name leads to."""
    if not path:
        yield document, key
        return
    step, _, rest = path.partition(".")
    name = step.removesuffix("[]")
    found: list[tuple[Any, str]]
    if not name:
        found = [(document, key)]
    elif name == "*":
        found = (
            [(value, at) for at, value in document.items()] if isinstance(document, dict) else []
        )
    else:
        inside = isinstance(document, dict) and name in document
        found = [(document[name], key)] if inside else []
    for value, at in found:
        if not step.endswith("[]"):
            yield from walk(value, rest, at)
        elif isinstance(value, list):
            for item in value:
                yield from walk(item, rest, at)


def first(document: Any, path: str) -> Any:
    """Give the first value a path leads to, or ``None``."""
    return next((value for value, _ in walk(document, path)), None) if path else None


def read_rows(
    document: Any,
    paths: Sequence[str],
    where: Mapping[str, str],
    operation: schema.Operation,
    mapping: schema.Mapping,
    place: Place,
) -> Rows:
    """Read the rows of a document, in order, each ref once.

    Args:
        document: A decoded part, or one group of it.
        paths: Where rows lie.
        where: Which of them count: path to the text that must be, or be held, there.
        operation: How they read.
        mapping: The engine's mapping.
        place: Whose they are.
    """
    rows: dict[tuple[Any, ...], Row] = {}
    outside = 0
    for path in paths:
        for value, key in walk(document, path):
            if not all(_holds(first(value, at), wanted) for at, wanted in where.items()):
                continue
            row = read_row(value, operation.fields, operation, mapping, place)
            if row is None:
                outside += 1
                continue
            if row.ref.depth is None and key.isdecimal():
                row = replace(row, ref=replace(row.ref, depth=int(key[:9])))
            if row.ref.kind not in operation.drop_kinds:
                rows.setdefault((*row.ref.identity, row.ref.name, row.ref.native_id), row)
    return Rows(tuple(rows.values()), outside)


def read_row(
    value: Any,
    fields: Mapping[str, str],
    operation: schema.Operation,
    mapping: schema.Mapping,
    place: Place,
) -> Row | None:
    """Read one row; ``None`` when its path is missing or outside of the project."""

    def text(name: str) -> str:
        found = first(value, fields.get(name, ""))
        return found if isinstance(found, str) else "" if found is None else str(found)

    path = project_path(text("path"), place.roots)
    if path is None:
        return None
    kind = mapping.kinds.get(text("kind"), text("kind").lower())
    # A row that is a path and no name is a file.
    kind = kind or ("file" if not text("name") else "")
    start = _line(first(value, fields.get("start_line", "")), "start_line", operation, mapping)
    end = _line(first(value, fields.get("end_line", "")), "end_line", operation, mapping)
    fqn = text("fqn") or None
    ref = CodeRef(
        project_key=place.project_key,
        path=path,
        start_line=start,
        end_line=end if end is not None and start is not None and end >= start else None,
        fqn=fqn,
        name=text("name") or (last_part(fqn) if fqn else base_name(path)),
        kind=kind,
        language=text("language") or None,
        source_hash=text("source_hash") or None,
        engine=place.engine,
        native_id=text("native_id"),
        resolution="exact" if start is not None else "name",
        confidence=_share(first(value, fields.get("confidence", ""))),
        depth=_depth(first(value, fields.get("depth", ""))),
    )
    score = number(first(value, fields.get("score", "")))
    return Row(ref, score, text("snippet") or None, text("signature"), text("reason"))


def _holds(found: Any, wanted: str) -> bool:
    return wanted in found if isinstance(found, list) else str(found) == wanted


def _line(
    found: Any, name: str, operation: schema.Operation, mapping: schema.Mapping
) -> int | None:
    """Read a line as 1-based; 0 of a 1-based engine means "none"."""
    value = number(found)
    if value is None or not math.isfinite(value) or value != int(value):
        return None
    base = operation.line_base.get(name, mapping.abilities.line_base)
    line = int(value) + 1 - base
    return line if 1 <= line < _LARGEST_LINE else None


def _depth(found: Any) -> int | None:
    value = number(found)
    return int(value) if value is not None and 0 <= value < 1000 else None


def _share(found: Any) -> float | None:
    value = number(found)
    return value if value is not None and 0 <= value <= 1 else None


def number(found: Any) -> float | None:
    """Read a number, also one that stands in a text."""
    if isinstance(found, bool) or found is None:
        return None
    try:
        return float(found)
    except (TypeError, ValueError, OverflowError):
        return None


def last_part(name: str) -> str:
    """Give the last component of a qualified name."""
    return _LAST_PART.split(name)[-1]


def completeness_of(
    decoded: Decoded, operation: schema.Operation
) -> tuple[Completeness, tuple[str, ...]]:
    """Give how complete a reply calls itself, and the warnings that follow (rule 4)."""
    found: list[Completeness] = ["complete"]
    warnings = []
    for document in decoded.parts.values():
        if not isinstance(document, dict):
            continue
        for key, level in _DEGRADES.items():
            if document.get(key):
                found.append(level)
                warnings.append(f"it says {key} of its own answer")
    for condition in operation.completeness:
        for value, _ in select(decoded, condition.path):
            if value == condition.equals if condition.equals is not None else value:
                found.append(condition.gives)  # type: ignore[arg-type]  # mapping_rules checks it
    if decoded.unread or decoded.warnings:
        found.append("degraded")
    return max(found, key=_SEVERITY.index), tuple(dict.fromkeys(warnings))


def worst(*levels: Completeness) -> Completeness:
    """Give the least complete of several."""
    return max(levels, key=_SEVERITY.index)
