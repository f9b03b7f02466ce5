"""The forms in which ``codequarry search`` answers (contract.md F7, F8)."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import codequarry.schemas.search as documents
from codequarry.cli.search import STALE_EXIT
from codequarry.cli.snippets import marked, window, words_of
from codequarry.core.state import StateDirectory
from tests.cli.commands import here, installed
from tests.e2e.planting import write

SCHEMA = Path(documents.__file__).with_name(documents.SEARCH_SCHEMA)


def _search(capfd: pytest.CaptureFixture[str], *arguments: str) -> "tuple[str, str, int]":
    ran = here(capfd, "search", "-p", "demo", *arguments)
    return ran.out, ran.err, ran.code


def test_json_is_a_bare_array_without_a_newline(
    demo: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """F7: an indented array, no newline at its end, ``[]`` when nothing matches."""
    out, _, _ = _search(capfd, "-f", "json", "alpha")
    assert out.startswith("[\n  {\n    ")
    assert out.endswith("]")
    hit = json.loads(out)[0]
    assert list(hit)[:8] == [
        *("chunk_id", "file_id", "file_path", "relative_path", "content", "start_line", "end_line"),
        "chunk_type",
    ]
    assert hit["file_path"] == str(demo / "a.py")
    assert hit["selector"] == {
        "file": "a.py",
        "start_line": 1,
        "fqn": "a.alpha",
        "kind": "function",
    }
    assert _search(capfd, "-f", "json", "-m", "keyword", "zzz")[0] == "[]"


def test_envelope_follows_its_schema(demo: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """F8: the envelope validates against the schema we keep, hits or none."""
    validator = Draft202012Validator(json.loads(SCHEMA.read_bytes()))
    for question in ("alpha", "zzz"):
        out, err, code = _search(capfd, "-f", "json-envelope", "-m", "keyword", question)
        document = json.loads(out)
        validator.validate(document)
        assert out.endswith("}\n")
        assert (document["index"], err, code) == (
            {"indexed": True, "fresh": True, "chunks": 2},
            "",
            0,
        )
    broken = {**document, "extra": 1}
    assert not validator.is_valid(broken)


def test_the_envelope_of_no_index(state: StateDirectory, capfd: pytest.CaptureFixture[str]) -> None:
    """Never built is a state: not indexed, not fresh, no hits, and a failure with its remedy."""
    ran = here(capfd, "search", "-a", "-f", "json-envelope", "alpha")
    document = json.loads(ran.out)
    Draft202012Validator(json.loads(SCHEMA.read_bytes())).validate(document)
    assert document["index"] == {"indexed": False, "fresh": False, "chunks": 0}
    assert (document["hits"], ran.code) == ([], 1)
    assert "run `codequarry index PATH`" in ran.err
    assert here(capfd, "search", "-a", "-f", "json", "alpha").out == ""


def test_a_past_that_is_not_there_is_no_missing_index(
    demo: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Of an index that exists, the envelope never says that it was not built."""
    out, err, code = _search(capfd, "-f", "json-envelope", "--as-of", "999", "alpha")
    assert (out, code) == ("", 1)
    assert "the ledger has no entry as of '999'" in err


PLACES = {
    "plain": {"LC_ALL": "C", "TZ": "Asia/Tokyo", "PYTHONHASHSEED": "1"},
    "ascii": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONHASHSEED": "2"},
}


@pytest.mark.parametrize("place", PLACES)
def test_the_same_bytes_everywhere(
    demo: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], place: str
) -> None:
    """Warm or cold, in another folder, locale, time zone and hash seed: the same bytes of UTF-8."""
    arguments = ("search", "-p", "demo", "-f", "json", "dashed alpha option")
    warm, again = here(capfd, *arguments).out, here(capfd, *arguments).out
    cold = installed(demo.parent / "home", *arguments, cwd=tmp_path, extra=PLACES[place])
    assert (cold.out, cold.code, cold.err) == (warm, 0, "")
    assert "größe" in cold.out
    assert warm == again


def test_plain_rows_are_utf_8_too(tmp_path: Path) -> None:
    """Projects and their status are UTF-8 where the terminal's encoding is another."""
    home, root = tmp_path / "home", tmp_path / "größe →"
    root.mkdir()
    assert installed(home, "projects", "add", root).code == 0
    for command in (["projects", "list"], ["status", "--all"]):
        ran = installed(home, *command, "-f", "json", extra={"PYTHONIOENCODING": "latin-1"})
        assert str(root) in ran.out


def test_explanations_are_in_json_too(demo: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """``--explain`` adds the components to each hit, and only then."""
    plain = json.loads(_search(capfd, "-f", "json", "alpha")[0])
    explained = json.loads(_search(capfd, "-f", "json", "--explain", "alpha")[0])
    assert "components" not in plain[0]
    assert explained[0]["components"]["exact"] > 0


def test_compact_has_a_line_a_hit(demo: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """F7: place, score and symbol, tab-separated."""
    out, _, _ = _search(capfd, "-f", "compact", "-n", "1", "alpha")
    assert out == "a.py:1-2\t1.00\ta.alpha\n"


def test_low_scores_are_dropped(demo: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """``--min-score`` keeps the hits at or above it."""
    everything = json.loads(_search(capfd, "-f", "json", "alpha")[0])
    best = json.loads(_search(capfd, "-f", "json", "--min-score", "1", "alpha")[0])
    assert len(everything) > len(best) == 1


def test_stale_answers_obey_the_policy(demo: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """An index behind its tree is passed over, told, or refused; the envelope always says it."""
    late = demo / "late.py"
    late.write_text("def late():\n    return 1\n")
    try:
        assert _search(capfd, "--freshness", "ignore", "alpha")[1:] == ("", 0)
        for arguments in ([], ["--freshness", "warn"]):
            out, err, code = _search(capfd, *arguments, "alpha")
            assert out.startswith("a.py:1")
            assert err.startswith("note: demo is stale (")
            assert "1 changed since it was indexed: run `codequarry index" in err
            assert code == 0
        out, err, code = _search(capfd, "--freshness", "error", "alpha")
        assert (out, code) == ("", STALE_EXIT)
        assert err.startswith("note: demo is stale (")
        for policy in ("ignore", "warn"):
            out, _, _ = _search(capfd, "--freshness", policy, "-f", "json-envelope", "alpha")
            assert json.loads(out)["index"]["fresh"] is False
    finally:
        late.unlink()


def test_an_empty_answer_of_several_projects_is_judged(
    demo: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Nothing found in fresh trees is an answer, and not taken for a stale index."""
    asked = ("search", "-a", "-m", "keyword", "zzz", "--freshness")
    ran = here(capfd, *asked, "error")
    assert ran.code == 0, ran.err
    for policy in ("error", "warn"):
        ran = here(capfd, *asked, policy, "-f", "json-envelope")
        assert ran.code == 0, ran.err
        assert json.loads(ran.out)["index"]["fresh"] is True


def test_a_project_that_is_behind_and_silent(
    demo: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """What was found elsewhere vouches for no project that may hold it by now."""
    root = write(tmp_path / "silent", {"b.py": b"def beta():\n    return 1\n"})
    assert here(capfd, "index", root).code == 0
    asked = ("search", "-a", "-m", "keyword", "alpha")
    try:
        write(root, {"b.py": b"def alpha():\n    return 1\n"})
        envelope = json.loads(here(capfd, *asked, "-f", "json-envelope").out)
        assert {hit["project"] for hit in envelope["hits"]} == {"demo"}
        assert envelope["index"]["fresh"] is False
        ran = here(capfd, *asked, "--freshness", "error")
        assert (ran.out, ran.code) == ("", STALE_EXIT)
        assert here(capfd, *asked).err == ""
    finally:
        assert here(capfd, "projects", "remove", "silent").code == 0


def test_snippet_shows_the_lines_asked_for() -> None:
    """The window holds the most different words of the question; the earliest of equals."""
    lines = ["def run(self):", *["    pass"] * 9, "    retry(backoff)", "    backoff"]
    assert window(lines, words_of("retry backoff"), 3) == 8
    assert window(lines, words_of("nothing here"), 3) == 0
    assert window(lines[:2], words_of("pass"), 6) == 0


def test_marks_are_on_whole_identifiers() -> None:
    """An identifier is marked when one of its words was asked for, and nothing else is."""
    line = marked("x = retryPolicy.next(retry_count)", words_of("retry"), lambda word: f"<{word}>")
    assert line == "x = <retryPolicy>.next(<retry_count>)"
