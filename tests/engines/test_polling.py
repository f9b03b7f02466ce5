"""``codequarry engines ask``: every engine asked about one symbol, and the answers fused."""

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from codequarry.cli.engines import engines
from codequarry.core.errors import UsageError
from codequarry.core.state import StateDirectory
from tests.engines.conftest import FAKES, MAPPING
from tests.retrieval.structure.town import indexed, state_of

OWN = "codequarry/index"
CALLERS = """
[operations.called_by]
via = "mcp"
tool = "callers"
arguments = { symbol = "{symbol}", file = "{file}", line = "{line}" }
rows = ["rows[]"]
fields = { name = "name", path = "path", start_line = "line" }
"""
PRICE = {"name": "price", "path": "town/money.py", "line": 9}
GHOST = {"name": "ghost", "path": "town/shop.py", "line": 1}


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> StateDirectory:
    """A deployment with two published projects."""
    return state_of(indexed(tmp_path_factory))


Plant = Callable[[dict[str, dict[str, Any]]], None]


@pytest.fixture
def plant(
    published: StateDirectory,
    state: StateDirectory,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Plant:
    """Configure fake engines, id to replies, beside a copy of the published index."""
    shutil.copytree(published.home, state.home, dirs_exist_ok=True)
    monkeypatch.setenv("PATH", "")

    def planted(fakes: dict[str, dict[str, Any]]) -> None:
        settings = ""
        for number, (engine, replies) in enumerate(fakes.items()):
            program, said = tmp_path / f"fake{number}", tmp_path / f"replies{number}.json"
            script = FAKES / "mcp_stdio.py"
            program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{script}" "$@"\n')
            program.chmod(0o755)
            said.write_text(json.dumps(replies))
            text = MAPPING.replace("fake/engine", engine) + CALLERS
            (state.home / f"{number}.toml").write_text(text)
            settings += (
                f'[code_index.engines."{engine}"]\ncommand = "{program}"\n'
                f'mapping = "{number}.toml"\ndeadlines = {{ context = 3.0 }}\n'
                f'environment = {{ FAKE_REPLIES = "{said}", FAKE_JOURNAL = "{tmp_path}/asked" }}\n'
            )
        state.engine_settings.write_text(settings)

    return planted


def said(*rows: dict[str, Any]) -> dict[str, Any]:
    return {"calls": {"callers": {"structured": {"rows": list(rows)}}}}


def asked(*arguments: str) -> Result:
    return CliRunner().invoke(engines, ["ask", *arguments, "-p", "town"])


def test_two_fakes_and_our_own_agree(plant: Plant, tmp_path: Path) -> None:
    """What several name is confirmed by their votes; what one names alone stays one voice."""
    plant({"fake/one": said(PRICE, GHOST), "fake/two": said(PRICE)})
    document = json.loads(asked("callers", "tax", "-f", "json").stdout)
    ends = {end["ref"]["name"]: end for end in document["ends"]}
    assert document["voters"] == [OWN, "fake/one", "fake/two"]
    assert (ends["price"]["votes"], ends["price"]["confirmed"]) == (document["voters"], True)
    assert (ends["ghost"]["votes"], ends["ghost"]["confirmed"]) == (["fake/one"], False)
    assert document["answers"]["fake/one"]["licence"]["rule"] == "permissive"
    first = json.loads((tmp_path / "asked").read_text().split("\n")[0])
    assert first["arguments"] == {"symbol": "tax", "file": "town/money.py", "line": 5}


def test_a_person_reads_the_votes(plant: Plant) -> None:
    """Confirmed ends come first, each with its votes; who had none is a note on stderr."""
    plant({"fake/one": said(PRICE, GHOST), "fake/two": {"calls": {"callers": {"fault": "never"}}}})
    ran = asked("callers", "tax")
    lines = ran.stdout.split("\n")
    assert "by 2 of 3 engines" in lines[0]
    assert lines[1].startswith("confirmed  2/2  town/money.py:9  price")
    assert any(line.startswith("one voice  1/2  town/shop.py:1  ghost") for line in lines)
    assert "fake/two had no vote" in ran.stderr
    assert "within 3 s" in ran.stderr


def test_impact_is_asked_of_those_that_offer_it(plant: Plant) -> None:
    """An engine without the question is not started, and is named."""
    plant({"fake/one": {**said(), "handshake_fault": "die"}})
    document = json.loads(asked("impact", "rounding", "-f", "json").stdout)
    assert document["voters"] == [OWN]
    assert document["answers"]["fake/one"]["outcome"] == "unsupported"
    assert "price" in {end["ref"]["name"] for end in document["ends"]}


def test_a_symbol_that_we_do_not_know_is_asked_by_name(plant: Plant, tmp_path: Path) -> None:
    """What is not in our index may be in another's; a file that was named goes along."""
    plant({"fake/one": said(GHOST)})
    document = json.loads(asked("callers", "new/file.py::unheard", "-f", "json").stdout)
    assert document["answers"][OWN]["outcome"] == "not_found"
    assert [end["ref"]["name"] for end in document["ends"]] == ["ghost"]
    first = json.loads((tmp_path / "asked").read_text().split("\n")[0])
    assert first["arguments"] == {"symbol": "unheard", "file": "new/file.py"}


def test_an_ambiguous_symbol_is_not_guessed(plant: Plant) -> None:
    """A name of many definitions is refused with their places."""
    plant({})
    ran = asked("callers", "twin")
    assert isinstance(ran.exception, UsageError)
    assert "many/part" in str(ran.exception)


def test_nobody_could_look(plant: Plant, state: StateDirectory) -> None:
    """Without an answer the exit code is 1, and nothing looks like "no callers"."""
    plant({"fake/one": {"calls": {"callers": {"is_error": True, "text": "kaput"}}}})
    shutil.rmtree(state.lance)
    ran = asked("callers", "tax")
    assert ran.exit_code == 1
    assert "by 0 of 2 engines" in ran.stdout
    assert f"{OWN} had no vote" in ran.stderr
