import contextlib
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codequarry.core.errors import CodequarryError
from codequarry.retrieval.structure.lookup import file_of, look_up
from codequarry.retrieval.structure.standpoint import (
    NOWHERE,
    Standpoint,
    in_index,
    path_in_index,
    text_in_index,
)
from codequarry.retrieval.structure.view import GraphView

PRICE = {"file": "money.py", "start_line": 777, "fqn": "money.price", "kind": "function"}


@pytest.fixture(scope="module")
def inside(places: Path) -> Standpoint:
    """Somebody in the folder ``town`` of the project ``town``."""
    roots = {name: places / name for name in ("town", "village")}
    return Standpoint(places / "town" / "town", roots)


@pytest.mark.parametrize(
    "path", ["money.py", "./money.py", "../town/money.py", "town/money.py", "{root}/town/money.py"]
)
def test_ways_to_a_file(both: GraphView, inside: Standpoint, path: str) -> None:
    """Below the folder, below the root, upwards or absolute: the same file of the same project."""
    written = path.format(root=inside.roots["town"])
    meant, below = path_in_index(both, inside, written)
    assert below.removeprefix("./") == "town/money.py"
    alone = meant if path != "town/money.py" else GraphView(both.reader, both.state, ["town"])
    assert file_of(alone, below).project == "town"


@pytest.mark.parametrize(
    "text", ["money.py:9", "money.py::price", "./money.py::money.price", json.dumps(PRICE)]
)
def test_ways_to_a_symbol(both: GraphView, inside: Standpoint, text: str) -> None:
    """The path within a symbol's name is read from the folder too, and tells the project."""
    one = look_up(*text_in_index(both, inside, text)).one()
    assert (one.project, one.path, one.fqn) == ("town", "town/money.py", "money.price")


def test_the_root_goes_first(town: GraphView, places: Path) -> None:
    """Where both name an indexed file, the path below the root is meant (contract.md A6)."""
    here = Standpoint(places / "town" / "nowhere", {"town": places / "town"})
    assert path_in_index(town, here, "town/money.py") == (town, "town/money.py")
    assert in_index(town, here, ["town/money.py"]) == {"town/money.py": "town/money.py"}


@pytest.mark.parametrize("text", ["price", "money.price", "Circle::area", "nobody.py:3", "{", ""])
def test_what_is_no_path_stays(both: GraphView, inside: Standpoint, text: str) -> None:
    """Names, and paths that lead to no indexed file, are given back as they are."""
    assert text_in_index(both, inside, text) == (both, text)


def test_innermost_project(tmp_path: Path) -> None:
    """Of nested projects the inner one is meant; a path out of every project leads nowhere."""
    here = Standpoint(tmp_path / "a", {"outer": tmp_path, "inner": tmp_path / "a" / "b"})
    assert here.below_root("b/x.py") == ("inner", "x.py")
    assert here.below_root("x.py") == ("outer", "a/x.py")
    for path in ("../../x.py", "/etc/passwd", "", "a\0b", "..", "b"):
        assert here.below_root(path) in (None, ("outer", "a/b"))
    assert NOWHERE.below_root("x.py") is None


def test_through_a_symlink(tmp_path: Path) -> None:
    """A tree that is entered by a symlink is the tree."""
    (tmp_path / "tree" / "deep").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "tree")
    here = Standpoint(tmp_path / "link" / "deep", {"tree": tmp_path / "tree"})
    assert here.below_root("x.py") == ("tree", "deep/x.py")
    assert here.below_root(str(tmp_path / "link" / "y.py")) == ("tree", "y.py")


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.text(max_size=30))
def test_any_text(both: GraphView, inside: Standpoint, text: str) -> None:
    """Whatever is typed is read or refused, nothing else."""
    with contextlib.suppress(CodequarryError):
        meant, read = text_in_index(both, inside, text)
        assert meant is both or read != text
