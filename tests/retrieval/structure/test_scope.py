from pathlib import Path

import pytest

from codequarry.core.errors import UsageError
from codequarry.retrieval.query import Filters, Query
from codequarry.retrieval.search import search
from codequarry.retrieval.structure import scope as scopes
from codequarry.retrieval.structure.codemap import CodemapPeer
from codequarry.retrieval.structure.scope import (
    Scope,
    investigate,
    narrowed,
    scope_of,
    search_within,
)
from codequarry.retrieval.structure.standpoint import Standpoint
from codequarry.retrieval.structure.usage import count, frequencies
from codequarry.retrieval.structure.view import GraphView
from tests.fakes.peer import Said, install_peer


def nobody(project: str) -> CodemapPeer | None:
    return None


def test_reach_of_a_symbol(town: GraphView) -> None:
    """The files are the definition's, then those of its dependents, each once, without tests."""
    scope = scope_of(town, nobody, "tax")
    assert scope.paths == ("town/money.py", "town/shop.py")
    assert (scope.radius, "tax reaches" in scope.note) == (3, True)


def test_files_go_before_a_symbol(town: GraphView) -> None:
    """Given files win; those that the index does not hold are told."""
    scope = scope_of(town, nobody, "tax", ["./web/app.ts", "web/app.ts", "/etc/passwd"])
    assert (scope.paths, scope.symbol) == (("web/app.ts",), None)
    assert scope.note == "scoped to 1 file given; 1 not indexed: '/etc/passwd'"


@pytest.mark.parametrize("symbol", ["nobody", "twin", "{", "a" * 9_999, '{"file":"x","y":1}'])
def test_no_scope_is_no_error(town: GraphView, symbol: str) -> None:
    """Whatever keeps a scope from being found, the whole project is searched, with a note."""
    scope = scope_of(town, nobody, symbol)
    assert (scope.paths, scope.note[:10]) == ((), "not scoped")
    found = search_within(town, scope, Query("price", "keyword"), None)
    assert "town/money.py" in {hit.path for hit in found.hits}


def test_no_scope_from_files(town: GraphView) -> None:
    """Files that are not indexed give a note too, never an empty answer; nothing asked, none."""
    for files, named in (
        (["../x", " "], ": '../x'"),
        ([" "], ""),
        ([f"{n}.py" for n in range(7)], ": '0.py', '1.py', '2.py', '3.py', '4.py' and 2 more"),
    ):
        scope = scope_of(town, nobody, files=files)
        assert scope.note == f"not scoped: none of the given files is indexed{named}"
        assert search_within(town, scope, Query("price", "keyword"), None).hits
    assert scope_of(town, nobody).note == ""


def test_files_are_read_from_a_folder(town: GraphView, places: Path) -> None:
    """Given files and a symbol's path may be below the folder where they were typed."""
    here = Standpoint(places / "town" / "town", {"town": places / "town"})
    scope = scope_of(town, nobody, files=["money.py", "./money.py", "shop.py"], here=here)
    assert scope.paths == ("town/money.py", "town/shop.py")
    assert scope_of(town, nobody, "money.py::tax", here=here).radius == 3


def test_codemap_tells_the_reach(town: GraphView, tmp_path: Path) -> None:
    """Where codemap answers, its radius is the scope."""
    radius = [{"symbol": "r", "fqn": "r", "kind": "function", "file": "web/app.ts", "depth": 1}]
    result = {"found": True, "call_graph": "name", "blast_radius": radius}
    told: Said = {"document": {"indexed": True, "results": [result]}}
    asked = CodemapPeer(install_peer(tmp_path, {"impact": told}), tmp_path, seconds=30)
    scope = scope_of(town, lambda project: asked, "tax")
    assert scope.paths == ("town/money.py", "web/app.ts")
    assert "(1 dependent, codemap)" in scope.note


def test_only_the_scope_is_searched(town: GraphView) -> None:
    """Hits lie in the scope, and carry what hangs on them."""
    scope = scope_of(town, nobody, "sell")
    found = investigate(town, nobody, scope, Query("price", "keyword"), None)
    assert {one.hit.path for one in found.hits} == {"town/shop.py"}
    whole = investigate(town, nobody, scope_of(town, nobody), Query("price", "keyword"), None)
    assert any(one.reranked for one in whole.hits)
    scores = {one.hit.symbol_name: one.structural_score for one in whole.hits}
    assert scores["money.price"] == max(scores.values()) > 0


def test_weight_zero_is_off(town: GraphView) -> None:
    """With weight 0 the order is the search's own; a weight that is none is an error."""
    scope, query = scope_of(town, nobody), Query("price", "keyword")
    off = investigate(town, nobody, scope, query, None, weight=0)
    assert [one.hit for one in off.hits] == list(search_within(town, scope, query, None).hits)
    assert not any(one.reranked for one in off.hits)
    with pytest.raises(UsageError):
        investigate(town, nobody, scope, query, None, weight=float("nan"))


def test_hits_of_a_search_can_be_counted(town: GraphView, tmp_path: Path) -> None:
    """What a search surfaced is counted by selector."""
    found = search_within(town, scope_of(town, nobody), Query("price", "keyword"), None)
    count(tmp_path / "usage.sqlite", found.hits)
    counted = frequencies(tmp_path / "usage.sqlite", "town")
    assert counted["town", "town/money.py", "money.price", "function"] == 1


def test_a_reach_ends_with_its_project(both: GraphView) -> None:
    """A file of the same path in another project is not in a symbol's reach."""
    reach = scope_of(both, nobody, "tax")
    query = Query("price", "keyword", filters=Filters(languages=("python",)))
    question, projects = narrowed(query, reach, both.projects)
    assert (question.filters.paths, question.filters.languages) == (reach.paths, ("python",))
    assert projects == ("town",)
    assert "village" in {hit.project for hit in search(both.reader, question, None, None).hits}
    hits = search(both.reader, question, projects, None).hits
    assert {hit.project for hit in hits} == {"town"}
    assert search_within(both, reach, query, None).hits == hits


def test_files_and_nothing_narrow_no_projects(both: GraphView) -> None:
    """Given files are looked for in every project asked; no scope leaves a question as it is."""
    query = Query("price")
    files = scope_of(both, nobody, files=["town/money.py"])
    assert narrowed(query, files, None)[1] is None
    assert narrowed(query, files, ("town", "village"))[0].filters.paths == ("town/money.py",)
    assert narrowed(query, Scope((), "not scoped"), ("town",)) == (query, ("town",))


def reaching(tmp_path: Path, count: int) -> CodemapPeer:
    """Give a codemap by which as many files depend on any symbol."""
    one = {"symbol": "r", "fqn": "r", "kind": "function", "depth": 1}
    radius = [{**one, "file": f"f{number:05}.py"} for number in range(count)]
    result = {"found": True, "call_graph": "resolved", "blast_radius": radius}
    told: Said = {"document": {"indexed": True, "results": [result]}}
    return CodemapPeer(install_peer(tmp_path, {"impact": told}), tmp_path, seconds=30)


def test_a_reach_is_whole(town: GraphView, tmp_path: Path) -> None:
    """More dependents than an answer lists are still searched."""
    asked = reaching(tmp_path, 1_500)
    scope = scope_of(town, lambda project: asked, "tax")
    assert (len(scope.paths), scope.radius) == (1_501, 1_500)
    assert scope.note == "scoped to 1501 files that money.tax reaches (1500 dependents, codemap)"


def test_a_cut_scope_says_so(
    town: GraphView, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of more files than a search takes, the nearest are kept and the others counted."""
    monkeypatch.setattr(scopes, "MAX_FILES", 2)
    asked = reaching(tmp_path, 3)
    scope = scope_of(town, lambda project: asked, "tax")
    assert scope.paths == ("town/money.py", "f00000.py")
    assert scope.note.endswith("; 2 more are left out")
    given = ["web/app.ts", "web/page.vue", "notes/plan.md", "/d"]
    files = scope_of(town, nobody, files=given)
    assert files.note == "scoped to 2 files given; 1 not indexed: '/d'; 1 more are left out"
