"""Does an answer still say what the working trees say? Asked after a search, by policy."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from codequarry.core.registry import Registry
from codequarry.core.state import StateDirectory
from codequarry.receipts.status import Status, status_of

Policy = Literal["ignore", "warn", "error"]


@dataclass(frozen=True)
class Freshness:
    """The states of the projects that an answer came from.

    Args:
        projects: Their statuses, in the order asked for.
    """

    projects: tuple[Status, ...]

    @property
    def is_fresh(self) -> bool:
        """Whether every project is known to equal its working tree."""
        return bool(self.projects) and all(one.verdict.state == "fresh" for one in self.projects)

    @property
    def notes(self) -> tuple[str, ...]:
        """One sentence for each project that is not known to be fresh."""
        return tuple(stale_note(one) for one in self.projects if one.verdict.state != "fresh")


def freshness_of(state: StateDirectory, registry: Registry, names: Iterable[str]) -> Freshness:
    """Take the status of some projects; hashes what changed in their trees.

    Raises:
        ProjectError: A name is unknown.
    """
    return Freshness(tuple(status_of(state, registry.get(name)) for name in names))


def stale_note(one: Status) -> str:
    """Say how an index differs from its tree, and the remedy."""
    verdict = one.verdict
    what = f"{one.project.name} is {verdict.state} ({verdict.reason})"
    if verdict.drift.total:
        what += f", {verdict.drift.total:,} changed since it was indexed"
    return f"{what}: run `{one.remedy}`"
