"""``codequarry explore`` as a person or an agent runs it."""

import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from codequarry.cli.explore import command
from codequarry.cli.main import cli
from codequarry.core.errors import CodequarryError
from codequarry.retrieval.lexical.result import FollowUp


def run(*arguments: str) -> str:
    """Run the command in this process, and give what it printed on stdout."""
    ran = CliRunner().invoke(cli, ["explore", *arguments], catch_exceptions=False)
    assert ran.exit_code == 0, ran.output
    return ran.stdout


def test_text(demo: Path) -> None:
    """A person sees anchors, source and the next commands; control characters are spelled out."""
    out = run("-p", "demo", "dashed")
    assert "dash.py:1" in out
    assert "'''--full is an option" in out
    assert "\\x1b[31m" in out
    assert "\x1b" not in out
    assert "codequarry callers -p demo -- dash.py::dash.dashed" in out


def test_json(demo: Path) -> None:
    """One JSON document on stdout, with source only on request."""
    whole = json.loads(run("-p", "demo", "-f", "json", "alpha"))
    assert whole["schemaVersion"] == 1
    assert whole["anchors"][0]["label"] == "alpha"
    assert "return first" in whole["packets"][0]["packet"]["source"]["text"]
    bare = json.loads(run("-p", "demo", "-f", "json", "--no-source", "alpha"))
    assert bare["packets"][0]["packet"]["source"] is None


@pytest.mark.parametrize("query", ["-alpha", '"a" AND NOT b*', "the", "\x1b[31m", "x " * 9_999])
def test_odd_queries(demo: Path, query: str) -> None:
    """Any text is a query."""
    json.loads(run("-p", "demo", "-f", "json", "--", query))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["-p", "demo", " "], "the query is empty"),
        (["-p", "nowhere", "x"], "no project is called 'nowhere'"),
        (["-p", "demo", "-n", "0", "x"], "out of range"),
        (["-p", "demo", "--max-packets", "-1", "x"], "out of range"),
        (["-p", "demo", "--as-of", "999", "x"], "no entry as of"),
    ],
)
def test_refusals(demo: Path, arguments: list[str], sentence: str) -> None:
    """What cannot be done is said in one sentence."""
    with pytest.raises(CodequarryError, match=sentence):
        run(*arguments)


def test_commands_survive_a_shell() -> None:
    """A follow-up splits back into its arguments, whatever the project's names are."""
    step = FollowUp(tool="explore", arguments=["-p", "a b", "--", "x; rm -rf $HOME"])
    assert shlex.split(command(step)) == ["codequarry", step.tool, *step.arguments]
