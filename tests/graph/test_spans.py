"""Lines and their narrowest symbols."""

from hypothesis import given
from hypothesis import strategies as st

from codequarry.graph.spans import OUTSIDE, Spans

_RANGES = st.lists(st.tuples(st.integers(1, 20), st.integers(0, 20)), max_size=12)


@given(_RANGES, st.lists(st.integers(1, 45), max_size=10))
def test_owner_is_the_narrowest(ranges: list[tuple[int, int]], lines: list[int]) -> None:
    """A line belongs to a symbol that contains it, none of the others that do being narrower."""
    starts = [start for start, _ in ranges]
    ends = [start + length for start, length in ranges]
    owners = Spans(starts, ends, [""] * len(ranges)).owners(lines)
    for line, owner in zip(lines, owners, strict=True):
        around = [i for i in range(len(ranges)) if starts[i] <= line <= ends[i]]
        if not around:
            assert owner == OUTSIDE
        else:
            assert owner in around
            assert ranges[owner][1] == min(ranges[i][1] for i in around)


@given(_RANGES)
def test_parents_enclose(ranges: list[tuple[int, int]]) -> None:
    """A parent's range is wider and holds the child's whole range, so no symbol holds itself."""
    starts = [start for start, _ in ranges]
    ends = [start + length for start, length in ranges]
    for child, parent in enumerate(Spans(starts, ends, [""] * len(ranges)).parents):
        if parent != OUTSIDE:
            assert starts[parent] <= starts[child] <= ends[child] <= ends[parent]
            assert (starts[parent], ends[parent]) != (starts[child], ends[child])


def test_hostile_line_numbers_cost_nothing() -> None:
    """The work depends on the number of symbols, not on the line numbers that they claim."""
    spans = Spans([1, 2_000_000_000], [2_147_483_647, 2_000_000_001], ["a", "a.b"])
    assert spans.owners([5, 2_000_000_000, 2_147_483_647]) == [0, 1, 0]
    assert spans.parents == [OUTSIDE, 0]


def test_equal_ranges_nest_by_name_only() -> None:
    """Two symbols on one line nest when the one's qualified name continues the other's."""
    assert Spans([1, 1], [1, 1], ["m.A", "m.A.f"]).parents == [OUTSIDE, 0]
    assert Spans([1, 1], [1, 1], ["m.a", "m.ab"]).parents == [OUTSIDE, OUTSIDE]
