"""The order of candidates, as a pure function of what was found."""

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codequarry.retrieval.candidates import Candidates
from codequarry.retrieval.query import Query
from codequarry.retrieval.ranking import Ranked, cover, is_test, rank

Row = tuple[str, str, str, str, float, float]
"""Path, symbol, chunk type, origin, BM25, cosine."""


def candidates(rows: list[Row]) -> Candidates:
    """Make candidates as the store gives them: ascending by path, then position."""
    ordered = sorted(enumerate(rows), key=lambda item: (item[1][0], item[0]))
    paths, symbols, kinds, origins, bm25, cosine = zip(*(row for _, row in ordered), strict=True)
    table = pa.table(
        {
            "chunk_id": [number for number, _ in ordered],
            "project": ["demo"] * len(rows),
            "path": list(paths),
            "symbol": list(symbols),
            "symbol_name": list(symbols),
            "chunk_type": list(kinds),
            "origin": list(origins),
        }
    )
    return Candidates(table, np.array(bm25, np.float64), np.array(cosine, np.float64))


def order(query: Query, rows: list[Row]) -> list[str]:
    """Rank rows and give path and symbol of each, best first."""
    found = candidates(rows)
    table = found.table.take(pa.array(rank(query, found).positions))
    pairs = zip(table["path"].to_pylist(), table["symbol"].to_pylist(), strict=True)
    return [f"{path}:{symbol}" for path, symbol in pairs]


def test_exact_identifier_comes_first() -> None:
    """A question that is a name puts its definition first, whatever the texts score."""
    rows: list[Row] = [
        ("a.py", "other", "function", "structural", 9.0, 0.9),
        ("b.py", "parse", "function", "structural", 1.0, 0.1),
        ("c.py", "parse_all", "function", "structural", 8.0, 0.8),
    ]
    assert order(Query("parse"), rows)[0] == "b.py:parse"
    assert order(Query("module.parse"), rows)[0] == "b.py:parse"


def test_tests_come_after_what_they_test() -> None:
    """A test's file counts less, unless the question asks for tests."""
    rows: list[Row] = [
        ("src/cart.py", "add", "function", "structural", 5.0, 0.5),
        ("tests/test_cart.py", "test_add", "function", "structural", 6.0, 0.6),
    ]
    assert order(Query("put an article there"), rows)[0] == "src/cart.py:add"
    assert order(Query("tests of the article"), rows)[0] == "tests/test_cart.py:test_add"


def test_symbols_come_before_gaps() -> None:
    """Of two equal scores, the one of a symbol stands before text between symbols."""
    rows: list[Row] = [
        ("a.py", "", "generic", "gap", 5.0, 0.5),
        ("b.py", "", "generic", "structural", 5.0, 0.5),
    ]
    assert order(Query("something else"), rows)[0] == "b.py:"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("tests/a.py", True),
        ("src/test/java/A.java", True),
        ("pkg/a_test.go", True),
        ("web/a.spec.ts", True),
        ("src/FooTests.cs", True),
        ("spec/a_spec.rb", True),
        ("conftest.py", True),
        ("src/contest.py", False),
        ("src/testament.py", False),
        ("latest/a.py", False),
        ("src/protest_march.go", False),
    ],
)
def test_what_is_a_test(path: str, expected: bool) -> None:
    """Paths of tests are known by convention, and words that merely hold "test" are not."""
    assert is_test(path) is expected


def test_cover() -> None:
    """A word found counts whole, a common beginning in part, nothing for nothing."""
    assert cover(["parse", "file"], ["parse", "file"]) == 1.0
    assert cover(["parse", "file"], ["parse"]) == 0.5
    assert 0 < cover(["parser"], ["parse"]) < 1
    assert cover([], ["a"]) == cover(["a"], []) == 0.0


ROWS = st.lists(
    st.tuples(
        st.sampled_from(["a.py", "b/a.py", "tests/test_a.py", "docs/x.md", "é.py"]),
        st.sampled_from(["", "parse", "parse_file", "Parser", "größe"]),
        st.sampled_from(["function", "class", "generic"]),
        st.sampled_from(["structural", "gap", "local"]),
        st.floats(0, 50),
        st.floats(-1, 1),
    ),
    min_size=1,
    max_size=12,
)
QUERIES = st.builds(
    Query,
    st.sampled_from(["parse", "parse_file", "how to parse a file", "tests of parse", "the", "!"]),
    st.sampled_from(["hybrid", "semantic", "keyword"]),
)


@given(QUERIES, ROWS)
def test_order_is_total(query: Query, rows: list[Row]) -> None:
    """Every candidate stands once; scores fall from at most 1, and never are NaN."""
    ranked = rank(query, candidates(rows))
    assert sorted(ranked.positions.tolist()) == list(range(len(rows)))
    assert all(left >= right - 1e-9 for left, right in pairwise(ranked.scores))
    assert ranked.scores.max() <= 1.0
    assert np.isfinite(ranked.scores).all()
    assert all(len(values) == len(rows) for values in ranked.components.values())


@given(QUERIES, ROWS)
def test_order_does_not_depend_on_the_finding(query: Query, rows: list[Row]) -> None:
    """Equal scores keep the candidates' own order, and ranking twice gives the same."""
    found = candidates(rows)
    first, again = rank(query, found), rank(query, found)
    assert first.positions.tolist() == again.positions.tolist()
    assert first.scores.tolist() == again.scores.tolist()
    assert ties_ascend(first)


def ties_ascend(ranked: Ranked) -> bool:
    """Tell whether rows of one score stand in the order of their positions."""
    pairs = pairwise(zip(ranked.scores.tolist(), ranked.positions.tolist(), strict=True))
    return all(left[0] != right[0] or left[1] < right[1] for left, right in pairs)


def test_no_candidates() -> None:
    """Nothing found is ranked as nothing."""
    empty = candidates([("a.py", "", "generic", "gap", 0.0, 0.0)])
    none = Candidates(empty.table.slice(0, 0), empty.bm25[:0], empty.cosine[:0])
    assert rank(Query("alpha"), none).positions.tolist() == []
