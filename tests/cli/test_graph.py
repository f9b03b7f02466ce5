"""The commands that ask the code graph."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from codequarry.cli.graph import COMMANDS as GRAPH
from codequarry.cli.investigate import investigate, similar
from codequarry.core.state import HOME_VARIABLE, StateDirectory
from tests.cli.commands import environment, here
from tests.cli.test_errors import one_sentence
from tests.fakes.peer import calls, install_peer
from tests.retrieval.structure.town import indexed

COMMANDS = (*GRAPH, similar, investigate)


@pytest.fixture
def town(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the two indexed projects; commands act on their deployment."""
    folder = indexed(tmp_path_factory)
    monkeypatch.setenv(HOME_VARIABLE, str(folder / "home"))
    monkeypatch.setenv("CODEQUARRY_PRODUCER", "builtin")
    return folder


def asked(capfd: pytest.CaptureFixture[str], *arguments: str) -> Any:
    ran = here(capfd, *arguments, "-p", "town", "-f", "json")
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


def test_impact(town: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """JSON tells dependents, tests, risk, evidence and the source; a missing codemap no note."""
    found = asked(capfd, "impact", "tax")
    assert [one["symbol"]["fqn"] for one in found["dependents"]] == [
        *("money.price", "money.forgotten", "shop.sell"),
    ]
    assert (found["state"], found["source"], found["risk"]) == ("found", "codequarry", "unknown")
    assert found["evidence"]["coverage"] == "lower_bound"
    assert found["symbol"]["selector"]["file"] == "town/money.py"
    ran = here(capfd, "impact", "-p", "town", "Circle.area")
    assert "risk        unknown" in ran.out
    assert "lower_bound: there may be more users" in ran.out
    assert ran.err == ""


def test_zero_callers_and_no_look(town: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Zero callers are told with what they are worth."""
    nobody = asked(capfd, "callers", "lonely")
    unsure = asked(capfd, "callers", "Circle.area")
    assert nobody["neighbors"] == unsure["neighbors"] == []
    assert nobody["evidence"]["coverage"] == "complete"
    assert unsure["evidence"]["unresolved"] == [
        {"path": "town/report.py", "line": 5, "name": "area"}
    ]


def test_walks(town: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Callees and neighbours follow direction, kinds and depth."""
    found = asked(capfd, "callees", "price", "--depth", "2")
    assert [one["symbol"]["symbol"] for one in found["neighbors"]] == ["tax", "rounding"]
    found = asked(capfd, "neighbors", "Square", "--kind", "extends", "--direction", "out")
    assert [one["symbol"]["symbol"] for one in found["neighbors"]] == ["Shape"]
    text = here(capfd, "neighbors", "-p", "town", "lonely", "-k", "calls").out
    assert text.startswith("town/money.py:17  money.lonely function\n")
    assert "nothing found" in text


def test_hotspots_and_related(town: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Hotspots and related files say who told them."""
    found = asked(capfd, "hotspots", "-n", "2")
    assert len(found["hotspots"]) == 2
    assert found["sources"][0]["source"] == "codequarry"
    assert found["tests_excluded"] is True
    found = asked(capfd, "related", "town/money.py")
    assert [one["relative_path"] for one in found["related"]] == [
        *("tests/test_money.py", "town/shop.py"),
    ]
    assert "town/shop.py  caller" in here(capfd, "related", "-p", "town", "town/money.py").out
    assert "money.tax function" in here(capfd, "hotspots", "-p", "town").out


def test_searches(town: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Similar and investigate print hits as a search does, with what the graph says of them."""
    hits = asked(capfd, "similar", "many/part00.py:1", "-n", "3")
    assert {hit["relative_path"][:5] for hit in hits} == {"many/"}
    hits = asked(capfd, "similar", "--text", "def twin(): return 1", "-n", "1")
    assert hits[0]["relative_path"].startswith("many/")
    ran = here(capfd, "investigate", "-p", "town", "tax", "what does it cost", "-f", "json")
    hits = json.loads(ran.out)
    assert {hit["relative_path"] for hit in hits} <= {"town/money.py", "town/shop.py"}
    assert all("structural_score" in hit for hit in hits)
    assert ran.err.startswith("note: scoped to 2 files")
    assert "usage.sqlite" in {path.name for path in (town / "home").iterdir()}
    ran = here(capfd, "investigate", "-p", "town", "nobody", "price", "-m", "keyword")
    assert (ran.code, ran.err[:16]) == (0, "note: not scoped")


def test_codemap_answers(
    town: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a codemap its answer is given and named; not for a state of the past."""
    result = {"found": True, "call_graph": "resolved"}
    told = {"document": {"indexed": True, "results": [result]}}
    binary = install_peer(tmp_path, {"impact": told})  # type: ignore[dict-item]
    monkeypatch.setenv("CODEQUARRY_CODEMAP", str(binary))
    monkeypatch.setenv("CODEQUARRY_PRODUCER", "auto")
    found = asked(capfd, "impact", "tax")
    assert (found["source"], found["total"], found["risk"]) == ("codemap", 0, "low")
    past = asked(capfd, "impact", "tax", "--as-of", "1")
    assert (past["source"], past["total"]) == ("codequarry", 3)


def test_a_codemap_that_is_counted_on_is_missed_once(
    town: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its absence is a note where a setting asks for it, one for all projects, else none."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    for setting, wanted in (("auto", ""), ("builtin", ""), ("codemap", "was not found")):
        monkeypatch.setenv("CODEQUARRY_PRODUCER", setting)
        ran = here(capfd, "hotspots", "-a")
        assert ran.err.count("codemap") == bool(wanted)
        assert wanted in ran.err
    assert ran.err.startswith("note: port, town, village: our own graph: ")
    monkeypatch.setenv("CODEQUARRY_CODEMAP", str(tmp_path / "nowhere"))
    ran = here(capfd, "related", "-p", "town", "town/money.py")
    assert ran.err.count("\n") == ran.err.count("does not exist") == 1


def test_paths_are_read_from_where_one_stands(
    town: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a folder of a project, its own files are meant by their names in every command."""
    monkeypatch.chdir(town / "town" / "town")
    for command in (
        ["related", "money.py"],
        ["impact", "money.py:9"],
        ["callers", "../town/money.py::price"],
        ["similar", "money.py:9"],
        ["similar", str(town / "town" / "town" / "money.py:9")],
        ["search", "price", "--scope-files", "money.py"],
        ["search", "cost", "--symbol", "money.py:9"],
        ["investigate", "money.py:9", "price", "--scope-files", "shop.py,money.py"],
    ):
        ran = here(capfd, *command, "-f", "json")
        assert (ran.code, "not scoped" in ran.err) == (0, False), (command, ran.err)
        assert "town/" in ran.out
    ran = here(capfd, "search", "price", "-m", "graph", "--from", "money.py", "-f", "json")
    assert json.loads(ran.out)["anchor"]["files"] == ["town/money.py"]
    monkeypatch.chdir(town)
    ran = here(capfd, "related", "-a", "town/town/money.py")
    assert ran.out.startswith("1.00  town:tests/test_money.py  test\n")


def test_a_removed_working_directory(
    town: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Named projects are asked all the same; without a name the error says what is gone."""
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert here(capfd, "related", "-p", "town", "town/money.py").code == 0
    for command in (["search", "price"], ["status"], ["index"]):
        ran = here(capfd, *command)
        one_sentence(ran)
        assert "the current directory was removed" in ran.err


def test_users_in_other_projects(town: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """One project's answer says that others were not asked; asked, what may use it is labelled."""
    alone = here(capfd, "impact", "-p", "town", "lonely")
    assert "  risk        low\n" in alone.out
    assert "  elsewhere   2 projects were not looked into\n" in alone.out
    wide = here(capfd, "callers", "-a", "lonely")
    assert "  elsewhere   port:dock/main.py:1 lonely\n" in wide.out
    found = json.loads(here(capfd, "impact", "-a", "lonely", "-f", "json").out)
    assert (found["risk"], found["elsewhere"]["count"]) == ("unknown", 2)
    assert found["elsewhere"]["places"][0]["project"] == "port"


def test_ambiguity_across_projects(town: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Where several projects have a symbol, each is labelled and the remedy says how to choose."""
    ran = here(capfd, "impact", "-a", "price")
    one_sentence(ran)
    assert "town:town/money.py:9 money.price (function), village:town/money.py:1" in ran.err
    assert "--project" in ran.err


def test_hits_are_noted_in_codemap(
    town: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On demand alone, and each search may: the answer is the same with and without (F5)."""
    binary = install_peer(tmp_path, {"annotate": {"document": {"id": 1, "action": "created"}}})
    monkeypatch.setenv("CODEQUARRY_CODEMAP", str(binary))
    monkeypatch.setenv("CODEQUARRY_PRODUCER", "auto")
    for command in (
        ["search", "price", "-n", "1"],
        ["similar", "town/money.py:9", "-n", "1"],
        ["investigate", "tax", "price", "-n", "1"],
    ):
        arguments = [*command, "-p", "town", "-f", "json"]
        plain = here(capfd, *arguments).out
        made = [one for one in calls(binary) if one[0] == "annotate"]
        noted = here(capfd, *arguments, "--annotate")
        assert noted.out == plain
        assert noted.err.endswith("note: annotated in codemap: 1 answered\n")
        assert len([one for one in calls(binary) if one[0] == "annotate"]) == len(made) + 1
    ids = [one[one.index("--external-id") + 1] for one in calls(binary) if one[0] == "annotate"]
    assert ids[0] == ids[2] != ids[1]  # the same question and symbol are the same note
    ran = here(capfd, "search", "-p", "town", "-m", "symbol", "--annotate", "price")
    one_sentence(ran)


def test_investigate_shows_what_orders(town: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """For a person the scores fall from hit to hit, and say what they are made of."""
    arguments = ("investigate", "-p", "town", "nobody", "price", "-m", "keyword")
    text = here(capfd, *arguments, "--structural-weight", "0.9").out
    shown = [float(line.split()[1]) for line in text.split("\n") if line[:5] in ("town/", "tests")]
    assert shown == sorted(shown, reverse=True)
    assert "    why: search " in text
    assert "why: " not in here(capfd, *arguments, "--structural-weight", "0").out


def test_codemap_tells_the_symbol_at_a_line(
    town: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of path:line, codemap says which symbol it is, and a note says that it did."""
    selector = {"file": "town/money.py", "start_line": 99, "fqn": "money.tax", "kind": "function"}
    told = {"document": {**selector, "selector": selector, "resolution": "enclosing"}}
    binary = install_peer(tmp_path, {"symbol-at": told})  # type: ignore[dict-item]
    monkeypatch.setenv("CODEQUARRY_CODEMAP", str(binary))
    monkeypatch.setenv("CODEQUARRY_PRODUCER", "auto")
    ran = here(capfd, "callers", "-p", "town", "town/money.py:18")
    assert ran.out.startswith("town/money.py:5  money.tax function\n")
    assert ran.err == "note: codemap says that money.tax is there\n"
    ran = here(capfd, "callers", "-p", "town", "town/money.py:18", "--as-of", "1")
    assert (ran.out[:16], ran.err) == ("town/money.py:17", "")


WRONG = {
    "unknown symbol": ["impact", "nobody"],
    "ambiguous symbol": ["callers", "twin"],
    "unknown key": ["impact", '{"file": "a.py", "fqn": "a", "x": 1}'],
    "huge selector": ["impact", '{"file": "' + "a" * 20_000 + '"}'],
    "empty symbol": ["callees", " "],
    "negative depth": ["impact", "tax", "-d", "-1"],
    "no depth": ["neighbors", "tax", "-d", "0"],
    "huge limit": ["callers", "tax", "-n", "1000001"],
    "negative limit": ["hotspots", "-n", "-3"],
    "unknown kind": ["neighbors", "tax", "-k", "marries"],
    "unknown file": ["related", "nobody.py"],
    "no chunk": ["similar", "12345"],
    "huge id": ["similar", "9999999999999999999"],
    "huge line": ["similar", "many/part00.py:9999999999999999999"],
    "no target": ["similar", "what is this"],
    "NaN score": ["similar", "many/part00.py:1", "--min-score", "nan"],
    "NaN weight": ["investigate", "tax", "price", "--structural-weight", "nan"],
    "empty query": ["investigate", "tax", " "],
}


@pytest.mark.parametrize("what", WRONG)
def test_wrong(town: Path, capfd: pytest.CaptureFixture[str], what: str) -> None:
    """What cannot be answered is one sentence with a remedy."""
    ran = here(capfd, *WRONG[what], "-p", "town")
    errors = [line for line in ran.err.split("\n") if line and not line.startswith("note: ")]
    one_sentence(type(ran)(ran.code, ran.out, "\n".join(errors) + "\n"))


@pytest.mark.parametrize("depth", ["99", "999999999999999999999"])
def test_huge_depth_is_clamped(town: Path, capfd: pytest.CaptureFixture[str], depth: str) -> None:
    """A huge depth goes as far as any."""
    assert asked(capfd, "impact", "tax", "-d", depth)["depth"] == 10


def test_usage(town: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A depth or a limit that is no number is a usage error."""
    for arguments in (["impact", "tax", "-d", "nan"], ["callers", "tax", "-n", "1e9"]):
        ran = here(capfd, *arguments)
        assert (ran.code, ran.out) == (2, "")


def test_not_one_symbol_as_json(town: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """As JSON, several or no symbols are a state with all that fit, and exit code 1."""
    for command in ("impact", "callers"):
        ran = here(capfd, command, "-p", "town", "-f", "json", "twin")
        found = json.loads(ran.out)
        assert (ran.code, found["state"], found["count"]) == (1, "ambiguous", 25)
        assert len(found["candidates"]) == 20
    ran = here(capfd, "impact", "-p", "town", "-f", "json", "nobody")
    assert (ran.code, json.loads(ran.out)["state"]) == (1, "not_found")


def test_projects(town: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """An unknown project is an error; several projects label what they tell."""
    one_sentence(here(capfd, "impact", "-p", "nobody", "tax"))
    ran = here(capfd, "callers", "-a", "only_here")
    assert ran.out.startswith("village:town/money.py:5")


def test_never_indexed(
    town: Path,
    state: StateDirectory,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a deployment without an index each command says so, and makes none."""
    monkeypatch.setenv(HOME_VARIABLE, str(state.home))
    for command in COMMANDS:
        words = ["price"] * sum(p.param_type_name == "argument" for p in command.params)
        one_sentence(here(capfd, str(command.name), "-a", *words))
    assert not state.home.exists()


LIGHT = """
import sys
from codequarry.cli import main
early = sorted({"lancedb", "pyarrow", "polars", "numpy"} & set(sys.modules))
code = main.run(sys.argv[1:])
print("\\nloaded:", *early, *sorted({"dagster", "pandera", "httpx"} & set(sys.modules)))
sys.exit(code)
"""


def test_commands_stay_light(town: Path) -> None:
    """The module of the commands loads nothing heavy, and no question loads Dagster."""
    done = subprocess.run(
        [sys.executable, "-c", LIGHT, "impact", "-p", "town", "tax"],
        env=environment(town / "home"),
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode().rpartition("loaded:")[2].split() == []
