"""The evaluation's own arithmetic and its data."""

import math

import pytest

from evaluation.corpora import without_comment_lines, without_docstrings
from evaluation.questions import SETS, Question, Target, corpora, project_of, questions
from evaluation.scoring import Place, Scores, mean, score


def hit(path: str, start: int = 1, end: int = 9) -> Place:
    """Make a hit."""
    return Place(path, start, end)


def asked(*paths: str, line: int = 0) -> Question:
    """Make a question that these files answer."""
    return Question("id", "set/corpus", "text", tuple(Target(path, line) for path in paths))


def test_scores_of_known_answers() -> None:
    """Files count once at their best hit; gains fall with the logarithm of the rank."""
    found = score(asked("b"), [hit("a"), hit("a"), hit("b")])
    assert found.file_ndcg == pytest.approx(1 / math.log2(3))
    assert (found.recall, found.reciprocal_rank) == (1.0, 0.5)
    assert math.isnan(found.symbol_ndcg)
    both = score(asked("a", "b"), [hit("a"), hit("b")])
    assert (both.file_ndcg, both.recall, both.reciprocal_rank) == (1.0, 1.0, 1.0)
    assert score(asked("z"), []) == pytest.approx(Scores(0, 0, 0, math.nan), nan_ok=True)


def test_symbols_are_scored_by_their_line() -> None:
    """The chunk that holds the function's first line counts, at its place among all hits."""
    hits = [hit("a", 1, 4), hit("a", 5, 9)]
    assert score(asked("a", line=5), hits).symbol_ndcg == pytest.approx(1 / math.log2(3))
    assert score(asked("a", line=10), hits).symbol_ndcg == 0.0


def test_mean_leaves_out_what_is_not_there() -> None:
    """A set's mean symbol score is over the questions that have one."""
    scores = [Scores(1, 1, 1, math.nan), Scores(0, 0, 0, 0.5)]
    assert mean(scores) == Scores(0.5, 0.5, 0.5, 0.5)


def test_blanking_keeps_lines() -> None:
    """Docstrings and comment lines are blanked, and every line keeps its number."""
    source = 'def f():\n    """Say\n    it."""\n    return 1\n\ndef g():\n    """Only."""\n'
    assert without_docstrings(source) == "def f():\n    \n\n    return 1\n\ndef g():\n    pass\n"
    assert without_docstrings("def f(:\n") is None
    assert without_comment_lines("a\n// b\n/* c\nd */\ne\n") == "a\n\n\n\ne\n"


def test_data() -> None:
    """Every question's corpus is listed, its id unique, and no two projects share a name."""
    rows = [row for name in SETS for row in questions(name)]
    assert len(rows) == len({row.id for row in rows}) == 1378
    assert {row.corpus for row in rows} == set(corpora())
    assert len({project_of(key) for key in corpora()}) == len(corpora())
