"""Engines in a search of this deployment: silent without a weight, heard with one."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from codequarry.core.registry import Project
from codequarry.core.state import StateDirectory
from codequarry.engines import deployment
from codequarry.engines.fusion import COMPONENT, Heard
from codequarry.engines.last_status import keep
from codequarry.engines.types import CodeIndexStatus
from codequarry.engines.voices import Voices
from codequarry.retrieval.query import Query
from codequarry.retrieval.search import Answer, Hit
from tests.engines.conftest import Fake, Settings, alive

QUERY = Query("f")
ROWS = {"rows": [{"name": "f", "path": "b.py", "line": 3, "score": 0.5}]}


def hit(path: str) -> Hit:
    return Hit("shop", 1, path, "", 1, 10, "function", "", None, "", "python", 0.25, {"text": 0.25})


ANSWER = Answer((hit("a.py"), hit("b.py")))


def heard(state: StateDirectory, *projects: str) -> Heard:
    with Voices(state) as voices:
        return voices.heard(projects or ("shop",), QUERY, ANSWER)


@pytest.mark.parametrize("extra", ["", "weight = 0.0"])
def test_without_a_weight_nothing_is_built(
    fake: Callable[[Settings], Fake],
    state: StateDirectory,
    shop: Project,
    extra: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An engine of weight 0 is not asked, not started, not even put together."""
    engine = fake(Settings({"search": {"structured": ROWS}}, extra=extra))
    monkeypatch.delattr(deployment, "engines_of")
    assert heard(state) == Heard(ANSWER)
    assert engine.asked == []


def test_with_a_weight_it_is_heard(
    fake: Callable[[Settings], Fake], state: StateDirectory, shop: Project
) -> None:
    """A weighted engine lifts the hit it names, by its score and its last known freshness."""
    fake(Settings({"search": {"structured": ROWS}}, extra="weight = 0.5"))
    keep(state, "fake/engine", shop, CodeIndexStatus("fresh", "usable"))
    found = heard(state)
    answer = found.answer
    assert found.licences["fake/engine"].rule == "permissive"
    assert [(one.path, one.score) for one in answer.hits] == [
        ("b.py", 0.25 + 0.5 * 0.5),
        ("a.py", 0.25),
    ]
    assert answer.hits[0].components[COMPONENT] == 0.5


def test_missing_engine_with_a_weight_is_told(state: StateDirectory, shop: Project) -> None:
    """An engine that has a weight and cannot be used changes nothing and is named."""
    state.prepare()
    state.engine_settings.write_text(
        '[code_index.engines."abhigyanpatwari/gitnexus"]\nweight = 0.5\n'
    )
    answer = heard(state).answer
    assert answer.hits == ANSWER.hits
    assert "noncommercial" in answer.warnings[0]


def test_several_searches_hear_one_process(
    fake: Callable[[Settings], Fake], state: StateDirectory, shop: Project
) -> None:
    """What one search started the next one finds warm."""
    engine = fake(Settings({"search": {"structured": ROWS}}, extra="weight = 0.5"))
    with Voices(state) as voices:
        for _ in range(3):
            assert voices.heard(("shop",), QUERY, ANSWER).licences
        pid = engine.asked[0]["pid"]
        assert alive(pid)
    assert {call["pid"] for call in engine.asked} == {pid}
    assert gone(pid)


def test_a_slow_start_is_no_slow_answer(
    fake: Callable[[Settings], Fake], state: StateDirectory, shop: Project
) -> None:
    """The time of a search does not count what the engine needs to come up, even alone."""
    more = {"start_seconds": 2.0}
    fake(Settings({"search": {"structured": ROWS}}, more, seconds=1.0, extra="weight = 0.5"))
    found = heard(state)
    assert (found.answer.warnings, len(found.licences)) == ((), 1)


def test_an_engine_that_does_not_start_is_left_alone_after_three_searches(
    fake: Callable[[Settings], Fake], state: StateDirectory, shop: Project
) -> None:
    """Failures count across processes of ours: the fourth search does not try it again."""
    settings = Settings({}, {"handshake_fault": "die"}, extra="weight = 0.5")
    fake(settings)
    for _ in range(3):
        assert "could not be started" in heard(state).answer.warnings[0]
    assert "rests" in heard(state).answer.warnings[0]


def test_deadline_of_the_settings_is_kept(
    fake: Callable[[Settings], Fake], state: StateDirectory, shop: Project
) -> None:
    """A search waits as long as engines.toml says, and no longer."""
    slow = {"search": {"structured": ROWS, "seconds": 3.0}}
    fake(Settings(slow, seconds=20.0, extra="weight = 0.5"))
    assert heard(state).licences
    fake(Settings(slow, seconds=0.5, extra="weight = 0.5"))
    assert "0.5 s" in heard(state).answer.warnings[0]


def test_changed_settings_hold_at_once(
    fake: Callable[[Settings], Fake], state: StateDirectory, shop: Project
) -> None:
    """The file is read at each question; an engine that lost its weight is not asked again."""
    engine = fake(Settings({"search": {"structured": ROWS}}, extra="weight = 0.5"))
    with Voices(state) as voices:
        voices.heard(("shop",), QUERY, ANSWER)
        text = state.engine_settings.read_text().replace("weight = 0.5", "weight = 0.25")
        state.engine_settings.write_text(text)
        keep(state, "fake/engine", shop, CodeIndexStatus("fresh", "usable"))
        scores = [one.score for one in voices.heard(("shop",), QUERY, ANSWER).answer.hits]
        state.engine_settings.write_text(text.replace("weight = 0.25", ""))
        assert voices.heard(("shop",), QUERY, ANSWER) == Heard(ANSWER)
    assert scores[0] == 0.25 + 0.25 * 0.5
    assert len(engine.asked) == 2


def test_many_threads_share_one_server(
    fake: Callable[[Settings], Fake], state: StateDirectory, shop: Project
) -> None:
    """Questions that arrive together wait for one start."""
    engine = fake(Settings({"search": {"structured": ROWS}}, extra="weight = 0.5"))
    with Voices(state) as voices, ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: voices.heard(("shop",), QUERY, ANSWER), range(4)))
    assert all(one.licences for one in found)
    assert len({call["pid"] for call in engine.asked}) == 1


@pytest.mark.parametrize("text", ["[code_index", "[code_index]\nwrong = 1\n"])
def test_wrong_settings_are_a_warning(state: StateDirectory, shop: Project, text: str) -> None:
    """A search goes on without engines when engines.toml cannot be read, and says why."""
    state.prepare()
    state.engine_settings.write_text(text)
    found = heard(state)
    assert found.answer.hits == ANSWER.hits
    assert "engines.toml" in found.answer.warnings[0]


def test_several_projects_are_told_apart(
    fake: Callable[[Settings], Fake], state: StateDirectory, shop: Project
) -> None:
    """Engines speak on one project; a search of several says that they were not asked."""
    engine = fake(Settings({"search": {"structured": ROWS}}, extra="weight = 0.5"))
    assert "one project" in heard(state, "shop", "other").answer.warnings[0]
    assert engine.asked == []


def gone(pid: int) -> bool:
    for _ in range(100):
        if not alive(pid):
            return True
        time.sleep(0.05)
    return False
