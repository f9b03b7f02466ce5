"""What a run makes of producers that hang, lie, die or print rubbish."""

from pathlib import Path
from typing import NamedTuple

import pytest

from codequarry.core.errors import ProducerError, UsageError
from codequarry.core.state import StateDirectory
from codequarry.producers.selection import REASONS
from codequarry.runs.export import damaged_pages
from codequarry.runs.records import (
    broken_ordinals,
    moved_fingerprint,
    notes_of_records,
    record_rules,
)
from tests.e2e.planting import write
from tests.fakes import Scenario, install
from tests.runs.stepping import Steps


def functions(name: str, number: int) -> bytes:
    """Write a file of functions."""
    return "".join(f"def {name}_{n}():\n    return {n}\n\n\n" for n in range(number)).encode()


SMALL = {"a.py": functions("one", 3), "b.py": functions("two", 2), "README.md": b"# Demo\n"}
THREE_PAGES = {**SMALL, "a.py": functions("one", 200), "b.py": functions("two", 100)}
LAST = [5]  # the ordinal of the last record of SMALL
OUTSIDE = b"def outside_secret():\n    return 1\n"


class Case(NamedTuple):
    """A misbehaviour.

    Args:
        scenario: Of the fake codemap.
        usable: Files whose records are used all the same.
        word: A part of what the run's notes say about it, if it was given up.
    """

    scenario: Scenario
    usable: int = 0
    word: str = ""


CASES = {
    "prints garbage": Case({"fault": "garbage"}, word="rule P"),
    "prints 100 MB": Case({"fault": "flood"}, word="printed more than"),
    "dies": Case({"fault": "die"}, word="export-symbols"),
    "dies without a word": Case({"fault": "quiet_death"}, word="export-symbols"),
    "dies in page 3": Case({"fault": "die", "only_pages": [2]}, word="export-symbols"),
    "garbage in page 3": Case({"fault": "garbage", "only_pages": [2]}, word="rule P"),
    "is not indexed": Case({"fault": "not_indexed"}, word="codemap index"),
    "moves on for ever": Case({"fault": "changes_always"}, word="rule P5"),
    "total too high": Case({"page_patch": {"total_records": 6}}, word="rule P"),
    "total too low": Case({"page_patch": {"total_records": 4}}, word="rule P"),
    "never complete": Case({"page_patch": {"complete": False}}, word="rule P"),
    "returned lies": Case({"page_patch": {"returned_records": 1}}, word="rule P"),
    "another project": Case({"page_patch": {"project_key": "0" * 12}}, word="rule P"),
    "fingerprint is none": Case({"page_patch": {"index_fingerprint": "xyz"}}, word="rule P"),
    "fingerprint of others": Case({"record_patch": {"index_fingerprint": "0" * 64}}, word="rule R"),
    "ordinal jumps": Case({"only_ordinals": LAST, "record_patch": {"ordinal": 7}}, word="rule R"),
    "path leaves": Case(
        {"only_ordinals": LAST, "record_patch": {"file": "../outside.py"}}, word="rule R2"
    ),
    "absolute path": Case(
        {"only_ordinals": LAST, "record_patch": {"file": "/etc/passwd"}}, word="rule R2"
    ),
    "content lies": Case({"only_ordinals": LAST, "record_patch": {"content": "secret"}}, 1),
    "lines lie": Case(
        {"only_ordinals": LAST, "record_patch": {"end_line": 99999}}, word="fingerprint"
    ),
    "all content lies": Case({"record_patch": {"content": "secret source"}}, word="do not agree"),
    "signature lies": Case(
        {"only_ordinals": LAST, "record_patch": {"signature": "def other()"}}, word="fingerprint"
    ),
}


@pytest.fixture
def steps(tmp_path: Path, state: StateDirectory) -> Steps:
    write(tmp_path, {"outside.py": OUTSIDE})
    return Steps(state, write(tmp_path / "tree", SMALL))


def steps_for(what: str, steps: Steps) -> Steps:
    """Give the three-page tree to the cases that need one."""
    if "only_pages" not in CASES[what].scenario and "moves" not in what:
        return steps
    return Steps(steps.state, write(steps.project.root, THREE_PAGES))


@pytest.mark.parametrize("what", CASES)
def test_misbehaviour(steps: Steps, tmp_path: Path, what: str) -> None:
    """A run without a spare producer goes on without what it cannot trust, and says so."""
    case = CASES[what]
    binary = install(tmp_path, case.scenario)
    steps = steps_for(what, steps)
    stored = steps.records(steps.export(binary=binary))
    notes = notes_of_records(stored)
    assert notes.usable_files == case.usable
    assert notes.loaded is (case.usable > 0)
    assert bool(stored.header.plan.to_fingerprint) is notes.loaded
    files = set(stored.tables["records"]["file"].to_pylist())
    assert files <= {"a.py", "b.py"}
    assert len(files) == case.usable
    [fallback] = notes.fallbacks
    code = "partial_structural_snapshot" if case.usable else "producer_error"
    assert fallback.code == code
    assert fallback.reason in REASONS.values()
    assert case.word in "".join(notes.problems)
    assert "secret" not in "".join(notes.problems)
    for rule in (broken_ordinals, moved_fingerprint, record_rules):
        assert rule(stored) == []


@pytest.mark.parametrize(
    "what", ["prints garbage", "dies", "total too low", "path leaves", "content lies"]
)
def test_misbehaviour_when_required(steps: Steps, tmp_path: Path, what: str) -> None:
    """Where structure is required, each of them stops the run before it writes anything."""
    binary = install(tmp_path, CASES[what].scenario)
    with pytest.raises(ProducerError) as caught:
        steps.records(steps.export("required", binary=binary))
    assert "secret" not in str(caught.value)
    assert not steps.state.receipt(steps.project.evidence_key).exists()


@pytest.mark.parametrize(
    "what",
    ["prints garbage", "dies in page 3", "ordinal jumps", "path leaves", "lines lie"],
)
def test_spare_producer(steps: Steps, tmp_path: Path, what: str) -> None:
    """In auto, the built-in producer steps in, and the receipt tells that codemap failed."""
    binary = install(tmp_path, CASES[what].scenario)
    steps = steps_for(what, steps)
    notes = notes_of_records(steps.records(steps.export(producer="auto", binary=binary)))
    assert (notes.producer, notes.usable_files) == ("codequarry", 3)
    assert [fallback.code for fallback in notes.fallbacks] == ["producer_error"]
    assert CASES[what].word in "".join(notes.problems)


@pytest.mark.parametrize("scenario", [{}, {"fault": "no_ordinals"}, {"fault": "changes_once"}])
def test_honest_export(steps: Steps, tmp_path: Path, scenario: Scenario) -> None:
    """A sound export is used whole, legacy ones without ordinals and ones that moved once too."""
    binary = install(tmp_path, scenario)
    steps = Steps(steps.state, write(steps.project.root, THREE_PAGES))
    export = steps.export("required", binary=binary)
    stored = steps.records(export)
    notes = notes_of_records(stored)
    assert damaged_pages(export) == []
    assert export.tables["pages"].num_rows == 3
    assert (notes.producer, notes.loaded, notes.usable_files) == ("codemap", True, 2)
    assert stored.tables["records"].num_rows == 300
    assert (notes.fallbacks, notes.problems) == ([], [])


def test_missing_binary(steps: Steps, tmp_path: Path) -> None:
    """A binary that is configured and missing is a wrong setting; none at all is a fallback."""
    with pytest.raises(UsageError, match="does not exist or is not executable"):
        steps.export(binary=tmp_path / "nowhere")
    with pytest.raises(ProducerError, match="was not found"):
        steps.export("required")
    notes = notes_of_records(steps.records(steps.export()))
    assert [fallback.code for fallback in notes.fallbacks] == ["producer_unavailable"]
    assert notes_of_records(steps.records(steps.export("off"))).fallbacks == []


def test_damaged_pages_are_noticed(steps: Steps, tmp_path: Path) -> None:
    """A stored page that no longer has its hash, or a missing one, is reported by its number."""
    steps = Steps(steps.state, write(steps.project.root, THREE_PAGES))
    export = steps.export(binary=install(tmp_path))
    table = export.tables["pages"]
    kept = type(export)(export.header, {"pages": table.slice(1)}, export.notes)
    assert damaged_pages(kept) == ["page 1"]
    bodies = [body[:-1] for body in table["body"].to_pylist()]
    changed = table.set_column(table.schema.get_field_index("body"), "body", [bodies])
    broken = type(export)(export.header, {"pages": changed}, export.notes)
    assert damaged_pages(broken) == ["page 0", "page 1", "page 2"]
    short = type(export)(export.header, {"pages": table.slice(0, 2)}, export.notes)
    assert damaged_pages(short) == ["256 records in pages that announce [300]"]
