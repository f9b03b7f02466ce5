"""``codequarry memory`` as people and codemap call it."""

import json

import pytest

from codequarry.core.state import StateDirectory
from tests.cli.commands import here
from tests.embedding.server import Answer, EmbeddingServer

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def remembered(state: StateDirectory, capfd: Capture) -> StateDirectory:
    """A memory with two entries of one project, and one of none."""
    for text, tags in (
        ("refresh tokens five minutes early", "codemap,45e78582e898"),
        ("the parser keeps comments and their order", "codemap, 45e78582e898"),
        ("ask before deleting a branch", ""),
    ):
        ran = here(capfd, "memory", "remember", text, "--tags", tags, "--importance", "0.7")
        assert ran.code == 0, ran.err
    return state


def test_remember_says_id_and_links(remembered: StateDirectory, capfd: Capture) -> None:
    """A person reads the id and the linked ids, a program the same as JSON."""
    ran = here(capfd, "memory", "remember", "refresh session tokens", "early")
    assert (ran.code, ran.err, ran.out) == (0, "", "Memory stored (id 4)\nRelated: 1\n")
    ran = here(capfd, "memory", "remember", "quite another matter", "-f", "json")
    assert json.loads(ran.out) == {"id": "5", "related": []}


def test_a_twin_is_named(remembered: StateDirectory, capfd: Capture) -> None:
    """The refusal goes to stderr with the twin's id; --allow-duplicate keeps it."""
    again = ("memory", "remember", "refresh tokens five minutes early")
    ran = here(capfd, *again)
    assert (ran.code, ran.out) == (1, "")
    assert "memory 1 says the same" in ran.err
    assert here(capfd, *again, "--allow-duplicate").code == 0


def test_recall_is_c5(remembered: StateDirectory, capfd: Capture) -> None:
    """An array, two spaces a level, a newline; ids are strings, tags always a list (G5)."""
    asked = ("--tags", "codemap,45e78582e898", "--min-importance", "0.3", "--limit", "5")
    ran = here(capfd, "memory", "recall", "token refresh", *asked, "--format", "json")
    assert (ran.code, ran.err) == (0, "")
    found = json.loads(ran.out)
    assert ran.out == json.dumps(found, ensure_ascii=False, indent=2) + "\n"
    assert list(found[0]) == ["id", "content", "importance", "tags", "score"]
    first = {name: value for name, value in found[0].items() if name != "score"}
    assert first == {
        "id": "1",
        "content": "refresh tokens five minutes early",
        "importance": 0.7,
        "tags": ["codemap", "45e78582e898"],
    }
    assert isinstance(found[0]["score"], float)
    assert [memory["id"] for memory in found] == ["1", "2"]
    ran = here(capfd, "memory", "recall", "delete branch", "-n", "1", "-f", "json")
    assert json.loads(ran.out)[0]["tags"] == []


def test_recall_of_nothing(remembered: StateDirectory, capfd: Capture) -> None:
    """Nothing that matches is an empty array and success; a person is told."""
    ran = here(capfd, "memory", "recall", "x", "--tags", "code", "-f", "json")
    assert (ran.code, ran.out, ran.err) == (0, "[]\n", "")
    ran = here(capfd, "memory", "recall", "x", "--tags", "code")
    assert (ran.code, ran.out, ran.err) == (0, "", "nothing is remembered of that\n")


@pytest.mark.parametrize("output", ["json", "text", "default"])
def test_recall_that_fails(remembered: StateDirectory, capfd: Capture, output: str) -> None:
    """Exit 1, the message on stderr; JSON readers still get an array (G5)."""
    ran = here(capfd, "memory", "recall", " ", "-f", output)
    assert (ran.code, ran.err) == (1, "codequarry: the question is empty; ask for something\n")
    assert ran.out == ("[]\n" if output == "json" else "")


def test_recall_without_its_provider(
    remembered: StateDirectory, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit 3 and one JSON document on stderr, so that codemap goes on without memories (G5)."""
    server = EmbeddingServer(lambda _document, _number: Answer({}, 404))
    monkeypatch.setenv("CODEQUARRY_EMBEDDING_PROVIDER", "ollama")
    monkeypatch.setenv("CODEQUARRY_EMBEDDING_BASE_URL", server.url)
    # A server that answers, but has no such model, is another failure.
    ran = here(capfd, "memory", "recall", "token", "-f", "json")
    server.close()
    assert (ran.code, ran.out) == (1, "[]\n")
    ran = here(capfd, "memory", "recall", "token", "-f", "json")
    assert (ran.code, ran.out, ran.err) == (3, "", '{"error": "provider_unavailable"}\n')
    ran = here(capfd, "memory", "recall", "token")
    assert (ran.code, ran.out) == (1, "")
    assert here(capfd, "memory", "stats").code == 0
    assert here(capfd, "memory", "forget", "1").code == 0


def test_text_of_a_memory_steers_no_terminal(state: StateDirectory, capfd: Capture) -> None:
    """Control characters of a memory and of its tags are spelled out."""
    here(capfd, "memory", "remember", "red \x1b[31m\nline two\r", "--tags", "\x07bell")
    ran = here(capfd, "memory", "recall", "red line")
    assert "\x1b" not in ran.out
    assert "\x07" not in ran.out
    assert "    red \\x1b[31m\n    line two\\x0d\n" in ran.out


def test_related_memories_are_previewed(state: StateDirectory, capfd: Capture) -> None:
    """A person sees what a memory is linked with."""
    here(capfd, "memory", "remember", "refresh tokens five minutes early")
    here(capfd, "memory", "remember", "refresh session tokens early")
    ran = here(capfd, "memory", "recall", "session", "-n", "1")
    assert ran.out.endswith("    related 1: refresh tokens five minutes early\n")


def test_forget_by_id(remembered: StateDirectory, capfd: Capture) -> None:
    """It says what it forgot; an id that is none, or none any more, is an error."""
    assert here(capfd, "memory", "forget", "2").out == "Memory forgotten (id 2)\n"
    for number in ("2", "0", "99999999999999999999", "x", "1 OR true", "²"):
        ran = here(capfd, "memory", "forget", number)
        assert (ran.code, ran.out) == (1, "")
    assert here(capfd, "memory", "forget", "1", "--tags", "codemap").code == 1
    assert "2 memories" in here(capfd, "memory", "stats").out


def test_forgetting_many_asks(
    remembered: StateDirectory, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a yes nothing is forgotten, and without a terminal there is no yes."""
    ran = here(capfd, "memory", "forget", "--tags", "codemap")
    assert ran.code == 1
    assert "2 memories would be forgotten; confirm it with --yes" in ran.err
    assert "3 memories" in here(capfd, "memory", "stats").out
    assert here(capfd, "memory", "forget", "--tags", "codema").out == "0 memories forgotten\n"
    ran = here(capfd, "memory", "forget", "--tags", "codemap", "--yes")
    assert (ran.code, ran.out) == (0, "2 memories forgotten\n")
    ran = here(capfd, "memory", "forget", "-y")
    assert (ran.code, ran.out) == (1, "")
    ran = here(capfd, "memory", "forget", "-y", "--older-than-hours", "nan")
    assert (ran.code, ran.out) == (1, "")


def test_stats(remembered: StateDirectory, capfd: Capture) -> None:
    """Counts, times and tags, for a person and as JSON."""
    found = json.loads(here(capfd, "memory", "stats", "-f", "json").out)
    assert (found["total"], found["expired"], found["tags"]) == (3, 0, 2)
    assert found["tag_counts"] == {"45e78582e898": 2, "codemap": 2}
    assert found["oldest"] <= found["newest"]
    assert found["newest"].endswith("Z")
    assert here(capfd, "memory", "stats").out.startswith("3 memories, 0 expired, 2 tags\nmade ")


def test_nothing_yet(state: StateDirectory, capfd: Capture) -> None:
    """A deployment without any memory answers every question about it."""
    assert here(capfd, "memory", "stats").out == "0 memories, 0 expired, 0 tags\n"
    found = json.loads(here(capfd, "memory", "stats", "-f", "json").out)
    assert (found["total"], found["oldest"], found["tag_counts"]) == (0, None, {})
    assert here(capfd, "memory", "recall", "x", "-f", "json").out == "[]\n"
    assert here(capfd, "memory", "forget", "-y", "--tags", "x").out == "0 memories forgotten\n"
    assert not state.home.exists()


@pytest.mark.parametrize("tags", ["", ",", " , "])
def test_no_tag_is_no_filter(remembered: StateDirectory, capfd: Capture, tags: str) -> None:
    """A filter without a tag is an error: it must not recall, or forget, everything."""
    for arguments in (("recall", "x"), ("forget", "--yes")):
        ran = here(capfd, "memory", *arguments, "--tags", tags)
        assert (ran.code, ran.out) == (1, "")
        assert "--tags has no tag" in ran.err
