import contextlib
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codequarry.core.errors import CodequarryError, IndexMissing, UsageError
from codequarry.index.reader import Reader
from codequarry.retrieval.structure.lookup import SHOWN, Found, file_of, look_up
from codequarry.retrieval.structure.view import GraphView
from tests.retrieval.structure.conftest import view
from tests.retrieval.structure.town import state_of

PRICE = {"file": "town/money.py", "start_line": 9, "fqn": "money.price", "kind": "function"}
WAYS = {
    "bare name": ("price", "name"),
    "qualified name": ("money.price", "fqn"),
    "end of a qualified name": ("Circle.area", "name"),
    "other separators": ("Circle::area", "name"),
    "declaration's line": ("town/money.py:9", "exact"),
    "line inside": ("./town/money.py:10", "enclosing"),
    "path and name": ("town/money.py::price", "name"),
    "path and qualified name": ("town/shapes.py::shapes.Circle.area", "fqn"),
    "path": ("town/money.py", "path"),
    "selector": (json.dumps(PRICE), "selector"),
    "selector of before a line shift": (json.dumps({**PRICE, "start_line": 777}), "selector"),
    "selector by line": ('{"file": "town/money.py", "start_line": 9}', "selector"),
}


@pytest.mark.parametrize(("text", "how"), WAYS.values(), ids=WAYS)
def test_ways_to_name_a_symbol(town: GraphView, text: str, how: str) -> None:
    """Each documented way leads to the one symbol."""
    found = look_up(town, text)
    assert (found.state, found.how, found.count) == (Found.ONE, how, 1)
    one = found.one()
    assert one.fqn in {"money.price", "shapes.Circle.area", "town/money.py"}
    assert look_up(town, json.dumps(one.selector)).one() == one


def test_narrowest_symbol_at_a_line(town: GraphView) -> None:
    """A line of a method is the method's, not its class's."""
    assert look_up(town, "town/shapes.py:10").one().fqn == "shapes.Circle.area"
    assert look_up(town, "town/shapes.py:9").one().fqn == "shapes.Circle"


def test_ambiguity_is_a_state(town: GraphView, both: GraphView) -> None:
    """Several that fit are listed in order, at most twenty of them, with their number."""
    found = look_up(town, "twin")
    assert (found.state, found.count, len(found.candidates)) == (Found.SEVERAL, 25, SHOWN)
    assert [symbol.path for symbol in found.candidates[:2]] == ["many/part00.py", "many/part01.py"]
    with pytest.raises(UsageError, match=r"names 25 symbols.*and 5 more"):
        found.one()
    across = look_up(both, "price")
    assert [symbol.project for symbol in across.candidates] == ["town", "village"]


def test_nothing(town: GraphView, both: GraphView) -> None:
    """A name, line, path or selector of nothing is not found, in its own project only."""
    wrong = json.dumps({**PRICE, "kind": "class"})
    for text in ("nobody", "town/money.py:9999", "nobody.py:1", "town/money.py::nobody", wrong):
        found = look_up(town, text)
        assert (found.state, found.count) == (Found.NONE, 0)
        with pytest.raises(UsageError, match="no symbol"):
            found.one()
    assert look_up(town, "only_here").state is Found.NONE
    assert look_up(both, "only_here").state is Found.ONE


@pytest.mark.parametrize("text", ["", "   ", "a" * 5_000])
def test_no_symbol_at_all(town: GraphView, text: str) -> None:
    """An empty or an endless text is a usage error."""
    with pytest.raises(UsageError):
        look_up(town, text)


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=20))
def test_any_text(town: GraphView, text: str) -> None:
    """Quotes, operators, control characters: any text is looked up or refused, nothing else."""
    with contextlib.suppress(CodequarryError):
        assert look_up(town, text).text == text.strip()


def test_files(town: GraphView, both: GraphView) -> None:
    """A file is found by its path; one of several projects has to be told apart."""
    assert file_of(town, "./town/money.py").is_file
    for asked, path in ((both, "town/money.py"), (town, "nobody.py")):
        with pytest.raises(UsageError, match=r"is a file of town, village|no file"):
            file_of(asked, path)


def test_projects_that_are_not_indexed(places: Path) -> None:
    """A project that was never indexed, or a deployment without an index, is no empty answer."""
    with pytest.raises(IndexMissing, match="'nobody' is not indexed"):
        view(places, "nobody")


def test_index_without_a_graph(places: Path) -> None:
    """An index whose graph was never published says so."""
    state = state_of(places)
    reader = Reader(state)
    kept = {name: n for name, n in reader.published.versions.items() if name != "symbols"}
    object.__setattr__(reader.published, "versions", kept)
    with pytest.raises(IndexMissing, match="'symbols' was published"):
        look_up(GraphView(reader, state), "price")
