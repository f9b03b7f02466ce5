"""Searches while an index is built with one model, and another is configured."""

import json
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from codequarry.core.state import StateDirectory
from tests.cli.commands import PROGRAM, Ran, environment, here
from tests.e2e.planting import write
from tests.e2e.running import index
from tests.embedding.stage import Stage

TREE = {
    "a.py": b"def alpha(first):\n    return first\n",
    "b.py": b"def beta():\n    '''parse the header'''\n",
}
TEXTUAL = ("keyword", "symbol", "text", "path")


@pytest.fixture
def stages() -> Iterator[tuple[Stage, Stage]]:
    """A model that a run waits for, and the same one as searches reach it."""
    made = Stage(), Stage()
    yield made
    for stage in made:
        stage.open.set()
        stage.server.close()


def test_rebuilt_now_with_another_model(
    tmp_path: Path,
    state: StateDirectory,
    stages: tuple[Stage, Stage],
    capfd: pytest.CaptureFixture[str],
) -> None:
    """A run in progress hides nothing: the old index answers; then the new one, and says so."""
    root, (building, answering) = write(tmp_path / "demo", TREE), stages
    index(state, root)

    def ask(mode: str, model: Mapping[str, str] | None = None) -> Ran:
        with pytest.MonkeyPatch.context() as patch:
            for name, value in (model or {}).items():
                patch.setenv(name, value)
            question = ("-p", "demo", "-m", mode, "-f", "json", "parse header beta")
            return here(capfd, "search", *question)

    before = {mode: ask(mode) for mode in ("hybrid", "semantic", *TEXTUAL)}
    assert json.loads(before["semantic"].out)[0]["symbol_name"] == "b.beta"
    building.open.clear()
    running = subprocess.Popen(
        [PROGRAM, "index", "--full", root],
        env=environment(state.home, building.settings),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    assert building.asked.wait(120)
    for mode, answer in before.items():
        assert ask(mode) == answer, mode
    for mode in TEXTUAL:
        assert ask(mode, answering.settings) == before[mode], mode
    _refused(ask("semantic", answering.settings), "house:code-words-v2:256", "openai:m:4")
    _by_text_alone(ask("hybrid", answering.settings))
    assert running.poll() is None
    building.open.set()
    _, errors = running.communicate(timeout=120)
    assert (running.returncode, errors) == (0, b"")
    for mode in ("hybrid", "semantic"):
        ran = ask(mode, answering.settings)
        assert (ran.code, ran.err, len(json.loads(ran.out))) == (0, "", 2)
    _refused(ask("semantic"), "openai:m:4", "house:code-words-v2:256")
    _by_text_alone(ask("hybrid"))
    assert ask("keyword").code == 0


def _refused(ran: Ran, built: str, configured: str) -> None:
    """Check that an answer by meaning was refused with both models and the remedy."""
    assert (ran.code, ran.out) == (1, "")
    assert f"with the embedding profile {built}, and {configured} is configured" in ran.err
    assert "run `codequarry index --full`, or configure the profile of the index" in ran.err
    assert ran.err.count("\n") == 1


def _by_text_alone(ran: Ran) -> None:
    """Check that the full text answered, and that a note says why."""
    assert json.loads(ran.out)[0]["symbol_name"] == "b.beta"
    assert ran.err.startswith("note: answered by text alone: demo was indexed with")
    assert (ran.code, ran.err.count("\n")) == (0, 1)
