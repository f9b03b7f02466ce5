"""What one file mentions."""

import pytest

from codequarry.graph.imports import Import
from codequarry.graph.queries import REFERENCE_GRAMMARS, reference_query
from codequarry.graph.references import UNKNOWN_RECEIVER, Mentions, Reference, find_mentions
from codequarry.syntax.parsing import parse


def mentions(grammar: str, code: str) -> Mentions:
    source = code.encode()
    tree = parse(source, grammar)
    assert tree is not None
    return find_mentions(source, tree, grammar)


@pytest.mark.parametrize("grammar", sorted(REFERENCE_GRAMMARS))
def test_queries_compile_and_run(grammar: str) -> None:
    """Every grammar's tags and our additions compile together, predicates included."""
    assert reference_query(grammar).pattern_count > 0
    assert mentions(grammar, "a.b(c)\n{[(\n").locals is not None


@pytest.mark.parametrize(
    ("grammar", "code", "receiver"),
    [
        ("python", "f()", ""),
        ("python", "a.f()", "a"),
        ("python", "a.b.f()", "a.b"),
        ("python", "a().f()", "a()"),
        ("python", "(await a.b()).f()", "a.b()"),
        ("python", "a[0]().f()", UNKNOWN_RECEIVER),
        ("javascript", "new A(1).f()", "A()"),
        ("java", "class C { int x = new A(1).f(); }", "A()"),
        ("csharp", "class C { int x = (int)A.f(); }", "A"),
        ("python", "a[0].f()", UNKNOWN_RECEIVER),
        ("python", "'x'.f()", UNKNOWN_RECEIVER),
        ("python", "(a\n .f())", "a"),
        ("javascript", "a?.f()", "a"),
        ("javascript", "g(...f())", ""),
        ("cpp", "void g() { n::f(); }", "n"),
        ("cpp", "void g() { p->f(); }", "p"),
        ("rust", "fn g() { a::b::f(); }", "a.b"),
        ("php", "<?php $this->f();", "$this"),
        ("php", "<?php A::f();", "A"),
        ("lua", "a:f()", "a"),
        ("ruby", "a.f(1)", "a"),
    ],
)
def test_receivers(grammar: str, code: str, receiver: str) -> None:
    """The receiver is the chain of names before a name, and unknown when it is an expression."""
    found = [r for r in mentions(grammar, code).references if r.name == "f"]
    assert [r.receiver for r in found] == [receiver]


def test_definitions_are_no_references() -> None:
    """The name of what is defined is not mentioned, though Ruby's and Go's tags capture it."""
    ruby = mentions("ruby", "class A\n  def f\n  end\nend\n").references
    go = mentions("go", "package m\n\ntype A struct {\n}\n").references
    assert (ruby, go) == ([], [])


def test_inheritance_is_told_from_use() -> None:
    """A base class is an ancestor, not only something that is referred to."""
    assert mentions("java", "class A extends B {\n}\n").references == [
        Reference("B", "", "extends", 1)
    ]


def test_who_inherits_in_rust() -> None:
    """A trait's implementation names the type that inherits, which need not enclose it."""
    found = mentions("rust", "impl Draw for Dot {\n}\n").references
    assert Reference("Draw", "", "implements", 1, "Dot") in found


def test_odd_names_are_left_out() -> None:
    """What is called by no plain name, or by an absurdly long one, is no reference."""
    assert mentions("javascript", "new (class {})();").references == []
    assert mentions("python", "a" * 300 + "()").references == []
    assert [r.name for r in mentions("python", "größe()").references] == ["größe"]


@pytest.mark.parametrize(
    ("grammar", "code", "expected"),
    [
        ("python", "import a.b", [Import("a.b", "", "a.b", 1)]),
        ("python", "import a as x", [Import("a", "", "x", 1)]),
        (
            "python",
            "from ..a import (b,\n c as d)",
            [Import("..a", "b", "b", 1), Import("..a", "c", "d", 1)],
        ),
        ("python", "from . import *", [Import(".", "*", "", 1)]),
        (
            "javascript",
            "import d, { a as b } from './x'",
            [Import("./x", "default", "d", 1), Import("./x", "a", "b", 1)],
        ),
        ("javascript", "import * as n from 'x'", [Import("x", "", "n", 1)]),
        ("javascript", "import './x'", [Import("./x", "", "", 1)]),
        ("javascript", "export * from './x'", [Import("./x", "", "", 1)]),
        ("typescript", "import type { A } from './x'", [Import("./x", "A", "A", 1)]),
        ("go", 'package m\nimport "x.y/z/v2"', [Import("x.y/z/v2", "", "z", 2)]),
        ("go", 'package m\nimport _ "x.y/z"', [Import("x.y/z", "", "", 2)]),
        ("c", "#include <a/b.h>\n", [Import("<a/b.h>", "*", "", 1)]),
        (
            "rust",
            "use a::{b, c::{self, d as e}, f::*};",
            [
                Import("a", "b", "b", 1),
                Import("a", "c", "c", 1),
                Import("a::c", "d", "e", 1),
                Import("a::f", "*", "", 1),
            ],
        ),
        ("java", "import static a.b.C.m;", [Import("a.b.C", "m", "m", 1)]),
        ("java", "import a.b.*;", [Import("a.b", "*", "", 1)]),
        ("kotlin", "import a.b.C as D\n", [Import("a.b", "C", "D", 1)]),
        (
            "scala",
            "import a.b.{C, D => E}\n",
            [Import("a.b", "C", "C", 1), Import("a.b", "D", "E", 1)],
        ),
        ("csharp", "using X = A.B;", [Import("A", "B", "X", 1)]),
        ("csharp", "using A.B;", [Import("A.B", "*", "", 1)]),
        ("php", "<?php\nuse A\\{B, C as D};", [Import("A", "B", "B", 2), Import("A", "C", "D", 2)]),
        ("php", "<?php\nrequire 'x/y.php';", [Import("x/y.php", "*", "", 2, relative=True)]),
        ("ruby", "require_relative '../a'", [Import("../a", "*", "", 1, relative=True)]),
        ("lua", "local a = require('x.y')", [Import("x.y", "*", "", 1)]),
        ("shell", "source ./x.sh\n", [Import("./x.sh", "*", "", 1)]),
    ],
)
def test_imports(grammar: str, code: str, expected: list[Import]) -> None:
    """Each way to write an import gives the module, the name in it and the name here."""
    assert mentions(grammar, code).imports == expected


def test_locals_are_kept_where_they_hide_something() -> None:
    """Only local variables that share a bare reference's name are reported."""
    found = mentions("python", "def f(a, b):\n    c = 1\n    a(b)\n")
    assert found.locals == [("a", 1)]
