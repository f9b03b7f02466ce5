"""The rules on single values."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codequarry.core.errors import UsageError
from codequarry.memory.records import MAX_CONTENT_BYTES, Note, Question


@pytest.mark.parametrize(
    ("given", "kept"), [(-1.0, 0.5), (0.0, 0.5), (0.3, 0.3), (1.0, 1.0), (7.0, 1.0)]
)
def test_importance_is_brought_into_range(given: float, kept: float) -> None:
    """Nothing and less mean the middle, more than everything means everything (G2)."""
    assert Note("text", importance=given).importance == kept


@pytest.mark.parametrize(
    "values",
    [
        {"content": ""},
        {"content": " \n\t"},
        {"content": "x" * (MAX_CONTENT_BYTES + 1)},
        {"content": "text", "importance": math.nan},
        {"content": "text", "ttl_hours": math.nan},
        {"content": "text", "ttl_hours": math.inf},
        {"content": "text", "ttl_hours": 1e300},
        {"content": "text", "tags": tuple(map(str, range(65)))},
    ],
)
def test_notes_that_are_refused(values: dict) -> None:
    """What cannot be kept as it was meant is refused in one sentence."""
    with pytest.raises(UsageError, match=r".+; .+"):
        Note(**values)


@pytest.mark.parametrize(
    "values",
    [
        {"text": ""},
        {"text": "  "},
        {"text": "ask", "limit": 0},
        {"text": "ask", "limit": -1},
        {"text": "ask", "limit": 1001},
        {"text": "ask", "min_importance": math.nan},
        {"text": "ask", "min_importance": -math.inf},
    ],
)
def test_questions_that_are_refused(values: dict) -> None:
    """A question that means nothing is refused in one sentence."""
    with pytest.raises(UsageError, match=r".+; .+"):
        Question(**values)


def test_tags_lose_spaces_and_repetition_and_nothing_else() -> None:
    """Tags keep their order and their case."""
    assert Note("text", tags=(" b", "a ", "", "B", "b", " ")).tags == ("b", "a", "B")


@given(st.text(st.characters(categories=None)), st.lists(st.text(st.characters(categories=None))))
def test_any_text_can_be_stored(content: str, tags: list[str]) -> None:
    """Whatever an argument holds, what is kept is UTF-8, and taking it again changes nothing."""
    try:
        note = Note(content, tags=tuple(tags))
    except UsageError:
        return
    for text in (note.content, *note.tags):
        text.encode("utf-8")
    assert Note(note.content, tags=note.tags) == note
