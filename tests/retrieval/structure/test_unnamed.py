"""Methods that are called without their name."""

import pytest

from codequarry.retrieval.structure.symbols import Symbol
from codequarry.retrieval.structure.unnamed import bases_of, is_implicit


@pytest.mark.parametrize(
    ("signature", "bases"),
    [
        ("class A(threading.Thread)", ["Thread"]),
        ("class A(B[C, D], metaclass=M)", ["B"]),
        ("class A[T](B)", ["B"]),
        ("class A(Exception, ABC)", []),
        ("class A", []),
        ("class A<T> extends B<T> implements C, D", ["B", "C", "D"]),
        ("export default class Q extends R.S", ["S"]),
        ("public class A : p.B, IC<int>", ["B", "IC"]),
        ("class A < B", ["B"]),
        ("class A : public n::B", ["B"]),
        ("class A(x: Int) extends B(x) with C", ["B", "C"]),
        ("class A(x: Int) extends B(x)", ["B"]),
        ("class A(private val x: X = X()) : B(x), C", ["B", "C"]),
        ("class A(private val x: X) : B()", ["B"]),
        ("struct S<T>", []),
    ],
)
def test_bases(signature: str, bases: list[str]) -> None:
    """The head of a type tells its bases, without those that call nothing of their own accord."""
    assert list(bases_of(signature)) == bases


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
