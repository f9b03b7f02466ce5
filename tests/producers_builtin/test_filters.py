import pytest

from codequarry.producers.builtin.filters import normalised


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["b.go", "a.go", "b.go"], ("a.go", "b.go")),
        ([" a.go\t", "", "  "], ("a.go",)),
        (["dir\\a.go", "./b.go", "x/../c.go", "d//e.go"], ("b.go", "c.go", "d/e.go", "dir/a.go")),
        ([".", "./"], (".", "./")),
        (["//etc/x"], ("/etc/x",)),
        (["../up.go"], ("../up.go",)),
        (["é.go", "z.go", "\U0001f600.go", "\uffee.go"],) * 1
        + (("z.go", "é.go", "\uffee.go", "\U0001f600.go"),),
        (["\x1ca.go\xa0"], ("\x1ca.go",)),
        ([], ()),
    ],
)
def test_a_filter_is_normalised_as_the_contract_says(
    given: list[str], expected: tuple[str, ...]
) -> None:
    """Trim as Go does, clean as Go does, keep what cleans to a dot, sort by bytes (A2)."""
    assert normalised(given) == expected
