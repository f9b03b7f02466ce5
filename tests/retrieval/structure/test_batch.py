import pytest

from codequarry.core.errors import UsageError
from codequarry.retrieval.structure.batch import MAX_QUERIES, batch
from codequarry.retrieval.structure.view import GraphView


def test_in_their_order_each_chunk_once(both: GraphView) -> None:
    """Answers come as asked; a chunk is shown for the first question that found it."""
    asked = ["price", "price tax", "price"]
    once = batch(both.reader, asked, ["town"], None, mode="keyword")
    assert [answer.text for answer in once] == asked
    shown = [hit.chunk_id for answer in once for hit in answer.hits]
    assert len(shown) == len(set(shown)) > 0
    assert (once[2].hits, once[2].repeated) == ((), len(once[0].hits))
    again = batch(both.reader, asked, ["town"], None, mode="keyword", deduplicate=False)
    assert again[2].hits == again[0].hits == once[0].hits


def test_a_failing_question_stops_no_other(both: GraphView) -> None:
    """A question that cannot be asked says so, and the others are answered."""
    bad, good = batch(both.reader, ["  ", "price"], ["town"], None, mode="keyword")
    assert (bad.hits, "empty" in bad.failure) == ((), True)
    assert (bool(good.hits), good.failure) == (True, "")
    (unknown,) = batch(both.reader, ["price"], ["nobody"], None, mode="keyword")
    assert "not indexed" in unknown.failure


def test_bounds(both: GraphView) -> None:
    """No question, or too many, is a usage error."""
    for questions in ([], ["a"] * (MAX_QUERIES + 1)):
        with pytest.raises(UsageError):
            batch(both.reader, questions, None, None)
    with pytest.raises(UsageError, match="limit"):
        batch(both.reader, ["a"], None, None, limit=0)
