import hashlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codequarry.producers.builtin.extract import DOCSTRING_BYTES, extract
from codequarry.producers.builtin.signatures import SIGNATURE_BYTES
from codequarry.producers.builtin.symbols import Symbol
from codequarry.syntax.grammars import grammar_of
from tests.producers_builtin.building import TARGET_GO
from tests.producers_builtin.test_languages import CASES, read

SOURCES = [read(case)[:2] for case in CASES]


def symbols(path: str, source: str) -> tuple[Symbol, ...]:
    found = extract(path, source.encode())
    assert found is not None
    return found


def test_the_worked_example_of_the_contract() -> None:
    """The symbol of C7 has the contract's names, lines, documentation and source hash."""
    assert extract("pkg/target.go", TARGET_GO) == (
        Symbol(
            "pkg/target.go",
            4,
            4,
            "Target",
            "fixture.Target",
            "function",
            "go",
            "func Target() string",
            "Target returns a stable fixture value.",
            "a1fa56715b32d638dce3e69bb50847a758e5ae3afef3b87997e473f9ff4fa613",
        ),
    )


def test_source_hash_leaves_out_what_stands_above() -> None:
    """Comments, annotations and indentation do not move the hash; the body does."""
    (bare,) = symbols("a.java", "class A {}")[:1]
    assert bare.source_hash == hashlib.sha256(b"class A {}").hexdigest()
    for above in ("/** Doc. */\n", "@Entity\n", "\n\n   "):
        assert symbols("a.java", f"{above}class A {{}}")[0].source_hash == bare.source_hash
    assert symbols("a.java", "class A { }")[0].source_hash != bare.source_hash


@pytest.mark.parametrize(
    ("path", "source", "kept"),
    [
        ("a.py", "def broken(:\n  pass\n\ndef fine():\n    return 1\n", "a.fine"),
        ("a.js", "function fine() {}\nclass { ((\n", "fine"),
        ("a.go", "package p\nfunc fine() {}\nfunc (\n", "p.fine"),
        ("a.rs", "fn fine() {}\nfn ((\n", "fine"),
        ("a.java", "class A { int fine() { return 1; } int ( }\n", "A.fine"),
        ("a.json", '{"fine": 1, "broken": ]}\n', "fine"),
        ("a.toml", "fine = 1\nbroken = [\n", "fine"),
    ],
)
def test_a_syntax_error_keeps_what_parses(path: str, source: str, kept: str) -> None:
    """Symbols beside the error survive."""
    assert kept in {one.fqn for one in symbols(path, source)}


def test_locals_are_no_symbols() -> None:
    """Variables inside functions are left out, nested functions are not."""
    python = symbols("a.py", "def f():\n    x = 1\n    def g():\n        y = 2\n")
    assert [one.fqn for one in python] == ["a.f", "a.f.g"]
    javascript = symbols("a.js", "function f() { const x = 1; const g = () => 1; }")
    assert [one.fqn for one in javascript] == ["f"]


def test_two_symbols_on_one_line_with_one_name_are_one() -> None:
    """A selector is given once a file, even where the source repeats it."""
    found = symbols("a.json", '{"a": 1, "a": 2, "b": 3}')
    assert [one.fqn for one in found] == ["a", "b"]


def test_an_anonymous_selector_of_a_minified_sheet_is_bounded() -> None:
    """Names, signatures and documentation have a longest size in bytes."""
    found = symbols("a.css", ",".join([".ä" * 40] * 90) + "{color:red}")
    assert len(found[0].symbol.encode()) <= 256
    long = symbols(
        "a.ts", "/** " + "ä" * 20_000 + " */\ninterface A { " + "a: string; " * 900 + "}"
    )
    assert len(long[0].docstring.encode()) <= DOCSTRING_BYTES
    assert len(long[0].signature.encode()) <= SIGNATURE_BYTES


def test_keys_are_bounded_a_file() -> None:
    """A data file gives at most 500 keys."""
    pairs = ",".join(f'"k{number}": 1' for number in range(2000))
    assert len(symbols("a.json", "{" + pairs + "}")) == 500


def test_a_parser_out_of_time_gives_none() -> None:
    """A file that the parser cannot take is told apart from one without symbols."""
    assert extract("a.py", b"x = 1\n" * 50_000, seconds=0.0) is None
    assert extract("a.py", b"") == ()
    assert extract("a.vue", b"<template/>") == ()


def test_broken_bytes_are_repaired_by_runs() -> None:
    """Text that is no UTF-8 gets one U+FFFD a run (C0); the hash stays that of the raw bytes."""
    source = b'def f(a="\xff\xfe"):\n    """Doc \xed\xa0\x80 end."""\n'
    (found,) = extract("a.py", source) or ()
    assert found.signature == 'def f(a="\ufffd")'
    assert found.docstring == "Doc \ufffd end."
    assert found.source_hash == hashlib.sha256(source.rstrip(b"\n")).hexdigest()


def test_line_ends_are_line_feeds_only() -> None:
    """CR, form feed and U+2028 open no line."""
    found = symbols("a.py", "# a\rb\x0cc\u2028d\ndef f(): pass\n")
    assert found[0].start_line == 2


def check(path: str, source: bytes) -> None:
    found = extract(path, source)
    assert found is not None
    lines = source.count(b"\n") + 1
    selectors = [(one.start_line, one.fqn, one.kind) for one in found]
    assert len(set(selectors)) == len(selectors)
    for one in found:
        assert 1 <= one.start_line <= one.end_line <= lines
        assert one.symbol
        assert one.fqn
        assert "\n" not in one.signature
        one.signature.encode()
        one.docstring.encode()
    assert extract(path, source) == found


@settings(deadline=None)
@given(
    st.sampled_from(SOURCES),
    st.lists(st.tuples(st.integers(0, 400), st.integers(0, 6), st.binary(max_size=3)), max_size=6),
)
def test_any_damage_keeps_the_invariants(
    case: tuple[str, bytes], edits: list[tuple[int, int, bytes]]
) -> None:
    """Whatever is cut from or put into a file: unique selectors, lines within it, same answer."""
    path, source = case
    for at, length, put in edits:
        source = source[:at] + put + source[at + length :]
    check(path, source)


def test_this_repository_keeps_the_invariants() -> None:
    """Real files hold what generated ones do."""
    root = Path(__file__).parents[2]
    for folder in ("src", "schemas"):
        for file in (root / folder).rglob("*"):
            if file.is_file() and grammar_of(file.name):
                check(str(file.relative_to(root)), file.read_bytes())
