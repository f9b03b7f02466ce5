"""The order of candidates, as a pure function of what was found."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from codequarry.index.cards import Card, Selector
from codequarry.retrieval.candidates import Candidates
from codequarry.retrieval.query import Query
from codequarry.retrieval.ranking import SCORES_ONLY, Ranked, rank

Row = tuple[str, str, str, str, float, float]
"""Path, symbol, chunk type, origin, BM25, cosine."""


def candidates(rows: list[Row]) -> Candidates:
    """Make candidates as the store gives them: ascending by path, then position."""
    ordered = sorted(enumerate(rows), key=lambda item: (item[1][0], item[0]))
    paths, symbols, kinds, origins, bm25, cosine = zip(*(row for _, row in ordered), strict=True)
    lines = [10 * number for number, _ in ordered]
    cards = [
        Card(
            project="demo",
            path=path,
            chunk_index=line,
            chunk_id=line,
            start_line=line,
            end_line=line + 5,
            chunk_type=kind,
            origin=origin,
            symbol=symbol,
            symbol_name=f"module.{symbol}" if symbol else "",
            language="python",
            source_hash="",
            selector=None,
            is_brief=False,
            is_marked=False,
        )
        for path, symbol, kind, origin, line in zip(
            paths, symbols, kinds, origins, lines, strict=True
        )
    ]
    return Candidates(cards, lines, np.array(bm25, np.float64), np.array(cosine, np.float64))


def changed(found: Candidates, *changes: dict[str, object]) -> Candidates:
    """Give the candidates with some of each card's columns replaced."""
    pairs = zip(found.cards, changes, strict=True)
    return replace(found, cards=[structs.replace(card, **change) for card, change in pairs])


def order(query: Query, rows: list[Row]) -> list[str]:
    """Rank rows and give path and symbol of each, best first."""
    found = candidates(rows)
    cards = [found.cards[row] for row in rank(query, found).positions]
    return [f"{card.path}:{card.symbol}" for card in cards]


def test_exact_identifier_comes_first() -> None:
    """A question that is a name puts its definition first, whatever the texts score."""
    rows: list[Row] = [
        ("a.py", "other", "function", "structural", 9.0, 0.9),
        ("b.py", "parse", "function", "structural", 1.0, 0.1),
        ("c.py", "parse_all", "function", "structural", 8.0, 0.8),
    ]
    assert order(Query("parse"), rows)[0] == "b.py:parse"
    assert order(Query("module.parse"), rows)[0] == "b.py:parse"


def test_qualified_name_comes_first() -> None:
    """Of two definitions of a name, the one that is qualified as asked comes first."""
    rows: list[Row] = [
        ("a.py", "parse", "function", "structural", 9.0, 0.9),
        ("b.py", "parse", "function", "structural", 1.0, 0.1),
    ]
    found = candidates(rows)
    found = changed(found, {"symbol_name": "Reader.parse"}, {"symbol_name": "pkg.Writer.parse"})
    ranked = rank(Query("Writer::parse"), found)
    assert ranked.positions.tolist() == [1, 0]


def test_a_test_may_be_asked_for_by_name() -> None:
    """A question that is a test's name puts the test first, although tests count less."""
    rows: list[Row] = [
        ("test_add.py", "other", "function", "structural", 9.0, 0.9),
        ("tests/test_cart.py", "test_add", "function", "structural", 1.0, 0.1),
    ]
    assert order(Query("test_add"), rows)[0] == "tests/test_cart.py:test_add"


def test_first_lines_of_a_declaration_come_first() -> None:
    """Of a declaration in pieces, the one with its first line takes the place of the best."""
    rows: list[Row] = [
        ("a.py", "walk", "function", "structural", 3.0, 0.3),
        ("a.py", "walk", "function", "structural", 9.0, 0.9),
        ("b.py", "other", "function", "structural", 5.0, 0.5),
    ]
    found = candidates(rows)
    declared = {"selector": Selector("a.py", 0, "walk", "function")}
    found = changed(found, declared, declared, {})
    ranked = rank(Query("how trees are visited"), found)
    assert ranked.positions.tolist() == [0, 2, 1]


def test_scores_alone() -> None:
    """Without structure, only the text's and the vector's score decide."""
    rows: list[Row] = [
        ("a.py", "parse", "function", "structural", 1.0, 0.1),
        ("tests/b.py", "x", "generic", "gap", 9.0, 0.9),
    ]
    assert rank(Query("parse"), candidates(rows), SCORES_ONLY).positions.tolist() == [1, 0]


def test_generated_files_come_after_written_ones() -> None:
    """A generated file counts less, unless the question asks for generated code."""
    rows: list[Row] = [
        ("api/user.py", "save", "function", "structural", 5.0, 0.5),
        ("api/user_pb2.py", "store", "function", "structural", 6.0, 0.6),
    ]
    assert order(Query("keep an article"), rows)[0] == "api/user.py:save"
    assert order(Query("generated article"), rows)[0] == "api/user_pb2.py:store"


def test_declarations_come_after_what_they_declare() -> None:
    """A file that stands for another counts less, unless the question asks for its kind."""
    rows: list[Row] = [
        ("http.js", "send", "function", "structural", 5.0, 0.5),
        ("index.d.ts", "post", "function", "structural", 6.0, 0.6),
    ]
    assert order(Query("give an article away"), rows)[0] == "http.js:send"
    assert order(Query("typings of an article"), rows)[0] == "index.d.ts:post"


def test_a_class_speaks_for_its_methods() -> None:
    """Of equal methods, the one whose class the question names stands first."""
    rows: list[Row] = [
        ("a.py", "close", "method", "structural", 5.0, 0.5),
        ("b.py", "close", "method", "structural", 5.0, 0.5),
    ]
    found = candidates(rows)
    found = changed(found, {"symbol_name": "a.File.close"}, {"symbol_name": "b.Socket.close"})
    assert rank(Query("when sockets are shut"), found).positions.tolist() == [1, 0]
    assert rank(Query("when files are shut"), found).positions.tolist() == [0, 1]


def test_a_mark_speaks_for_its_own_file() -> None:
    """What one project's file says of itself does not count for a file of that path elsewhere."""
    rows: list[Row] = [
        ("a.py", "read", "function", "structural", 5.0, 0.5),
        ("a.py", "load", "function", "structural", 6.0, 0.6),
    ]
    found = candidates(rows)
    assert rank(Query("an article"), found).positions.tolist() == [1, 0]
    alike = changed(found, {}, {"is_marked": True})
    assert rank(Query("an article"), alike).components["factor"].tolist() == [0.5, 0.5]
    apart = changed(found, {}, {"is_marked": True, "project": "other"})
    assert rank(Query("an article"), apart).positions.tolist() == [0, 1]


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
    none = Candidates([], [], np.array([]), np.array([]))
    assert rank(Query("alpha"), none).positions.tolist() == []
