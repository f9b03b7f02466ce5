"""Decoded replies, made answers: hits, refs, contexts and statuses. Pure functions."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from codequarry.engines.rows import (
    Row,
    Rows,
    completeness_of,
    first,
    number,
    read_row,
    read_rows,
    select,
    worst,
)
from codequarry.engines.scores import normalised
from codequarry.engines.subjects import Reading, about, is_subject, several_named
from codequarry.engines.types import (
    TRUST,
    CodeAnswer,
    CodeContext,
    CodeEdgeKind,
    CodeHit,
    CodeIndexStatus,
    CodeQuery,
    CodeRef,
    Completeness,
    State,
)


def search_answer(reading: Reading, query: CodeQuery) -> CodeAnswer[CodeHit]:
    """Give the hits of a search reply, filtered as asked even where the engine did not."""
    if reading.decoded.outcome != "answered":
        return _unanswered(reading)
    operation = reading.operation
    found = _rows(reading, reading.decoded.first, operation.rows)
    kept = [row for row in found.rows if _wanted(row.ref, query)]
    kind = reading.mapping.abilities.score_kind
    scores, kind, spoiled = normalised([row.score for row in kept], kind)
    hits = tuple(
        CodeHit(row.ref, rank, score, row.score, kind, row.snippet, _reasons(row))
        for rank, (row, score) in enumerate(zip(kept, scores, strict=True), 1)
    )
    level, warnings = _level(reading, found.outside)
    if spoiled:
        warnings = (*warnings, "it gave scores that are no numbers from 0 up; they count as 0")
    omitted = max(0, len(hits) - query.limit)
    level = worst(level, "truncated") if omitted else level
    return CodeAnswer(hits[: query.limit], level, omitted, warnings, engine=reading.place.engine)


def refs_answer(reading: Reading, node: CodeRef) -> CodeAnswer[CodeRef]:
    """Give the rows of a reply about ``node``: its neighbours, or what depends on it."""
    if reading.decoded.outcome != "answered":
        return _unanswered(reading)
    chosen = about(reading, node)
    if isinstance(chosen, CodeAnswer):
        return chosen
    rows: dict[Any, CodeRef] = {}
    outside = 0
    for subject, document in chosen:
        found = _rows(reading, document, reading.operation.rows)
        outside += found.outside
        for row in found.rows:
            if not is_subject(row.ref, subject, node):
                rows.setdefault((row.ref.identity, row.ref.name), row.ref)
    level, warnings = _level(reading, outside)
    if len(chosen) > 1:
        warning = several_named(node, [subject for subject, _ in chosen])
        return CodeAnswer(
            tuple(rows.values()),
            worst(level, "degraded"),
            None,
            (*warnings, warning),
            outcome="ambiguous",
            engine=reading.place.engine,
        )
    return CodeAnswer(tuple(rows.values()), level, 0, warnings, engine=reading.place.engine)


def context_answer(reading: Reading, node: CodeRef) -> CodeAnswer[CodeContext]:
    """Give what a reply tells of ``node``: itself, and its neighbours by kind."""
    if reading.decoded.outcome != "answered":
        return _unanswered(reading)
    chosen = about(reading, node)
    if isinstance(chosen, CodeAnswer):
        return chosen
    contexts = []
    outside = 0
    for _, document in chosen:
        edges: dict[CodeEdgeKind, tuple[CodeRef, ...]] = {}
        for kind, edge in reading.operation.edges.items():
            found = _rows(reading, document, (edge.rows,), edge.where)
            outside += found.outside
            if found.rows:
                edges[CodeEdgeKind(kind)] = tuple(row.ref for row in found.rows)
        contexts.append(_context(reading, document, node, edges))
    level, warnings = _level(reading, outside)
    several = len(contexts) > 1
    if several:
        warnings = (*warnings, several_named(node, [subject for subject, _ in chosen]))
    return CodeAnswer(
        tuple(contexts),
        worst(level, "degraded") if several else level,
        0,
        warnings,
        outcome="ambiguous" if several else "answered",
        engine=reading.place.engine,
    )


def _context(
    reading: Reading, document: Any, node: CodeRef, edges: dict[CodeEdgeKind, tuple[CodeRef, ...]]
) -> CodeContext:
    operation = reading.operation
    fields = operation.subject_fields or operation.fields
    value = first(document, operation.subject) if operation.subject else document
    row = read_row(value, fields, operation, reading.mapping, reading.place)
    if row is None:
        ref = replace(node, engine=reading.place.engine, resolution="unverified")
        return CodeContext(ref, edges=edges)
    return CodeContext(row.ref, row.signature, row.snippet, edges)


def _rows(
    reading: Reading, document: Any, paths: Sequence[str], where: Mapping[str, str] | None = None
) -> Rows:
    operation = reading.operation
    wanted = operation.where if where is None else where
    return read_rows(document, paths, wanted, operation, reading.mapping, reading.place)


def _level(reading: Reading, outside: int) -> tuple[Completeness, tuple[str, ...]]:
    level, warnings = completeness_of(reading.decoded, reading.operation)
    warnings = (*reading.decoded.warnings, *warnings)
    if outside:
        warning = f"{outside} of its results name no file of this project; they were dropped"
        return worst(level, "degraded"), (*warnings, warning)
    return level, warnings


def _unanswered(reading: Reading) -> CodeAnswer[Any]:
    decoded = reading.decoded
    level: Completeness = "complete" if decoded.outcome == "not_found" else "unknown"
    engine = reading.place.engine
    return CodeAnswer((), level, None, decoded.warnings, outcome=decoded.outcome, engine=engine)


def _reasons(row: Row) -> tuple[str, ...]:
    return (row.reason,) if row.reason else ()


def is_below(path: str, prefixes: Sequence[str]) -> bool:
    """Tell whether a path is one of some files, or lies in one of some folders; none allow all."""
    roots = [prefix.rstrip("/") for prefix in prefixes]
    return not roots or any(path == root or path.startswith(f"{root}/") for root in roots)


def _wanted(ref: CodeRef, query: CodeQuery) -> bool:
    """Apply the filters of a query to what the engine said; what it did not say passes."""
    spoken = not query.languages or ref.language is None or ref.language in query.languages
    return (
        is_below(ref.path, query.paths) and spoken and (not query.kinds or ref.kind in query.kinds)
    )


def status_answer(reading: Reading) -> CodeIndexStatus:
    """Give the state of an engine's index, as far as its own reply tells."""
    decoded = reading.decoded
    if decoded.outcome == "not_indexed":
        return _status("absent", "it has no index of this project", hint=SYNC_HINT)
    if decoded.outcome != "answered":
        return _status("error", "its status could not be read", hint=PROBE_HINT)
    if reading.operation.rows:
        listed = _listed(reading)
        if listed is None:
            return _status("absent", "it does not list this project", hint=SYNC_HINT)
        decoded = replace(decoded, parts={"json": listed})
        reading = replace(reading, decoded=decoded)
    said = {
        name: next((value for value, _ in select(decoded, path)), None)
        for name, path in reading.operation.fields.items()
    }
    counts = {name: _count(said.get(name)) for name in ("added", "modified", "deleted")}
    known = all(value is not None for value in counts.values())
    pending = {name: value or 0 for name, value in counts.items()} if known else None
    state, evidence = _state(reading, pending)
    return replace(
        _status(state, evidence, hint=None if state == "fresh" else SYNC_HINT),
        indexed_commit=_text(said.get("indexed_commit")),
        pending=pending,
        files=_count(said.get("files")),
        nodes=_count(said.get("nodes")),
        edges=_count(said.get("edges")),
        index_bytes=_count(said.get("index_bytes")),
        engine_version=_text(said.get("engine_version")),
        worktree_mismatch=_text(said.get("worktree_mismatch")),
    )


SYNC_HINT = "run `codequarry engines sync`"
PROBE_HINT = "run `codequarry engines probe`"


def _listed(reading: Reading) -> Any:
    """Give what an engine lists of this project; it is told by its root."""
    root = reading.operation.fields["root"]
    for path in reading.operation.rows:
        for value, _ in select(reading.decoded, path):
            if first(value, root) in reading.place.roots:
                return value
    return None


def _state(reading: Reading, pending: Mapping[str, int] | None) -> tuple[State, str]:
    for condition in reading.operation.states:
        for value, _ in select(reading.decoded, condition.path):
            if value == condition.equals if condition.equals is not None else value:
                return condition.gives, f"it says {condition.path}"  # type: ignore[return-value]
    if pending is None:
        return "unknown", "it does not say whether its index is current"
    changed = sum(pending.values())
    return (
        ("stale", f"it counts {changed} changed files") if changed else ("fresh", "it counts none")
    )


def _status(state: State, evidence: str, hint: str | None = None) -> CodeIndexStatus:
    return CodeIndexStatus(state, TRUST[state], evidence=evidence, hint=hint)


def _count(value: Any) -> int | None:
    found = number(value)
    return int(found) if found is not None and 0 <= found < 2**63 else None


def _text(value: Any) -> str | None:
    if isinstance(value, dict | list):
        try:
            return json.dumps(value, ensure_ascii=False, sort_keys=True)[:500]
        except RecursionError:
            return None
    return None if value is None else str(value)[:500]
