"""Methods that are called without their name."""

import pytest

from codequarry.retrieval.structure.symbols import Symbol
from codequarry.retrieval.structure.unnamed import is_implicit


@pytest.mark.parametrize(
    ("path", "name", "kind", "implicit"),
    [
        ("a.py", "__len__", "method", True),
        ("a.py", "length", "method", False),
        ("a.py", "_missing_", "method", True),
        ("a.py", "__getattr__", "function", True),
        ("a.py", "getattr", "function", False),
        ("a.go", "init", "function", True),
        ("a.ts", "[Symbol.iterator]", "method", True),
        ("A.java", "getMessage", "method", True),
        ("a.js", "toJSON", "method", True),
        ("a.js", "toJSON", "function", False),
        ("a.js", "next", "method", True),
        ("a.js", "nextPage", "method", False),
        ("a.py", "readinto", "method", True),
        ("a.py", "read_price", "method", False),
        ("a.go", "Seek", "method", True),
        ("a.go", "SetReadDeadline", "method", True),
        ("a.go", "SeekPrice", "method", False),
        ("A.cs", "GetAwaiter", "method", True),
        ("a.c", "PyInit_price", "function", True),
        ("a.c", "price", "function", False),
        ("a.rs", "drop", "method", True),
        ("a.rb", "<=>", "method", True),
        ("a.py", "__len__", "class", False),
        ("tests/test_a.py", "__len__", "method", False),
    ],
)
def test_hooks(path: str, name: str, kind: str, implicit: bool) -> None:
    """A language calls methods of some names by itself; of a test nobody is a user."""
    assert is_implicit(Symbol(1, "p", path, name, name, kind)) == implicit


def test_operators() -> None:
    """A conversion that a language applies without a call is told by its head."""
    head = "public static implicit operator int(A a)"
    assert is_implicit(Symbol(1, "p", "A.cs", "int", "A.int", "method", signature=head))
