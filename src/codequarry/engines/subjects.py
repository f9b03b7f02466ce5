"""What a reply is about: the asked name checked, and same-named definitions told apart."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from codequarry.engines import mapping as schema
from codequarry.engines.decoding import Decoded
from codequarry.engines.rows import Place, first, last_part, read_row, select, walk
from codequarry.engines.types import CodeAnswer, CodeRef, no_answer

_PLACES_SHOWN = 5


@dataclass(frozen=True)
class Reading:
    """All it takes to read a reply.

    Args:
        decoded: The reply.
        operation: What was asked.
        mapping: The engine's mapping.
        place: Whose rows these are.
    """

    decoded: Decoded
    operation: schema.Operation
    mapping: schema.Mapping
    place: Place


@dataclass(frozen=True)
class Subject:
    """What a reply says it is about; an engine may leave out all but the name."""

    name: str
    path: str | None
    start_line: int | None


def about(reading: Reading, node: CodeRef) -> list[tuple[Subject | None, Any]] | CodeAnswer[Any]:
    """Give the parts of a reply that are about ``node`` (rules 3 and 7)."""
    operation = reading.operation
    groups = [reading.decoded.first]
    if operation.groups:
        groups = [value for value, _ in select(reading.decoded, operation.groups)]
    # One definition may come without the list around it.
    groups = groups or [reading.decoded.first]
    if operation.found:
        groups = [group for group in groups if first(group, operation.found)]
    namesakes = [one for group in groups for one in _candidates(reading, group)]
    if namesakes:
        return no_answer("ambiguous", several_named(node, namesakes), engine=reading.place.engine)
    if not operation.subject and not operation.subject_fields:
        pairs: list[tuple[Subject | None, Any]] = [(None, group) for group in groups]
        return pairs or _nobody(reading)
    named = []
    for group in groups:
        value = first(group, operation.subject) if operation.subject else group
        subject = _subject(reading, value, operation.subject_fields or operation.fields)
        if subject is not None and _same_name(subject.name, node):
            named.append((subject, group))
    if not named:
        return _nobody(reading)
    here = [
        (subject, group) for subject, group in named if subject.path in (None, node.path or None)
    ]
    if node.path and not here:
        warning = f"it answered about another {node.name}, at {_places([s for s, _ in named])}"
        return no_answer("ambiguous", warning, engine=reading.place.engine)
    chosen = here or named
    exact = [pair for pair in chosen if node.start_line and pair[0].start_line == node.start_line]
    return list(exact or chosen)


def _nobody(reading: Reading) -> CodeAnswer[Any]:
    engine = reading.place.engine
    return CodeAnswer((), "complete", 0, outcome="not_found", engine=engine)


def _candidates(reading: Reading, group: Any) -> list[Subject]:
    operation = reading.operation
    if not operation.candidates:
        return []
    found = (
        _subject(reading, value, operation.candidate_fields)
        for value, _ in walk(group, operation.candidates)
    )
    return [subject for subject in found if subject is not None]


def _subject(reading: Reading, value: Any, fields: Mapping[str, str]) -> Subject | None:
    if value is None:
        return None
    name = first(value, fields.get("name", "")) if fields.get("name") else value
    if not isinstance(name, str):
        return None
    row = read_row(value, fields, reading.operation, reading.mapping, reading.place)
    if row is None:
        return Subject(name, None, None)
    return Subject(name, row.ref.path, row.ref.start_line)


def _same_name(answered: str, node: CodeRef) -> bool:
    asked = {node.name, node.fqn or node.name}
    return answered in asked or last_part(answered) in {last_part(name) for name in asked}


def is_subject(ref: CodeRef, subject: Subject | None, node: CodeRef) -> bool:
    """Tell whether a row is the asked thing itself, which engines list among its own dependents."""
    path = subject.path if subject and subject.path else node.path
    line = subject.start_line if subject and subject.start_line else node.start_line
    same_place = ref.path == path and (ref.start_line == line or None in (ref.start_line, line))
    return same_place and ref.name == last_part(node.name)


def several_named(node: CodeRef, subjects: Iterable[Subject | None]) -> str:
    """Word that a name means several definitions."""
    known = [subject for subject in subjects if subject is not None]
    return f"{len(known)} definitions are called {last_part(node.name)}: {_places(known)}"


def _places(subjects: Iterable[Subject]) -> str:
    found = [f"{subject.path or '?'}:{subject.start_line or '?'}" for subject in subjects]
    more = f" and {len(found) - _PLACES_SHOWN} more" if len(found) > _PLACES_SHOWN else ""
    return ", ".join(found[:_PLACES_SHOWN]) + more


def is_namesake(ref: CodeRef, node: CodeRef) -> bool:
    """Tell whether a search's result may be the node, by all that both know of themselves."""
    named = last_part(ref.name) == last_part(node.name)
    placed = not node.path or ref.path == node.path
    lines = (node.start_line, ref.start_line)
    return named and placed and (None in lines or lines[0] == lines[1])


def unresolved(node: CodeRef, found: Sequence[CodeRef]) -> CodeAnswer[Any]:
    """Give the answer for a node that a search found not once, but never or several times."""
    if not found:
        return CodeAnswer((), "complete", 0, outcome="not_found")
    subjects = [Subject(ref.name, ref.path, ref.start_line) for ref in found]
    return no_answer("ambiguous", several_named(node, subjects))
