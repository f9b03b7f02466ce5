"""Fusion: weight 0 changes no bit and asks nobody; agreement of engines on edges."""

import asyncio
import hashlib
import math
import struct
from collections.abc import Sequence
from dataclasses import replace

import pytest

from codequarry.engines.agreement import agree
from codequarry.engines.fusion import COMPONENT, Voice, fuse, structure_of, voices_of
from codequarry.engines.licence import Decision, EngineLicense
from codequarry.engines.registry import EngineRegistry
from codequarry.engines.types import (
    CodeAnswer,
    CodeHit,
    CodeIndexCapabilities,
    CodeIndexStatus,
    CodeQuery,
    CodeRef,
    no_answer,
)
from codequarry.retrieval.search import Answer, Hit

QUERY = CodeQuery("discount", "shop", deadline_s=0.2)
FRESH = CodeIndexStatus("fresh", "usable")
DECISION = Decision("a/b", "MIT", True, "permissive")


def hit(path: str, score: float, start: int = 1, end: int = 10, name: str = "") -> Hit:
    return Hit(
        "shop", ord(path[0]), path, "", start, end, "function", name, None, "", "python",
        score, {"text": score, "vector": 0.1},
    )  # fmt: skip


def said(path: str, score: float = 1.0, line: int | None = 3, **more) -> CodeHit:
    ref = CodeRef("key", path, line, None, None, "f", "function", **more)
    return CodeHit(ref, 1, score, score, "calibrated", None)


class Engine:
    """An engine that counts its questions, and answers, raises or hangs."""

    display_name = "Counted"
    license = EngineLicense("MIT")

    def __init__(self, hits: Sequence[CodeHit] = (), does: str = "answer", id: str = "a/b") -> None:  # noqa: A002
        self.id = id
        self.hits = hits
        self.does = does
        self.asked = 0

    async def init(self, workspace_id: str) -> None:
        if self.does == "stuck":
            await asyncio.sleep(3600)

    async def search(self, q: CodeQuery) -> CodeAnswer[CodeHit]:
        self.asked += 1
        if self.does == "raise":
            raise RuntimeError("kaput")
        if self.does == "hang":
            await asyncio.sleep(3600)
        if self.does == "down":
            return no_answer("failed", "it ended")
        return CodeAnswer(tuple(self.hits), licence=DECISION)

    def capabilities(self) -> CodeIndexCapabilities:
        return CodeIndexCapabilities(deadlines={"start": 0.2})

    async def close(self) -> None:
        pass


# Equal scores in an order that sorting would change.
BASE = Answer(
    (hit("b.py", 0.1 + 0.2), hit("z.py", 0.25), hit("a.py", 0.25), hit("c.py", 1e-17)), ("w",)
)


def fingerprint(answer: Answer) -> str:
    packed = hashlib.sha256()
    for one in answer.hits:
        packed.update(struct.pack(">d", one.score))
        for name, value in one.components.items():
            packed.update(name.encode() + struct.pack(">d", value))
        packed.update(one.path.encode())
    return packed.hexdigest()


def fused(*voices: Voice, base: Answer = BASE) -> Answer:
    return asyncio.run(fuse(base, QUERY, voices)).answer


@pytest.mark.parametrize("does", ["answer", "raise", "hang", "down"])
def test_weight_0_is_bit_identical(does: str) -> None:
    """With weight 0 the answer is the very one without engines, and the engine is not asked."""
    engine = Engine([said("a.py")], does)
    answer = fused(Voice(engine, 0.0, FRESH))
    assert fingerprint(answer) == fingerprint(BASE)
    assert answer == BASE
    assert engine.asked == 0


def test_trap_1_other_weights_are_not_renormalised() -> None:
    """With a weight, what the engine says nothing of keeps its score to the last bit."""
    answer = fused(Voice(Engine([said("a.py")]), 0.15, FRESH))
    scores = {one.path: one.score for one in answer.hits}
    for one in BASE.hits:
        if one.path != "a.py":
            assert struct.pack(">d", scores[one.path]) == struct.pack(">d", one.score)
    assert scores["a.py"] == 0.25 + 0.15 * 1.0


@pytest.mark.parametrize("weight", [0.0, 0.5])
def test_trap_2_candidates_stay_the_same(weight: float) -> None:
    """No engine adds a hit or removes one; with weight 0 equal scores keep their order."""
    answer = fused(Voice(Engine([said("new.py")]), weight, FRESH))
    assert {one.path for one in answer.hits} == {one.path for one in BASE.hits}
    if not weight:
        assert [one.path for one in answer.hits] == ["b.py", "z.py", "a.py", "c.py"]


def test_trap_3_no_component_at_weight_0() -> None:
    """The component exists only when an engine with a weight answered."""
    silent = fused(Voice(Engine([said("a.py")]), 0.0, FRESH))
    assert all(COMPONENT not in one.components for one in silent.hits)
    spoken = fused(Voice(Engine([said("a.py")]), 0.5, FRESH))
    assert all(COMPONENT in one.components for one in spoken.hits)


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf])
def test_trap_4_nan_is_skipped(score: float) -> None:
    """0 * NaN is NaN: what is no number is never multiplied."""
    for weight in (0.0, 0.5):
        answer = fused(Voice(Engine([said("a.py", score)]), weight, FRESH))
        assert all(math.isfinite(one.score) for one in answer.hits)
    assert fingerprint(fused(Voice(Engine([said("a.py", score)]), 0.0, FRESH))) == fingerprint(BASE)


@pytest.mark.parametrize("does", ["raise", "hang", "down"])
def test_trap_5_engine_down_is_weight_0_and_a_warning(does: str) -> None:
    """An engine that raises, hangs or is down changes no score, and adds one warning."""
    answer = fused(Voice(Engine(does=does), 0.5, FRESH))
    assert fingerprint(answer) == fingerprint(BASE)
    assert len(answer.warnings) == len(BASE.warnings) + 1
    assert "a/b" in answer.warnings[-1]


def test_two_engines_one_down() -> None:
    """One engine's failure takes nothing from another's say."""
    up, down = Engine([said("c.py")]), Engine(does="raise", id="x/y")
    answer = fused(Voice(up, 1.0, FRESH), Voice(down, 1.0, FRESH))
    assert answer.hits[0].path == "c.py"
    assert len(answer.warnings) == 2


@pytest.mark.parametrize(
    ("found", "state", "value"),
    [
        ([said("a.py")], "fresh", 1.0),
        ([said("a.py")], "stale", 0.5),
        ([said("a.py")], "unknown", 0.5),
        ([said("a.py")], "error", 0.0),
        ([said("a.py", resolution="enclosing")], "fresh", 0.8),
        ([said("a.py", line=None, resolution="name")], "fresh", 0.5),
        ([said("a.py", 0.3), said("a.py", 0.4), said("a.py", 0.2)], "fresh", 0.4),
        ([said("a.py", line=99)], "fresh", 0.0),
        ([said("b.py")], "fresh", 0.0),
    ],
)
def test_structure_is_the_best_that_was_said(found: list, state: str, value: float) -> None:
    """Score times freshness times resolution; the maximum of all, never their sum."""
    factor = {"fresh": 1.0, "stale": 0.5, "unknown": 0.5}.get(state, 0.0)
    assert structure_of(hit("a.py", 0.2), found, factor) == value
    status = replace(FRESH, state=state)
    answer = fused(Voice(Engine(found), 1.0, status), base=Answer((hit("a.py", 0.0),)))
    assert answer.hits[0].score == value


def test_voices_are_the_available_engines_with_a_weight() -> None:
    """Engines without a weight, or marked unavailable, have no voice."""
    registry = EngineRegistry()
    for name in ("b/one", "a/two", "c/three"):
        registry.register(Engine(id=name))
    registry.mark_unavailable("c/three", "gone")
    weights = {"b/one": 0.5, "c/three": 0.5, "z/none": 1.0}
    assert [voice.engine.id for voice in voices_of(registry, weights, {})] == ["b/one"]


def ref(path: str, line: int | None, name: str = "f", engine: str = "") -> CodeRef:
    return CodeRef("key", path, line, None, None, name, "function", engine=engine)


def test_edges_are_confirmed_by_two() -> None:
    """An end that two engines name is confirmed, and both votes are kept."""
    fused_ends = agree(
        {
            "a/one": CodeAnswer((ref("x.py", 3), ref("y.py", 9))),
            "b/two": CodeAnswer((ref("x.py", 2, "mod.f"), ref("z.py", None))),
        }
    )
    assert [(end.ref.path, end.votes, end.confirmed) for end in fused_ends] == [
        ("x.py", ("a/one", "b/two"), True),
        ("y.py", ("a/one",), False),
        ("z.py", ("b/two",), False),
    ]


def test_no_answer_is_no_vote() -> None:
    """An engine that could not look neither confirms nor denies."""
    ends = agree({"a/one": CodeAnswer((ref("x.py", 3),)), "b/two": no_answer("failed", "kaput")})
    assert [(end.votes, end.asked, end.confirmed) for end in ends] == [
        (("a/one",), ("a/one",), False)
    ]


def test_namesakes_of_one_file_stay_apart() -> None:
    """Two definitions of one name in a file are two ends, whoever names them."""
    both = (ref("x.py", 3), ref("x.py", 40))
    ends = agree({"a/one": CodeAnswer(both), "b/two": CodeAnswer(both[::-1])})
    assert [(end.ref.start_line, len(end.votes)) for end in ends] == [(3, 2), (40, 2)]


def test_agreement_does_not_depend_on_the_order_of_engines() -> None:
    """The same answers give the same ends, whoever answered first."""
    answers = {
        "a/one": CodeAnswer((ref("x.py", 3), ref("y.py", 1))),
        "b/two": CodeAnswer((ref("y.py", None),)),
        "c/three": CodeAnswer((ref("y.py", 2), ref("x.py", 5))),
    }
    assert agree(answers) == agree(dict(reversed(answers.items())))


def test_two_voices_show_what_they_add() -> None:
    """The score is always base plus the sum of weights times the component that is shown."""
    loud, quiet = Engine([said("a.py", 1.0)]), Engine([said("a.py", 0.5)], id="c/d")
    answer = fused(Voice(loud, 0.5, FRESH), Voice(quiet, 0.25, FRESH))
    raised = next(one for one in answer.hits if one.path == "a.py")
    assert raised.score == pytest.approx(0.25 + 0.5 * 1.0 + 0.25 * 0.5)
    assert raised.score == pytest.approx(0.25 + 0.75 * raised.components[COMPONENT])


def test_the_licence_of_each_voice_stands_in_the_answer() -> None:
    """Whoever spoke is named with the gate's decision; whoever did not is not."""
    voices = (Voice(Engine([said("a.py")]), 0.5, FRESH), Voice(Engine(does="down"), 0.5, FRESH))
    assert asyncio.run(fuse(BASE, QUERY, voices)).licences == {"a/b": DECISION}
    assert asyncio.run(fuse(BASE, QUERY, voices[1:])).licences == {}


def test_an_engine_that_never_starts_is_told() -> None:
    """A start has a deadline of its own."""
    answer = fused(Voice(Engine(does="stuck"), 0.5, FRESH))
    assert "did not start within 0.2 s" in answer.warnings[-1]


def test_a_member_is_touched_by_its_last_name() -> None:
    """A hit of ``Cart::total`` is what an engine without lines calls ``total``."""
    one = hit("a.py", 0.0, name="Cart::f")
    assert structure_of(one, [said("a.py", line=None, resolution="name")], 1.0) == 0.5
