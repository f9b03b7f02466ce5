"""Deltas that a codemap attests: taken when all of it holds, and never on its word alone."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from codequarry.core.hashing import evidence_key
from codequarry.core.registry import Registry
from codequarry.core.state import HOME_VARIABLE, StateDirectory
from codequarry.index.store import SYMBOLS, Store, of_project, rows
from codequarry.pipelines.launch import Outcome
from codequarry.receipts.status import status_of
from tests.e2e.planting import write
from tests.e2e.running import index, names, search
from tests.fakes import Scenario, install
from tests.fakes.codemap import scan


def functions(name: str, number: int) -> bytes:
    return "".join(f"def {name}_{n}():\n    return {n}\n\n\n" for n in range(number)).encode()


TREE = {
    "a.py": functions("one", 130),  # two pages of an export
    "b.py": functions("two", 2),
    "c.py": functions("three", 1),
    "README.md": b"# Demo\n\nAbout the old days.\n",
}
EDITED = TREE["a.py"] + b"def freshly_added():\n    return 1\n"


class Peered:
    """A tree indexed from a codemap, and that codemap to talk to.

    Args:
        folder: Holds the tree, the deployment and the codemap.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = (folder / "demo").resolve()
        self.state = StateDirectory(folder / "home")
        self.journal = folder / "journal"

    def serve(self, **scenario: Any) -> None:
        self.journal.write_bytes(b"")
        served: Scenario = {"journal": str(self.journal), **scenario}  # type: ignore[typeddict-item]
        install(self.folder, served)

    def fingerprint(self) -> str:
        """Give the fingerprint of what is served."""
        binary = self.folder / "codemap-bin" / "codemap"
        told = subprocess.run(
            [binary, "structural-manifest", "--json"],
            cwd=self.root,
            capture_output=True,
            check=True,
        )
        fingerprint: str = json.loads(told.stdout)["index_fingerprint"]
        return fingerprint

    def receipt(self) -> dict[str, Any]:
        read: dict[str, Any] = json.loads(self.state.receipt(evidence_key(self.root)).read_bytes())
        return read

    def attest(self, reached: str = "", served: dict[str, Any] | None = None, **files: Any) -> None:
        """Let the manifest attest a delta from the certified state to what is served."""
        start = self.receipt()["index_fingerprint"]
        self.serve(**(served or {}))
        delta = {"from_fingerprint": start, "to_fingerprint": reached or self.fingerprint()}
        patch: dict[str, Any] = {"reindex_delta": {**delta, **files}}
        if reached:
            patch["index_fingerprint"] = reached
        self.serve(manifest_patch=patch, **(served or {}))

    def run(self) -> Outcome:
        return index(self.state, self.root)

    def calls(self) -> list[list[str]]:
        """Give what was asked since `serve`."""
        return [json.loads(line)["argv"] for line in self.journal.read_text().split("\n")[:-1]]


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    peered = Peered(tmp_path_factory.mktemp("peered"))
    write(peered.root, TREE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(HOME_VARIABLE, str(peered.state.home))
        patch.setenv("CODEQUARRY_CODEMAP", str(install(peered.folder)))
        assert peered.run().notes["receipt"]["producer"] == "codemap"
    return peered.folder


@pytest.fixture
def peered(indexed: Path, monkeypatch: pytest.MonkeyPatch) -> Peered:
    """The indexed tree as it was at first; a copy of the deployment, for the key is the path's."""
    found = Peered(indexed)
    kept = indexed / "kept"
    if not kept.exists():
        shutil.copytree(found.state.home, kept)
    shutil.rmtree(found.state.home)
    shutil.copytree(kept, found.state.home)
    shutil.rmtree(found.root)
    write(found.root, TREE)
    monkeypatch.setenv(HOME_VARIABLE, str(found.state.home))
    monkeypatch.setenv("CODEQUARRY_CODEMAP", str(indexed / "codemap-bin" / "codemap"))
    return found


def test_certified(peered: Peered) -> None:
    """Only the delta's files are asked for, others' drift joins in, and the receipt is whole."""
    write(peered.root, {"a.py": EDITED, "README.md": b"# Demo\n\nAbout the new days.\n"})
    (peered.root / "c.py").unlink()
    peered.attest(changed_files=["a.py"], new_files=None, deleted_files=["c.py"])
    done = peered.run()
    assert (done.mode, done.reason) == ("delta", "attested")
    asked = [call for call in peered.calls() if call[0] == "export-symbols"]
    assert [call[call.index("--offset") + 1] for call in asked] == ["0", "128"]
    assert all("--files-from" in call for call in asked)
    assert not any(Path(call[-1]).exists() for call in asked)

    receipt = peered.receipt()
    assert receipt["scope_complete"] is receipt["success"] is True
    assert receipt["index_fingerprint"] == done.notes["to_fingerprint"] == peered.fingerprint()
    assert (done.notes["files_changed"], done.notes["files_deleted"]) == (2, 1)
    assert done.notes["texts_embedded"] <= 4
    found = search(peered.state, "freshly added new days", "demo", limit=400)
    assert {"freshly_added", "README.md"} <= set(names(found))
    assert not {"three_0", "c.py"} & set(names(found))
    assert status_of(peered.state, Registry(peered.state).get("demo")).verdict.state == "fresh"
    assert peered.run().mode == "none"


def test_deletions_only(peered: Peered) -> None:
    """A delta that only deletes is applied without any export (J-03)."""
    (peered.root / "c.py").unlink()
    peered.attest(changed_files=[], deleted_files=["c.py"])
    done = peered.run()
    assert (done.mode, done.reason) == ("delta", "attested")
    assert {call[0] for call in peered.calls()} == {"structural-manifest"}
    assert peered.receipt()["index_fingerprint"] == peered.fingerprint()
    assert "three_0" not in names(search(peered.state, "three", "demo", limit=400))


def test_left_codemap_and_not_the_disk(peered: Peered) -> None:
    """A file that codemap gave up and that is still there is cut locally in the same run (J-08)."""
    kept = [record for record in scan(str(peered.root)) if record["file"] != "b.py"]
    peered.attest(served={"records": kept}, deleted_files=["b.py"])
    done = peered.run()
    assert (done.mode, done.reason) == ("delta", "attested")
    found = [hit for hit in search(peered.state, "two", "demo", limit=400) if hit.path == "b.py"]
    assert found
    assert all(hit.selector is None for hit in found)


def retold(root: Path) -> list[dict[str, Any]]:
    """Give the records of a codemap that tells an unchanged file in another way (J-10)."""
    return [
        record | ({"docstring": "Told anew."} if record["file"] == "b.py" else {})
        for record in scan(str(root))
    ]


def test_another_number_of_records_outside_the_delta(peered: Peered) -> None:
    """One record more of a file that nobody attested sends the run to the full path as well."""
    write(peered.root, {"a.py": EDITED})
    told = [*scan(str(peered.root))]
    place = next(n for n, record in enumerate(told) if record["file"] == "b.py") + 1
    more = {**told[place - 1], "symbol": "two_hidden", "fqn": "two_hidden"}
    peered.attest(served={"records": [*told[:place], more, *told[place:]]}, changed_files=["a.py"])
    done = peered.run()
    assert (done.mode, done.reason) == ("full", "delta_not_confirmed")
    table = Store(peered.state).open(SYMBOLS)
    stored = rows(table, of_project("demo"), ["symbol"])["symbol"].to_pylist()
    assert stored.count("two_hidden") == 1


def test_records_outside_the_delta_moved(peered: Peered) -> None:
    """Retained and new records that do not give the fingerprint send the run to the full path."""
    peered.attest(served={"records": retold(peered.root)}, changed_files=["a.py"])
    done = peered.run()
    assert (done.mode, done.reason) == ("full", "delta_not_confirmed")
    assert peered.receipt()["producer"] == "codemap"
    assert peered.receipt()["index_fingerprint"] == peered.fingerprint()
    table = Store(peered.state).open(SYMBOLS)
    stored = rows(table, of_project("demo"), ["path", "kind", "docstring"]).to_pylist()
    told = {row["docstring"] for row in stored if row["path"] == "b.py" and row["kind"] != "file"}
    assert told == {"Told anew."}


SPARE = "producer_changed"
"""Where the whole export lies as well, the built-in producer steps in."""

LIES: dict[str, tuple[dict[str, Any], str]] = {
    "answers with everything": ({"fault": "ignores_filter"}, "delta_not_confirmed"),
    "another filter on page 2": (
        {"only_pages": [1], "page_patch": {"files_filter_fingerprint": "0" * 64}},
        "delta_not_confirmed",
    ),
    "another index on page 2": (
        {"only_pages": [1], "page_patch": {"index_fingerprint": "0" * 64}},
        SPARE,
    ),
    "a record of another file": (
        {"only_ordinals": [2], "record_patch": {"file": "b.py"}},
        SPARE,
    ),
    "a record that codemap does not have": (
        {"only_ordinals": [2], "record_patch": {"signature": "def other()"}},
        SPARE,
    ),
}


@pytest.mark.parametrize("lie", LIES)
def test_lies_in_the_filtered_export(peered: Peered, lie: str) -> None:
    """Whatever is wrong with one page of the delta, the run is a full one, and it succeeds."""
    served, reason = LIES[lie]
    write(peered.root, {"a.py": EDITED})
    peered.attest(served=served, changed_files=["a.py"])
    done = peered.run()
    assert (done.mode, done.reason) == ("full", reason)
    assert peered.receipt()["success"] is True
    assert "freshly_added" in names(search(peered.state, "freshly added", "demo"))


def test_codemap_moves_on_before_the_export(peered: Peered) -> None:
    """Pages of another index than the manifest's are refused, also where no record can tell (J-05).

    A text that was cut leaves the fingerprint to the producer's word.
    """
    write(peered.root, {"a.py": EDITED})
    cut = [
        record | ({"docstring": "x" * 20_000} if record["symbol"] == "freshly_added" else {})
        for record in scan(str(peered.root))
    ]
    peered.attest(reached="e" * 64, served={"records": cut}, changed_files=["a.py"])
    done = peered.run()
    assert (done.mode, done.reason) == ("full", "delta_not_confirmed")
    peered.serve(records=cut)
    assert peered.receipt()["index_fingerprint"] == peered.fingerprint()
