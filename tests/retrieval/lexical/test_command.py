"""The lexical modes as a person asks them."""

import json
import shlex

import pytest
from click.testing import CliRunner, Result

from codequarry.cli.main import cli
from codequarry.core.state import StateDirectory


@pytest.fixture
def home(published: StateDirectory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands run in the deployment of the tree."""
    monkeypatch.setenv("CODEQUARRY_HOME", str(published.home))


def run(*arguments: str) -> Result:
    """Run a search of the tree."""
    ran = CliRunner().invoke(cli, ["search", "-p", "lexicon", *arguments], catch_exceptions=False)
    assert ran.exit_code == 0, ran.output
    return ran


@pytest.mark.usefixtures("home")
def test_relations_and_handle_are_shown() -> None:
    """An SQL object comes with what uses it and its handle, and the handle goes on from it."""
    out = run("-m", "sql", "-n", "1", "`invoices`").stdout.split("\n")
    assert any("incoming:sql:reads_from:invoices -> sql:invoice_report:" in line for line in out)
    (handle,) = [shlex.split(line)[1] for line in out if line.startswith("    --from ")]
    near = run("-m", "graph", "--from", handle, "invoice").stdout
    assert "graph neighborhood: distance 1" in near


@pytest.mark.usefixtures("home")
def test_what_was_not_looked_at_is_told() -> None:
    """Notes name words that do not count, files not searched, and statements not read."""
    words = " ".join(f"w{number}" for number in range(70))
    assert run("-m", "sql", words).stderr.startswith(
        "note: 6 more words of the question do not count\nnote: 1 SQL statement could not be read\n"
    )
    assert "note: text of 1 large file was not searched\n" in run("-m", "text", "user").stderr


@pytest.mark.usefixtures("home")
def test_follow_up_of_an_object_runs() -> None:
    """The command that goes on from an SQL object is one that runs."""

    answer = json.loads(run("-m", "sql", "-f", "json", "late ones").stdout)
    step = answer["results"][0]["followUps"][0]
    assert step["tool"] == "search"
    near = CliRunner().invoke(cli, ["search", *step["arguments"]], catch_exceptions=False)
    assert "sql_object late ones" in near.stdout
