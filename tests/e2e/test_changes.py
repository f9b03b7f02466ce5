"""One project over several runs: nothing changes, files change, files go."""

import json
from pathlib import Path
from typing import Any

import pytest

from codequarry.chunking.chunks import chunk_files
from codequarry.core.errors import IndexMissing
from codequarry.core.hashing import evidence_key
from codequarry.core.registry import Registry
from codequarry.core.state import StateDirectory
from codequarry.index.ledger import read
from codequarry.index.reader import Reader
from codequarry.index.store import Store
from codequarry.receipts.ledger import broken_entry
from codequarry.receipts.status import status_of
from codequarry.retrieval.structure.evidence import evidence_of
from codequarry.retrieval.structure.lookup import look_up
from codequarry.retrieval.structure.view import GraphView
from tests.cli.commands import here
from tests.e2e.planting import shop, write
from tests.e2e.running import index, names, search

NEW = b'''"""Gift cards."""


def redeem_gift_card(code, balance_cents):
    """Use up a gift card."""
    return code, balance_cents
'''


def test_life_of_a_project(tmp_path: Path, state: StateDirectory) -> None:
    """Runs embed only what is new, forget what is gone, and chain their receipts."""
    root = shop(tmp_path)
    first = index(state, root)
    assert (first.mode, first.reason) == ("full", "first_run")

    again = index(state, root)
    assert (again.mode, again.reason) == ("none", "unchanged")
    assert again.notes["texts_embedded"] == 0
    assert again.notes["files"] == first.notes["files"]
    assert again.notes["receipt"] == first.notes["receipt"]

    write(root, {"shop/gift_cards.py": NEW})
    (root / "web/src/checkout.ts").unlink()
    changed = index(state, root)
    assert changed.mode in ("full", "delta")
    assert changed.notes["from_fingerprint"] == first.notes["to_fingerprint"]
    assert changed.notes["to_fingerprint"] != first.notes["to_fingerprint"]
    assert 0 < changed.notes["texts_embedded"] <= 3
    assert names(search(state, "use up a gift card"))[0] == "redeem_gift_card"
    everything = search(state, "validatePostalCode address checkout", limit=1000)
    assert "web/src/checkout.ts" not in {hit.path for hit in everything}
    health = json.loads(state.health(evidence_key(root)).read_bytes())
    assert health["stats"]["files"] == len(health["source_hashes"]) == first.notes["files"]

    entries = read(Store(state))
    assert [entry.mode for entry in entries] == ["full", changed.mode]
    assert entries[1].previous_hash == entries[0].entry_hash
    assert broken_entry(entries) is None
    assert entries[1].receipt.encode() == state.receipt(evidence_key(root)).read_bytes()
    assert entries[0].receipt_hash == first.notes["receipt_hash"]

    asked = index(state, root, full=True)
    assert (asked.mode, asked.reason) == ("full", "requested")
    assert asked.notes["texts_embedded"] == 0
    assert asked.notes["to_fingerprint"] == changed.notes["to_fingerprint"]


def test_off_and_required(
    tmp_path: Path, state: StateDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Mode off has no structure and names no producer; required has structure from the builtin."""
    root = write(tmp_path / "small", {"a.py": b"def alpha():\n    return 1\n"})
    off = index(state, root, structural_chunks="off").notes["receipt"]
    assert (off["requested_mode"], off["effective_mode"]) == ("off", "off")
    assert not {"producer", "contract", "index_fingerprint", "fallbacks"} & off.keys()
    assert off["counts"]["chunks"]["structural"] == 0
    assert search(state, "alpha")[0].selector is None
    assert index(state, root, structural_chunks="off").mode == "none"

    monkeypatch.setenv("CODEQUARRY_PRODUCER", "builtin")
    required = index(state, root, structural_chunks="required")
    assert required.reason == "structural_mode_changed"
    assert required.notes["receipt"]["effective_mode"] == "structural"
    assert required.notes["receipt"]["producer"] == "codequarry"
    assert search(state, "alpha")[0].selector is not None


def test_two_projects_with_one_directory_name(tmp_path: Path, state: StateDirectory) -> None:
    """They get two names, and neither finds the other's code; a question to all finds both."""
    for place, word in (("one", b"alpha"), ("two", b"omega")):
        root = write(tmp_path / place / "app", {"m.py": b"def %s_task():\n    return 1\n" % word})
        index(state, root)
    listed = json.loads(state.registry.read_bytes())["projects"]
    first, second = sorted(listed, key=len)
    assert first == "app"
    assert second.startswith("app-")
    assert names(search(state, "task", first)) == ["alpha_task"]
    assert names(search(state, "task", second)) == ["omega_task"]
    assert sorted(names(search(state, "task"))) == ["alpha_task", "omega_task"]


def test_nested_project(
    tmp_path: Path, state: StateDirectory, capfd: pytest.CaptureFixture[str]
) -> None:
    """A project inside another is its own; each is indexed, searched and removed alone."""
    outer = write(tmp_path / "outer", {"top.py": b"def top_level():\n    return 1\n"})
    inner = write(outer / "inner", {"low.py": b"def low_level():\n    return 2\n"})
    index(state, outer)
    index(state, inner)
    assert set(names(search(state, "level", "outer"))) == {"top_level", "low_level"}
    assert names(search(state, "level", "inner")) == ["low_level"]
    (inner / "low.py").write_bytes(b"def changed_level():\n    return 2\n")
    index(state, inner)
    assert names(search(state, "level", "inner")) == ["changed_level"]
    assert "low_level" in names(search(state, "level", "outer"))

    assert here(capfd, "projects", "remove", "outer").code == 0
    assert names(search(state, "level")) == ["changed_level"]
    with pytest.raises(IndexMissing):
        search(state, "level", "outer")
    assert {path.name for path in state.changesets.glob("*/*")} == {"inner"}
    assert not (state.producer / evidence_key(outer)).exists()
    assert state.receipt(evidence_key(inner)).exists()


def test_runs_act_on_the_state_they_are_given(tmp_path: Path, state: StateDirectory) -> None:
    """The deployment is the one that the caller names, whatever the environment says."""
    other = StateDirectory(tmp_path / "other")
    root = write(tmp_path / "tree", {"a.py": b"def alpha():\n    return 1\n"})
    index(other, root)
    assert names(search(other, "alpha")) == ["alpha"]
    assert not state.home.exists()


def test_edges_of_other_rules_are_made_again(
    tmp_path: Path, state: StateDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an upgrade of what makes edges, one full run renews them; no text is embedded again."""
    root = shop(tmp_path)
    with monkeypatch.context() as older:
        older.setattr("codequarry.runs.publish.rules_version", lambda: "older")
        index(state, root)
    renewed = index(state, root)
    assert (renewed.mode, renewed.reason) == ("full", "graph_rules_changed")
    assert renewed.notes["texts_embedded"] == 0
    assert index(state, root).mode == "none"


def test_what_cannot_be_read_is_known_to_the_evidence(
    tmp_path: Path, state: StateDirectory
) -> None:
    """A source file that could not be indexed may use a symbol, so nothing is said to be all."""

    def coverage() -> tuple[str, tuple[str, ...]]:
        view = GraphView(Reader(state), state)
        found = evidence_of(view, [look_up(view, "lonely").one()])
        return str(found.coverage), found.reasons

    def verdict() -> tuple[str, str]:
        found = status_of(state, Registry(state).get("tree")).verdict
        return found.state, found.reason

    root = write(tmp_path / "tree", {"a.py": b"def lonely():\n    return 1\n"})
    index(state, root)
    assert coverage() == ("complete", ())
    latin = write(root, {"old.py": "# caf\xe9\nlonely()\n".encode("latin-1")}) / "old.py"
    assert verdict() == ("stale", "unread_files")
    renewed = index(state, root)
    assert (renewed.mode, renewed.reason) == ("delta", "unread_files")
    why = "1 file that may use it could not be indexed (too large, or no UTF-8 text)"
    assert coverage() == ("lower_bound", (why,))
    write(root, {"pixel.png": b"\x89PNG\0"})
    assert verdict() == ("fresh", "fresh")
    assert index(state, root).mode == "none"
    latin.unlink()
    assert index(state, root).mode == "delta"
    assert coverage() == ("complete", ())


@pytest.mark.parametrize("content", [None, b"def other():\n    return 2\n"])
def test_a_file_that_changes_during_a_run_is_taken_up_again(
    tmp_path: Path, state: StateDirectory, monkeypatch: pytest.MonkeyPatch, content: bytes | None
) -> None:
    """What vanished or changed between two steps leaves no ghost in an index called fresh."""
    root = write(tmp_path / "tree", {"a.py": b"A = 1\n", "b.py": b"def first():\n    return 1\n"})

    def meanwhile(*given: Any) -> Any:
        if content is None:
            (root / "b.py").unlink()
        else:
            write(root, {"b.py": content})
        return chunk_files(*given)

    with monkeypatch.context() as busy:
        busy.setattr("codequarry.runs.chunks.chunk_files", meanwhile)
        index(state, root)
    project = Registry(state).get("tree")
    assert status_of(state, project).verdict.reason == "raw_source_drift"
    assert index(state, root).mode == "delta"
    assert status_of(state, project).verdict.state == "fresh"
    view = GraphView(Reader(state), state)
    found = {symbol.symbol for symbol in view.symbols("path = 'b.py' AND kind != 'file'")}
    assert found == (set() if content is None else {"other"})
    assert len(view.symbols("path = 'b.py'")) == (0 if content is None else 2)
