"""An exact identifier finds its definition first: a property over a whole indexed tree."""

import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codequarry.core.registry import Registry
from codequarry.core.state import StateDirectory
from codequarry.index.reader import Reader
from codequarry.index.store import rows
from codequarry.pipelines.launch import Options, index_project
from codequarry.retrieval.query import Query
from codequarry.retrieval.search import search
from tests.retrieval.published import house

SHOP = Path(__file__).parents[1] / "trees" / "shop"


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """The shop, indexed by a whole run."""
    folder = tmp_path_factory.mktemp("identifiers")
    shutil.copytree(SHOP, folder / "shop")
    state = StateDirectory(folder / "home")
    index_project(state, Registry(state).add(folder / "shop", "shop"), Options())
    return Reader(state)


@pytest.fixture(scope="module")
def symbols(reader: Reader) -> list[tuple[str, str]]:
    """The bare and the qualified name of every symbol of the shop."""
    table = reader.table(reader.groups()[0].table_name)
    found = rows(table, "symbol != ''", ["symbol", "symbol_name"]).to_pylist()
    return sorted({(row["symbol"], row["symbol_name"]) for row in found})


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_definition_comes_first(
    reader: Reader, symbols: list[tuple[str, str]], data: st.DataObject
) -> None:
    """Whatever name of the tree is asked for, qualified or not, that definition is first."""
    bare, qualified = data.draw(st.sampled_from(symbols))
    bare_name_of = {name: symbol for symbol, name in symbols}
    for asked in (bare, qualified):
        query = Query(asked)
        if query.bare_symbol != bare:
            continue  # a heading of a document, say: a phrase, not an identifier
        first = search(reader, query, ("shop",), house()).hits[0].symbol_name
        assert bare_name_of[first] == bare
        assert asked == bare or first == qualified
