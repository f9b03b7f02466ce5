"""Words of names and paths against words of a question."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codequarry.retrieval.wordmatch import match, plain_words, rarity


def test_plain_words() -> None:
    """A name's words are its stemmed parts, each once, without the whole compound."""
    assert plain_words("parse_config_files_parse") == ("pars", "config", "file")
    assert plain_words("the of") == ()


@pytest.mark.parametrize(
    ("asked", "text", "cover", "precision"),
    [
        ("parse file", "parse_file", 1.0, 1.0),
        ("parse file", "parse", 0.5, 1.0),
        ("parse", "parse_file", 1.0, 0.5),
        ("parser", "parsed_file", 0.7, 0.35),
        ("parse", "", 0.0, 0.0),
        ("parse", "unrelated", 0.0, 0.0),
    ],
)
def test_cover_and_precision(asked: str, text: str, cover: float, precision: float) -> None:
    """A word found counts whole, a common beginning in part, nothing for nothing."""
    found = match(plain_words(asked), [text])
    assert found.cover(np.ones(len(plain_words(asked))))[0] == pytest.approx(cover)
    assert found.precision[0] == pytest.approx(precision)


def test_rare_words_count_more() -> None:
    """The word that few candidates' names hold tells more than the one that most hold."""
    asked = plain_words("parse config")
    fields = match(asked, ["parse_a", "parse_b", "parse_c", "config_d"])
    weights = rarity([fields])
    assert weights[1] > weights[0]
    assert fields.cover(weights)[3] > fields.cover(weights)[0]


TEXTS = st.lists(st.sampled_from(["", "a", "parse_file", "Parser", "größe", "x/y"]), max_size=8)


@given(st.text(max_size=30), TEXTS)
def test_shares_are_shares(question: str, texts: list[str]) -> None:
    """Cover and precision lie in 0 to 1, whatever the words, also without any."""
    asked = plain_words(question)
    fields = match(asked, texts)
    cover = fields.cover(rarity([fields]))
    assert len(cover) == len(fields.precision) == len(texts)
    assert ((cover >= 0) & (cover <= 1 + 1e-9)).all()
    assert ((fields.precision >= 0) & (fields.precision <= 1)).all()
