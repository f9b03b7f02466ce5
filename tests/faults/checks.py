"""What must hold after a fault, looked at from outside of the process that it befell."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from codequarry.core.registry import Project
from codequarry.core.state import StateDirectory
from codequarry.index.ledger import published, read
from codequarry.index.publish import staged_versions
from codequarry.index.store import Store
from codequarry.receipts.evidence import Evidence
from codequarry.receipts.ledger import broken_entry
from codequarry.receipts.status import status_of
from tests.e2e.running import index
from tests.faults.child import maintain
from tests.faults.reading import Content, look

PROJECT, NEIGHBOUR = "quarry", "neighbour"


@dataclass(frozen=True)
class Expected:
    """What may be found around a run.

    Args:
        root: The tree of the project.
        old: What readers find before the run; ``None`` where the project is not indexed.
        new: What readers find after it.
        built_from_nothing: What an index of the tree built from nothing holds.
        neighbour: What readers find of the other project, always.
        maintained: Whether the next maintenance must mend the tables before the next run does.
    """

    root: Path
    old: Content | None
    new: Content | None
    built_from_nothing: Content
    neighbour: Content
    maintained: bool = False


@dataclass(frozen=True)
class Findings:
    """What was found after a fault.

    Args:
        readers: ``old``, ``new``, or ``mixed``, which must not be.
        status: The state and reason that `codequarry status` gives.
        mended: Mode and reason of the next run.
        problems: What does not hold.
    """

    readers: str
    status: str
    mended: str
    problems: tuple[str, ...]


def examine(home: Path, expected: Expected) -> Findings:
    """Look at a deployment after a fault, let the next run mend it, and look again."""
    state = StateDirectory(home)
    problems: list[str] = []
    readers = _readers(look(state, PROJECT), expected, problems)
    status = _status(state, expected, problems)
    problems += _surroundings(state, expected)
    mended = _mend(state, expected, problems)
    return Findings(readers, status, mended, tuple(problems))


def _readers(seen: Content | None, expected: Expected, problems: list[str]) -> str:
    if seen == expected.new:
        return "new"
    if seen == expected.old:
        return "old"
    for name, state in (("old", expected.old), ("new", expected.new)):
        if seen and state:
            problems.append(f"readers see neither: unlike {name}, {seen.differences(state)}")
    return "mixed"


def _status(state: StateDirectory, expected: Expected, problems: list[str]) -> str:
    project = Project(PROJECT, expected.root)
    found = status_of(state, project, {})
    if found.verdict.state == "fresh":
        problems += _false_freshness(state, project, expected)
    return f"{found.verdict.state} ({found.verdict.reason})"


def _false_freshness(state: StateDirectory, project: Project, expected: Expected) -> Iterator[str]:
    entry = published(Store(state)).entries.get(project.name)
    receipt = Evidence(state, project.evidence_key).receipt().document
    if entry is None or receipt is None:
        yield "falsely fresh: nothing is published"
        return
    if receipt.attempt_id != entry.attempt_id:
        yield "falsely fresh: the receipt is not that of the published attempt"
    if look(state, project.name) != expected.built_from_nothing:
        yield "falsely fresh: the published rows are not those of the tree"


def _surroundings(state: StateDirectory, expected: Expected) -> Iterator[str]:
    broken = broken_entry(read(Store(state)))
    if broken is not None:
        yield f"the chain breaks at entry {broken.sequence}"
    if look(state, NEIGHBOUR) != expected.neighbour:
        yield "the other project changed"


def _mend(state: StateDirectory, expected: Expected, problems: list[str]) -> str:
    if expected.maintained and maintain(state.home):
        problems.append("the next maintenance fails")
    try:
        outcome = index(state, expected.root)
    except Exception as error:
        problems.append(f"the next run fails: {type(error).__name__}: {error}")
        return "failed"
    seen = look(state, PROJECT)
    if seen is None or seen != expected.built_from_nothing:
        differences = seen.differences(expected.built_from_nothing) if seen else "it is absent"
        problems.append(f"mended, it is not the index built from nothing: {differences}")
    status = _status(state, expected, problems)
    if status != "fresh (fresh)":
        problems.append(f"mended, it is {status}")
    problems += _surroundings(state, expected)
    store = Store(state)
    ahead = dict(published(store).versions) != dict(staged_versions(store))
    if ahead and (outcome.mode != "none" or expected.maintained):
        problems.append("mended, tables are ahead of what is published")
    return f"{outcome.mode} ({outcome.reason})"
