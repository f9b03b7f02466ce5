import json
from pathlib import Path

from codequarry.retrieval.structure.annotate import annotate
from codequarry.retrieval.structure.codemap import CodemapPeer, Outcome
from tests.fakes.peer import NOT_FOUND, Said, calls, install_peer
from tests.retrieval.structure.hits import hit

DONE: Said = {"document": {"id": 1, "target": "a.f", "action": "created"}}
PLACE: Said = {
    "document": {
        "file": "a.py",
        "line": 1,
        "symbol": "g",
        "fqn": "a.g",
        "kind": "function",
        "selector": {"file": "a.py", "start_line": 1, "fqn": "a.g", "kind": "function"},
        "resolution": "enclosing",
    }
}


def test_each_hit_by_its_selector(tmp_path: Path) -> None:
    """A hit with a selector is noted by it; for one without, codemap is asked what is there."""
    binary = install_peer(tmp_path, {"annotate": DONE, "symbol-at": PLACE})
    peer = CodemapPeer(binary, tmp_path, seconds=30)
    hits = [hit(0.5, "a.f"), hit(0.4), hit(0.3, "a.f", project="elsewhere")]
    ended = annotate({"p": peer}.get, hits, "why " * 100)
    assert dict(ended) == {Outcome.ANSWERED: 2}
    first, place, second = calls(binary)
    assert (first[0], first[1], place[0], second[1]) == ("annotate", "a.f", "symbol-at", "a.g")
    note = first[first.index("--note") + 1]
    assert note.startswith("vecgrep semantic hit (score 0.50): why why")
    assert len(note) < 170
    data = json.loads(first[first.index("--data") + 1])
    assert set(data) == {
        *("score", "query", "file", "start_line", "end_line", "language", "chunk_type"),
        *("resolution", "fqn"),
    }


def test_failures_are_counted_only(tmp_path: Path) -> None:
    """No peer, an unresolved place, a failing call, no time left: hits stay as they are."""
    gone = CodemapPeer(None, tmp_path)
    assert annotate(lambda _: gone, [hit(0.5, "a.f")], "q") == {Outcome.MISSING: 1}
    unresolved: Said = {"document": NOT_FOUND, "status": 2}
    binary = install_peer(tmp_path, {"symbol-at": unresolved})
    peer = CodemapPeer(binary, tmp_path, seconds=30)
    ended = annotate({"p": peer}.get, [hit(0.5), hit(0.4, "a.f")], "q")
    assert dict(ended) == {Outcome.NOT_FOUND: 1, Outcome.ERRORED: 1}
    assert annotate({"p": peer}.get, [hit(0.5, "a.f")], "q", budget=0) == {}
