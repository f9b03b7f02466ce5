"""Blocks found without a parser."""

from codequarry.chunking.blocks import find_blocks
from codequarry.chunking.partition import line_bounds


def blocks(source: str, language: str) -> list[tuple[int, int, str, str]]:
    text = source.encode()
    return [tuple(block) for block in find_blocks(text, language, line_bounds(text))]


def test_go_methods_have_their_name() -> None:
    """The name of a Go method stands behind its receiver; types are classes."""
    source = """package p

type ID int

func (r *Tree[K]) Walk(f func(int) struct{}) error {
\tif x := '{'; true {
\t} else {
\t}
\treturn nil // }
}
func plain() {}
"""
    assert blocks(source, "go") == [
        (3, 3, "ID", "class"),
        (5, 10, "Walk", "function"),
        (11, 11, "plain", "function"),
    ]


def test_javascript_declarations_nest() -> None:
    """Functions, classes, exports and braced constants are blocks; a lone constant is none."""
    source = """const fs = require("fs");
export default async function run(a) {
  const inner = () => {
    return `${a} {`;
  };
}
class A {
  b() { return /* } */ 1; }
}
setTimeout(function () {
  go();
});
const big = [
  1,
];
"""
    assert blocks(source, "typescript") == [
        (2, 6, "run", "block"),
        (3, 5, "inner", "block"),
        (7, 9, "A", "class"),
        (10, 12, "", "block"),
        (13, 15, "big", "block"),
    ]


def test_rust_modifiers_are_seen_through() -> None:
    """Visibility and the like may stand before a pattern; lifetimes do not upset the quotes."""
    source = """pub(crate) async fn run<'a>(x: &'a str) -> char {
    '}'
}
pub struct S;
impl<'a> S {
    fn inner(&self) {}
}
enum E { A, B }
"""
    assert blocks(source, "rust") == [
        (1, 3, "run", "function"),
        (4, 4, "S", "class"),
        (5, 7, "S", "class"),
        (6, 6, "inner", "function"),
        (8, 8, "E", "class"),
    ]


def test_python_blocks_end_with_their_indentation() -> None:
    """A class keeps its methods, a black-style signature its body; comments are absorbed."""
    source = """import os

class A:
    def method(self):
        return 1

# trailing

async def long(
    a,
) -> int:
    return a

x = 1
if x:
    def inner(): pass
"""
    assert blocks(source, "python") == [
        (3, 8, "A", "class"),
        (9, 13, "long", "function"),
        (16, 16, "inner", "function"),
    ]


def test_unclosed_block_ends_with_the_file() -> None:
    """A brace that never closes runs to the end of the file, as does its quote."""
    assert blocks("func f() {\n x\n", "go") == [(1, 2, "f", "function")]
    assert blocks("func f() {\n `\n}\n", "go") == [(1, 3, "f", "function")]


def test_other_languages_have_no_blocks() -> None:
    """A language without patterns is left to windows."""
    assert blocks("class A {\n}\n", "java") == []
