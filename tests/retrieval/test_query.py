"""Questions taken apart, and filters written for the store."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codequarry.core.errors import UsageError
from codequarry.retrieval.query import (
    GLOB_CHARACTERS,
    MAX_GLOBS,
    MAX_LIMIT,
    MAX_WORDS,
    Filters,
    Query,
    glob_pattern,
    where,
)


@pytest.mark.parametrize(
    ("text", "bare", "identifiers"),
    [
        ("parse_config", "parse_config", ("parse_config",)),
        ("  parse_config\n", "parse_config", ("parse_config",)),
        ("json.loads", "loads", ("loads",)),
        ("std::fs::read", "read", ("read",)),
        ("Array#map", "map", ("map",)),
        ("alpha", "alpha", ("alpha",)),
        ("größe", "größe", ("größe",)),
        ("where is parseConfig used", "", ("parseConfig",)),
        ("read_file and write_file and read_file", "", ("read_file", "write_file")),
        ("how does it work", "", ()),
        ("what about 3 things", "", ()),
        ("!!!", "", ()),
        ("a b", "", ()),
    ],
)
def test_identifiers(text: str, bare: str, identifiers: tuple[str, ...]) -> None:
    """A question that is one identifier is known as such; names that look like code are found."""
    query = Query(text)
    assert query.bare_symbol == bare
    assert query.identifiers == identifiers


def test_words_are_bounded() -> None:
    """However long a question is, its words are few."""
    assert len(Query("parse the config file " * 5000).words) == MAX_WORDS
    assert Query("the of and").words == []


@pytest.mark.parametrize(
    "wrong",
    [{"text": ""}, {"text": " \n"}, {"mode": "x"}, {"limit": 0}, {"limit": MAX_LIMIT + 1}],
)
def test_wrong_questions(wrong: dict[str, object]) -> None:
    """A question that cannot be asked is refused when it is made."""
    with pytest.raises(UsageError):
        Query(**{"text": "alpha", **wrong})  # type: ignore[arg-type]


def test_globs_are_bounded() -> None:
    """Path patterns that are too many or too long are refused before the store compiles them."""
    Filters(globs=("*" * GLOB_CHARACTERS,) * MAX_GLOBS)
    with pytest.raises(UsageError, match="101 path patterns"):
        Filters(globs=("*",) * (MAX_GLOBS + 1))
    with pytest.raises(UsageError, match="1001 characters"):
        Filters(globs=("*" * (GLOB_CHARACTERS + 1),))


def test_filters_are_all_needed() -> None:
    """Projects, languages, kinds and globs join with AND; several of one join with OR."""
    text = where(("a", "it's"), Filters(("Go", "RUST"), ("Class",), ("*.go", "x/**")))
    assert text.startswith("project IN ('a', 'it''s') AND language IN ('go', 'rust') AND ")
    assert "(chunk_type IN ('class') OR selector.kind IN ('class'))" in text
    assert text.count("regexp_like(path, ") == 2
    assert where(("a",), Filters()) == "project IN ('a')"
    assert where(None, Filters()) == ""
    assert where(None, Filters(("go",))) == "language IN ('go')"
    listed = where(("a",), Filters(paths=("x/a.py", "o'b.py")))
    assert listed == "project IN ('a') AND path IN ('x/a.py', 'o''b.py')"


@pytest.mark.parametrize(
    ("glob", "yes", "no"),
    [
        ("*.py", ["a.py", "x/a.py", "x/y/.py"], ["a.pyc", "a.py/b", "apy"]),
        ("src/*.py", ["src/a.py"], ["src/x/a.py", "x/src/a.py", "src/a.pyc"]),
        ("src/**/*.py", ["src/a.py", "src/x/y/a.py"], ["xsrc/a.py"]),
        ("src/**", ["src/a", "src/x/y"], ["src", "xsrc/a"]),
        ("**/test/**", ["test/a", "x/test/y/a"], ["testing/a", "xtest/a"]),
        ("/src/a.py", ["src/a.py"], ["x/src/a.py"]),
        ("a?c", ["abc", "x/a.c"], ["ac", "a/c", "abbc"]),
        ("a**/b", ["a/b", "axx/y/b"], ["ab"]),
        ("a[b].py", ["a[b].py"], ["ab.py"]),
        ("a+b (c).py", ["a+b (c).py", "x/a+b (c).py"], ["aab (c).py"]),
        ("x/**", ["x/new\nline.py"], []),
    ],
)
def test_globs(glob: str, yes: list[str], no: list[str]) -> None:
    """Stars stay within a folder, two cross folders, and all else is literal."""
    pattern = re.compile(glob_pattern(glob))
    assert [path for path in yes if not pattern.fullmatch(path)] == []
    assert [path for path in no if pattern.fullmatch(path)] == []


def reference(glob: str, path: str) -> bool:
    """Match by trying every possibility, one character at a time."""
    if "/" not in glob:
        return reference(f"**/{glob}", path)
    glob = glob.lstrip("/")

    def match(pattern: str, text: str, at_start: bool) -> bool:
        if not pattern:
            return not text
        if pattern.startswith("**/") and at_start:
            rest = pattern[3:]
            folders = [i + 1 for i, character in enumerate(text) if character == "/"]
            return any(match(rest, text[i:], True) for i in (0, *folders))
        if pattern.startswith("**"):
            return any(match(pattern[2:], text[i:], False) for i in range(len(text) + 1))
        if pattern[0] == "*":
            reach = len(text.partition("/")[0])
            return any(match(pattern[1:], text[i:], False) for i in range(reach + 1))
        if not text or (pattern[0] != text[0] and (pattern[0] != "?" or text[0] == "/")):
            return False
        return match(pattern[1:], text[1:], pattern[0] == "/")

    return match(glob, path, True)


PATHS = st.text("ab/.[\n\v", min_size=1, max_size=9)


@given(st.text("ab/*?.[\n\v", min_size=1, max_size=8), PATHS)
def test_globs_equal_the_reference(glob: str, path: str) -> None:
    """The regular expression decides every path as the character by character matcher does."""
    assert bool(re.fullmatch(glob_pattern(glob), path)) is reference(glob, path)
