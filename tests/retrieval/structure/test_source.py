import pytest

from codequarry.retrieval.structure.lookup import look_up
from codequarry.retrieval.structure.source import source_of
from codequarry.retrieval.structure.view import GraphView
from tests.retrieval.structure.town import TOWN


@pytest.mark.parametrize("name", ["rounding", "price", "Wallet", "Wallet.get", "Square.edges"])
def test_only_its_own_lines(town: GraphView, name: str) -> None:
    """A symbol's lines are those of its file as indexed: nothing before, nothing after."""
    symbol = look_up(town, name).one()
    lines = TOWN[symbol.path].decode().split("\n")[symbol.start_line - 1 : symbol.end_line]
    found = source_of(town, symbol, 10_000)
    assert (found.text, found.is_cut) == ("\n".join(lines), False)


@pytest.mark.parametrize("limit", [0, 1, 20])
def test_bounded(town: GraphView, limit: int) -> None:
    """More lines than fit are cut by bytes, and that is told."""
    symbol = look_up(town, "Shape").one()
    whole = source_of(town, symbol, 10_000)
    found = source_of(town, symbol, limit)
    assert (found.text, found.is_cut) == (whole.text[:limit], True)


def test_a_file_has_no_lines_of_its_own(town: GraphView) -> None:
    """A file is not read as a symbol."""
    assert source_of(town, look_up(town, "town/money.py").one(), 100).text == ""
