"""What a mention is by the look of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codequarry.retrieval.structure.named import Named
from codequarry.retrieval.structure.statements import (
    is_comment,
    is_handed_on,
    is_import,
    is_renamed,
    occurrences,
    spelled,
)

EXPLAINED = [
    ("a.py", "# tax is due"),
    ("a.js", "    // tax is due"),
    ("a.lua", "-- tax is due"),
    ("a.js", "/* tax is due"),
    ("a.php", "# tax is due"),
    ("a.py", "from town.money import tax"),
    ("a.py", "from town.money import tax as t, other"),
    ("a.js", "import { tax } from './money'"),
    ("a.js", "export { tax } from './money'"),
    ("a.js", "const { tax } = require('./money')"),
    ("a.ts", "import money = require('./tax')"),
    ("a.rs", "use crate::money::tax;"),
    ("a.rs", "pub(crate) use crate::money::tax as t;"),
    ("A.java", "import static p.Money.tax;"),
    ("a.cs", "using static Money.tax;"),
    ("a.cpp", "using money::tax;"),
    ("a.php", "use function money\\tax;"),
    ("a.php", "require_once __DIR__ . '/tax.php';"),
    ("a.rb", "require_relative 'money/tax'"),
    ("a.c", '#include "tax.h"'),
]
CODE = [
    ("a.py", "RATES = [tax]"),
    ("a.py", "import money; money.tax"),
    ("a.py", "from money import tax \\"),
    ("a.py", "* tax is a factor"),
    ("a.py", "// tax"),
    ("a.js", "register(tax)"),
    ("a.js", "export const rates = [tax]"),
    ("a.js", "import('./money').then(tax)"),
    ("a.js", "const y = require('./money').tax"),
    ("a.js", "const { y = tax } = require('./money')"),
    ("a.ts", "import lev = money.tax;"),
    ("a.rs", "#[derive(tax)]"),
    ("a.c", "#define RATE tax"),
    ("a.c", "# define RATE tax"),
    ("a.c", "*tax = 3"),
    ("a.c", "* tax"),
    ("a.c", "-- tax;"),
    ("a.c", "/* due */ tax()"),
    ("a.go", "//go:linkname other money.tax"),
    ("a.rb", "#{tax}"),
    ("a.rb", "include tax"),
    ("a.rb", "require File.join(tax, 'money')"),
    ("a.rb", 'require "#{tax}/money"'),
    ("a.php", "require_once tax . '/money.php';"),
    ("a.c", "#include tax"),
    ("a.cs", "using var t = tax();"),
    ("a.php", "    use tax;"),
]


def explained(line: Named) -> bool:
    places = list(occurrences(line))
    return bool(places) and all(
        is_comment(line, end) or is_import(line, start, end) for start, end in places
    )


@pytest.mark.parametrize(("path", "text"), EXPLAINED)
def test_what_needs_no_edge(path: str, text: str) -> None:
    """Comments and imports of each language use nothing."""
    assert explained(Named(path, 1, "tax", text))


@pytest.mark.parametrize(("path", "text"), CODE)
def test_what_may_be_a_use(path: str, text: str) -> None:
    """What looks like a comment or an import of another language, or of another name, is code."""
    assert not explained(Named(path, 1, "tax", text))


@pytest.mark.parametrize(
    ("path", "text", "head", "answer"),
    [
        ("a.py", "    tax,", "from town.money import (", True),
        ("a.py", "    tax,", "RATES = [", False),
        ("a.js", "  tax", "import { other } from './x'", False),
        ("a.js", "  tax(),", "import {", False),
        ("a.js", " * tax is due", "/**", True),
        ("a.js", " * tax is due", "", False),
        ("a.js", " * due */ tax()", "/**", False),
    ],
)
def test_statements_over_several_lines(path: str, text: str, head: str, answer: bool) -> None:
    """A further line of an import, or of a comment, is told by the line that begins it."""
    assert explained(Named(path, 3, "tax", text, head)) == answer


@pytest.mark.parametrize(
    ("text", "chain"),
    [
        ("tax", ""),
        ("x = a.b.tax", "a.b."),
        ("p->tax", "p->"),
        ("A::tax", "A::"),
        ("f().tax", None),
        ("a[0].b.tax", None),
    ],
)
def test_what_stands_before(text: str, chain: str | None) -> None:
    """The chain of names before a mention is told, and an expression is none."""
    assert spelled(text, text.index("tax")) == chain


@pytest.mark.parametrize(
    ("path", "text", "answer"),
    [
        ("a.py", "tax(1)", False),
        ("a.py", "@tax", False),
        ("a.py", "x = tax", True),
        ("a.py", "map(tax, xs)", True),
        ("a.ts", "tax<number>(1)", False),
        ("a.js", "tax?.(1)", False),
        ("a.js", "<tax/>", False),
        ("a.rs", "tax::<i32>(1)", False),
        ("A.java", "A::tax", True),
        ("a.rb", "tax", False),
    ],
)
def test_what_is_handed_on(path: str, text: str, answer: bool) -> None:
    """Where calls have parentheses, a mention without them hands a function on."""
    ((start, end),) = occurrences(line := Named(path, 1, "tax", text))
    assert is_handed_on(line, start, end) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Other = Tax", True),
        ("const other = money.Tax;", True),
        ("x = Tax(1)", False),
        ("x == Tax", False),
        ("type Other = Tax;", False),
        ("def f(x: Tax):", False),
    ],
)
def test_what_is_renamed(text: str, answer: bool) -> None:
    """A variable that takes a symbol as it is is another name of it; a type's alias is a symbol."""
    ((start, end),) = occurrences(line := Named("a.ts", 1, "Tax", text))
    assert is_renamed(line, start, end) == answer


@given(st.text(max_size=200), st.text(max_size=200), st.sampled_from(["py", "js", "rs", "vue"]))
def test_any_text_is_read(before: str, after: str, extension: str) -> None:
    """Whatever stands around a mention, it is judged, and a chain has no blanks."""
    line = Named(f"a.{extension}", 1, "tax", f"{before} tax {after}")
    for start, end in occurrences(line):
        assert is_comment(line, end) in (True, False)
        assert is_import(line, start, end) in (True, False)
        assert not set(spelled(line.text, start) or "") & set(" \t")
