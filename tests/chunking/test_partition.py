"""The owner partition, against the contract's own wording."""

from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from codequarry.chunking.partition import Piece, Run, Span, find_runs, line_bounds, partition
from codequarry.core.text import line_starts, repair_bytes

LINE_PARTS = st.sampled_from(
    [
        *(b"a", b"\n", b"\r\n", b"\r", b"\n\n", b" ", b"\xff", b"\xe2\x82\xac", b"\xe2\x82", b"\0"),
        *("\u2028".encode(), "\U0001f600".encode(), b"x" * 50, b"\x0c", b"\xc2\x85"),
    ]
)
TEXTS = st.lists(LINE_PARTS, max_size=60).map(b"".join).map(repair_bytes)
LIMITS = st.sampled_from([1, 2, 3, 5, 16, 4096])
SPANS = st.lists(
    st.tuples(st.integers(1, 20), st.integers(0, 12), LIMITS).map(
        lambda item: Span(item[0], item[0] + item[1], item[2])
    ),
    max_size=12,
)


def owners_as_worded(lines: int, spans: list[Span]) -> list[int]:
    """Steps 2 of D1, word by word."""
    owner = [-1] * lines
    width = [0] * lines
    for position, span in enumerate(spans):
        end = min(span.end_line, lines)
        for line in range(span.start_line, end + 1):
            if owner[line - 1] < 0 or end - span.start_line < width[line - 1]:
                owner[line - 1] = position
                width[line - 1] = end - span.start_line
    return owner


def pieces_as_worded(text: bytes, spans: list[Span]) -> list[Piece]:
    """Steps 1 to 6 of D1, word by word."""
    starts = line_starts(text)
    owner = owners_as_worded(len(starts), spans)
    pieces = []
    first = 0
    while first < len(starts) and text:
        after = first
        while after < len(starts) and owner[after] == owner[first]:
            after += 1
        start = starts[first]
        stop = starts[after] if after < len(starts) else len(text)
        limit = 4096 if owner[first] < 0 else min(4096, spans[owner[first]].limit)
        line = first + 1
        while start < stop:
            end = stop
            if stop - start > limit:
                end = start + limit
                while end > start and 0x80 <= text[end] < 0xC0:
                    end -= 1
                feed = text[start:end].rfind(b"\n")
                if feed >= (end - start) // 2:
                    end = start + feed + 1
            if end == start:
                rune = text[start:].decode()[0].encode()
                end = start + len(rune)
            piece = text[start:end]
            feeds = piece.count(b"\n")
            last = line + feeds
            if piece.endswith(b"\n") and last > line:
                last -= 1
            pieces.append(Piece(start, end, line, last, owner[first]))
            line += feeds
            start = end
        first = after
    return pieces


@given(st.integers(1, 25), SPANS)
def test_owner_is_the_narrowest_then_the_earliest(lines: int, spans: list[Span]) -> None:
    """Painting from wide to narrow gives every line the owner that the contract's walk gives."""
    runs = find_runs(lines, spans)
    flat = [run.owner for run in runs for _ in range(run.first, run.last + 1)]
    assert flat == owners_as_worded(lines, spans)
    assert all(a.owner != b.owner for a, b in pairwise(runs))


@given(TEXTS)
def test_line_bounds_are_line_starts_and_the_end(text: bytes) -> None:
    """Lines end at LF only, and a final LF opens no line."""
    assert line_bounds(text).tolist()[:-1] == line_starts(text)


@given(TEXTS, SPANS)
@example(b"x" * 10_000, [])
@example(b"x" * 3000 + b"\n" + b"y" * 3000, [])
@example(b"x" * 1000 + b"\n" + b"y" * 9000 + b"\n", [Span(1, 2, 4096)])
@example("\U0001f600\n".encode() * 3, [Span(1, 3, 1)])
@example(b"a\nb\n", [Span(9, 12), Span(1, 99)])
def test_pieces_are_those_of_the_contract(text: bytes, spans: list[Span]) -> None:
    """Runs, cuts and line numbers equal those of D1 followed word by word; no byte is lost."""
    pieces = partition(text, spans)
    assert pieces == pieces_as_worded(text, spans)
    assert b"".join(text[piece.start_byte : piece.end_byte] for piece in pieces) == text
    for piece in pieces:
        text[piece.start_byte : piece.end_byte].decode()


def test_parent_around_a_child_yields_two_runs() -> None:
    """A class around a method owns what is before and after it (J-23)."""
    runs = find_runs(5, [Span(1, 5), Span(2, 3)])
    assert runs == [Run(0, 0, 0), Run(1, 2, 1), Run(3, 4, 0)]


def test_of_equal_spans_the_first_in_export_order_owns() -> None:
    """Equal spans do not share or alternate (J-23)."""
    assert find_runs(2, [Span(1, 2), Span(1, 2)]) == [Run(0, 1, 0)]
    assert find_runs(2, [Span(1, 7), Span(1, 2)]) == [Run(0, 1, 0)], "clamped, they are equal"


def test_cut_falls_after_a_line_feed_of_the_second_half() -> None:
    """A feed at exactly half the window is used, one just before it is not."""
    at_half = b"x" * 2048 + b"\n" + b"y" * 4000
    before = b"x" * 2047 + b"\n" + b"y" * 4000
    assert [piece.end_byte for piece in partition(at_half, [])] == [2049, 6049]
    assert [piece.end_byte for piece in partition(before, [])] == [4096, 6048]
    assert [(piece.start_line, piece.end_line) for piece in partition(before, [])] == [
        (1, 2),
        (2, 2),
    ]
