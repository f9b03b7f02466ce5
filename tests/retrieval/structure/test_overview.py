import polars as pl
import pytest

from codequarry.core.errors import IndexMissing, UsageError
from codequarry.index.reader import Reader
from codequarry.retrieval.structure import entry_points, overview
from codequarry.retrieval.structure.overview import Overview, directories_of, overview_of
from codequarry.retrieval.structure.view import GraphView
from tests.retrieval.structure.programs import PROGRAMS, indexed, state_of

EXPECTED = [
    ("script", "tool", "pyproject.toml", 1, "tool.cli:main"),
    ("script", "web", "web/package.json", 1, "web.js"),
    ("script", "l" * 200, "web/long/package.json", 1, "é" * 100),
    ("main", "c/start.c", 1),
    ("main", "jv/App.java", 2),
    ("module", "scripts/\x1b[31m.py", 8),
    ("module", "scripts/clean.py", 8),
    ("module", "tool/__main__.py", 1),
    ("main", "cmd/serve/main.go", 3),
    ("main", "rs/src/main.rs", 1),
]


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> GraphView:
    """The graph of a project with programs in several languages."""
    state = state_of(indexed(tmp_path_factory))
    return GraphView(Reader(state), state, ["programs"])


@pytest.fixture(scope="session")
def found(programs: GraphView) -> Overview:
    """The overview of that project."""
    return overview_of(programs, "programs")


def test_entry_points(found: Overview) -> None:
    """Declared scripts, main functions and runnable modules are found; look-alikes are not."""
    shown = [
        (one.kind, one.name, one.path, one.line, one.runs)
        if one.kind == "script"
        else (one.kind, one.path, one.line)
        for one in found.entry_points
    ]
    assert shown == EXPECTED
    assert found.entry_points_omitted == 0


def test_contents(found: Overview) -> None:
    """Files, tests, bytes, languages, folders and key files are those of the tree."""
    assert (found.files, found.tests) == (len(PROGRAMS), 1)
    assert found.bytes == sum(map(len, PROGRAMS.values()))
    assert [(one.name, one.files) for one in found.languages][:3] == [
        ("python", 7),
        ("go", 2),
        ("java", 2),
    ]
    assert ("cmd", 1) in [(one.path, one.files) for one in found.directories]
    assert [one.path for one in found.key_files] == [
        "README.md",
        "pyproject.toml",
        "web/package.json",
        "web/long/package.json",
    ]


def test_summary(found: Overview) -> None:
    """The sentences say what the lists hold."""
    contents, beginnings, division, *_, hubs = found.summary
    assert contents.startswith("programs has 18 files, 1 of them tests, ")
    assert contents.endswith(" bytes: python (7), go (2), java (2) and 5 more languages.")
    assert beginnings.startswith("Programs begin at tool (pyproject.toml), web (web/package.json),")
    assert beginnings.endswith(" and 7 more.")
    assert f'"{found.communities.clusters[0].label}"' in division
    assert f"{found.hubs[0].fqn} (1 user)" in hubs


def test_limits(programs: GraphView) -> None:
    """Every list keeps to the limit and counts the rest; a wrong limit or depth is refused."""
    cut = overview_of(programs, "programs", 1, 1)
    assert (len(cut.entry_points), cut.entry_points_omitted) == (1, len(EXPECTED) - 1)
    assert (len(cut.key_files), cut.key_files_omitted) == (1, 3)
    assert all("/" not in one.path for one in cut.directories)
    for limit, depth in ((0, 3), (5, 0), (float("nan"), 3), (5, 1.5)):
        with pytest.raises(UsageError):
            overview_of(programs, "programs", limit, depth)


def test_what_was_not_looked_for(programs: GraphView, monkeypatch: pytest.MonkeyPatch) -> None:
    """A project too large to scan says so, and still tells the rest."""
    monkeypatch.setattr(entry_points, "MAX_SCANNED", 3)
    monkeypatch.setattr(overview, "MAX_SCANNED", 3)
    found = overview_of(programs, "programs")
    assert [one.path for one in found.entry_points if one.kind == "module"] == ["tool/__main__.py"]
    assert found.notes == ["__main__ blocks were not looked for: there are more than 3 chunks"]


def test_unknown_project(programs: GraphView) -> None:
    """A project that was never indexed is an error, not an empty overview."""
    with pytest.raises(IndexMissing):
        overview_of(programs, "elsewhere")


def test_directories() -> None:
    """Folders count what lies below them at any depth; a cut keeps parents with their children."""
    files = pl.DataFrame({"path": ["top.py", "a/one.py", "a/b/two.py", "a/b/c/three.py", "d/x.py"]})
    shown, omitted = directories_of(files, 2)
    assert [(one.path, one.files) for one in shown] == [("a", 3), ("a/b", 2), ("d", 1)]
    assert omitted == 0


def test_many_directories(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are too many folders, those with the most files are given, in order of paths."""
    monkeypatch.setattr(overview, "MAX_DIRECTORIES", 3)
    paths = [f"{folder}/sub/{n}.py" for folder in "abcd" for n in range(1 + (folder == "c"))]
    shown, omitted = directories_of(pl.DataFrame({"path": paths}), 3)
    assert [one.path for one in shown] == ["a", "c", "c/sub"]
    assert omitted == 5
