"""What the text of a type says about what it inherits."""

import pytest

from codequarry.retrieval.structure.heritage import HARMLESS, HEIRLESS, bases_of


@pytest.mark.parametrize(
    ("signature", "bases"),
    [
        ("class A(threading.Thread)", ["Thread"]),
        ("class A(B[C, D], metaclass=M)", ["B"]),
        ("class A[T](B)", ["B"]),
        ("class A(Exception, ABC)", ["Exception", "ABC"]),
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
    """The head of a type tells its bases, whatever else stands in it."""
    assert list(bases_of(signature)) == bases


@pytest.mark.parametrize(
    ("name", "calls", "seeks"),
    [
        ("Exception", False, False),
        ("ABC", False, False),
        ("IDisposable", False, False),
        ("ClickException", True, False),
        ("Thread", True, False),
        ("Model", True, True),
        ("SmartEnum", True, True),
    ],
)
def test_harmless_bases(name: str, calls: bool, seeks: bool) -> None:
    """An error of a framework may call its methods, and yet it looks for no heirs."""
    assert (HARMLESS.fullmatch(name) is None, HEIRLESS.fullmatch(name) is None) == (calls, seeks)
