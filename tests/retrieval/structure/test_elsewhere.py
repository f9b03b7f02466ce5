from pathlib import Path

import pytest

from codequarry.retrieval.structure import elsewhere as places_elsewhere
from codequarry.retrieval.structure import named
from codequarry.retrieval.structure.elsewhere import Elsewhere, elsewhere, module_words
from codequarry.retrieval.structure.evidence import Coverage, Evidence
from codequarry.retrieval.structure.impact import Risk
from codequarry.retrieval.structure.lookup import look_up
from codequarry.retrieval.structure.neighbors import callees, callers
from codequarry.retrieval.structure.peer_first import impact
from codequarry.retrieval.structure.view import GraphView
from tests.retrieval.structure.conftest import view


@pytest.fixture(scope="module")
def everywhere(places: Path) -> GraphView:
    """The graph of all three projects."""
    return view(places, "town", "village", "port")


def test_users_in_another_project(everywhere: GraphView, town: GraphView) -> None:
    """Lines of another project that name a symbol, in a file that names its module, are told."""
    found = elsewhere(everywhere, look_up(town, "lonely").one())
    assert [(one.project, one.path, one.line) for one in found.places] == [
        ("port", "dock/main.py", 1),
        ("port", "dock/main.py", 6),
    ]
    assert (found.count, found.projects) == (2, ("port",))
    assert (found.searched, found.left_out) == (2, 0)


def test_users_in_files_that_hold_other_languages(everywhere: GraphView, town: GraphView) -> None:
    """A page with a script may use what a module exports."""
    found = elsewhere(everywhere, look_up(town, "web/app.ts:1").one())
    assert [(one.path, one.line) for one in found.places] == [
        ("dock/page.vue", 2),
        ("dock/page.vue", 3),
    ]


def test_no_risk_is_low_while_another_project_may_use_it(
    everywhere: GraphView, town: GraphView
) -> None:
    """What is proved of one project alone is no proof for the others that were asked."""
    one = look_up(town, "lonely").one()
    alone, wide = impact(town, None, one), impact(everywhere, None, one)
    assert (alone.risk, alone.evidence.coverage) == (Risk.LOW, Coverage.COMPLETE)
    assert (wide.risk, wide.evidence.coverage) == (Risk.UNKNOWN, Coverage.LOWER_BOUND)
    assert wide.evidence.reasons == ("2 lines name it in port, where no edge leads",)
    assert callers(everywhere, one).evidence == wide.evidence
    assert callees(everywhere, one).elsewhere is None


def test_projects_that_were_not_asked_are_counted(town: GraphView) -> None:
    """One project's answer says how many others nobody looked into."""
    found = elsewhere(town, look_up(town, "lonely").one())
    assert (found.count, found.searched, found.left_out) == (0, 0, 2)


def test_a_project_with_the_same_symbol_means_its_own(everywhere: GraphView) -> None:
    """Another worktree's users of its own ``price`` are none of this one's."""
    price = look_up(everywhere, '{"file": "town/money.py", "start_line": 9}').one()
    assert (price.project, elsewhere(everywhere, price).count) == ("town", 0)


def test_what_cannot_be_looked_for(everywhere: GraphView, town: GraphView) -> None:
    """Of a file, and in a language without references, no other project was looked into."""
    for text in ("town/money.py", "customers"):
        found = elsewhere(everywhere, look_up(town, text).one())
        assert (found.searched, found.left_out) == (0, 2)


def test_long_lists_are_cut_and_counted(
    everywhere: GraphView, town: GraphView, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few lines are shown, all are counted."""
    monkeypatch.setattr(places_elsewhere, "SHOWN", 1)
    found = elsewhere(everywhere, look_up(town, "lonely").one())
    assert (len(found.places), found.count) == (1, 2)


def test_too_much_to_read_is_told(
    everywhere: GraphView, town: GraphView, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where not every chunk that names it was read, zero lines prove nothing."""
    monkeypatch.setattr(named, "CHUNKS_READ", 1)
    found = elsewhere(everywhere, look_up(town, "lonely").one())
    assert found.is_cut
    judged = Elsewhere(is_cut=True).judged(Evidence(Coverage.COMPLETE))
    assert judged.coverage is Coverage.LOWER_BOUND
    assert "were read" in judged.reasons[0]


def test_evidence_only_gets_worse() -> None:
    """Lines elsewhere take completeness away and give none; many projects are named in part."""
    some = Elsewhere(count=9, projects=("a", "b", "c", "d", "e"))
    judged = some.judged(Evidence(Coverage.COMPLETE))
    assert judged.coverage is Coverage.LOWER_BOUND
    assert judged.reasons == (
        "9 lines name it in a, b, c and 2 more projects, where no edge leads",
    )
    assert some.judged(Evidence(Coverage.UNKNOWN)).coverage is Coverage.UNKNOWN
    assert Elsewhere().judged(Evidence(Coverage.COMPLETE)) == Evidence(Coverage.COMPLETE)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("town/money.py", {"money", "town"}),
        ("src/shop/__init__.py", {"shop"}),
        ("money.py", {"money"}),
        ("src/lib.rs", {"old-town", "old_town"}),
        ("web/src/index.test.ts", {"web"}),
    ],
)
def test_words_of_a_module(path: str, words: set[str]) -> None:
    """A module is named by its stem and its folder, common ones apart, or else by its project."""
    assert module_words("old-town", path) == words
