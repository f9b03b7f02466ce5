"""The local chunker."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codequarry.chunking.local import cut_locally
from codequarry.chunking.partition import line_bounds
from codequarry.chunking.profile import WINDOW_BYTES
from codequarry.core.text import repair_bytes

LINES = rb"""func (r *T) A() {
}
type T struct {

  x := '{'
`{
def f(a,
  b):
    return 1
class C:
# note
async def g():
export function f() {
const a = 1;
/* { */
// }
fn main() { if x {} else {
} }
impl<T> Foo for T {
pub fn y();
""".splitlines(keepends=True)  # ASCII without any other line end
CODE = st.sampled_from(
    [
        *LINES,
        *(
            b"\r\n",
            b'"{\\"',
            b"'",
            b"/*",
            b"\xff\xfe",
            b"\xe2\x80\xa8",
            b"x" * 3000,
            b"\t",
            b"{",
            b"}",
        ),
    ]
)
LANGUAGES = st.sampled_from(["go", "python", "javascript", "typescript", "rust", "markdown"])


@given(st.lists(CODE, max_size=60).map(b"".join).map(repair_bytes), LANGUAGES)
def test_nothing_is_lost_or_doubled(text: bytes, language: str) -> None:
    """Whatever the file, its pieces concatenate to it, are bounded, and count lines rightly."""
    pieces, blocks = cut_locally(text, language)
    assert b"".join(text[piece.start_byte : piece.end_byte] for piece in pieces) == text
    lines = len(line_bounds(text)) - 1
    for block in blocks:
        assert 1 <= block.start_line <= block.end_line <= lines
    for piece in pieces:
        content = text[piece.start_byte : piece.end_byte]
        assert 0 < len(content) <= 4096
        content.decode()
        assert piece.start_line == text.count(b"\n", 0, piece.start_byte) + 1
        assert piece.end_line == text.count(b"\n", 0, piece.end_byte - 1) + 1


def test_windows_break_behind_a_blank_line() -> None:
    """Lines no block owns come in windows of 25, sooner after a blank line of the second half."""
    text = b"".join(b"\n" if n == 18 else b"line\n" for n in range(1, 61))
    spans = [(piece.start_line, piece.end_line) for piece in cut_locally(text, "unknown").pieces]
    assert spans == [(1, 18), (19, 43), (44, 60)]


def test_huge_line_is_split_not_lost() -> None:
    """A line beyond 64 KiB is cut into windows and what follows it is kept (J-15)."""
    text = b"head\n" + b"x" * 100_000 + b"\ntail\n"
    pieces = cut_locally(text, "unknown").pieces
    assert max(piece.end_byte - piece.start_byte for piece in pieces) == WINDOW_BYTES
    assert text[pieces[-1].start_byte :].endswith(b"tail\n")


def test_carriage_returns_stay() -> None:
    """A CRLF file keeps its CR (J-26), and a lone CR ends no line (J-19)."""
    pieces = cut_locally(b"a\r\nb\rc\r\n", "unknown").pieces
    assert [(piece.start_byte, piece.end_byte, piece.end_line) for piece in pieces] == [(0, 8, 2)]


@pytest.mark.parametrize("language", ["go", "rust", "javascript", "python"])
def test_hostile_text_takes_linear_time(language: str) -> None:
    """A megabyte of openings, quotes, comments or spaces is cut at once."""
    for part in (
        b"{", b"}", b"}{", b"/*", b"'", b'"', b"`", b" ", b"\\", b"\n{", b"func (", b"function ",
        b"export function ", b"impl<", b"pub(", b'extern "', b"const\n", b"func f() {\n",
        b"function ( {\n", b" def a(\n", b"fn a() {}\n",
    ):  # fmt: skip
        text = part * (500_000 // len(part))
        pieces = cut_locally(text, language).pieces
        assert pieces[-1].end_byte == len(text)
