"""Runs of the whole line with a codemap that behaves, then does not, then is gone."""

import json
from pathlib import Path

import pytest

from codequarry.core.hashing import evidence_key
from codequarry.core.state import StateDirectory
from tests.cli.commands import here
from tests.e2e.planting import write
from tests.e2e.running import search
from tests.fakes import install

FILES = {
    "a.py": b"def alpha():\n    return 1\n\n\nclass Alpha:\n    pass\n",
    "README.md": b"# Demo\n\nAll about alpha.\n",
}


def test_life_with_codemap(
    tmp_path: Path,
    state: StateDirectory,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """codemap's structure is used while it is sound; whatever it does, the old index answers."""
    root = write(tmp_path / "tree", FILES)
    binary = install(tmp_path)
    monkeypatch.setenv("CODEQUARRY_CODEMAP", str(binary))
    first = here(capfd, "index", root, "--format", "json")
    assert first.code == 0, first.err
    receipt = json.loads(first.out)["receipt"]
    assert (receipt["producer"], receipt["effective_mode"]) == ("codemap", "mixed")
    assert receipt["counts"]["files"] == {"structural": 1, "gap": 0, "local": 1}
    found = search(state, "alpha")[0]
    assert found.selector == {"file": "a.py", "start_line": 1, "fqn": "a.alpha", "kind": "function"}
    proof = state.receipt(evidence_key(root)).read_bytes()

    # Required, and codemap prints rubbish: an error, and nothing is touched.
    write(root, {"a.py": b"def omega():\n    return 1\n"})
    install(tmp_path, {"fault": "garbage"})
    refused = here(capfd, "index", root, "--structural-chunks", "required", "--format", "json")
    assert (refused.code, refused.out) == (1, "")
    assert refused.err.startswith("codequarry: the export was rejected by rule P")
    assert refused.err.count("\n") == 1
    assert search(state, "alpha")[0] == found
    assert state.receipt(evidence_key(root)).read_bytes() == proof

    # Required, and no codemap anywhere: the same.
    with monkeypatch.context() as bare:
        bare.delenv("CODEQUARRY_CODEMAP")
        bare.setenv("PATH", str(tmp_path))
        bare.setenv("HOME", str(tmp_path))
        missing = here(capfd, "index", root, "--structural-chunks", "required")
    assert (missing.code, missing.out) == (1, "")
    assert "the codemap binary was not found; install codemap" in missing.err
    assert search(state, "alpha")[0] == found
    assert state.receipt(evidence_key(root)).read_bytes() == proof

    # Auto: the built-in producer serves, the receipt says why, and the reason stays bounded.
    spare = here(capfd, "index", root, "--format", "json")
    assert spare.code == 0
    assert spare.err.startswith("note: the export was rejected by rule P")
    receipt = json.loads(spare.out)["receipt"]
    assert (receipt["producer"], receipt["success"]) == ("codequarry", True)
    assert receipt["fallbacks"][0] == {
        "code": "producer_error",
        "reason": "the structural producer failed and a fallback was used",
    }
    assert search(state, "omega")[0].symbol_name == "a.omega"
    assert not {hit.symbol_name for hit in search(state, "alpha")} & {"a.alpha", "a.Alpha"}
