from pathlib import Path

import pytest

from codequarry.core.registry import Registry
from codequarry.core.state import StateDirectory
from codequarry.index.reader import Reader
from codequarry.retrieval.structure import evidence, named
from codequarry.retrieval.structure.evidence import Coverage, Evidence, evidence_of
from codequarry.retrieval.structure.lookup import look_up
from codequarry.retrieval.structure.named import Named, lines_naming
from codequarry.retrieval.structure.unbound import unbound
from codequarry.retrieval.structure.view import GraphView
from tests.e2e.planting import write
from tests.retrieval.structure.conftest import view


def of(view: GraphView, *texts: str) -> Evidence:
    return evidence_of(view, [look_up(view, text).one() for text in texts])


def indexed(folder: Path, tree: dict[str, bytes]) -> GraphView:
    """Index some files as the project ``tree``."""
    from codequarry.pipelines.launch import Options, index_project

    state = StateDirectory(folder / "home")
    project = Registry(state).add(write(folder / "tree", tree))
    index_project(state, project, Options())
    return GraphView(Reader(state), state, ["tree"])


def lines(found: Evidence) -> list[tuple[str, int, str]]:
    return [(line.path, line.line, line.name) for line in found.unresolved]


def test_nobody_uses_it(town: GraphView) -> None:
    """Zero users are proved when no line of the language but its definition names it."""
    assert of(town, "lonely") == Evidence(Coverage.COMPLETE)


def test_edges_imports_and_comments_explain(town: GraphView) -> None:
    """Lines with an edge, imports, definitions and comments leave the evidence complete."""
    assert of(town, "tax").coverage is Coverage.COMPLETE
    found = lines_naming(town, "town", {"tax"}, {"python"})
    assert found.is_all
    assert {(line.path, line.line) for line in found.lines} == {
        ("town/money.py", 5),
        ("town/money.py", 10),
        ("town/money.py", 26),
        ("tests/test_money.py", 1),
        ("tests/test_money.py", 9),
    }


def test_a_call_without_an_edge(town: GraphView) -> None:
    """A call on an unknown receiver that fits several methods makes a lower bound."""
    found = of(town, "Circle.area")
    assert found.coverage is Coverage.LOWER_BOUND
    assert lines(found) == [("town/report.py", 5, "area")]
    assert found.reasons == ("1 line names it and has no edge",)


def test_functions_in_strings(town: GraphView) -> None:
    """A name in a string may be a use, so it makes a lower bound."""
    found = of(town, "rounding")
    assert found.coverage is Coverage.LOWER_BOUND
    assert lines(found) == [("town/money.py", 27, "rounding")]


def test_files_whose_references_are_not_read(town: GraphView) -> None:
    """A component file that names a function of its language may use it."""
    found = of(town, "web/app.ts:1")
    assert found.coverage is Coverage.LOWER_BOUND
    assert lines(found) == [("web/page.vue", 1, "render")]


def test_other_languages_are_no_users(town: GraphView) -> None:
    """Prose of a Markdown file, or another language's symbol of that name, uses nothing."""
    assert "price" in (Path(__file__).parent / "town.py").read_text()
    assert all(line.path.endswith(".py") for line in of(town, "price").unresolved)


def test_languages_without_references(town: GraphView) -> None:
    """Where references are not read at all, nobody could look."""
    (symbol,) = (s for s in town.symbols("path = 'db/schema.sql'") if s.is_file)
    assert evidence_of(town, [symbol]).coverage is Coverage.UNKNOWN


def test_several_symbols_are_judged_together(town: GraphView) -> None:
    """One unexplained line of one of them is enough."""
    assert of(town, "lonely", "tax").coverage is Coverage.COMPLETE
    assert of(town, "lonely", "Circle.area").coverage is Coverage.LOWER_BOUND


def test_decorators_may_hand_it_on(town: GraphView) -> None:
    """What registers a function may call it; decorators that only change it do not count."""
    found = of(town, "routes.index")
    assert found.coverage is Coverage.LOWER_BOUND
    assert found.reasons == ("routes.index is decorated: what decorates it may call it",)
    assert of(town, "remembered", "plain").coverage is Coverage.COMPLETE


def test_stop_words_are_found(town: GraphView) -> None:
    """A name that full text leaves out as a stop word is found by a scan."""
    found = lines_naming(town, "town", {"from"}, {"python"})
    assert ("town/shop.py", 1) in {(line.path, line.line) for line in found.lines}


def test_whole_identifiers(town: GraphView) -> None:
    """A name is found as a whole identifier only, also one with other characters."""
    part = lines_naming(town, "town", {"pric"}, {"python"})
    assert part.lines == ()
    odd = lines_naming(town, "town", {"money.price"}, {"python"})
    assert {(line.path, line.line) for line in odd.lines} == {("town/shop.py", 10)}


@pytest.mark.parametrize(
    "names", [{"tax"}, {"price", "cost"}, {"area", "self", "one"}, {"119"}, {"nowhere"}]
)
def test_a_scan_finds_the_same(
    town: GraphView, monkeypatch: pytest.MonkeyPatch, names: set[str]
) -> None:
    """What full text finds is what a scan of all text finds, which takes its place on much text."""
    by_words = lines_naming(town, "town", names, {"python"})
    monkeypatch.setattr(named, "_word", lambda *_: "")
    assert lines_naming(town, "town", names, {"python"}) == by_words


def test_names_of_strange_letters_are_scanned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dollars, umlauts, operators and marks at the end are names as they are, at any border."""
    text = "$el = größe(el$) + empty? <=> größen\nempty?\nel"
    town = indexed(tmp_path, {"a.rb": text.encode()})
    monkeypatch.setattr(named, "_word", lambda *_: "")
    found = {
        name: [line.line for line in lines_naming(town, "tree", {name}, {"ruby"}).lines]
        for name in ("$el", "el", "größe", "empty?", "<=>")
    }
    assert found == {"$el": [1], "el": [3], "größe": [1], "empty?": [1, 2], "<=>": [1]}


def test_statements_over_several_lines(town: GraphView) -> None:
    """A further line of an import is one; a further line of a list is none."""
    for head, explained in (("from town.money import (", True), ("RATES = [", False)):
        line = Named("town/shop.py", 3, "tax", "    tax,", head)
        assert (unbound(town, "town", [line], set()) == ()) == explained
    found = lines_naming(town, "town", {"round"}, {"python"})
    assert [line.head for line in found.lines] == ["def rounding(cents):"]


def test_work_is_bounded(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was not looked at, since there was too much, makes a lower bound and is told."""
    town = view(places, "town")
    monkeypatch.setattr(named, "CHUNKS_READ", 1)
    assert "chunks" in of(town, "tax").reasons[0]
    monkeypatch.undo()
    monkeypatch.setattr(evidence, "NAMES_ASKED", 1)
    assert of(town, "lonely", "tax").reasons[0] == "only 1 names were looked for"


def test_files_alone(town: GraphView) -> None:
    """Who uses a file may say so in other ways than by an import, and that was not looked for."""
    (file,) = (s for s in town.symbols("path = 'town/money.py'") if s.is_file)
    found = evidence_of(town, [file])
    assert (found.coverage, found.unresolved) == (Coverage.LOWER_BOUND, ())
