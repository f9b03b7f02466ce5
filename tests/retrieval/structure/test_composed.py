"""Names that are put together."""

from pathlib import Path

import pytest

from codequarry.retrieval.structure import named
from codequarry.retrieval.structure.composed import joins, lines_composing, parts_of
from codequarry.retrieval.structure.lookup import look_up
from codequarry.retrieval.structure.named import PARTS, Named, lines_naming, places_within
from codequarry.retrieval.structure.view import GraphView
from tests.retrieval.structure.test_evidence import indexed


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("visit_name", {"visit_", "_name"}),
        ("a_bc_d", {"a_bc_", "_bc_d"}),
        ("plain", set()),
        ("_private", set()),
        ("x_y", set()),
    ],
)
def test_parts(name: str, parts: set[str]) -> None:
    """A name is cut at its inner underscores, and what is too short is left out."""
    assert parts_of(name) == parts


def test_words_alone_compose_nothing(town: GraphView) -> None:
    """A word outside of strings that begins a name is no part of it."""
    lines, is_all = lines_composing(town, [look_up(town, "test_price").one()], {"python"})
    assert (lines, is_all) == ([], True)


@pytest.mark.parametrize(
    ("path", "part", "text"),
    [
        ("a.py", "visit_", "getattr(self, 'visit_' + kind)"),
        ("a.py", "visit_", "x = \"it's\"; f('visit_{}')"),
        ("a.py", "visit_", "    visit_{kind}()"),
        ("a.py", "_name", "    {kind}_name()"),
        ("a.py", "_name", "'%s_name' % kind, '%(kind)s_name'"),
        ("a.js", "visit_", "v[`visit_${kind}`]()"),
        ("a.js", "visit_", "  visit_${kind}()"),
        ("a.js", "_name", "${kind}_name"),
        ("a.js", "_name", "text.replace(kind, '$1_name')"),
        ("a.php", "visit_", '$m = "visit_$kind";'),
        ("a.kt", "visit_", 'find("visit_$kind").call()'),
        ("a.rb", "visit_", "  visit_#{kind}"),
        ("a.swift", "_name", "  \\(kind)_name"),
        ("a.sh", "cmd_", 'cmd_$1 "$@"'),
        ("a.sh", "cmd_", "begin=x; $begin cmd_"),
        ("a.sh", "_name", '"${1}_name"'),
        ("a.rs", "make_", "paste! { [<make_ $name>] }"),
        ("a.rs", "_init", "paste! { [<$name _init>] }"),
        ("a.c", "visit_", "visit_##kind()"),
        ("a.c", "_name", "kind ## _name"),
    ],
)
def test_what_may_be_joined(path: str, part: str, text: str) -> None:
    """A part in a string, beside what is put in, or pasted to another may be joined."""
    line = Named(path, 1, part, text)
    places = places_within(line, PARTS)
    assert places
    assert all(joins(line, *place) for place in places)


@pytest.mark.parametrize(
    ("path", "part", "text"),
    [
        ("a.py", "_name", "self._name = 1"),
        ("a.py", "type_", "f(type_, 'x')"),
        ("a.php", "_name", "return $_name;"),
        ("a.js", "visit_", "visit_name + previsit_ + $visit_"),
        ("a.cpp", "value_", "Box() : value_{1} {}"),
        ("a.sh", "_name", "_name=1"),
        ("a.rs", "_name", "fn f(_name: [u8; 3]) {}"),
    ],
)
def test_what_stands_alone(path: str, part: str, text: str) -> None:
    """A word of code that has the letters of a part, and nothing beside it, is no part."""
    line = Named(path, 1, part, text)
    assert not any(joins(line, *place) for place in places_within(line, PARTS))


def test_a_scan_finds_the_same_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Full text finds parts of what it knows as one compound, just as a scan does."""
    text = b"<?php\nf(\"a_big_$kind\", \"${kind}_big_cat\", '%s_big_cat', '$1_big_cat');\n"
    view = indexed(tmp_path, {"a.php": text})
    parts = {"a_big_", "_big_cat"}
    by_words = lines_naming(view, "tree", parts, {"php"}, PARTS)
    assert {line.name for line in by_words.lines} == parts
    monkeypatch.setattr(named, "_word", lambda *_: "")
    assert lines_naming(view, "tree", parts, {"php"}, PARTS) == by_words
