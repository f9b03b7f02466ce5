"""The order of candidates, as a pure function of what was found."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from codequarry.retrieval.candidates import Candidates
from codequarry.retrieval.query import Query
from codequarry.retrieval.ranking import SCORES_ONLY, Ranked, rank

Row = tuple[str, str, str, str, float, float]
"""Path, symbol, chunk type, origin, BM25, cosine."""
LONG = "one\ntwo\nthree\nfour\nfive\n"


def candidates(rows: list[Row]) -> Candidates:
    """Make candidates as the store gives them: ascending by path, then position."""
    ordered = sorted(enumerate(rows), key=lambda item: (item[1][0], item[0]))
    paths, symbols, kinds, origins, bm25, cosine = zip(*(row for _, row in ordered), strict=True)
    lines = [10 * number for number, _ in ordered]
    table = pa.table(
        {
            "chunk_id": lines,
            "project": ["demo"] * len(rows),
            "path": list(paths),
            "symbol": list(symbols),
            "symbol_name": [f"module.{symbol}" if symbol else "" for symbol in symbols],
            "chunk_type": list(kinds),
            "origin": list(origins),
            "start_line": lines,
            "content": [LONG] * len(rows),
            "selector.start_line": pa.array([None] * len(rows), pa.int32()),
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


def test_qualified_name_comes_first() -> None:
    """Of two definitions of a name, the one that is qualified as asked comes first."""
    rows: list[Row] = [
        ("a.py", "parse", "function", "structural", 9.0, 0.9),
        ("b.py", "parse", "function", "structural", 1.0, 0.1),
    ]
    found = candidates(rows)
    names = pa.array(["Reader.parse", "pkg.Writer.parse"])
    column = found.table.schema.get_field_index("symbol_name")
    table = found.table.set_column(column, "symbol_name", names)
    ranked = rank(Query("Writer::parse"), replace(found, table=table))
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
    column = found.table.schema.get_field_index("selector.start_line")
    declared = found.table.set_column(
        column, "selector.start_line", pa.array([0, 0, None], pa.int32())
    )
    ranked = rank(Query("how trees are visited"), replace(found, table=declared))
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
    empty = candidates([("a.py", "", "generic", "gap", 0.0, 0.0)])
    none = Candidates(empty.table.slice(0, 0), empty.bm25[:0], empty.cosine[:0])
    assert rank(Query("alpha"), none).positions.tolist() == []
