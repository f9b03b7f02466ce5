"""The sieve sees what the scorer will see, and never promises too little."""

import polars as pl
from hypothesis import example, given, settings
from hypothesis import strategies as st

from codequarry.retrieval.lexical.normalise import Terms, normalise
from codequarry.retrieval.lexical.scoring import match
from codequarry.retrieval.lexical.sieve import sift, sift_once

PIECES = st.sampled_from(
    [
        *("validate", "User", "HTTP", "Server", "größe", "GRÖSSE", "straße", "用户", "ﬁle"),
        *("Σίσυφος", "_", " ", "-", "\n", "2", "x", "ＡＢ", "e\u0301", "हिन्दी", "😀", "\u212a"),
        *("İ", "a", "B"),
    ]
)
TEXTS = st.lists(PIECES, max_size=8).map("".join)


@settings(deadline=None)
@given(st.lists(TEXTS, max_size=6), TEXTS)
@example(["HTTPServer"], "HTTP Server")
@example(["validate_User", "x straße"], "STRASSE user")
def test_sieve_against_scorer(texts: list[str], query: str) -> None:
    """Which terms a text holds is exact, and its bound is no lower than its score."""
    terms = Terms(query)
    column = pl.Series(texts, dtype=pl.String)
    for found in (sift(texts, terms), sift_once(column, terms, 1), sift_once(column, terms, 9)):
        for row, most in enumerate(found.most_points(len(terms.ranked))):
            scored = match(normalise(texts[row]), terms)
            held = {t for i, t in enumerate(terms.ranked) if int(found.parts[row]) >> i & 1}
            assert held == scored.terms
            assert most >= scored.points


@settings(deadline=None, max_examples=30)
@given(st.lists(TEXTS, max_size=6))
def test_many_terms(texts: list[str]) -> None:
    """A query of very many terms is sifted as exactly."""
    terms = Terms("validate user http server größe x a b 2 " + " ".join(f"w{n}" for n in range(20)))
    found = sift_once(pl.Series(texts, dtype=pl.String), terms, 2)
    for row, most in enumerate(found.most_points(len(terms.ranked))):
        scored = match(normalise(texts[row]), terms)
        held = {t for i, t in enumerate(terms.ranked) if int(found.parts[row]) >> i & 1}
        assert held == scored.terms
        assert most >= scored.points


def test_bound_is_tight_for_code() -> None:
    """A part of a word is not taken for the word, so that few texts need to be read."""
    terms = Terms("user")
    found = sift(["userland", "my_user", "superuser", "aUser1", "aUserX", "nothing"], terms)
    assert found.most_points(1).tolist() == [7, 10, 7, 7, 10, 0]


def test_bound_of_what_cannot_be_best() -> None:
    """Only a text that may stand among the best is looked at closely; no bound reaches its own."""
    many = pl.Series(["superuser"] * 3 + ["my user name"])
    assert sift_once(many, Terms("user name"), 1).most_points(2).tolist() == [10, 10, 10, 62]
    assert sift_once(many, Terms("user name"), 4).most_points(2).tolist() == [7, 7, 7, 62]


def test_nothing_to_sift() -> None:
    """A column without rows, and a query without terms, are no special cases."""
    assert sift([], Terms("user")).most_points(1).tolist() == []
    assert sift(["a", "ß"], Terms("")).most_points(0).tolist() == [0, 0]
