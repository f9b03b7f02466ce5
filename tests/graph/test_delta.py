"""A delta of the graph equals a build from nothing, and costs what changed."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codequarry.graph import delta as delta_module
from codequarry.graph.build import build_graph
from codequarry.graph.cache import MentionsCache
from codequarry.graph.delta import build_delta
from codequarry.graph.stored import GraphTables, of_paths
from codequarry.schemas.tables import EDGES, SYMBOLS
from codequarry.sources.walk import inventory
from tests.graph.deltas import BOX, USER, Project, assert_equal, checked
from tests.graph.projects import graph_of, lay_out, records_of
from tests.graph.variants import FAMILIES, PATHS, VERSIONS, version


@pytest.fixture(scope="module")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that knows every version of every file, so that no process has to be started."""
    folder = tmp_path_factory.mktemp("cache")
    root = tmp_path_factory.mktemp("versions")
    cache = MentionsCache(folder, "demo")
    names = {
        f"{number}/{path}": version(path, number) for path in PATHS for number in range(VERSIONS)
    }
    lay_out(root, names)
    snapshot = inventory(root).files
    build_graph(root.resolve(), "demo", snapshot, records_of(root, snapshot), cache)
    cache.close()
    return folder


@st.composite
def _edits(draw: st.DrawFn) -> list[dict[str, int | None]]:
    """Give versions of nearly all files of one language, then changes to some of them."""
    paths = draw(st.sampled_from([*FAMILIES, PATHS]))
    numbers = st.integers(0, VERSIONS - 1)
    start = {path: draw(numbers) for path in paths}
    for path in draw(st.sets(st.sampled_from(paths), max_size=2)):
        del start[path]
    step = st.dictionaries(
        st.sampled_from(paths), st.one_of(numbers, numbers, st.none()), min_size=1, max_size=2
    )
    return [start, *draw(st.lists(step, min_size=1, max_size=6))]


def _contents(step: Mapping[str, int | None]) -> dict[str, str | None]:
    return {path: None if n is None else version(path, n) for path, n in step.items()}


@pytest.mark.parametrize("few", [delta_module.FEW, 0])
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=_edits())
def test_delta_equals_full(
    tmp_path_factory: pytest.TempPathFactory,
    seeded: Path,
    monkeypatch: pytest.MonkeyPatch,
    few: int,
    steps: list[dict[str, int | None]],
) -> None:
    """After each edit the stored rows are those of a build from nothing, suspects judged or not."""
    monkeypatch.setattr(delta_module, "FEW", few)
    root = tmp_path_factory.mktemp("project")
    cache = MentionsCache(seeded, "demo")
    project = Project(root, cache)
    for step in steps:
        project.change(_contents(step))
        assert_equal(project.graph, project.rebuilt(cache))
    cache.close()
    shutil.rmtree(root)


def test_shifted_lines_touch_no_other_file(tmp_path: Path) -> None:
    """Lines added above a symbol rewrite the rows of its file alone, and keep its key."""
    start = {"box.py": BOX, "user.py": USER}
    before = graph_of(tmp_path, start)
    delta = checked(tmp_path, start, {"box.py": "# a\n# b\n" + BOX})
    assert (delta.symbol_paths, delta.edge_paths) == (("box.py",), ("box.py",))
    assert delta.affected == 0
    old = of_paths(before.symbols, ["box.py"])
    assert delta.symbols["symbol_id"].to_pylist() == old["symbol_id"].to_pylist()
    assert delta.symbols["start_line"].to_pylist() != old["start_line"].to_pylist()


def test_a_definition_more_touches_who_mentions_it(tmp_path: Path) -> None:
    """A second definition of a name makes a mention ambiguous, and moves no other file's edges."""
    start = {"box.py": BOX, "user.py": USER, "other.py": "def f():\n    f()\n"}
    delta = checked(
        tmp_path, start, {"crate.py": "class Crate:\n    def open_lid(self):\n        0\n"}
    )
    assert delta.edge_paths == ("crate.py", "user.py")


def test_untouched_edges_of_affected_files_stay(tmp_path: Path) -> None:
    """A file that is linked anew and keeps its edges is not written again."""
    start = {"a.py": "from os import walk\n\ndef f():\n    walk()\n", "z.py": "x = 1\n"}
    delta = checked(tmp_path, start, {"z.py": "def walk():\n    pass\n"})
    assert (delta.affected, delta.edge_paths) == (1, ("z.py",))


def test_members_of_unchanged_files_are_known(tmp_path: Path) -> None:
    """A new caller finds the one nested class that lies in a type of a file that is not read."""
    holder = "class Outer {\n  class Inner { }\n  class Other { }\n}\n"
    start = {"Outer.java": holder, "Lone.java": "class Inner2 { }\n"}
    caller = "class Caller {\n  void run() { x.Inner(); new Other(); }\n}\n"
    checked(tmp_path, start, {"Caller.java": caller})


def test_a_lost_cache_costs_only_time(tmp_path: Path, seeded: Path) -> None:
    """A delta after the cache was removed, or was never there, equals a build from nothing."""
    lay_out(tmp_path, {path: version(path, 0) for path in PATHS})
    for cache in (MentionsCache(tmp_path.parent / f"{tmp_path.name}-new", "demo"), None):
        project = Project(tmp_path, MentionsCache(seeded, "demo"))
        project.cache = cache
        project.change(
            {"a.py": version("a.py", 1), "pkg/a.py": None, "ui/b.ts": version("ui/b.ts", 3)}
        )
        assert_equal(project.graph, project.rebuilt(None))
        lay_out(tmp_path, {path: version(path, 0) for path in PATHS})


def test_many_files_linked_anew(tmp_path: Path) -> None:
    """When a change reaches most files, all nodes are taken, and the result is the same."""
    users = {f"u{n}.py": f"def u{n}():\n    x.open_lid()\n" for n in range(1100)}
    delta = checked(
        tmp_path, {"box.py": BOX, **users}, {"box.py": BOX.replace("open_lid", "close")}
    )
    assert delta.affected == 1100


def test_vanished_file_is_a_failure(tmp_path: Path) -> None:
    """A changed file that cannot be read keeps its nodes and is named."""
    lay_out(tmp_path, {"a.py": "def f():\n    f()\n"})
    snapshot = inventory(tmp_path).files
    records = records_of(tmp_path, snapshot)
    os.unlink(tmp_path / "a.py")
    empty = GraphTables(SYMBOLS.empty_table(), EDGES.empty_table())
    delta = build_delta(tmp_path, "p", snapshot, records, ["a.py"], [], empty)
    assert delta.failures == (("a.py", "FileNotFoundError"),)
    assert delta.edges["kind"].to_pylist() == ["contains"]
