"""The modes, scopes and filters of ``codequarry search``."""

import json
from pathlib import Path

import pytest

from codequarry.cli.search import STALE_EXIT
from tests.cli.commands import here

Capture = pytest.CaptureFixture[str]
LEXICAL = ("symbol", "path", "text", "graph", "sql")

WRONG = {
    "empty": (["-m", "symbol", " "], "the query is empty"),
    "limit of nothing": (["-m", "text", "-n", "0", "alpha"], "out of range"),
    "filters": (["-m", "path", "-l", "python", "alpha"], "takes no filters"),
    "scope": (["-m", "graph", "--symbol", "alpha", "alpha"], "takes no filters"),
    "anchor of a ranked mode": (["-m", "keyword", "--from", "a.py", "alpha"], "takes no --from"),
    "depth of a ranked mode": (["-m", "semantic", "--depth", "2", "alpha"], "--depth"),
    "way of a ranked mode": (["-m", "keyword", "--direction", "in", "alpha"], "--direction"),
    "notes near an anchor": (
        ["--from", "a.py", "--annotate", "alpha"],
        "mode hybrid with --from, --depth or --direction has no --annotate",
    ),
    "filters near an anchor": (["--from", "a.py", "-l", "python", "alpha"], "takes no filters"),
    "score of a lexical mode": (["-m", "text", "--min-score", "0.5", "a"], "takes no filters"),
    "envelope": (["-m", "sql", "-f", "json-envelope", "alpha"], "has no json-envelope"),
    "lines backwards": (["--lines", "9-3", "alpha"], "is no range of lines"),
    "lines of words": (["--lines", "a-b", "alpha"], "is no range of lines"),
    "score above": (["--min-score", "2", "alpha"], "out of range"),
    "score that is none": (["--min-score", "nan", "alpha"], "out of range"),
}


def _search(capfd: Capture, *arguments: str) -> "tuple[str, str, int]":
    ran = here(capfd, "search", "-p", "demo", *arguments)
    return ran.out, ran.err, ran.code


@pytest.mark.parametrize("mode", LEXICAL)
def test_lexical_modes_answer_with_a_document(demo: Path, capfd: Capture, mode: str) -> None:
    """Each mode without a model prints one document that names its mode, results or none."""
    out, err, code = _search(capfd, "-m", mode, "-f", "json", "alpha")
    document = json.loads(out)
    assert (document["mode"], document["projects"], err, code) == (mode, ["demo"], "", 0)
    labels = [one["label"] for one in document["results"]]
    assert ("alpha" in labels) is (mode in ("symbol", "graph"))


def test_lexical_answers_are_readable(demo: Path, capfd: Capture) -> None:
    """For a person each result is a line with its place, and the reasons below it."""
    out, _, _ = _search(capfd, "-m", "symbol", "alpha")
    assert out.startswith("a.py:1  45  symbol alpha\n    exported\n")
    assert _search(capfd, "-m", "symbol", "-f", "compact", "alpha")[0] == "a.py:1\t45\talpha\n"


def test_an_anchor_that_is_none_is_told(demo: Path, capfd: Capture) -> None:
    """--from that names nothing is no silence: the answer says so."""
    out, err, _ = _search(capfd, "-m", "graph", "--from", "nowhere.py", "-f", "json", "alpha")
    assert json.loads(out)["anchor"]["state"] == "unresolved"
    assert "nothing indexed is called nowhere.py" in err


@pytest.mark.parametrize("depth", ["-1", "0", "2.9", "99", "nan", "inf", "1e300"])
def test_any_depth_is_clamped(demo: Path, capfd: Capture, depth: str) -> None:
    """A depth out of range, or none, is clamped and told."""
    arguments = ["-m", "graph", "--from", "a.py", "--depth", depth, "-f", "json", "alpha"]
    out, _, code = _search(capfd, *arguments)
    assert code == 0
    assert 0 <= json.loads(out)["limits"]["depth"] <= 5


def test_scopes_narrow_a_search(demo: Path, capfd: Capture) -> None:
    """Only the given files, or those that a symbol reaches, answer; the note says which."""
    out, err, _ = _search(capfd, "--scope-files", "dash.py,/etc/passwd", "-f", "json", "alpha")
    assert {hit["relative_path"] for hit in json.loads(out)} == {"dash.py"}
    assert err == "note: scoped to 1 file given; 1 not indexed: '/etc/passwd'\n"
    out, err, _ = _search(capfd, "--symbol", "alpha", "-f", "json", "dashed option")
    assert {hit["relative_path"] for hit in json.loads(out)} == {"a.py"}
    assert err.startswith("note: scoped to 1 file that a.alpha reaches")


def test_no_scope_searches_everything(demo: Path, capfd: Capture) -> None:
    """A symbol that is none does not fail the search (contract.md F6)."""
    out, err, code = _search(capfd, "--symbol", "nothing", "-f", "json", "alpha")
    assert (code, len(json.loads(out))) == (0, 2)
    assert err == "note: not scoped: 'nothing' names no symbol\n"


def test_lines_narrow_a_search(demo: Path, capfd: Capture) -> None:
    """--lines keeps the pieces that begin within them (contract.md F2)."""
    assert len(json.loads(_search(capfd, "--lines", "1-1", "-f", "json", "alpha")[0])) == 2
    assert json.loads(_search(capfd, "--lines", "2-9", "-f", "json", "alpha")[0]) == []


def test_hybrid_near_an_anchor_needs_no_model(demo: Path, capfd: Capture) -> None:
    """--from makes hybrid the vectorless mode of that name, with that file as its anchor."""
    out, err, code = _search(capfd, "--from", "a.py", "--direction", "out", "-f", "json", "alpha")
    document = json.loads(out)
    assert (document["mode"], err, code) == ("hybrid", "", 0)
    assert document["anchor"]["files"] == ["a.py"]


@pytest.mark.parametrize("name", WRONG)
def test_wrong_questions_are_told(demo: Path, capfd: Capture, name: str) -> None:
    """What cannot be asked is one sentence on stderr, and nothing on stdout."""
    arguments, wanted = WRONG[name]
    out, err, code = _search(capfd, *arguments)
    assert (out, code) == ("", 1)
    assert wanted in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("mode", ["symbol", "hybrid"])
def test_a_refused_answer_is_none(demo: Path, capfd: Capture, mode: str) -> None:
    """--freshness error answers nothing, in every mode."""
    late = demo / "late.py"
    late.write_text("def late():\n    return 1\n")
    try:
        out, err, code = _search(capfd, "-m", mode, "--freshness", "error", "alpha")
    finally:
        late.unlink()
    assert (out, code) == ("", STALE_EXIT)
    assert err.startswith("note: demo is stale (")
