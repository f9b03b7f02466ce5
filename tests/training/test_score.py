"""Figures of a model by itself."""

import math

import pytest

from codequarry.embedding.house import HouseEmbedder
from evaluation.questions import Question, Target
from training.chunked import chunks_of
from training.score import asked_queries, score


@pytest.fixture(scope="module")
def chunks(tmp_path_factory):
    """Two files of one function each, cut as the index cuts them."""
    root = tmp_path_factory.mktemp("corpus")
    (root / "pool.py").write_text(
        "import time\n\n\ndef take_connection(seconds):\n"
        "    while not connections:\n        time.sleep(seconds)\n    return connections.pop()\n"
    )
    (root / "colour.py").write_text(
        "def paint_window(window, colour):\n    window.background = colour\n    window.redraw()\n"
    )
    return chunks_of(root)


def test_a_directory_is_cut_by_its_definitions(chunks):
    """Definitions are found, and their chunks carry the names that are embedded."""
    names = set(chunks["symbol_name"].to_pylist())
    assert {"pool.take_connection", "colour.paint_window"} <= names


def test_the_right_function_scores_one(chunks):
    """File and function count; a question without a line has no function score."""
    right = Question("1", "c", "wait for a free connection", (Target("pool.py", 4),))
    wrong = Question("2", "c", "wait for a free connection", (Target("absent.py", 4),))
    whole = Question("3", "c", "paint the window", (Target("colour.py"),))
    found = score(HouseEmbedder(), chunks, [right, wrong, whole])
    assert found[:2] == [(1.0, 1.0), (0.0, 0.0)]
    assert found[2].file == 1.0
    assert math.isnan(found[2].symbol)


def test_every_development_query_is_known():
    """No set is forgotten when pairs are cleaned."""
    assert len(asked_queries()) == 237 + 500 + 251 + 390
