"""Pairs to learn from."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from training.pairs import LONGEST_QUERY, list_files, pairs_of, read_pairs, summary

PYTHON = b'''"""Helpers that keep a pool of connections warm."""


class ConnectionPool:
    """Hands out open connections to many callers."""

    def take_one(self, seconds):
        """Wait for a free connection and give it.

        Args:
            seconds: The deadline.
        """
        while True:
            self.wait(seconds)
            return self.free.pop()
'''
GO = b"""package pool

// TakeOne waits for a free connection and gives it.
// It never blocks.
func TakeOne(seconds int) Conn {
\tfor {
\t\twait(seconds)
\t}
}
"""


def test_a_docstring_asks_for_its_function():
    """The first sentence is the query, and the document is the function without its docstring."""
    (pair,) = (p for p in pairs_of("net/pool.py", PYTHON) if p.kind == "doc")
    assert pair.query == "Wait for a free connection and give it."
    assert pair.document.startswith("net pool method pool connection pool take one\n")
    assert "return self.free.pop()" in pair.document
    assert "deadline" not in pair.document


def test_a_class_and_a_module_are_asked_for_by_outline():
    """Their documents name what they hold and leave out the code."""
    pairs = {pair.kind: pair for pair in pairs_of("net/pool.py", PYTHON)}
    assert pairs["class"].query == "Hands out open connections to many callers."
    assert pairs["module"].query == "Helpers that keep a pool of connections warm."
    for kind in ("class", "module"):
        assert "def take_one(self, seconds)" in pairs[kind].document
        assert "self.free" not in pairs[kind].document


def test_a_name_asks_for_its_body():
    """The words of a name are a query, and its document does not hold the name."""
    queries = {p.query: p.document for p in pairs_of("net/pool.py", PYTHON) if p.kind == "name"}
    assert "take_one" not in queries["take one"]
    assert "ConnectionPool" not in queries["connection pool"]


def test_a_doc_comment_asks_for_its_definition():
    """A leading name is no part of the query, nor the comment of the document."""
    (pair,) = (p for p in pairs_of("net/pool.go", GO) if p.kind == "doc")
    assert pair.query == "waits for a free connection and gives it."
    assert "blocks" not in pair.document
    assert "func TakeOne" in pair.document


def test_markup_and_sections_are_no_query():
    """A summary ends before a section and holds no tags."""
    text = "Gives the <b>open</b> connection of a pool\n@param seconds the deadline"
    assert summary(text) == "Gives the open connection of a pool"
    assert summary("Gives it.") == ""
    assert summary("") == ""


@given(st.text(), st.text(max_size=8))
def test_a_summary_is_one_bounded_line(docstring, name):
    """Whatever the documentation holds, its summary has no line break and few words."""
    found = summary(docstring, name)
    assert "\n" not in found
    assert len(found.split()) <= len(docstring.split())
    assert found == "" or len(summary(found).split()) <= max(LONGEST_QUERY, len(found.split()))


@given(st.binary(max_size=200))
def test_broken_files_give_pairs_or_none(source):
    """No bytes of a Go file end the run."""
    assert isinstance(pairs_of("a.go", source), list)


def test_files_are_walked_in_byte_order(tmp_path: Path):
    """The order of files is that of their paths' bytes, whatever the file system says."""
    for name in ("b.py", "a/z.py", "B.py", "a.py"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(PYTHON)
    files = list_files(tmp_path)
    assert [file.path for file in files] == ["B.py", "a.py", "a/z.py", "b.py"]
    first, *rest = read_pairs(files)
    assert len(rest) == 3
    assert [pair.query for pair in first] == [pair.query for pair in pairs_of("B.py", PYTHON)]
