"""``codequarry overview``."""

import json
from pathlib import Path

import pytest

from codequarry.cli.main import cli
from codequarry.cli.overview import overview
from codequarry.core.state import HOME_VARIABLE
from tests.cli.commands import here
from tests.cli.test_errors import one_sentence
from tests.retrieval.structure import programs
from tests.retrieval.structure.town import TOWN, indexed


@pytest.fixture
def town(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the two indexed projects; commands act on their deployment."""
    folder = indexed(tmp_path_factory)
    monkeypatch.setenv(HOME_VARIABLE, str(folder / "home"))
    monkeypatch.setitem(cli.commands, "overview", overview)
    return folder


def test_text(town: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A person reads the sentences first, then each list under its name."""
    ran = here(capfd, "overview", "-p", "town")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"town has {len(TOWN)} files, 1 of them tests, ")
    for title in ("languages", "folders", "hubs", "clusters"):
        assert f"\n\n{title}\n" in ran.out
    assert "\n       25  many/\n" in ran.out
    assert "town/money.py:9  money.price function  (2 users)" in ran.out
    assert "(2 files: town/money.py, town/shop.py)" in ran.out


def test_json(town: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """JSON is one document with the projects asked, ascending by name, the same every time."""
    ran = here(capfd, "overview", "--all", "-f", "json")
    found = json.loads(ran.out)["projects"]
    assert [one["project"] for one in found] == ["port", "town", "village"]
    assert found[0]["communities"]["method"] == "communities"
    assert here(capfd, "overview", "--all", "-f", "json").out == ran.out


def test_the_past(town: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """An overview of the past shows what was published then."""
    ran = here(capfd, "overview", "--as-of", "1", "-p", "town", "-n", "1")
    assert ran.out.startswith("town has ")
    one_sentence(here(capfd, "overview", "--as-of", "1", "-p", "village"))


def test_mistakes(town: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A mistake is one sentence."""
    one_sentence(here(capfd, "overview", "-p", "nowhere"))
    one_sentence(here(capfd, "overview", "-p", "town", "-n", "0"))
    one_sentence(here(capfd, "overview", "-p", "town", "-d", "-1"))


def test_a_hostile_name_steers_no_terminal(
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """A control character in a file's name is spelt out."""
    monkeypatch.setenv(HOME_VARIABLE, str(programs.indexed(tmp_path_factory) / "home"))
    monkeypatch.setitem(cli.commands, "overview", overview)
    ran = here(capfd, "overview", "-p", "programs")
    assert "scripts/\\x1b[31m.py:8  " in ran.out
    assert "\x1b" not in ran.out
    assert "  tool  (script, runs tool.cli:main)" in ran.out
