"""How texts and queries are taken apart before they are compared."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codequarry.retrieval.lexical.normalise import (
    MAX_TERMS,
    SYNTAX_WORDS,
    Terms,
    _normalise_any,
    normalise,
    tokens,
)

PAIRS = [
    ("validateUser", "validate user"),
    ("HTTPServer", "http server"),
    ("XMLHttpRequest2", "xml http request2"),
    ("parseURL", "parse url"),
    ("getHTTPResponseCode", "get http response code"),
    ("snake_case", "snake case"),
    ("kebab-case-name", "kebab case name"),
    ("a.b#c", "a b c"),
    ("a::b", "a b"),
    ("src/auth/validate-user.ts", "src auth validate user ts"),
    ("v2API", "v2 api"),
    ("utf8Decode", "utf8 decode"),
    ("ABC", "abc"),
    ("ABc", "a bc"),
    ("aB", "a b"),
    ("A", "a"),
    ("", ""),
    ("   ", ""),
    ("__init__", "init"),
    ("$scope", "scope"),
    ("foo(bar, baz)", "foo bar baz"),
    ("line\r\nbreak\ttab", "line break tab"),
    ("\ufeffmark", "mark"),
    ("don't", "don t"),
    ("größe", "größe".casefold()),
    ("größeÄndern", "grösse ändern"),
    ("ＦｕｌｌWidth", "full width"),
    ("ﬁle_ﬂag", "file flag"),
    ("获取用户", "获取用户"),
    ("ΣίσυφοςTest", "σίσυφοσ test"),
    ("हिन्दी", "हिन्दी"),
    ("İstanbul", "i̇stanbul"),
    ("a😀b", "a b"),
]


@pytest.mark.parametrize(("text", "expected"), PAIRS)
def test_pairs(text: str, expected: str) -> None:
    """Identifiers split where programmers split them, in every script."""
    assert normalise(text) == expected


@given(st.text(st.characters(max_codepoint=127)))
def test_two_roads_agree(text: str) -> None:
    """The quick road of ASCII and the one of all scripts give the same."""
    assert normalise(text) == _normalise_any(text)


@given(st.text())
def test_single_spaces(text: str) -> None:
    """Words are joined by single spaces, and nothing else is left of blanks or capitals."""
    normal = normalise(text)
    assert normal == " ".join(normal.split(" ")).strip()
    assert not re.search(r"[\sA-Z_]", normal.replace(" ", ""))


def test_tokens_keep_their_first_place() -> None:
    """A word counts once, where it stood first."""
    assert tokens("get User getUser userGet b") == ("get", "user", "b")


@pytest.mark.parametrize(
    ("query", "identifier", "path"),
    [
        ("validateUser", True, False),
        ("a.b#c:d", True, False),
        ("std::vec", True, False),
        ("größe", True, False),
        ("validate user", False, False),
        ("2nd", False, False),
        ("src/auth.ts", False, True),
        ("src/my file.ts", False, True),
        ("src/my file", False, False),
        ("either a/b or c", False, False),
        ("/", False, True),
        ("", False, False),
    ],
)
def test_kinds_of_query(query: str, identifier: bool, path: bool) -> None:
    """A query that is one identifier or one path is told from words."""
    assert (Terms(query).is_identifier, Terms(query).is_path) == (identifier, path)


def test_syntax_words_are_dropped() -> None:
    """Words that only ask are dropped, but from identifiers and paths, and never all of them."""
    assert len(SYNTAX_WORDS) == 16
    assert Terms("where is the user validated").ranked == ("user", "validated")
    assert Terms("how.does.a").ranked == ("how", "does", "a")
    assert Terms("what/is.the").ranked == ("what", "is", "the")
    assert Terms("what is the").ranked == ("what", "is", "the")
    assert Terms("!!! ???").ranked == ()


def test_phrase_keeps_duplicates() -> None:
    """The phrase is the sequence as asked, the terms are each once."""
    terms = Terms("the user and user id")
    assert terms.phrase == "user and user id"
    assert terms.ranked == ("user", "and", "id")


def test_many_words_are_bounded_and_counted() -> None:
    """Of ten thousand words the first count, and the query says how many do not."""
    terms = Terms(" ".join(f"word{number}" for number in range(10_000)))
    assert len(terms.ranked) == MAX_TERMS
    assert Terms("x" * 200 + " short").ranked == ("short",)
    assert terms.omitted == 10_000 - MAX_TERMS
