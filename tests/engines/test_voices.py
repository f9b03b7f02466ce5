"""Engines in a search of this deployment: silent without a weight, heard with one."""

from collections.abc import Callable

import pytest

from codequarry.core.registry import Project
from codequarry.core.state import StateDirectory
from codequarry.engines import deployment
from codequarry.engines.fusion import COMPONENT
from codequarry.engines.last_status import keep
from codequarry.engines.types import CodeIndexStatus, CodeQuery
from codequarry.engines.voices import speak
from codequarry.retrieval.search import Answer, Hit
from tests.engines.conftest import Fake, Settings

QUERY = CodeQuery("f", "shop", deadline_s=20.0)
ROWS = {"rows": [{"name": "f", "path": "b.py", "line": 3, "score": 0.5}]}


def hit(path: str) -> Hit:
    return Hit("shop", 1, path, "", 1, 10, "function", "", None, "", "python", 0.25, {"text": 0.25})


ANSWER = Answer((hit("a.py"), hit("b.py")))


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
    assert speak(state, shop, QUERY, ANSWER) is ANSWER
    assert engine.asked == []


def test_with_a_weight_it_is_heard(
    fake: Callable[[Settings], Fake], state: StateDirectory, shop: Project
) -> None:
    """A weighted engine lifts the hit it names, by its score and its last known freshness."""
    fake(Settings({"search": {"structured": ROWS}}, extra="weight = 0.5"))
    keep(state, "fake/engine", shop, CodeIndexStatus("fresh", "usable"))
    answer = speak(state, shop, QUERY, ANSWER)
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
    answer = speak(state, shop, QUERY, ANSWER)
    assert answer.hits == ANSWER.hits
    assert "noncommercial" in answer.warnings[0]
