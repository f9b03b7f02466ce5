import numpy as np
import pytest

from codequarry.core.errors import ProfileMismatch, UsageError
from codequarry.retrieval.model import configured_model
from codequarry.retrieval.search import QueryVector
from codequarry.retrieval.structure.similar import Chunk, Place, Text, parse_target, similar
from codequarry.retrieval.structure.view import GraphView


def test_targets() -> None:
    """A number is a chunk's id, a path with a line is a place, and all else is refused."""
    assert parse_target("17") == Chunk(17)
    assert parse_target("./a/b.py:3") == Place("a/b.py", 3)
    for text in (
        "",
        "a.py",
        "a.py:",
        "a.py:x",
        "-5",
        "1.5",
        "NaN",
        "9" * 30,
        "9" * 19,
        "a.py:9999999999",
    ):
        with pytest.raises(UsageError, match="--text"):
            parse_target(text)


def test_nearest_first_without_itself(both: GraphView) -> None:
    """A chunk's twins come first, the chunk itself is left out, and so may its file be."""
    found = similar(both.reader, Place("many/part00.py", 1), ["town"], limit=24)
    assert {hit.path[:5] for hit in found.hits} == {"many/"}
    assert "many/part00.py" not in {hit.path for hit in found.hits}
    scores = [hit.score for hit in found.hits]
    assert scores == sorted(scores, reverse=True)
    others = similar(both.reader, Place("town/shapes.py", 16), ["town"], limit=1000).hits
    twins = [hit.score for hit in others if hit.path.startswith("many/")]
    assert scores[-1] > max(twins)
    one = Place("town/shapes.py", 16)
    alone = similar(both.reader, one, ["town"], exclude_same_file=True)
    assert "town/shapes.py" in {hit.path for hit in similar(both.reader, one, ["town"]).hits}
    assert "town/shapes.py" not in {hit.path for hit in alone.hits}


def test_by_id_is_by_place(both: GraphView) -> None:
    """A hit's chunk id leads to the same neighbours as its place."""
    (first, *_) = similar(both.reader, Place("many/part00.py", 1), ["town"]).hits
    by_place = similar(both.reader, Place(first.path, first.start_line), ["town"])
    assert similar(both.reader, Chunk(first.chunk_id), ["town"]) == by_place


def test_projects(both: GraphView) -> None:
    """A place is looked for in the projects asked; one that several have must be told apart."""
    found = similar(both.reader, Place("town/money.py", 1), ["village"])
    assert {hit.project for hit in found.hits} == {"village"}
    with pytest.raises(UsageError, match="--project"):
        similar(both.reader, Place("town/money.py", 1), None)
    with pytest.raises(UsageError, match="no chunk"):
        similar(both.reader, Place("many/part00.py", 1), ["village"])


def test_bounds(both: GraphView) -> None:
    """A least score cuts; limits, scores and chunks that are none are usage errors."""
    place = Place("many/part00.py", 1)
    whole = similar(both.reader, place, ["town"], limit=1000)
    least = whole.hits[2].score
    cut = similar(both.reader, place, ["town"], limit=1000, min_score=least)
    assert cut.hits == tuple(hit for hit in whole.hits if hit.score >= least)
    assert 0 < len(cut.hits) < len(whole.hits)
    for wrong in ({"limit": 0}, {"limit": 10**6}, {"min_score": float("nan")}, {"min_score": 2}):
        with pytest.raises(UsageError):
            similar(both.reader, place, ["town"], **wrong)  # type: ignore[arg-type]
    for target in (Chunk(1), Place("many/part00.py", 999), Place("nobody.py", 1), Text(" ")):
        with pytest.raises(UsageError):
            similar(both.reader, target, ["town"])


def test_texts(both: GraphView) -> None:
    """A text is embedded by the model of the index; another model is refused with the remedy."""
    text = Text("def twin():\n    return 1\n")
    found = similar(both.reader, text, ["town"], configured_model(), limit=3)
    assert all(hit.path.startswith("many/") for hit in found.hits)
    other = QueryVector("other", lambda _: np.zeros(3, np.float32))
    for model in (None, other):
        with pytest.raises(ProfileMismatch, match="index --full"):
            similar(both.reader, text, ["town"], model)


def test_words_that_the_model_does_not_know(both: GraphView) -> None:
    """A text without a known word is told apart from one that nothing is like."""
    found = similar(both.reader, Text("日本語"), ["town"], configured_model())
    assert found.hits == ()
    assert "knows no word" in found.warnings[0]


def test_the_last_id_and_line_are_no_damage(both: GraphView) -> None:
    """The greatest numbers that are accepted lead to no chunk, and to no other complaint."""
    for text in (str(2**63 - 1), f"town/money.py:{2**31 - 1}"):
        with pytest.raises(UsageError, match="no chunk"):
            similar(both.reader, parse_target(text), ["town"])
