"""Real engines through our adapters: the proof that the mapping files are true."""

import asyncio
import shutil
from collections.abc import Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from codequarry.core.registry import Project, Registry
from codequarry.core.state import StateDirectory
from codequarry.engines.adapter import MappedIndex
from codequarry.engines.agreement import agree
from codequarry.engines.deployment import engines_of
from codequarry.engines.sync import sync_engine
from codequarry.engines.types import CodeEdgeKind, CodeQuery, CodeRef, SyncReport
from tests.engines import installing
from tests.engines.conftest import SHOP

pytestmark = pytest.mark.engines

COLBY, AXON = "colbymchenry/codegraph", "harshkedia177/axon"
BOTH = pytest.mark.parametrize("engine", [COLBY, AXON])
# Two functions of one name, which no engine can tell apart by the name alone.
TWINS = {
    "shop/north.py": "def twin():\n    return 1\n\n\ndef asks_north():\n    return twin()\n",
    "shop/south.py": "\n\ndef twin():\n    return 2\n\n\ndef asks_south():\n    return twin()\n",
}


@dataclass(frozen=True)
class Real:
    """A deployment whose project two real engines have indexed."""

    state: StateDirectory
    project: Project
    reports: dict[str, SyncReport]

    def ask(self, engine: str, *questions: Any) -> list[Any]:
        """Ask one engine some questions, each a function of the engine, and close it."""

        async def run() -> list[Any]:
            found = engines_of(self.state).registry.resolve(engine)
            assert isinstance(found, MappedIndex), found
            try:
                return [await question(found) for question in questions]
            finally:
                await found.close()

        return asyncio.run(run())

    def node(self, name: str, path: str = "", line: int | None = None) -> CodeRef:
        """Give what is asked about."""
        return CodeRef(self.project.producer_key, path, line, None, None, name, "function")


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Real:
    """Install both, and let each index a copy of the shop once."""
    folder = tmp_path_factory.mktemp("real")
    root = folder / "shop"
    shutil.copytree(SHOP, root)
    for path, text in TWINS.items():
        (root / path).write_text(text)
    state = StateDirectory(folder / "home")
    project = Registry(state).add(root, "shop")
    deadlines = "{ search = 60.0, context = 60.0, impact = 60.0, status = 60.0 }"
    programs = {COLBY: installing.codegraph(), AXON: installing.axon()}
    state.engine_settings.write_text(
        "".join(
            f'[code_index.engines."{engine}"]\ncommand = "{program}"\ndeadlines = {deadlines}\n'
            for engine, program in programs.items()
        )
    )
    before = tree_of(root)
    reports = {engine: sync_engine(state, engine, project) for engine in programs}
    assert tree_of(root) == before
    return Real(state, project, reports)


def tree_of(root: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


@BOTH
def test_sync_builds_a_fresh_index(real: Real, engine: str) -> None:
    """The first sync goes from no index to a fresh one, and writes nothing into the project."""
    report = real.reports[engine]
    assert (report.ok, report.reason, report.returncode) == (True, "", 0)
    assert (report.before.state, report.after.state) == ("absent", "fresh")
    assert report.after.files
    assert report.after.nodes
    assert report.licence is not None
    assert report.licence.rule == "permissive"


@BOTH
def test_search_finds_the_definition(real: Real, engine: str) -> None:
    """An identifier finds its definition first; words that nothing has find nothing."""
    found, nothing = real.ask(
        engine,
        lambda e: e.search(CodeQuery("apply_discount", "shop")),
        lambda e: e.search(CodeQuery("zzqqxx", "shop")),
    )
    first = found.items[0]
    assert (first.ref.name, first.ref.path, first.rank) == ("apply_discount", "shop/pricing.py", 1)
    assert first.score == 1.0
    assert (found.outcome, found.engine) == ("answered", engine)
    assert nothing.nothing_there


@BOTH
def test_context_and_neighbours(real: Real, engine: str) -> None:
    """The caller of a function is known with its place, and its place holds its name (rule 5)."""
    context, callers, callees = real.ask(
        engine,
        lambda e: e.context(real.node("apply_discount", "shop/pricing.py", 9)),
        lambda e: e.neighbors(real.node("apply_discount"), CodeEdgeKind.CALLED_BY),
        lambda e: e.neighbors(real.node("total_cents"), CodeEdgeKind.CALLS),
    )
    (one,) = context.items
    assert (one.ref.path, one.ref.start_line) == ("shop/pricing.py", 9)
    assert [ref.name for ref in one.edges[CodeEdgeKind.CALLED_BY]] == ["total_cents"]
    assert [ref.name for ref in callers.items] == ["total_cents"]
    assert {ref.name for ref in callees.items} == {"apply_discount", "with_tax"}
    for ref in (one.ref, *callers.items, *callees.items):
        lines = (real.project.root / ref.path).read_text().split("\n")
        assert ref.name in lines[ref.start_line - 1]


@BOTH
def test_impact_reaches_the_test(real: Real, engine: str) -> None:
    """What depends on a function, also through another, is found, and never the function."""
    (found,) = real.ask(engine, lambda e: e.impact(real.node("apply_discount")))
    assert {(ref.name, ref.path) for ref in found.items} == {
        ("total_cents", "shop/cart.py"),
        ("test_apply_discount_of_a_coupon", "tests/test_cart.py"),
    }


@BOTH
def test_not_found_is_told(real: Real, engine: str) -> None:
    """A name that nothing has is "not found", not an empty answer, from every question."""
    node = real.node("nope_zz_not_here")
    answers = real.ask(
        engine,
        lambda e: e.context(node),
        lambda e: e.impact(node),
        lambda e: e.neighbors(node, CodeEdgeKind.CALLED_BY),
    )
    assert [(answer.outcome, answer.items) for answer in answers] == [("not_found", ())] * 3


def test_namesakes_are_ambiguous_or_told_apart(real: Real) -> None:
    """Colby names both definitions; with the file given, only that one's caller is an answer."""
    both, south = real.ask(
        COLBY,
        lambda e: e.neighbors(real.node("twin"), CodeEdgeKind.CALLED_BY),
        lambda e: e.neighbors(real.node("twin", "shop/south.py"), CodeEdgeKind.CALLED_BY),
    )
    assert both.outcome == "ambiguous"
    assert "shop/north.py:1" in both.warnings[0]
    assert (south.outcome, [ref.name for ref in south.items]) == ("answered", ["asks_south"])


def test_axon_takes_one_of_the_namesakes(real: Real) -> None:
    """Axon silently takes one definition; asked about the other's file we do not pass it on."""
    answers = real.ask(
        AXON,
        lambda e: e.context(real.node("twin", "shop/north.py")),
        lambda e: e.context(real.node("twin", "shop/south.py")),
    )
    assert sorted(answer.outcome for answer in answers) == ["ambiguous", "answered"]


@BOTH
def test_unsupported_question(real: Real, engine: str) -> None:
    """What an engine cannot be asked gives an answer that claims nothing."""
    (found,) = real.ask(engine, lambda e: e.neighbors(real.node("x"), CodeEdgeKind.WRITES))
    assert (found.outcome, found.completeness) == ("unsupported", "unknown")


@BOTH
def test_error_of_the_engine_is_a_failure(
    real: Real, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question the engine does not know is a failure in its own words' channel."""

    def broken(found: MappedIndex) -> Coroutine[Any, Any, Any]:
        operation = found.mapping.operations["search"]
        import msgspec

        wrong = msgspec.structs.replace(operation, tool="axon_nope", argv=["no-such-command"])
        monkeypatch.setitem(found.mapping.operations, "search", wrong)
        return found.search(CodeQuery("x", "shop"))

    (found,) = real.ask(engine, broken)
    assert (found.outcome, found.nothing_there) == ("failed", False)
    assert "no-such-command" not in " ".join(found.warnings)


@BOTH
def test_probing_calls_every_question(real: Real, engine: str) -> None:
    """Every question of the mapping answers when it is called, listed or not."""
    (capabilities,) = real.ask(engine, lambda e: e.probe("shop"))
    assert set(capabilities.probed.values()) <= {"answered", "callable"}
    assert {"search", "impact", "context", "status"} <= set(capabilities.probed)


def test_two_engines_agree_on_a_caller(real: Real) -> None:
    """The caller that both name is confirmed, with both votes."""
    question = [lambda e: e.neighbors(real.node("with_tax"), CodeEdgeKind.CALLED_BY)]
    answers = {engine: real.ask(engine, *question)[0] for engine in (COLBY, AXON)}
    (end,) = agree(answers)
    assert (end.ref.name, end.votes, end.confirmed) == ("total_cents", (COLBY, AXON), True)


def test_edit_makes_it_stale_and_a_sync_fresh(real: Real) -> None:
    """Last, since it changes the tree: stale by content, then synced, and the new name is found."""
    path = real.project.root / "shop" / "pricing.py"
    path.write_text(path.read_text() + "\n\ndef brand_new_rule():\n    return with_tax(1)\n")
    (stale,) = real.ask(COLBY, lambda e: e.status("shop"))
    assert (stale.state, stale.trust) == ("stale", "lower_bound")
    assert stale.pending == {"added": 0, "modified": 1, "deleted": 0}
    report = sync_engine(real.state, COLBY, real.project)
    assert (report.ok, report.before.state, report.after.state) == (True, "stale", "fresh")
    (found,) = real.ask(COLBY, lambda e: e.search(CodeQuery("brand_new_rule", "shop")))
    assert found.items[0].ref.name == "brand_new_rule"
