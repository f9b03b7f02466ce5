import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codequarry.core.errors import CodequarryError, UsageError
from codequarry.retrieval.structure.symbols import (
    SELECTOR_BYTES,
    Selector,
    Symbol,
    ordered,
    parse_selector,
)

BAD = {
    "unknown key": '{"file": "a.py", "fqn": "a", "line": 3}',
    "no file": '{"fqn": "a"}',
    "blank file": '{"file": " ", "fqn": "a"}',
    "neither line nor name": '{"file": "a.py", "kind": "function"}',
    "line 0 and no name": '{"file": "a.py", "start_line": 0}',
    "wrong type": '{"file": "a.py", "start_line": "3"}',
    "NaN": '{"file": "a.py", "start_line": NaN}',
    "two values": '{"file": "a.py", "fqn": "a"} {}',
    "an array": '[{"file": "a.py", "fqn": "a"}]',
    "no JSON": "{file: a.py}",
    "deep": "{" * 5_000,
    "too long": json.dumps({"file": "a.py", "fqn": "a" * SELECTOR_BYTES}),
}


@pytest.mark.parametrize("text", BAD.values(), ids=BAD)
def test_bad_selectors(text: str) -> None:
    """A selector that breaks a rule is refused with what a selector looks like."""
    with pytest.raises(UsageError, match="start_line"):
        parse_selector(text)


def test_a_name_or_a_line_is_enough() -> None:
    """A file with a line, or with a qualified name, is a selector."""
    assert parse_selector('{"file":"a.py","start_line":3}') == Selector("a.py", 3)
    assert parse_selector('{"file":"a.py","fqn":"a.f"}') == Selector("a.py", 0, "a.f")


@given(st.text(max_size=200))
def test_any_text(text: str) -> None:
    """Whatever text is given, the answer is a selector or one of our errors."""
    with contextlib.suppress(CodequarryError):
        assert parse_selector(text).file


names = st.text("aä𝔸_z", min_size=1, max_size=3)


@given(st.lists(st.builds(Symbol, st.integers(1, 9), names, names, names, names, names)))
def test_order_is_total(symbols: list[Symbol]) -> None:
    """However symbols come, they are ordered alike: by bytes, not by code units."""
    once = ordered(symbols)
    assert [s.order for s in ordered(reversed(symbols))] == [s.order for s in once]
    paths = [symbol.path.encode() for symbol in once if symbol.project == once[0].project]
    assert paths == sorted(paths)
