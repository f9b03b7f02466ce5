"""``codequarry batch`` as a person or an agent runs it."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from codequarry.cli.main import cli
from codequarry.core.errors import CodequarryError


def run(*arguments: str, stdin: str = "") -> Result:
    """Run the command on ``demo`` in this process."""
    asked = ["-p", "demo", "-m", "keyword", *arguments]
    return CliRunner().invoke(cli, ["batch", *asked], input=stdin, catch_exceptions=False)


def answers(*arguments: str, stdin: str = "") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(run("-f", "json", *arguments, stdin=stdin).stdout)
    return found


def test_each_query_in_its_order(demo: Path) -> None:
    """JSON has an object a query, with hits as a search prints them."""
    first, second = answers("alpha", "dashed")
    assert (first["query"], second["query"]) == ("alpha", "dashed")
    assert first["hits"][0]["relative_path"] == "a.py"
    assert first["hits"][0]["file_path"] == str(demo / "a.py")
    assert second["hits"][0]["symbol_name"] == "dash.dashed"
    assert first["failure"] == second["failure"] == ""


def test_what_was_shown_is_not_shown_again(demo: Path) -> None:
    """A piece of code comes once, and is counted after that, unless it is to come each time."""
    first, second = answers("alpha", "alpha")
    assert (second["hits"], second["repeated"]) == ([], len(first["hits"]))
    first, second = answers("--no-deduplicate", "alpha", "alpha")
    assert second["hits"] == first["hits"]
    assert "… 1 shown above" in run("alpha", "alpha").stdout


def test_filters_are_those_of_a_search(demo: Path) -> None:
    """Commas give several values, an unknown language is refused, and filters hold for each."""
    (found,) = answers("-l", "go,python", "-g", "dash.py", "alpha dashed")
    assert [hit["relative_path"] for hit in found["hits"]] == ["dash.py"]
    with pytest.raises(CodequarryError, match="empty"):
        run("-k", "", "alpha")


def test_queries_from_stdin(demo: Path) -> None:
    """A dash reads queries from stdin where it stands, one a line, blank lines apart."""
    found = answers("dashed", "-", "first", stdin="alpha\r\n\n  second one \n")
    assert [one["query"] for one in found] == ["dashed", "alpha", "second one", "first"]


def test_a_failing_query_is_reported(demo: Path) -> None:
    """A query that cannot be asked says so in its place; the others are answered, and 1 ends it."""
    ran = run(" ", "alpha")
    assert ran.exit_code == 1
    assert "failed: the query is empty" in ran.stdout
    assert "a.py:1" in ran.stdout
    bad, good = answers(" ", "alpha")
    assert "empty" in bad["failure"]
    assert (bool(good["hits"]), good["failure"]) == (True, "")
    assert run("alpha").exit_code == 0


def test_filters_and_limit(demo: Path) -> None:
    """Filters and the limit hold for each query."""
    (found,) = answers("-g", "dash.py", "-l", "python", "return")
    assert {hit["relative_path"] for hit in found["hits"]} == {"dash.py"}
    (found,) = answers("-n", "1", "return first")
    assert len(found["hits"]) == 1
    (found,) = answers("-k", "class", "alpha")
    assert found["hits"] == []


def test_a_person_sees_no_control_characters(demo: Path) -> None:
    """Text of queries and of files cannot steer the terminal."""
    out = run("dashed \x1b[31m").stdout
    assert "? dashed \\x1b[31m" in out
    assert "\x1b" not in out


@pytest.mark.parametrize(
    ("arguments", "stdin", "sentence"),
    [
        (["-"], "\n", "0 questions"),
        (["-"], "alpha\n" * 51, "51 questions"),
        (["-"], "x" * 1_000_001, "stdin has more"),
        (["-n", "0", "alpha"], "", "out of range"),
        (["-p", "nowhere", "alpha"], "", "no project is called"),
    ],
)
def test_refusals(demo: Path, arguments: list[str], stdin: str, sentence: str) -> None:
    """What cannot be asked at all is one sentence."""
    with pytest.raises(CodequarryError, match=sentence):
        run(*arguments, stdin=stdin)
