"""Where a search starts, also after lines have moved."""

from pathlib import Path

import pytest

from codequarry.core.errors import UsageError
from codequarry.core.state import StateDirectory
from codequarry.index.reader import Reader
from codequarry.retrieval.lexical.handles import Handle, parse_handle
from codequarry.retrieval.lexical.search import LexicalQuery, search


def anchored(reader: Reader, state: StateDirectory, text: str) -> tuple[str, list[str]]:
    """Give what a ``--from`` means."""
    answer = search(reader, LexicalQuery("level", "graph", from_=text), None, state)
    return answer.anchor.state, answer.anchor.files


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("app/low.py", ["app/low.py"]),
        ("./app/low.py", ["app/low.py"]),
        ("app/low.py:2", ["app/low.py"]),
        ("app/low.py:2:5", ["app/low.py"]),
        ("file:app/low.py", ["app/low.py"]),
        ("graph:app/low.py", ["app/low.py"]),
        ("low_level", ["app/low.py"]),
        ("app/low.py::low_level", ["app/low.py"]),
        ("symbol:app/low.py:low_level:1:4", ["app/low.py"]),
        ("chunk:app/low.py:1", ["app/low.py"]),
        ("file:app/gr%C3%B6%C3%9Fe.py", ["app/größe.py"]),
        ("sql:lines:db/schema.sql:2", ["db/schema.sql"]),
    ],
)
def test_exact(reader: Reader, published: StateDirectory, text: str, files: list[str]) -> None:
    """A path, a handle and an exact symbol name each lead to their file."""
    assert anchored(reader, published, text) == ("exact", files)


def test_absolute_path(reader: Reader, published: StateDirectory, tree: Path) -> None:
    """An absolute path below the root is the file; one elsewhere is nothing."""
    assert anchored(reader, published, str(tree / "app/low.py")) == ("exact", ["app/low.py"])
    assert anchored(reader, published, "/app/low.py") == ("unresolved", [])


@pytest.mark.parametrize(
    "text",
    [
        "nowhere.py",
        "file:nowhere.py",
        "symbol:a:b",
        "symbol:a:b:c:d",
        "symbol:app/low.py:gone:1:0",
        "review:base=a;head=b",
        "chunk:",
        "../../etc/passwd",
        "no such symbol",
        "sql:gone:db/schema.sql:1",
        "\x00",
    ],
)
def test_unresolved(reader: Reader, published: StateDirectory, text: str) -> None:
    """What leads nowhere is said, and the search answers without a boost."""
    assert anchored(reader, published, text) == ("unresolved", [])


def test_none(reader: Reader, published: StateDirectory) -> None:
    """Nothing asked is told apart from nothing found."""
    assert anchored(reader, published, " ") == ("none", [])


def test_handles_survive_line_shifts(
    earlier: Reader, reader: Reader, published: StateDirectory
) -> None:
    """Handles of a state with other lines above find their subject again, and say so."""
    for mode in ("symbol", "text"):
        found = search(earlier, LexicalQuery("validateUser", mode), None, published).results
        handle = next(one.handle for one in found if one.file == "src/auth.ts")
        assert anchored(earlier, published, handle) == ("exact", ["src/auth.ts"])
        assert anchored(reader, published, handle) == ("moved", ["src/auth.ts"])


def test_changed_content(reader: Reader, published: StateDirectory) -> None:
    """The same name with other content is called changed."""
    handle = "symbol:app/low.py:low_level:1:4:000000000000:low.low_level"
    assert anchored(reader, published, handle) == ("changed", ["app/low.py"])


def test_moved_to_another_file(reader: Reader, published: StateDirectory) -> None:
    """The same content and qualified name in another file is found."""
    found = search(reader, LexicalQuery("low_level", "symbol"), None, published).results[0]
    handle = found.handle.replace("app/low.py", "app/elsewhere.py")
    assert anchored(reader, published, handle) == ("moved", ["app/low.py"])


@pytest.mark.parametrize(
    "handle",
    [
        Handle("file", "a b/c:d%.py"),
        Handle("chunk", "a.py", "", 7, 0, "0123456789ab"),
        Handle("symbol", "a.py", "op<<", 3, 4, "0123456789ab", "m.C::op<<"),
        Handle("symbol", "a.py", "x", 3, 4),
        Handle("sql", "a.sql", "my table", 3, 0, "0123456789ab"),
    ],
)
def test_spelling(handle: Handle) -> None:
    """A handle reads back as it was, whatever stands in its parts."""
    assert parse_handle(str(handle)) == handle


@pytest.mark.parametrize("text", ["", "x", "::", "a::", "symbol:", "chunk:a:b", "chunk:a:1:2:3"])
def test_no_handle(text: str) -> None:
    """What is no handle is refused."""
    with pytest.raises(UsageError, match="not a handle"):
        parse_handle(text)
