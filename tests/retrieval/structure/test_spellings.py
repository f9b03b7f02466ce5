"""Other spellings that mean a symbol."""

import pytest

from codequarry.retrieval.structure.spellings import spellings
from codequarry.retrieval.structure.symbols import Symbol


@pytest.mark.parametrize(
    ("path", "fqn", "name", "other"),
    [
        ("a.py", "a.Safe.__hidden", "__hidden", {"_Safe__hidden"}),
        ("a.py", "a._Safe.__hidden", "__hidden", {"_Safe__hidden"}),
        ("a.py", "a.Safe.__len__", "__len__", set()),
        ("A.cs", "A.MarkAttribute", "MarkAttribute", {"Mark"}),
        ("a.ts", "MyPanel", "MyPanel", {"my-panel"}),
        ("A.java", "A.getTotal", "getTotal", {"total"}),
        ("a.rb", "A.x=", "x=", {"x"}),
        ("a.php", "apply", "apply", {"APPLY", "Apply"}),
        ("a.go", "a.Get", "Get", set()),
    ],
)
def test_spellings(path: str, fqn: str, name: str, other: set[str]) -> None:
    """Each language's own ways to write a name otherwise are known."""
    found = spellings([Symbol(1, "p", path, name, fqn, "method")])
    assert found == {(spelling, name) for spelling in other}
