import os
from pathlib import Path
from typing import Any

import pytest

from codequarry.producers.builtin import refresh as module
from codequarry.producers.builtin.index import ProducerIndex
from codequarry.producers.builtin.jobs import TOO_SLOW, FileJob, FileSymbols, extract_file
from codequarry.producers.builtin.refresh import Drift, Refreshed, refresh
from codequarry.sources.walk import inventory
from codequarry.syntax.pool import CRASHED, map_files
from tests.producers_builtin.building import NOW, page, producer, write

FILES = {"a.py": b"def a(): pass\n", "b.py": b"def b(): pass\n", "c.go": b"package c\n"}


def run(root: Path, previous: ProducerIndex | None = None) -> Refreshed:
    return refresh(root, "demo", inventory(root).files, previous, lambda: NOW)


def test_a_first_run_attests_nothing(tmp_path: Path) -> None:
    """Over an empty index every file is new and there is no delta (A4)."""
    done = run(write(tmp_path, FILES))
    assert done.drift == Drift((), ("a.py", "b.py", "c.go"), ())
    assert done.extracted == 3
    assert done.index.delta is None


def test_the_delta_lists_what_changed_by_hash(tmp_path: Path) -> None:
    """Changed, new and deleted files are attested with both fingerprints (A4)."""
    root = write(tmp_path, FILES)
    first = run(root).index
    write(root, {"a.py": b"def a2(): pass\n", "d.py": b"def d(): pass\n"})
    (root / "b.py").unlink()
    done = run(root, first)
    delta = done.index.delta
    assert delta is not None
    assert (delta.from_fingerprint, delta.to_fingerprint) == (
        first.fingerprint,
        done.index.fingerprint,
    )
    assert (delta.changed_files, delta.new_files, delta.deleted_files) == (
        ["a.py"],
        ["d.py"],
        ["b.py"],
    )
    assert delta.created_at == NOW
    assert done.extracted == 2


def test_files_without_symbols_appear_in_the_delta(tmp_path: Path) -> None:
    """The comparison is over file hashes, not over records (A4)."""
    root = write(tmp_path, FILES)
    first = run(root).index
    write(root, {"c.go": b"package other\n", "a.py": b"def a9(): pass\n"})
    delta = run(root, first).index.delta
    assert delta is not None
    assert delta.changed_files == ["a.py", "c.go"]


def test_a_run_without_changes_keeps_the_delta(tmp_path: Path) -> None:
    """A no-op extracts nothing and leaves an attestation that is still true (J-11)."""
    root = write(tmp_path, FILES)
    first = run(root).index
    write(root, {"a.py": b"def a2(): pass\n"})
    second = run(root, first).index
    third = run(root, second)
    assert second.delta is not None
    assert third.index.delta == second.delta
    assert third.extracted == 0
    assert third.index.fingerprint == second.fingerprint


def test_an_edit_that_moves_no_record_clears_the_delta(tmp_path: Path) -> None:
    """Equal fingerprints leave no attestation, though a hash changed (A4)."""
    root = write(tmp_path, FILES)
    first = run(root).index
    write(root, {"a.py": b"def a(): pass\n# end\n"})
    done = run(root, first)
    assert done.drift.modified == ("a.py",)
    assert done.index.fingerprint == first.fingerprint
    assert done.index.delta is None


def test_refreshing_step_by_step_equals_starting_anew(tmp_path: Path) -> None:
    """However an index came about, its records and fingerprint are those of the tree."""
    root = write(tmp_path, FILES)
    index = run(root).index
    for files in ({"z/a.py": b"class Z: pass\n"}, {"a.py": b""}, {"a.py": b"X = 1\n"}):
        write(root, files)
        index = run(root, index).index
    fresh = run(root).index
    assert index.records.equals(fresh.records)
    assert index.files.equals(fresh.files)
    assert index.fingerprint == fresh.fingerprint


def test_another_extractor_extracts_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change of version re-reads every file and attests nothing."""
    root = write(tmp_path, FILES)
    first = run(root).index
    monkeypatch.setattr(module, "reader_version", lambda _: b"next")
    write(root, {"a.py": b"def a2(): pass\n"})
    done = run(root, first)
    assert done.extracted == 3
    assert done.index.delta is None
    assert done.index.extractor_version == b"next".hex()


def test_names_that_a_record_cannot_carry_are_left_out(tmp_path: Path) -> None:
    """Backslashes and broken UTF-8 in a name keep a file out, odd characters do not."""
    root = write(tmp_path, {"good name\n.py": b"def f(): pass\n", "back\\slash.py": b"X = 1\n"})
    (root / os.fsdecode(b"broken\xff.py")).write_bytes(b"Y = 1\n")
    assert run(root).index.files["path"].to_pylist() == ["good name\n.py"]


def test_a_file_that_vanishes_meanwhile_is_not_indexed(tmp_path: Path) -> None:
    """Between the inventory and the reading a file may go; the rest is indexed."""
    root = write(tmp_path, FILES)
    snapshot = inventory(root).files
    (root / "b.py").unlink()
    done = refresh(root, "demo", snapshot, None, lambda: NOW)
    assert done.index.files["path"].to_pylist() == ["a.py", "c.go"]


def test_a_file_the_parser_cannot_take_falls_back_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stays in the index without records, with a reason, until its content changes."""
    root = write(tmp_path, {**FILES, "slow.py": b"x = 1\n"})
    monkeypatch.setattr(module, "extract_file", impatient)
    done = run(root)
    assert [path for path, _ in done.failed] == ["slow.py"]
    assert done.index.records["file"].unique().to_pylist() == ["a.py", "b.py"]
    again = run(root, done.index)
    assert again.extracted == 0
    assert again.failed == done.failed


def test_all_is_read_again_when_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that was too slow on a busy machine has its symbols back after a full run."""
    root = write(tmp_path / "tree", {"slow.py": b"x = 1\n"})
    made = producer(root, tmp_path / "state")
    with monkeypatch.context() as busy:
        busy.setattr(module, "extract_file", impatient)
        made.refresh()
    assert made.refresh().failed
    assert not made.refresh(anew=True).failed
    assert page(made).total_records == 1


def impatient(job: FileJob) -> FileSymbols:
    done = extract_file(job)
    return done if job.path != "slow.py" else FileSymbols(done.sha256, (), TOO_SLOW)


def test_one_process_and_two_give_the_same_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How the work is spread changes nothing about the outcome."""
    files = {f"m{number}.py": b"def f(): pass\n" * number for number in range(1, 200)}
    root = write(tmp_path, files)
    alone = run(root).index

    def pooled(*given: Any) -> Any:
        return map_files(*given, small_bytes=0, processes=2)

    monkeypatch.setattr(module, "map_files", pooled)
    assert run(root).index == alone


def fatal(job: FileJob) -> FileSymbols:
    if job.path == "crash.yaml":
        os._exit(11)
    return extract_file(job)


def test_a_file_that_crashes_its_parser_is_lost_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A parser that takes its process with it leaves every other file indexed."""
    monkeypatch.setattr(module, "extract_file", fatal)
    done = run(write(tmp_path, {**FILES, "crash.yaml": b"a: 1\n"}))
    assert done.failed == (("crash.yaml", CRASHED),)
    assert done.index.files["path"].to_pylist() == ["a.py", "b.py", "c.go", "crash.yaml"]
    assert done.index.records["file"].to_pylist() == ["a.py", "b.py"]
