"""Scripts cut into statements."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codequarry.retrieval.lexical.sql.statements import statements


def cut(text: str) -> list[tuple[int, str]]:
    """Give line and text of each statement."""
    return [(statement.line, statement.text) for statement in statements(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a; b 'x;y''z;'; c", [(1, "a"), (1, "b 'x;y''z;'"), (1, "c")]),
        ('a "x;"; b `y;`; c [z;]', [(1, 'a "x;"'), (1, "b `y;`"), (1, "c [z;]")]),
        ("a -- x; y\n; b /* ; */ c", [(1, "a -- x; y"), (2, "b /* ; */ c")]),
        ("f $x$ a; b $$; $x$; g", [(1, "f $x$ a; b $$; $x$"), (1, "g")]),
        ("`a` 'it\\'s; ok'; b # c; d\n; e", [(1, "`a` 'it\\'s; ok'"), (1, "b # c; d"), (2, "e")]),
        ("a 'C:\\'; b", [(1, "a 'C:\\'"), (1, "b")]),
        ("DELIMITER $$\na; b$$\nDELIMITER ;\nc; d", [(2, "a; b"), (4, "c"), (4, "d")]),
        ("a\nGO\nb\ngo 5\nc", [(1, "a"), (3, "b"), (5, "c")]),
        ("BEGIN; UPDATE t; COMMIT", [(1, "BEGIN"), (1, "UPDATE t"), (1, "COMMIT")]),
        ("\\c db\nCOPY t FROM stdin;\n1;2\n\\.\na", [(2, "COPY t FROM stdin"), (5, "a")]),
        (
            "CREATE TRIGGER t BEGIN a; CASE WHEN 1 THEN 2 END; END; b",
            [(1, "CREATE TRIGGER t BEGIN a; CASE WHEN 1 THEN 2 END; END"), (1, "b")],
        ),
        (
            "CREATE PROCEDURE p() BEGIN IF a THEN b; END IF; END; c",
            [(1, "CREATE PROCEDURE p() BEGIN IF a THEN b; END IF; END"), (1, "c")],
        ),
        ("CREATE PROC p AS a; b;\nGO\nc;", [(1, "CREATE PROC p AS a; b;"), (3, "c")]),
        (";;; \n;", []),
        ("a 'open; b", [(1, "a 'open"), (1, "b")]),
    ],
)
def test_cuts(text: str, expected: list[tuple[int, str]]) -> None:
    """A statement ends where its dialect ends it."""
    assert cut(text) == expected


@given(st.text("ab;'\"`[]$ \n-/*#\\GO"))
def test_nothing_is_made_up(text: str) -> None:
    """Each statement is a piece of the script that begins on its line."""
    lines = text.split("\n")
    for statement in statements(text):
        assert statement.text in text
        assert statement.text.split("\n")[0] in lines[statement.line - 1]
