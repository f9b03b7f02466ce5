import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from codequarry.retrieval.structure import codemap
from codequarry.retrieval.structure.codemap import (
    CodemapPeer,
    Outcome,
    external_id,
    is_from_codemap,
)
from tests.fakes.peer import NOT_FOUND, NOT_INDEXED, Said, calls, install_peer, places

SELECTOR = {"file": "a.py", "start_line": 3, "fqn": "a.f", "kind": "function"}
POSITION = {"file": "a.py", "line": 4, "symbol": "f", "fqn": "a.f", "kind": "function",
            "start_line": 3, "end_line": 5, "selector": SELECTOR, "resolution": "enclosing",
            "indexed": True}  # fmt: skip
IMPACT = {"symbol": "f", "selector": SELECTOR, "found": True, "call_graph": "resolved",
          "direct_callers": [{"symbol": "g", "fqn": "a.g", "kind": "function", "file": "a.py"}],
          "blast_radius": [], "tests": [], "untested": True}  # fmt: skip
IMPACTS = {"project": "demo", "indexed": True, "requested": 1, "processed": 1, "results": [IMPACT]}
ASKED = {
    "symbol-at": lambda peer: peer.symbol_at("a.py", 4),
    "impact": lambda peer: peer.impact(SELECTOR, 3),
    "hotspots": lambda peer: peer.hotspots(200),
    "related-files": lambda peer: peer.related_files("a.py"),
    "annotate": lambda peer: peer.annotate(SELECTOR, "why", "note", {"score": 0.5}),
}
GOOD: dict[str, dict[str, Any]] = {
    "symbol-at": POSITION,
    "impact": IMPACTS,
    "hotspots": {"hotspots": [{"symbol": "f", "file": "a.py", "in_degree": 2}]},
    "related-files": {"indexed": True, "related": [{"relative_path": "b.py", "reason": "test"}]},
    "annotate": {"id": 1, "target": "a.f", "action": "created"},
}


def peer(tmp_path: Path, answers: dict[str, Said], seconds: float = 30) -> CodemapPeer:
    return CodemapPeer(install_peer(tmp_path, answers), tmp_path, seconds=seconds)


def outcome(asked: CodemapPeer, command: str) -> Outcome:
    found: Outcome = ASKED[command](asked).outcome
    return found


@pytest.mark.parametrize("command", ASKED)
def test_answers(tmp_path: Path, command: str) -> None:
    """Each command's answer is decoded, and the child runs in the project's root."""
    asked = peer(tmp_path, {command: {"document": GOOD[command]}})
    reply = ASKED[command](asked)
    assert reply.outcome is Outcome.ANSWERED
    assert reply.document is not None
    assert asked.binary is not None
    assert places(asked.binary) == {os.path.realpath(tmp_path)}


@pytest.mark.parametrize("command", ASKED)
def test_kinds_of_no_answer(tmp_path: Path, command: str) -> None:
    """Missing, errored, not indexed and not found stay apart, and none is an answer."""
    refused = Outcome.NOT_FOUND if command == "related-files" else Outcome.NOT_INDEXED
    ways: list[tuple[Said, Outcome]] = [
        ({"document": NOT_FOUND, "status": 2}, Outcome.NOT_FOUND),
        ({"document": NOT_INDEXED, "status": 2}, Outcome.NOT_INDEXED),
        ({"document": {"indexed": False}}, refused),
        ({"fault": "die"}, Outcome.ERRORED),
    ]
    if command == "impact":
        broken: tuple[Said, ...] = ({"fault": "garbage"}, {"document": [1, 2]}, {})
        ways += [(said, Outcome.ERRORED) for said in broken]
    for said, expected in ways:
        reply = ASKED[command](peer(tmp_path, {command: said}))
        assert (reply.outcome, reply.document) == (expected, None)
        assert reply.detail
        assert "secret" not in reply.detail
    assert outcome(CodemapPeer(None, tmp_path), command) is Outcome.MISSING
    assert outcome(CodemapPeer(tmp_path / "gone", tmp_path), command) is Outcome.ERRORED


def test_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A peer that floods, or does not end, is stopped and counts as errored."""
    monkeypatch.setattr(codemap, "STDOUT_BYTES", 1000)
    assert outcome(peer(tmp_path, {"hotspots": {"fault": "flood"}}), "hotspots") is Outcome.ERRORED
    hung = peer(tmp_path, {"hotspots": {"fault": "hang"}}, seconds=0.5)
    assert outcome(hung, "hotspots") is Outcome.ERRORED


def test_answered_with_nothing(tmp_path: Path) -> None:
    """An empty list is an answer; a file that codemap does not know is not found."""
    nothing = {**IMPACT, "direct_callers": []}
    answers: dict[str, Said] = {
        "impact": {"document": {**IMPACTS, "results": [nothing]}},
        "hotspots": {"document": {"hotspots": []}},
        "related-files": {"document": {"indexed": True, "related": []}},
    }
    asked = peer(tmp_path, answers)
    for command in answers:
        assert outcome(asked, command) is Outcome.EMPTY
    answers["impact"] = {"document": {**IMPACTS, "results": [{**IMPACT, "found": False}]}}
    answers["related-files"] = {"document": {"indexed": False, "related": []}}
    answers["symbol-at"] = {"document": {**POSITION, "resolution": "none"}}
    asked = peer(tmp_path, answers)
    assert outcome(asked, "impact") is Outcome.NOT_FOUND
    assert outcome(asked, "symbol-at") is Outcome.NOT_FOUND
    assert outcome(asked, "related-files") is Outcome.NOT_FOUND


def test_impact_by_selector(tmp_path: Path) -> None:
    """Impact is asked by selector, never by a bare name, with the depth when it is not 3."""
    asked = peer(tmp_path, {"impact": {"document": IMPACTS}})
    asked.impact(SELECTOR, 3)
    asked.impact(SELECTOR, 5)
    assert asked.binary is not None
    first, second = calls(asked.binary)
    assert first[:2] == ["impact", "--selector"]
    assert json.loads(first[2]) == SELECTOR
    assert first[3:] == ["--json"]
    assert second[3:] == ["--json", "--depth", "5"]


def test_stale_index(tmp_path: Path) -> None:
    """An answer from an index that is behind the tree says so."""
    stale = {**IMPACTS, "freshness": {"checked": True, "stale": True, "staleness": {"changed": 1}}}
    reply = peer(tmp_path, {"impact": {"document": stale}}).impact(SELECTOR, 3)
    assert (reply.outcome, "behind" in reply.detail) == (Outcome.ANSWERED, True)


def test_annotation_is_idempotent(tmp_path: Path) -> None:
    """An annotation names the qualified name, and an id of query and selector without lines."""
    asked = peer(tmp_path, {"annotate": {"document": GOOD["annotate"]}})
    asked.annotate(SELECTOR, "why", "a note", {"score": 0.5})
    asked.annotate({**SELECTOR, "start_line": 99}, "why", "a note", {"score": 0.5})
    asked.annotate(SELECTOR, "else", "a note", {"score": 0.5})
    assert asked.binary is not None
    ids = [call[call.index("--external-id") + 1] for call in calls(asked.binary)]
    assert ids[0] == ids[1] == external_id("why", SELECTOR) != ids[2]
    assert calls(asked.binary)[0][:2] == ["annotate", "a.f"]
    for fqn in ("", "--json"):
        reply = asked.annotate({**SELECTOR, "fqn": fqn}, "why", "a note", {})
        assert reply.outcome is Outcome.NOT_FOUND


def test_places_outside_are_not_asked(tmp_path: Path) -> None:
    """A path that leaves the project, or would be read as an option, never reaches the peer so."""
    asked = peer(tmp_path, {"symbol-at": {"document": POSITION}})
    for path in ("/etc/passwd", "../x.py", "", "a/../b.py"):
        assert asked.symbol_at(path, 1).outcome is Outcome.NOT_FOUND
        assert asked.related_files(path).outcome is Outcome.NOT_FOUND
    assert asked.binary is not None
    assert calls(asked.binary) == []
    asked.symbol_at("-x.py", 1)
    assert calls(asked.binary) == [["symbol-at", "./-x.py:1", "--json"]]


def test_settings(tmp_path: Path) -> None:
    """The binary comes from the settings; what is wrong with them is why it is missing."""
    binary = install_peer(tmp_path, {})
    found = CodemapPeer.of(tmp_path, {"CODEQUARRY_CODEMAP": str(binary)})
    assert found.binary == binary
    settings = [
        ({"CODEQUARRY_CODEMAP": str(binary), "CODEQUARRY_PRODUCER": "builtin"}, "builtin|leaves"),
        ({"CODEQUARRY_CODEMAP": str(tmp_path / "no")}, "does not exist"),
        ({"PATH": "", "HOME": str(tmp_path)}, "not found"),
    ]
    for environment, why in settings:
        reply = CodemapPeer.of(tmp_path, environment).hotspots(1)
        assert reply.outcome is Outcome.MISSING
        assert any(part in reply.detail for part in why.split("|"))


def test_our_secrets_are_not_handed_on(tmp_path: Path) -> None:
    """codemap gets its own settings and where things lie, and none of our keys and tokens."""
    binary = tmp_path / "codemap"
    binary.write_text(f"""#!{sys.executable}
import json, os
print(json.dumps({{"hotspots": [{{"symbol": name}} for name in os.environ]}}))
""")
    binary.chmod(0o755)
    kept = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "CODEMAP_DATA": "d", "LC_ALL": "C"}
    ours = {"OPENAI_API_KEY": "k", "CODEQUARRY_CODEMAP": str(binary), "MY_PATH": "x"}
    reply = CodemapPeer.of(tmp_path, kept | ours).hotspots(9)
    assert reply.document is not None
    seen = {spot.symbol for spot in reply.document.hotspots}
    assert kept.keys() <= seen
    assert not seen & ours.keys()


@pytest.mark.parametrize(
    ("settings", "has_indexed", "silent"),
    [
        ({}, False, True),
        ({}, True, False),
        ({"CODEQUARRY_PRODUCER": "builtin"}, True, True),
        ({"CODEQUARRY_PRODUCER": "codemap"}, False, False),
        ({"CODEQUARRY_PRODUCER": "nonsense"}, False, False),
        ({"CODEQUARRY_CODEMAP": "/nowhere/codemap"}, False, False),
    ],
)
def test_absence_that_matters(
    tmp_path: Path, settings: dict[str, str], has_indexed: bool, silent: bool
) -> None:
    """A missing codemap is passed over unless a setting, or the index itself, counts on it."""
    asked = CodemapPeer.of(tmp_path, {"PATH": "", **settings}, has_indexed=has_indexed)
    assert (asked.binary, asked.is_silent) == (None, silent)


def test_who_made_an_index() -> None:
    """The receipt says whose export was read; one that says nothing means nobody's."""
    assert is_from_codemap('{"producer": "codemap", "success": true}')
    for receipt in ('{"producer": "codequarry"}', '{"producer": null}', "{}", "", "[1]"):
        assert not is_from_codemap(receipt)
