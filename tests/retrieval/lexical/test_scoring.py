"""The arithmetic of the lexical ranking."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codequarry.retrieval.lexical.normalise import Terms, normalise
from codequarry.retrieval.lexical.scoring import (
    boost,
    doc_bonus,
    import_depth,
    match,
    most_points,
    surface_class,
)


def points(query: str, text: str) -> int:
    """Score a text."""
    return match(normalise(text), Terms(query)).points


@pytest.mark.parametrize(
    ("query", "text", "expected"),
    [
        ("validate user", "validateUser", 62),
        ("validate user", "validate the user", 42),
        ("validate user", "user validate", 32),
        ("validate user", "validate", 10),
        ("validate user", "nothing", 0),
        ("user", "user", 10),
        ("use", "user", 7),
        ("dateuser", "validate_user", 7),
        ("date user", "validate user", 59),
        ("größe", "die GRÖSSE", 10),
        ("", "anything", 0),
    ],
)
def test_points(query: str, text: str, expected: int) -> None:
    """Words, parts, all terms, phrase and order count what the specification says."""
    assert points(query, text) == expected


def test_nearby_has_no_reach() -> None:
    """Order counts however far the terms lie apart, and only one way round."""
    assert match(normalise("alpha " + "x " * 5000 + "beta"), Terms("alpha beta")).nearby
    assert not match(normalise("beta alpha"), Terms("alpha beta")).nearby


def test_document_bonus() -> None:
    """A document's phrase is worth 18 more, its order 6."""
    both = Terms("validate user")
    assert doc_bonus(match("we validate user here", both)) == 18
    assert doc_bonus(match("validate a user", both)) == 6
    assert doc_bonus(match("user validate", both)) == 0


@pytest.mark.parametrize(
    ("depth", "expected"),
    [
        (None, 1),
        (-1, 0),
        (0, 0),
        (1, 1),
        (2.9, 2),
        (5, 5),
        (99, 5),
        (1e300, 5),
        (math.nan, 1),
        (math.inf, 1),
        (-math.inf, 1),
    ],
)
def test_depth(depth: float | None, expected: int) -> None:
    """A depth is floored and clamped, and 1 when it is no number."""
    assert import_depth(depth) == expected


def test_boosts() -> None:
    """The nearer to an anchor, the more."""
    assert [boost(distance) for distance in range(6)] == [14, 11, 8, 5, 2, 2]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("README.md", "docs"),
        ("docs/conf.py", "docs"),
        ("a/notes.txt", "docs"),
        ("package.json", "config"),
        ("Dockerfile", "config"),
        (".github/workflows/run.sh", "config"),
        ("src/docs.py", "code"),
    ],
)
def test_surface(path: str, expected: str) -> None:
    """A file is told by its name and place."""
    assert surface_class(path) == expected


WORDS = st.lists(st.sampled_from("validate user date val er get".split()), max_size=6)


@given(WORDS, WORDS)
def test_bound_holds(query: list[str], text: list[str]) -> None:
    """No text scores more than the bound that its matched terms allow."""
    terms = Terms(" ".join(query))
    found = match(" ".join(text), terms)
    assert found.points <= most_points(len(found.terms), len(terms.ranked))
