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
    for text in ("", "a.py", "a.py:", "a.py:x", "-5", "1.5", "NaN", "9" * 30):
        with pytest.raises(UsageError, match="--text"):
            parse_target(text)


def test_nearest_first_without_itself(both: GraphView) -> None:
    """A chunk's twins come first, the chunk itself is left out, and so may its file be."""
    found = similar(both.reader, Place("many/part00.py", 1), ["town"], limit=24)
    assert {hit.path[:5] for hit in found.hits} == {"many/"}
    assert "many/part00.py" not in {hit.path for hit in found.hits}
    scores = [hit.score for hit in found.hits]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > 0.9
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
    cut = similar(both.reader, place, ["town"], limit=1000, min_score=0.9)
    assert cut.hits
    assert all(hit.score >= 0.9 for hit in cut.hits)
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
