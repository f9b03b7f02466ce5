"""Precision and recall on the projects of tests/trees/graphs, whose true edges are known."""

import pytest

from tests.graph.precision import (
    LANGUAGES,
    expected,
    found,
    found_by_name,
    resolutions,
    score,
    symbols_and_edges,
)

_GOAL = 0.9
_MARGIN = 0.2
_TRUTHS = 8


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("group", ["calls", "inheritance", "imports"])
def test_precision_and_recall(language: str, group: str) -> None:
    """Nine of ten edges that are found are right, and nine of ten true ones are found."""
    scored = score(found(language), expected(language), group)
    assert scored.precision >= _GOAL
    assert scored.recall >= _GOAL


@pytest.mark.parametrize("language", LANGUAGES)
def test_bare_names_are_not_enough(language: str) -> None:
    """The projects are hard: who only compares names finds far more wrong calls than we do."""
    true = expected(language)
    ours, theirs = (score(some(language), true, "calls") for some in (found, found_by_name))
    assert theirs.true >= _TRUTHS
    assert theirs.precision <= ours.precision - _MARGIN


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_expected_end_exists(language: str) -> None:
    """Each end of a true edge is a node, so that none is missed for how it is spelled."""
    symbols, _ = symbols_and_edges(language)
    ends = {end for edge in expected(language) for end in (edge.source, edge.target)}
    assert ends <= set(symbols["label"].to_list())


def test_confidence_is_no_boast() -> None:
    """Of each way to resolve, at least as large a part is right as its confidence says."""
    _, edges = symbols_and_edges("python")
    ways = resolutions()
    for way, confidence in edges.select("resolution", "confidence").unique().iter_rows():
        right, wrong = ways[way, True], ways[way, False]
        if right + wrong:
            assert right / (right + wrong) >= confidence
