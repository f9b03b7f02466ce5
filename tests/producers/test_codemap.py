"""producers.codemap against an executable that behaves, and misbehaves, as codemap may."""

import json
import os
import subprocess
import tempfile
from pathlib import Path

import pytest

from codequarry.core.errors import ExportChanged, ExportRejected, ProducerError, UsageError
from codequarry.core.hashing import producer_key
from codequarry.producers.codemap import CodemapProducer, locate
from codequarry.producers.exports import load
from codequarry.producers.manifest import fetch_manifest
from codequarry.producers.protocol import Limits, PageRequest
from codequarry.producers.records import Validated, validate
from tests.fakes import Fault, Scenario, install

SOURCE = b"def one():\n    return 1\n\n\ndef two():\n    return 2\n\n\nclass Three:\n    pass\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    tree = tmp_path / "tree"
    (tree / "pkg").mkdir(parents=True)
    (tree / "a.py").write_bytes(SOURCE)
    (tree / "pkg" / "b.py").write_bytes(SOURCE)
    (tree / "c d.go").write_bytes(b"package x\n\nfunc Four() {\n}\n")
    return tree.resolve()


def fake(root: Path, scenario: Scenario | None = None, **limits: float) -> CodemapProducer:
    options = {"page_records": 3, **limits}
    return CodemapProducer(install(root.parent, scenario), root, Limits(**options))  # type: ignore[arg-type]


def consume(producer: CodemapProducer, files: list[str] | None = None) -> Validated:
    export = load(producer, producer_key(producer.root), files)
    return validate(export.pages["body"].to_pylist(), producer.root)


def test_an_honest_codemap_is_consumed_whole(root: Path) -> None:
    """Independently computed keys, hashes, order and fingerprint agree with ours."""
    producer = fake(root)
    result = consume(producer)
    files = ["a.py"] * 3 + ["c d.go"] + ["pkg/b.py"] * 3
    assert result.records["file"].to_pylist() == files
    assert result.quarantine.num_rows == 0
    assert result.fingerprint_matches is True
    manifest = fetch_manifest(producer, producer_key(root))
    assert (manifest.total_records, manifest.freshness.fresh) == (7, True)
    assert producer.name == "codemap"


def test_calls_are_those_of_the_contract(root: Path, tmp_path: Path) -> None:
    """Arguments and working directory of A1, A2 and A3; the filter's file is gone afterwards."""
    journal = tmp_path / "journal"
    producer = fake(root, {"journal": str(journal)}, page_records=128)
    consume(producer)
    consume(producer, ["c d.go", "a.py"])
    producer.manifest()
    calls = [json.loads(line) for line in journal.read_text().strip().split("\n")]
    export = ["export-symbols", "--json", "--offset", "0", "--limit", "128"]
    export += ["--max-content-bytes", "16384"]
    assert calls[0]["argv"] == export
    assert calls[1]["argv"][:-1] == [*export, "--files-from"]
    assert calls[2]["argv"] == ["structural-manifest", "--json"]
    assert {call["cwd"] for call in calls} == {str(root)}
    name = Path(calls[1]["argv"][-1])
    assert name.match("vecgrep-export-files-*.txt")
    assert not name.exists()


def test_the_filter_file_is_deleted_after_a_failure_too(root: Path) -> None:
    """Nothing stays in the temporary directory."""
    pattern = "vecgrep-export-files-*"
    before = set(Path(tempfile.gettempdir()).glob(pattern))
    with pytest.raises(ProducerError):
        consume(fake(root, {"fault": "die"}), ["a.py"])
    assert set(Path(tempfile.gettempdir()).glob(pattern)) <= before


def test_a_filtered_export_is_consumed(root: Path) -> None:
    """A v2 export holds the wanted files only, numbered anew."""
    result = consume(fake(root), ["pkg/b.py", "gone.py"])
    assert set(result.records["file"].to_pylist()) == {"pkg/b.py"}
    assert result.records["ordinal"].to_pylist() == [1, 2, 3]


def test_a_legacy_codemap_is_consumed(root: Path) -> None:
    """Exports without ordinals are accepted as ordered."""
    assert consume(fake(root, {"fault": "no_ordinals"})).records.num_rows == 7


FAILURES: list[tuple[Scenario, dict[str, float], str]] = [
    ({"fault": "hang"}, {"page_seconds": 0.5}, "did not finish within 0.5 seconds"),
    ({"fault": "hang", "only_pages": [2]}, {"page_seconds": 2}, "did not finish within 2 seconds"),
    ({"fault": "flood"}, {"page_bytes": 1_000_000}, "printed more than 1000000 bytes"),
    ({"fault": "die"}, {}, "codemap export-symbols failed: panic: index vanished"),
    ({"fault": "die", "only_pages": [2]}, {}, "panic: index vanished"),
    ({"fault": "quiet_death"}, {}, "codemap export-symbols failed: it exited with status 1"),
    (
        {"fault": "not_indexed"},
        {},
        "codemap export-symbols failed: project demo is not indexed yet [not_indexed]; "
        "run: codemap index",
    ),
    ({"fault": "old_not_indexed"}, {}, "the project is not indexed; run: codemap index"),
]


@pytest.mark.parametrize(("scenario", "limits", "text"), FAILURES)
def test_failures_are_told_in_one_sentence(
    root: Path, scenario: Scenario, limits: dict[str, float], text: str
) -> None:
    """Deadline, standard error, envelope, exit status: in that order, and never page content."""
    with pytest.raises(ProducerError) as caught:
        consume(fake(root, scenario, **limits))
    assert text in str(caught.value)
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("fault", ["not_indexed", "old_not_indexed"])
def test_not_indexed_has_its_code(root: Path, fault: Fault) -> None:
    """Old and new releases' ways of saying "not indexed" are one to us."""
    with pytest.raises(ProducerError) as caught:
        fake(root, {"fault": fault}).page(PageRequest(0, 3, 100))
    assert caught.value.code == "not_indexed"


REJECTIONS: list[tuple[Scenario, str]] = [
    ({"fault": "garbage"}, "P1"),
    ({"page_patch": {"project_key": "0" * 12}}, "P3"),
    ({"page_patch": {"limit": 5000}}, "P6"),
    ({"page_patch": {"returned_records": 2}}, "P7"),
    ({"page_patch": {"complete": True}, "only_pages": [1]}, "P8"),
    ({"page_patch": {"next_offset": 9}, "only_pages": [1]}, "P9"),
    ({"fault": "changes_always"}, "P5"),
    ({"record_patch": {"file": "../../etc/passwd"}, "only_ordinals": [5]}, "R2"),
    ({"record_patch": {"ordinal": 4}, "only_ordinals": [5]}, "R4"),
    ({"record_patch": {"index_fingerprint": "0" * 64}, "only_ordinals": [5]}, "R1"),
]


@pytest.mark.parametrize(("scenario", "rule"), REJECTIONS)
def test_lies_reject_the_export(root: Path, scenario: Scenario, rule: str) -> None:
    """A lie about counts, order, identity or paths is caught by its rule."""
    with pytest.raises(ExportRejected) as caught:
        consume(fake(root, scenario))
    assert caught.value.rule == rule


FILTER_LIES: list[tuple[Scenario, str]] = [
    ({"fault": "ignores_filter"}, "P2"),
    ({"page_patch": {"files_filter_fingerprint": "0" * 64}, "only_pages": [1]}, "P10"),
    ({"record_patch": {"file": "c d.go"}, "only_ordinals": [6]}, "P10"),
]


@pytest.mark.parametrize(("scenario", "rule"), FILTER_LIES)
def test_lies_about_the_filter_reject_the_export(root: Path, scenario: Scenario, rule: str) -> None:
    """A filter that was ignored, not proved, or not kept to is caught on any page."""
    with pytest.raises(ExportRejected) as caught:
        consume(fake(root, scenario), ["a.py", "pkg/b.py"])
    assert caught.value.rule == rule


QUARANTINES: list[tuple[Scenario, str]] = [
    ({"record_patch": {"file_stale": True}}, "R7"),
    ({"record_patch": {"content_omitted": True, "omission_reason": "stale_index"}}, "R7"),
    ({"record_patch": {"content": "something else"}}, "R9"),
    ({"record_patch": {"start_line": 6}}, "R13"),
]


@pytest.mark.parametrize(("scenario", "rule"), QUARANTINES)
def test_lies_about_a_record_drop_its_file(root: Path, scenario: Scenario, rule: str) -> None:
    """Stale, omitted and wrong records cost their own file only."""
    result = consume(fake(root, {**scenario, "only_ordinals": [6]}))
    assert result.quarantine.to_pylist() == [
        {"file": "pkg/b.py", "rule": rule, "start_line": 6 if rule == "R13" else 5}
    ]
    assert set(result.records["file"].to_pylist()) == {"a.py", "c d.go"}


def test_an_index_that_moves_once_is_read_again(root: Path) -> None:
    """One concurrent `codemap index` costs a restart, two an error (J-49)."""
    assert consume(fake(root, {"fault": "changes_once"})).records.num_rows == 7
    with pytest.raises(ExportChanged):
        consume(fake(root, {"fault": "changes_always"}))


def test_a_grandchild_that_holds_the_pipe_costs_nothing(root: Path) -> None:
    """A background process of codemap does not keep a page from ending."""
    assert consume(fake(root, {"fault": "grandchild"}, page_seconds=200)).records.num_rows == 7


def test_a_binary_that_vanished_is_a_producer_error(root: Path) -> None:
    """What was found and then removed is reported, with its path."""
    with pytest.raises(ProducerError, match="could not be started"):
        CodemapProducer(root / "gone", root).manifest()


def test_paths_that_cannot_travel_are_refused_before_the_call(root: Path) -> None:
    """A name with a newline never reaches a line-based filter (J-09)."""
    with pytest.raises(ProducerError, match="full export"):
        consume(fake(root), ["a\nb.py"])


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves out the fixed places, where this machine may have a codemap."""
    monkeypatch.setattr("codequarry.producers.codemap._SEARCHED", ())


def executable(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


@pytest.mark.usefixtures("bare")
def test_locate_prefers_path_then_the_usual_places(tmp_path: Path) -> None:
    """PATH comes first, then the search list; the result is absolute (B5, J-46)."""
    home, brew, bin_ = tmp_path / "home", tmp_path / "brew", tmp_path / "bin"
    environment = {"HOME": str(home), "HOMEBREW_PREFIX": str(brew), "PATH": str(bin_)}
    assert locate(None, environment) is None
    places = [brew / "bin", home / ".bun/bin", home / ".asdf/shims", home / ".local/bin"]
    for place in [*places, home / "go/bin", bin_]:
        found = executable(place / "codemap")
        assert locate(" ", environment) == found
    assert locate(None, {}) is None


@pytest.mark.usefixtures("bare")
def test_locate_does_not_run_what_the_current_directory_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Relative and empty entries of PATH are not searched."""
    executable(tmp_path / "codemap")
    monkeypatch.chdir(tmp_path)
    assert locate(None, {"PATH": os.pathsep.join(["", ".", "x"])}) is None


def test_a_configured_binary_must_exist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A configured path or name is used as given, or named in the error."""
    found = executable(tmp_path / "bin" / "codemap-next")
    environment = {"PATH": str(tmp_path / "bin")}
    assert locate(str(found), {}) == found
    assert locate("codemap-next", environment) == found
    monkeypatch.chdir(tmp_path)
    assert locate("bin/codemap-next", {}) == found
    (tmp_path / "plain").write_text("")
    for wrong in ["/nowhere/codemap", "codemap-none", str(tmp_path / "plain")]:
        with pytest.raises(UsageError, match=wrong):
            locate(wrong, environment)


def test_codemap_sees_no_token_of_another_program(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """codemap inherits PATH, HOME, its own variables and the like, and nothing else."""
    binary = root.parent / "codemap"
    binary.write_text('#!/bin/sh\nenv > "$0.seen"\nexit 1\n')
    binary.chmod(0o755)
    monkeypatch.setenv("OTHER_API_TOKEN", "hush")
    monkeypatch.setenv("CODEMAP_CONFIG", "mine")
    with pytest.raises(ProducerError):
        CodemapProducer(binary, root).manifest()
    seen = (root.parent / "codemap.seen").read_text()
    assert "CODEMAP_CONFIG=mine" in seen
    assert "hush" not in seen


def test_the_real_binary_when_one_is_named(root: Path) -> None:
    """A real codemap, named by CODEQUARRY_TEST_CODEMAP, is consumed like the fake (A13)."""
    named = os.environ.get("CODEQUARRY_TEST_CODEMAP")
    if not named:
        pytest.skip("CODEQUARRY_TEST_CODEMAP names no binary")
    settings = root.parent / "settings"
    settings.mkdir()
    (settings / "codemap.yaml").write_text("{}\n")
    own = {
        "XDG_CONFIG_HOME": str(settings),
        "CODEMAP_CONFIG_DIR": str(settings),
        "CODEMAP_CONFIG": str(settings / "codemap.yaml"),
        "CODEMAP_DATA": str(settings / "data"),
        "CODEMAP_CACHE": str(settings / "cache"),
    }
    environment = {**os.environ, **own}
    for command in (["init"], ["index", "--no-embed", "--no-lsp", "--cache=false"]):
        subprocess.run([named, *command, "--json"], cwd=root, env=environment, check=True)
    result = consume(CodemapProducer(Path(named), root, Limits(), environment))
    assert result.records.num_rows > 0
    assert result.quarantine.num_rows == 0
