"""One run of the installed program over the shop: what it prints, writes, and leaves alone."""

import json
import os
import stat
from hashlib import sha256

import pytest

from codequarry.core.hashing import evidence_key, producer_key
from codequarry.index.ledger import read
from codequarry.index.store import Store, rows
from codequarry.receipts.ledger import GENESIS, broken_entry
from tests.cli.commands import here, installed
from tests.e2e.conftest import Shop
from tests.e2e.planting import git

ASSETS = (
    *("source_snapshot", "export_pages", "symbol_records", "chunks"),
    *("graph_edges", "embeddings", "code_index", "receipt"),
)


def test_document_has_the_promised_fields(shop: Shop) -> None:
    """Stdout is one JSON document with the issue's fields, in order; nothing was written beside."""
    assert list(shop.document) == [
        *("project", "mode", "reason", "from_fingerprint", "to_fingerprint", "files", "chunks"),
        *("texts_embedded", "texts_reused", "seconds", "receipt"),
    ]
    assert shop.ran.err == ""
    assert shop.document["project"] == "shop"
    assert (shop.document["mode"], shop.document["reason"]) == ("full", "first_run")
    assert shop.document["from_fingerprint"] == ""
    assert set(shop.document["seconds"]) == set(ASSETS)
    texts = shop.document["texts_embedded"] + shop.document["texts_reused"]
    assert texts == shop.document["chunks"] > shop.document["files"] == 17


def test_receipt_has_the_bytes_of_the_contract(shop: Shop) -> None:
    """The receipt is one compact line in E3's field order, of mode 0600 in a 0700 directory."""
    path = shop.state.receipt(evidence_key(shop.root))
    raw = path.read_bytes()
    receipt = json.loads(raw)
    compact = json.dumps(receipt, separators=(",", ":"), ensure_ascii=False).encode()
    assert raw == compact + b"\n"
    assert receipt == shop.receipt
    assert list(receipt) == [
        *("schema_version", "attempt_id", "scope_complete", "project_key", "requested_mode"),
        *("effective_mode", "producer", "contract", "contract_version", "producer_project_key"),
        *("index_fingerprint", "counts", "fallbacks", "last_attempt", "last_success"),
        *("ingestion_complete", "complete", "success"),
    ]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_receipt_tells_the_truth(shop: Shop) -> None:
    """Keys, fingerprint, mode and counts of the receipt are those of the tree and the tables."""
    receipt, counts = shop.receipt, shop.receipt["counts"]
    assert receipt["project_key"] == evidence_key(shop.root)
    assert receipt["producer_project_key"] == producer_key(shop.root)
    assert receipt["index_fingerprint"] == shop.document["to_fingerprint"]
    assert receipt["last_attempt"] == receipt["last_success"]
    assert (receipt["effective_mode"], receipt["producer"]) == ("mixed", "codequarry")
    assert sum(counts["chunks"].values()) == shop.document["chunks"]
    assert counts["files"]["structural"] + counts["files"]["local"] == shop.document["files"]
    [local] = receipt["fallbacks"]
    assert (local["code"], local["count"]) == ("local_chunker_used", counts["files"]["local"])


def test_sidecar_has_the_hash_of_every_file(shop: Shop) -> None:
    """The sidecar is indented, belongs to the receipt's attempt, and names each indexed file."""
    path = shop.state.health(evidence_key(shop.root))
    raw = path.read_bytes()
    health = json.loads(raw)
    assert raw == json.dumps(health, indent=2, ensure_ascii=False).encode() + b"\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert health["attempt_id"] == shop.receipt["attempt_id"]
    hashes = health["source_hashes"]
    assert hashes == {name: sha256((shop.root / name).read_bytes()).hexdigest() for name in hashes}
    kept = git(shop.root, "ls-files").split("\n")[:-1]
    assert sorted(hashes) == sorted(kept)
    assert health["stats"]["files"] == len(hashes)
    assert health["indexed_bytes"] == sum((shop.root / name).stat().st_size for name in hashes)


def test_chunks_are_the_files(shop: Shop) -> None:
    """The stored chunks of a file, in order, hold every line that is not blank, CR included."""
    entry = read(Store(shop.state))[-1]
    name = next(table for table in entry.table_versions if table.startswith("chunks_"))
    table = rows(Store(shop.state).open(name), None, ["path", "chunk_index", "content"])
    for path in ("legacy/windows.py", "legacy/no_newline.go", "legacy/broken_import.py"):
        found = [row for row in table.to_pylist() if row["path"] == path]
        found.sort(key=lambda row: row["chunk_index"])
        stored = "".join(row["content"] for row in found).encode()
        original = (shop.root / path).read_bytes()
        assert stored.split() == original.split()
        assert stored.count(b"\r") == original.count(b"\r")


def test_ledger_holds_the_receipt(shop: Shop) -> None:
    """The newest ledger entry holds the receipt's very bytes and hashes, and the chain is sound."""
    entries = read(Store(shop.state))
    raw = shop.state.receipt(evidence_key(shop.root)).read_bytes()
    assert [entry.sequence for entry in entries] == list(range(1, len(entries) + 1))
    assert entries[0].receipt.encode() == raw
    assert entries[0].receipt_hash == sha256(raw).hexdigest()
    assert entries[0].previous_hash == GENESIS
    assert broken_entry(entries) is None


def test_git_sees_nothing(shop: Shop) -> None:
    """An index run leaves the working tree and git's view of it exactly as they were."""
    assert git(shop.root, "status", "--porcelain", "--ignored") == ("!! debug.log\n!! generated/\n")


def test_state_is_private(shop: Shop) -> None:
    """Nobody but the owner reads the state directory: it holds the source of every project."""
    assert stat.S_IMODE(shop.state.home.stat().st_mode) == 0o700


def test_text_says_what_was_done(shop: Shop, capfd: pytest.CaptureFixture[str]) -> None:
    """A second run over an unchanged tree embeds nothing, says so, and keeps the receipt."""
    before = shop.state.receipt(evidence_key(shop.root)).read_bytes()
    ran = here(capfd, "index", shop.root)
    assert ran.code == 0, ran.err
    assert "nothing changed" in ran.out
    assert "no text was embedded" in ran.out
    assert shop.receipt["attempt_id"] in ran.out
    assert shop.state.receipt(evidence_key(shop.root)).read_bytes() == before
    assert len(read(Store(shop.state))) == 1


def test_status_proves_the_index(shop: Shop, capfd: pytest.CaptureFixture[str]) -> None:
    """Status is fresh after a run, with the receipt in it, by name and from inside the tree."""
    named = here(capfd, "status", "--project", "shop", "--format", "json")
    found = json.loads(named.out)
    assert (named.code, found["freshness"]["state"]) == (0, "fresh")
    assert found["index_fresh"] is True
    assert found["ingestion_receipt"] == shop.receipt
    assert found["readiness"]["state"] == "ready"
    inside = installed(shop.state.home, "status", "--format", "json", cwd=shop.root / "web" / "src")
    assert json.loads(inside.out) == found


def test_path_defaults_to_the_project_around(
    shop: Shop, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without PATH, a run inside a registered tree takes the whole tree, not the subdirectory."""
    monkeypatch.chdir(shop.root / "web")
    ran = here(capfd, "index", "--format", "json")
    assert json.loads(ran.out)["project"] == "shop"
    assert json.loads(here(capfd, "projects", "list", "--format", "json").out) == [
        {"name": "shop", "root": os.fspath(shop.root)}
    ]


def test_doctor_finds_nothing_wrong(shop: Shop, capfd: pytest.CaptureFixture[str]) -> None:
    """The doctor names what is installed and finds this deployment sound."""
    ran = here(capfd, "doctor", "--format", "json")
    findings = {finding["name"]: finding for finding in json.loads(ran.out)}
    assert ran.code == 0
    assert all(finding["ok"] for finding in findings.values())
    assert "the chain holds" in findings["ledger"]["detail"]
