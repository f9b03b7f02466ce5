"""The embedding text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codequarry.chunking.text import (
    HEADER_BYTES,
    embedding_text,
    header,
    path_words,
    prologue,
    source_budget,
)

DOCSTRING = "Explains Fresh."
SIGNATURE = "func Fresh() string"
SOURCE = 'func Fresh() string { return "fresh" }'
GOLDEN = f"{DOCSTRING}\n\n{SIGNATURE}\n\n{SOURCE}"
TEXTS = st.text("a \n\u20ac\U0001f600\x1c", max_size=60).flatmap(
    lambda text: st.sampled_from([text, text * 40, text * 400])
)


def test_bare_layout_is_the_golden_one() -> None:
    """Without a header the text is the contract's: docstring, signature, source (D2)."""
    assert embedding_text("", prologue(DOCSTRING, SIGNATURE), SOURCE) == GOLDEN


def test_header_stands_on_its_own_line_before() -> None:
    """The template adds one line of path words, kind and name in front of D2's parts."""
    heading = header(path_words("src/net/http/freshCheck.go"), "function", "http.Fresh2Check")
    assert heading == "src net http fresh check function http fresh 2 check"
    assert embedding_text(heading, prologue(DOCSTRING, SIGNATURE), SOURCE) == (
        f"{heading}\n{GOLDEN}"
    )


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("a/b/c/d/HTTPServer_test.go", "b c d http server test"),
        ("setup.py", "setup"),
        (".gitignore", "gitignore"),
        ("Makefile", "makefile"),
        ("x/größe/データ.v2.txt", "x größe データ v 2"),
    ],
)
def test_path_words(path: str, words: str) -> None:
    """Three directories and the stem count, split at case, digits and punctuation."""
    assert path_words(path) == words


def test_blank_parts_are_left_out() -> None:
    """A blank docstring or signature leaves no empty paragraph and costs no budget."""
    assert prologue(" \n\u2028", "") == ""
    assert prologue("", "f()") == "f()\n\n"
    assert source_budget("") == 4096
    assert source_budget(prologue(DOCSTRING, SIGNATURE)) == 4096 - 15 - 19 - 4
    assert prologue("\x1c", "") == "\x1c\n\n", "U+001C is not white space in Go (J-19)"


@given(TEXTS, TEXTS, TEXTS, TEXTS)
def test_text_is_bounded_in_bytes(name: str, docstring: str, signature: str, source: str) -> None:
    """Every part and the whole keep their byte budgets, and cuts fall on whole characters."""
    heading = header("place", "class", name)
    before = prologue(docstring, signature)
    text = embedding_text(heading, before, source)
    assert len(heading.encode()) <= HEADER_BYTES
    assert len(before.encode()) <= 1024 + 512 + 4
    assert 4093 - len(before.encode()) <= source_budget(before) or before
    assert len(text.encode()) <= 4096
    assert f"{heading}\n{before}{source}".startswith(text)


@given(TEXTS, TEXTS)
def test_budget_leaves_room_for_the_source(docstring: str, signature: str) -> None:
    """A source within its budget stands whole in the bare layout."""
    before = prologue(docstring, signature)
    source = "s" * source_budget(before)
    assert embedding_text("", before, source).endswith(source)
