"""The arguments that codemap gives its search backend, against a real index."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from codequarry.cli.vecgrep import main
from codequarry.core.state import StateDirectory
from tests.cli.commands import Ran, environment
from tests.retrieval.structure.town import indexed

PROGRAM = [sys.executable, "-c", "from codequarry.cli.vecgrep import main; main()"]
Capture = pytest.CaptureFixture[str]


def vecgrep(capfd: Capture, *arguments: str) -> Ran:
    capfd.readouterr()
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    return Ran(int(ended.value.code or 0), *capfd.readouterr())


@pytest.fixture
def inside(demo: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory is in the project."""
    monkeypatch.chdir(demo)
    return demo


def test_search_as_codemap_calls_it(inside: Path) -> None:
    """From a fresh process: a bare array of F7's hits, nothing on stderr, no Dagster loaded."""
    probe = "import sys; sys.argv[0] = 'codequarry-vecgrep'; "
    probe += "import atexit; atexit.register(lambda: print(*sys.modules, file=sys.stderr)); "
    call = [*PROGRAM[:2], probe + PROGRAM[2], "search", "alpha", "--format", "json", "--limit", "3"]
    home = inside.parent / "home"
    done = subprocess.run(
        call, cwd=inside, env=environment(home), capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 0
    first = json.loads(done.stdout)[0]
    assert (first["relative_path"], first["symbol_name"]) == ("a.py", "a.alpha")
    assert (first["start_line"], first["end_line"], first["language"]) == (1, 2, "python")
    assert first["selector"] == {
        "file": "a.py",
        "start_line": 1,
        "fqn": "a.alpha",
        "kind": "function",
    }
    assert isinstance(first["score"], float)
    loaded = set(done.stderr.decode().split())
    assert "codequarry" in loaded
    assert not loaded & {"dagster", "polars", "pandera", "httpx", "mcp", "lance_namespace.rest"}


def test_structural_hits_can_be_joined(inside: Path, capfd: Capture) -> None:
    """Each hit of a symbol names it and begins on one of its lines, not before it (A12)."""
    hits = json.loads(vecgrep(capfd, "search", "alpha dashed option", "-f", "json").out)
    named = [hit for hit in hits if "selector" in hit]
    assert {hit["symbol_name"] for hit in named} == {"a.alpha", "dash.dashed"}
    for hit in named:
        lines = (inside / hit["relative_path"]).read_text().split("\n")
        assert hit["selector"]["start_line"] <= hit["start_line"] <= hit["end_line"]
        assert lines[hit["start_line"] - 1].strip()


def test_it_is_a_program_of_its_own() -> None:
    """The distribution installs it under the name that codemap is told."""
    declared = tomllib.loads(Path(__file__).parents[2].joinpath("pyproject.toml").read_text())
    assert declared["project"]["scripts"]["codequarry-vecgrep"] == f"{main.__module__}:main"


def test_from_a_subfolder(
    tmp_path_factory: pytest.TempPathFactory, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever in the project one stands, paths are relative to its root (J-44)."""
    folder = indexed(tmp_path_factory)
    monkeypatch.setenv("CODEQUARRY_HOME", str(folder / "home"))
    monkeypatch.chdir(folder / "town" / "town")
    call = ("search", "price", "--format", "json", "--limit", "20")
    hits = json.loads(vecgrep(capfd, *call).out)
    assert {hit["project"] for hit in hits} == {"town"}
    assert hits[0]["relative_path"] == "town/money.py"
    assert (
        Path(hits[0]["file_path"]).read_text().split("\n")[hits[0]["start_line"] - 1][:3] == "def"
    )
    scoped = json.loads(vecgrep(capfd, *call, "--scope-files", "shop.py").out)
    assert {hit["relative_path"] for hit in scoped} == {"town/shop.py"}


def test_elsewhere_every_project_is_searched(
    demo: Path, capfd: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The caller's directory decides: in no project, all answer."""
    monkeypatch.chdir(tmp_path)
    assert json.loads(vecgrep(capfd, "search", "alpha", "--format", "json").out)


def test_filters_are_translated(inside: Path, capfd: Capture) -> None:
    """Language, type, file, directory and score narrow an answer as F2 says."""

    def found(*filters: str) -> set[str]:
        ran = vecgrep(capfd, "search", "alpha dashed", "-f", "json", *filters)
        assert (ran.code, ran.err) == (0, "")
        return {hit["relative_path"] for hit in json.loads(ran.out)}

    assert found() == found("-l", "go,python") == found("--type", "function") == {"a.py", "dash.py"}
    assert found("--languages", "go") == found("--types", "class,block") == set()
    assert found("--file", "d*.py") == found("--file", "dash.py") == {"dash.py"}
    assert found("--dir", "src") == found("--file", "src/*.py") == set()
    assert found("--dir", ".") == found("--dir", "./") == {"a.py", "dash.py"}
    assert found("--min-score", "0.99") < {"a.py", "dash.py"}


def test_modes(inside: Path, capfd: Capture) -> None:
    """An unknown mode is hybrid (F7)."""
    hybrid = vecgrep(capfd, "search", "alpha", "-f", "json")
    assert vecgrep(capfd, "search", "alpha", "-f", "json", "-m", "telepathy") == hybrid
    assert vecgrep(capfd, "search", "alpha", "-f", "json", "-m", "keyword") != hybrid


def test_formats(inside: Path, capfd: Capture) -> None:
    """Compact is one line a hit, the envelope one object, and the default for a person."""
    assert vecgrep(capfd, "search", "alpha", "-f", "compact", "-n", "1").out.startswith(
        "a.py:1-2\t"
    )
    envelope = json.loads(vecgrep(capfd, "search", "alpha", "-f", "json-envelope").out)
    assert set(envelope) == {"schema_version", "index", "hits"}
    assert "a.py:1" in vecgrep(capfd, "search", "alpha").out


def test_nothing_found_is_an_empty_array(inside: Path, capfd: Capture) -> None:
    """An empty answer is an answer, and no failure."""
    ran = vecgrep(capfd, "search", "alpha", "-f", "json", "--dir", "nowhere")
    assert (ran.code, ran.out, ran.err) == (0, "[]", "")


@pytest.mark.parametrize(
    "arguments",
    [
        ("search", "-x", "--format", "json"),
        ("search", "--format", "json"),
        ("search", "", "--format", "json"),
        ("search", "alpha", "--format", "yaml"),
        ("search", "alpha", "--format", "json", "--limit", "0"),
        ("search", "alpha", "--format", "json", "--limit", "many"),
        ("search", "alpha", "--format", "json", "--min-score", "2"),
        ("search", "alpha", "--format", "json", "--file", "a", "--dir", "b"),
        ("search", "alpha", "--format", "json", "--no-such-option"),
        ("memory", "recall", "-x", "--format", "json"),
        ("unknown",),
    ],
)
def test_failures(inside: Path, capfd: Capture, arguments: tuple[str, ...]) -> None:
    """Whatever goes wrong: exit 1, a message on stderr, nothing on stdout."""
    ran = vecgrep(capfd, *arguments)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err
    assert "Traceback" not in ran.err


def test_never_indexed(state: StateDirectory, capfd: Capture) -> None:
    """No index is a failure with a remedy, never an empty array that codemap would believe."""
    ran = vecgrep(capfd, "search", "alpha", "--format", "json")
    assert (ran.code, ran.out) == (1, "")
    assert "run `codequarry index PATH`" in ran.err


def test_a_scope_is_never_an_error(inside: Path, capfd: Capture) -> None:
    """A symbol that nobody knows widens the search to the project, and a note says so (F6)."""
    ran = vecgrep(capfd, "search", "alpha", "-f", "json", "--symbol", "no.such.symbol")
    assert ran.code == 0
    assert json.loads(ran.out)
    assert ran.err.startswith("note: ")


def test_status_and_version(inside: Path, capfd: Capture) -> None:
    """The two questions codemap's people ask of a backend."""
    found = json.loads(vecgrep(capfd, "status", "--lightweight", "--format", "json").out)
    assert (found["lightweight"], found["index_fresh"]) == (True, True)
    assert vecgrep(capfd, "version").out.startswith("codequarry-vecgrep ")


def test_memory_as_codemap_calls_it(state: StateDirectory, capfd: Capture) -> None:
    """A recall with codemap's arguments, cold, answers C5 (A12, G5)."""
    stored = vecgrep(capfd, "memory", "remember", "refresh tokens early", "--tags", "codemap,abc")
    assert stored.out == "Memory stored (id 1)\n"
    call = [*PROGRAM, "memory", "recall", "when to refresh a token", "--tags", "codemap,abc"]
    call += ["--min-importance", "0.3", "--limit", "5", "--format", "json"]
    done = subprocess.run(
        call, env=environment(state.home), capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    (found,) = json.loads(done.stdout)
    assert (found["id"], found["tags"]) == ("1", ["codemap", "abc"])


def test_memory_without_its_provider(
    state: StateDirectory, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one other exit code, 3, is kept."""
    vecgrep(capfd, "memory", "remember", "refresh tokens early")
    monkeypatch.setenv("CODEQUARRY_EMBEDDING_PROVIDER", "ollama")
    monkeypatch.setenv("CODEQUARRY_EMBEDDING_BASE_URL", "http://127.0.0.1:1")
    ran = vecgrep(capfd, "memory", "recall", "token", "--format", "json")
    assert (ran.code, ran.out) == (3, "")
