"""Names that are put together."""

import pytest

from codequarry.retrieval.structure.composed import lines_composing, parts_of
from codequarry.retrieval.structure.lookup import look_up
from codequarry.retrieval.structure.view import GraphView


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("visit_name", {"visit_", "_name"}),
        ("a_bc_d", {"a_bc_", "_bc_d"}),
        ("plain", set()),
        ("_private", set()),
        ("x_y", set()),
    ],
)
def test_parts(name: str, parts: set[str]) -> None:
    """A name is cut at its inner underscores, and what is too short is left out."""
    assert parts_of(name) == parts


def test_words_alone_compose_nothing(town: GraphView) -> None:
    """A word outside of strings that begins a name is no part of it."""
    lines, is_all = lines_composing(town, [look_up(town, "test_price").one()], {"python"})
    assert (lines, is_all) == ([], True)
