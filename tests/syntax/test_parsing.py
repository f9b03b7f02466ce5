from hypothesis import given
from hypothesis import strategies as st

from codequarry.syntax.parsing import parse


def test_syntax_errors_are_nodes() -> None:
    """Broken source parses into a tree that says so."""
    tree = parse(b"def f(:\n", "python")
    assert tree is not None
    assert tree.root_node.has_error


def test_a_passed_deadline_gives_no_tree() -> None:
    """A parse that cannot finish in time is given up."""
    assert parse(b"x = [1, 2, 3]\n" * 20_000, "python", seconds=0.0) is None


@given(st.text(min_size=900, max_size=2200))
def test_characters_across_read_windows_survive(text: str) -> None:
    """However the reads cut the file, a comment of any characters is one node."""
    source = b"# " + text.replace("\n", " ").replace("\r", " ").replace("\0", " ").encode()
    tree = parse(source, "python")
    assert tree is not None
    first = tree.root_node.child(0)
    assert first is not None
    assert (first.type, first.end_byte) == ("comment", len(source))
