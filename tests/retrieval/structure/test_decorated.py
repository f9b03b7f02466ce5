"""Marks that hand a definition on."""

import pytest

from codequarry.retrieval.structure.decorated import is_marked
from codequarry.retrieval.structure.symbols import Symbol

HANDED_ON = [
    ("a.java", "@Override @Subscribe", "public void on(E e) {"),
    ("a.java", "", "@Override @Bean public Foo foo() {"),
    ("a.java", "", "public @Bean Foo foo() {"),
    ("a.java", '@Get("/x(") @Deprecated', "void foo() {"),
    ("a.java", "@Subscribe\n// now\n@Override", "void foo() {"),
    ("a.cs", "[Obsolete, HttpGet]", "public int X() {"),
    ("a.cs", '[Obsolete("a, b")][Test]', "void X() {"),
    ("a.cs", "[return: NotNull, Mark]", "void X() {"),
    ("a.rs", "#[inline] #[no_mangle]", "pub extern fn x() {"),
    ("a.php", "#[Pure, Route('/x')]", "function x() {"),
    ("a.cpp", "[[nodiscard, gnu::constructor]]", "int x() {"),
    ("a.ts", "@HostListener('click') // x", "onClick() {"),
    ("a.py", "@ web.route(\n    '/x',\n)\n@staticmethod", "def x():"),
]
LEFT_ALONE = [
    ("a.java", "@Override @Deprecated", "public void on(@Path int x,"),
    ("a.java", '@SuppressWarnings("a@b")', "List<@NonNull String> foo() {"),
    ("a.cs", "[Obsolete, NotNull]", "int[] X(int[] a) {"),
    ("a.rs", "#[inline] #[allow(dead_code)]", "fn x(a: [u8; N]) {"),
    ("a.go", "", "func (m Map[K]) Foo(x []T) {"),
    ("a.c", "", "int table(int a[N]) {"),
    ("a.cpp", "[[nodiscard]]", "int x() {"),
    ("a.py", "@staticmethod", "def x(a, b): return a @ b  # as @b"),
    ("a.js", "/** @private */", "/** @private */ x() { // @todo"),
    ("a.js", "", "const x = () => '@app/x'"),
    ("a.rb", "@count = 0", "def x; @count; end"),
]


def marked(path: str, before: str, line: str) -> bool:
    texts = [*before.split("\n"), line]
    lines = {(path, number): text for number, text in enumerate(texts, 1)}
    return is_marked(lines, Symbol(1, "p", path, "x", "x", "method", "", len(texts), len(texts)))


@pytest.mark.parametrize(("path", "before", "line"), HANDED_ON)
def test_what_may_hand_it_on(path: str, before: str, line: str) -> None:
    """One mark of all that stand before a definition, or on its line, is enough."""
    assert marked(path, before, line)


@pytest.mark.parametrize(("path", "before", "line"), LEFT_ALONE)
def test_what_hands_nothing_on(path: str, before: str, line: str) -> None:
    """Harmless marks, those of parameters, and what only looks like a mark do not count."""
    assert not marked(path, before, line)
