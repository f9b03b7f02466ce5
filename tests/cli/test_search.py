"""Queries that a shell, a person or an agent may send."""

import json
from pathlib import Path

import pytest

from codequarry.core.text import harmless
from codequarry.embedding.house import HouseEmbedder
from tests.cli.commands import here, installed

ODD = [
    "alpha " * 10_000,
    '"alpha" AND (beta OR NOT gamma)',
    "alpha' OR '1'='1",
    "alpha; DROP TABLE chunks; --",
    "alpha* ~2 ^3 [a TO z] field:alpha",
    "{alpha} \\ / | & ! ? + -",
    "alpha\x01\x02\x1b[31m\x7f",
    "alpha\nbeta\tgamma\r\n",
    "ａｌｐｈａ Ａlpha",
    "alpha 😀 \u202e \ufeff",
    "!!! ??? ...",
    "%s %d {0} ${HOME} $(id) `id`",
    "::",
    "'",
    '"',
    "\\",
    "=alpha",
    "the of and",
]


@pytest.mark.parametrize("query", ODD, ids=range(len(ODD)))
@pytest.mark.parametrize("mode", ["hybrid", "keyword", "semantic"])
def test_odd_queries(demo: Path, capfd: pytest.CaptureFixture[str], query: str, mode: str) -> None:
    """Any text is a query: operators are words, and control characters are nothing."""
    ran = here(capfd, "search", "-p", "demo", "-f", "json", "-m", mode, "--", query)
    assert ran.code == 0
    wordless = mode != "keyword" and not HouseEmbedder().embed_query(query).any()
    assert ("the model knows no word of the question" in ran.err) is wordless
    is_common = mode == "hybrid" and query == "the of and"
    assert ("no word that tells texts apart" in ran.err) is is_common
    assert wordless or is_common or ran.err == ""
    hits = json.loads(ran.out)
    if query.startswith("alpha "):
        assert hits[0]["symbol_name"] == "a.alpha"


ODD_VALUES = ["' OR 1=1 --", "a'b", "[", "(", "**", "\\", "\x0b", "é", "a\nb", "?" * 99]


@pytest.mark.parametrize("value", ODD_VALUES, ids=range(len(ODD_VALUES)))
def test_odd_filters(demo: Path, capfd: pytest.CaptureFixture[str], value: str) -> None:
    """Filters are texts, never parts of a filter expression or of a pattern."""
    for flag in ("-g", "-k") if value.strip() else ("-g",):
        ran = here(capfd, "search", "-p", "demo", "-f", "json", flag, value, "alpha")
        assert (ran.code, ran.err) == (0, "")
        assert (flag, value) == ("-g", "**") or json.loads(ran.out) == []
    unknown = here(capfd, "search", "-p", "demo", "-f", "json", "-l", value, "alpha")
    assert (unknown.code, unknown.out) == (1, "")
    assert ("there is no language" if value.strip() else "is empty") in unknown.err


@pytest.mark.parametrize("name", ["python", "PY", ".pyi", "go,python"])
def test_languages_have_names(demo: Path, capfd: pytest.CaptureFixture[str], name: str) -> None:
    """A language is named by its id or an extension; several by commas."""
    ran = here(capfd, "search", "-p", "demo", "-f", "json", "-l", name, "alpha")
    assert json.loads(ran.out)[0]["symbol_name"] == "a.alpha"


def test_named_projects_or_all(demo: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Some projects and all projects are not asked at once, by no command."""
    asking = ("search alpha", "explore alpha", "callers alpha", "overview", "hotspots", "status")
    for command in asking:
        ran = here(capfd, *command.split(), "-p", "demo", "--all")
        assert (ran.code, ran.out) == (1, "")
        assert "--all and --project exclude each other" in ran.err


def test_empty_filters(demo: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """An empty filter is an error, never no filter."""
    for flag in ("-l", "-k"):
        assert here(capfd, "search", "-p", "demo", flag, "", "alpha").code == 1


def test_dash_after_two_dashes(demo: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """After ``--`` a word that begins with a dash is part of the query."""
    ran = here(capfd, "search", "-p", "demo", "-f", "json", "--", "--full", "option")
    assert json.loads(ran.out)[0]["symbol_name"] == "dash.dashed"


def test_words_are_joined(demo: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Several arguments are one query, with or without quotes around them."""
    one = here(capfd, "search", "-p", "demo", "-f", "json", "first second")
    many = here(capfd, "search", "-p", "demo", "-f", "json", "first", "second")
    assert one.out == many.out != "[]"


def test_bytes_that_are_no_text(demo: Path) -> None:
    """Arguments that are not UTF-8 are a query too, and a project of such a name is unknown."""
    home = demo.parent / "home"
    ran = installed(home, "search", "-p", "demo", "-f", "json", b"alpha \xff\xfe")
    assert (ran.code, ran.err) == (0, "")
    assert json.loads(ran.out)[0]["symbol_name"] == "a.alpha"
    for arguments in (["-p", b"\xff", "a"], ["-p", "demo", "-l", b"\xff", "a"]):
        odd = installed(home, "search", *arguments)
        assert "internal error" not in odd.err


def test_where_one_stands_decides(
    demo: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Inside a project its paths stand alone; outside, every project is searched and named."""
    monkeypatch.chdir(demo)
    assert here(capfd, "search", "alpha").out.startswith("a.py:1  1.00  a.alpha\n")
    monkeypatch.chdir(tmp_path)
    assert here(capfd, "search", "alpha").out.startswith("demo:a.py:1  1.00  a.alpha\n")


def test_terminal_stays_unharmed() -> None:
    """Control characters of a project's texts are spelt out; tabs and letters stay."""
    assert harmless("\x1b[31mred\x07\r\tü\x9b\x7f") == "\\x1b[31mred\\x07\\x0d\tü\\x9b\\x7f"
    assert harmless("a name\nof two lines.py") == "a name\\x0aof two lines.py"


def test_snippets_are_harmless(demo: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A person's output spells out what the source has; JSON keeps it byte for byte."""
    assert "return '\\x1b[31m'" in here(capfd, "search", "-p", "demo", "dashed").out
    hits = json.loads(here(capfd, "search", "-p", "demo", "-f", "json", "dashed").out)
    assert "return '\x1b[31m'" in hits[0]["content"]
