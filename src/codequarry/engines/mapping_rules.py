"""What a mapping file must keep to beyond its types: known names, sound patterns and paths."""

import re
from collections.abc import Iterator
from typing import Any

from codequarry.engines.mapping import (
    FIELDS,
    OPERATIONS,
    STATUS_FIELDS,
    VALUES,
    Condition,
    Mapping,
    Operation,
)
from codequarry.engines.types import ENGINE_ID, CodeEdgeKind, Completeness, State

_EDGES = frozenset(CodeEdgeKind)
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_PATH = re.compile(
    r"(?:(?:structured|json|text):)?(?:[\w*-]+(?:\[\])?|\[\])(?:\.[\w*-]+(?:\[\])?)*"
)


def problems(mapping: Mapping) -> Iterator[str]:
    """Give what is wrong with a mapping, each with its key."""
    if not ENGINE_ID.fullmatch(mapping.id):
        yield f"`$.id`: {mapping.id!r} is not publisher/name"
    for key in ("error", "not_found", "not_indexed", "stale", "empty"):
        for pattern in getattr(mapping, f"{key}_patterns"):
            yield from _pattern_problem(f"$.{key}_patterns", pattern)
    yield from _pattern_problem("$.program.version_pattern", mapping.program.version_pattern)
    for name, rules in mapping.grammars.items():
        for rule in rules:
            yield from _pattern_problem(f"$.grammars.{name}", rule.pattern)
    for name, operation in mapping.operations.items():
        where = f"$.operations.{name}"
        if name not in OPERATIONS:
            yield f"`{where}`: no such operation"
        yield from _operation_problems(where, operation, mapping)


def _operation_problems(where: str, operation: Operation, mapping: Mapping) -> Iterator[str]:
    if operation.via == "command" and not (operation.argv and mapping.program.binary):
        yield f"`{where}.argv`: a command needs arguments, and `$.program.binary`"
    if operation.via != "command" and not operation.tool:
        yield f"`{where}.tool`: is missing"
    if operation.grammar and operation.grammar not in mapping.grammars:
        yield f"`{where}.grammar`: there is no grammar {operation.grammar!r}"
    yield from _pattern_problem(f"{where}.success", operation.success)
    for text in _texts_of([operation.arguments, operation.argv]):
        for name in _PLACEHOLDER.findall(text):
            if name not in VALUES:
                yield f"`{where}`: there is no placeholder {{{name}}}"
    yield from _field_problems(where, operation)
    yield from _condition_problems(f"{where}.completeness", operation.completeness, Completeness)
    yield from _condition_problems(f"{where}.states", operation.states, State)
    for field, base in operation.line_base.items():
        if base not in (0, 1):
            yield f"`{where}.line_base.{field}`: must be 0 or 1"


def _field_problems(where: str, operation: Operation) -> Iterator[str]:
    status = where.endswith(".status")
    rows = ("fields", STATUS_FIELDS if status else FIELDS)
    for key, known in (rows, ("subject_fields", FIELDS), ("candidate_fields", FIELDS)):
        for field, path in getattr(operation, key).items():
            if field not in known:
                yield f"`{where}.{key}.{field}`: no such field"
            yield from _path_problem(f"{where}.{key}.{field}", path)
    if status and operation.rows and "root" not in operation.fields:
        yield f"`{where}.fields.root`: is missing; it tells the listed projects apart"
    for kind, edge in operation.edges.items():
        if kind not in _EDGES:
            yield f"`{where}.edges.{kind}`: no such kind of edge"
        for path in (edge.rows, *edge.where):
            yield from _path_problem(f"{where}.edges.{kind}", path)
    for path in _paths(operation):
        yield from _path_problem(where, path)


def _paths(operation: Operation) -> tuple[str, ...]:
    single = (operation.groups, operation.subject, operation.found, operation.candidates)
    return (*operation.rows, *operation.where, *single)


def _condition_problems(where: str, conditions: list[Condition], allowed: Any) -> Iterator[str]:
    for condition in conditions:
        yield from _path_problem(where, condition.path)
        if condition.gives not in allowed.__args__:
            yield f"`{where}`: {condition.gives!r} is none of {', '.join(allowed.__args__)}"


def _pattern_problem(where: str, pattern: str) -> Iterator[str]:
    try:
        re.compile(pattern)
    except re.error as error:
        yield f"`{where}`: not a regular expression: {error}"


def _path_problem(where: str, path: str) -> Iterator[str]:
    if path and not _PATH.fullmatch(path):
        yield f"`{where}`: {path!r} is not a path"


def _texts_of(value: Any) -> Iterator[str]:
    """Give every text inside nested lists and tables."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts_of(inner)
