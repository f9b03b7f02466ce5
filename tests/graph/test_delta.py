"""A delta of the graph equals a build from nothing, and costs what changed."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codequarry.graph.build import Graph, build_graph
from codequarry.graph.cache import MentionsCache
from codequarry.graph.delta import GraphDelta, build_delta
from codequarry.graph.stored import STORED_EDGES, STORED_SYMBOLS, StoredGraph, is_in, of_paths
from codequarry.schemas.tables import EDGES, SYMBOLS
from codequarry.sources.walk import inventory
from tests.graph.projects import graph_of, lay_out, records_of
from tests.graph.variants import FAMILIES, PATHS, VERSIONS, version


class Project:
    """A project on disk with its stored graph."""

    def __init__(self, root: Path, cache: MentionsCache | None) -> None:
        self.root = root
        self.cache = cache
        self.files: dict[str, str] = {}
        self.graph = self.rebuilt(cache)

    def change(self, files: Mapping[str, str | None]) -> GraphDelta:
        """Write and remove files, and apply the delta to the stored graph."""
        for path, content in files.items():
            if content is None:
                (self.root / path).unlink(missing_ok=True)
                self.files.pop(path, None)
            else:
                lay_out(self.root, {path: content})
        changed = {p for p, content in files.items() if content not in (None, self.files.get(p))}
        self.files.update({p: content for p, content in files.items() if content is not None})
        snapshot = inventory(self.root).files
        records = records_of(self.root, snapshot)
        delta = build_delta(
            self.root.resolve(),
            "demo",
            snapshot,
            records.filter(is_in(records["file"], changed)),
            changed,
            [path for path, content in files.items() if content is None],
            StoredGraph(
                self.graph.symbols.select(STORED_SYMBOLS), self.graph.edges.select(STORED_EDGES)
            ),
            self.cache,
        )
        symbols = _replaced(self.graph.symbols, delta.symbol_paths, delta.symbols)
        edges = _replaced(self.graph.edges, delta.edge_paths, delta.edges)
        self.graph = Graph(symbols, edges, delta.counts, delta.failures)
        return delta

    def rebuilt(self, cache: MentionsCache | None) -> Graph:
        """Build the graph of what is on disk from nothing."""
        snapshot = inventory(self.root).files
        records = records_of(self.root, snapshot)
        return build_graph(self.root.resolve(), "demo", snapshot, records, cache)


def _replaced(stored: pa.Table, paths: tuple[str, ...], rows: pa.Table) -> pa.Table:
    kept = pl.DataFrame(pl.from_arrow(stored)).filter(~pl.col("path").is_in(list(paths)))
    return pa.concat_tables([kept.to_arrow().cast(stored.schema), rows])


def _difference(left: pa.Table, right: pa.Table) -> pl.DataFrame:
    """Give the rows that only one of two tables has, and those that one repeats."""
    one, other = (pl.DataFrame(pl.from_arrow(table)) for table in (left, right))
    lone = [one.join(other, one.columns, "anti"), other.join(one, one.columns, "anti")]
    return pl.concat([*lone, one.filter(one.is_duplicated())])


def _assert_equal(graph: Graph, expected: Graph) -> None:
    assert graph.symbols.schema.equals(SYMBOLS, check_metadata=True)
    assert graph.edges.schema.equals(EDGES, check_metadata=True)
    assert _difference(graph.symbols, expected.symbols).is_empty()
    assert _difference(graph.edges, expected.edges).is_empty()


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


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=_edits())
def test_delta_equals_full(
    tmp_path_factory: pytest.TempPathFactory, seeded: Path, steps: list[dict[str, int | None]]
) -> None:
    """After each edit of a tree the stored rows are those of a build from nothing."""
    root = tmp_path_factory.mktemp("project")
    cache = MentionsCache(seeded, "demo")
    project = Project(root, cache)
    for step in steps:
        project.change(_contents(step))
        _assert_equal(project.graph, project.rebuilt(cache))
    cache.close()
    shutil.rmtree(root)


def _check(
    tmp_path: Path, start: Mapping[str, str], change: Mapping[str, str | None]
) -> GraphDelta:
    """Apply one change, and compare with a build from nothing."""
    lay_out(tmp_path, start)
    cache = MentionsCache(None)
    project = Project(tmp_path, cache)
    project.files.update(start)
    delta = project.change(change)
    _assert_equal(project.graph, project.rebuilt(cache))
    cache.close()
    return delta


BOX = "class Box:\n    def open_lid(self):\n        pass\n"
USER = "from box import Box\n\ndef use(x):\n    x.open_lid()\n    Box()\n"


def test_shifted_lines_touch_no_other_file(tmp_path: Path) -> None:
    """Lines added above a symbol rewrite the rows of its file alone, and keep its key."""
    start = {"box.py": BOX, "user.py": USER}
    before = graph_of(tmp_path, start)
    delta = _check(tmp_path, start, {"box.py": "# a\n# b\n" + BOX})
    assert (delta.symbol_paths, delta.edge_paths) == (("box.py",), ("box.py",))
    assert delta.affected == 0
    old = of_paths(before.symbols, ["box.py"])
    assert delta.symbols["symbol_id"].to_pylist() == old["symbol_id"].to_pylist()
    assert delta.symbols["start_line"].to_pylist() != old["start_line"].to_pylist()


def test_a_definition_more_touches_who_mentions_it(tmp_path: Path) -> None:
    """A second definition of a name makes a mention ambiguous, and moves no other file's edges."""
    start = {"box.py": BOX, "user.py": USER, "other.py": "def f():\n    f()\n"}
    delta = _check(
        tmp_path, start, {"crate.py": "class Crate:\n    def open_lid(self):\n        0\n"}
    )
    assert delta.edge_paths == ("crate.py", "user.py")


def test_untouched_edges_of_affected_files_stay(tmp_path: Path) -> None:
    """A file that is linked anew and keeps its edges is not written again."""
    start = {"a.py": "from os import walk\n\ndef f():\n    walk()\n", "z.py": "x = 1\n"}
    delta = _check(tmp_path, start, {"z.py": "def walk():\n    pass\n"})
    assert (delta.affected, delta.edge_paths) == (1, ("z.py",))


def test_members_of_unchanged_files_are_known(tmp_path: Path) -> None:
    """A new caller finds the one nested class that lies in a type of a file that is not read."""
    holder = "class Outer {\n  class Inner { }\n  class Other { }\n}\n"
    start = {"Outer.java": holder, "Lone.java": "class Inner2 { }\n"}
    caller = "class Caller {\n  void run() { x.Inner(); new Other(); }\n}\n"
    _check(tmp_path, start, {"Caller.java": caller})


CS_USER = "using A.B;\nclass User {\n  void Run() { new Thing(); Thing.Make(); }\n}\n"


@pytest.mark.parametrize("home", ["A.B", "A.C", "A"])
def test_namespaces_move(tmp_path: Path, home: str) -> None:
    """A type that moves to another namespace is lost, or found, by who imports the namespace."""
    thing = "namespace {} {{\n  class Extra {{ }}\n  class Thing {{ void Make() {{ }} }}\n}}\n"
    start = {"User.cs": CS_USER, "T.cs": thing.format("A.B"), "U.cs": thing.format("Z.Y")}
    _check(tmp_path, start, {"T.cs": thing.format(home)})
    _check(tmp_path / "back", {**start, "T.cs": thing.format(home)}, {"T.cs": thing.format("A.B")})


def test_namespace_edge_of_imports(tmp_path: Path) -> None:
    """A file that joins a namespace gets an edge from who imports it, though no name is shared."""
    start = {"User.cs": CS_USER, "T.cs": "class Alone { }\n"}
    delta = _check(tmp_path, start, {"T.cs": "namespace A.B {\n  class Alone { }\n}\n"})
    assert "User.cs" in delta.edge_paths


@pytest.mark.parametrize("name", ["example.com/m", "example.com/other", None])
def test_go_module_file_moves_imports(tmp_path: Path, name: str | None) -> None:
    """A changed, new or vanished ``go.mod`` binds the imports of every Go file anew."""
    start = {
        "go.mod": "module example.com/z\n",
        "srv/a.go": "package srv\n\nfunc Serve() {\n}\n",
        "main.go": 'package main\n\nimport "example.com/m/srv"\n\nfunc f() {\n\tsrv.Serve()\n}\n',
    }
    delta = _check(tmp_path, start, {"go.mod": name and f"module {name}\n"})
    assert ("main.go" in delta.edge_paths) == (name != "example.com/other")


IMPORTS = [
    ({"m.py": "import a\n"}, "a.py", "x = 1\n"),
    ({"pkg/m.py": "from . import x\n"}, "pkg/__init__.py", "x = 1\n"),
    ({"pkg/m.py": "from . import x\n"}, "pkg.py", "y = 1\n"),
    (
        {"pkg/m.py": "import a\n", "pkg/a.py": "x = 1\n", "a.py": "x = 1\n"},
        "pkg/__init__.py",
        "x = 1\n",
    ),
    ({"ui/m.ts": "import x from '.';\n"}, "ui/index.ts", "let y = 1;\n"),
    ({"ui/m.ts": "import x from './a.js';\n"}, "ui/a.ts", "let y = 1;\n"),
    ({"c/src/m.rs": "use crate::Foo;\n"}, "c/src/lib.rs", "// empty\n"),
    ({"d/src/m.rs": "use my_c::Foo;\n"}, "my-c/src/lib.rs", "// empty\n"),
    ({"M.java": "import org.a.*;\n"}, "org/a/T.java", "class T { }\n"),
    ({"m.go": 'package m\n\nimport "x.org/y/srv"\n'}, "srv/a.go", "package srv\n"),
    (
        {"go.mod": "module x.org/y\n", "s/m.go": 'package s\n\nimport "x.org/y"\n'},
        "a.go",
        "package y\n",
    ),
    ({"m.c": '#include "inc/a.h"\n'}, "inc/a.h", "void f();\n"),
    ({"m.php": "<?php\nuse App\\Item;\n"}, "src/Item.php", "<?php\n"),
    ({"m.rb": "require 'tools'\n"}, "lib/tools.rb", "x = 1\n"),
]


@pytest.mark.parametrize(("start", "path", "content"), IMPORTS)
def test_files_come_and_go(tmp_path: Path, start: dict[str, str], path: str, content: str) -> None:
    """A file that imports mean only once it exists moves the importer's edges, both ways."""
    importer = next(name for name in start if "m." in name.lower() and name != "go.mod")
    came = _check(tmp_path / "came", start, {path: content})
    went = _check(tmp_path / "went", {**start, path: content}, {path: None})
    assert importer in came.edge_paths
    assert importer in went.edge_paths


def test_a_lost_cache_costs_only_time(tmp_path: Path, seeded: Path) -> None:
    """A delta after the cache was removed, or was never there, equals a build from nothing."""
    lay_out(tmp_path, {path: version(path, 0) for path in PATHS})
    for cache in (MentionsCache(tmp_path.parent / f"{tmp_path.name}-new", "demo"), None):
        project = Project(tmp_path, MentionsCache(seeded, "demo"))
        project.cache = cache
        project.change(
            {"a.py": version("a.py", 1), "pkg/a.py": None, "ui/b.ts": version("ui/b.ts", 3)}
        )
        _assert_equal(project.graph, project.rebuilt(None))
        lay_out(tmp_path, {path: version(path, 0) for path in PATHS})


def test_many_files_linked_anew(tmp_path: Path) -> None:
    """When a change reaches most files, all nodes are taken, and the result is the same."""
    users = {f"u{n}.py": f"def u{n}():\n    x.open_lid()\n" for n in range(1100)}
    delta = _check(tmp_path, {"box.py": BOX, **users}, {"box.py": BOX.replace("open_lid", "close")})
    assert delta.affected == 1100


def test_vanished_file_is_a_failure(tmp_path: Path) -> None:
    """A changed file that cannot be read keeps its nodes and is named."""
    lay_out(tmp_path, {"a.py": "def f():\n    f()\n"})
    snapshot = inventory(tmp_path).files
    records = records_of(tmp_path, snapshot)
    os.unlink(tmp_path / "a.py")
    empty = StoredGraph(SYMBOLS.empty_table(), EDGES.empty_table())
    delta = build_delta(tmp_path, "p", snapshot, records, ["a.py"], [], empty)
    assert delta.failures == (("a.py", "FileNotFoundError"),)
    assert delta.edges["kind"].to_pylist() == ["contains"]
