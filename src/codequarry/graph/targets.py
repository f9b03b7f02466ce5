"""What a reference is found to mean, how that was told, and how sure it is."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from codequarry.graph.nodes import CLASSES, NO_ROWS
from codequarry.graph.references import Reference
from codequarry.graph.scope import Scope

EXACT: Final = "exact"
IMPORT: Final = "import"
RECEIVER: Final = "receiver"
NAME: Final = "name"
_CONFIDENCE = {EXACT: 0.95, IMPORT: 0.95, RECEIVER: 0.9, NAME: 0.7}
"""Below what was measured on real code (docs/graph.md): 0.97, 0.99, 0.98 and 0.91."""


class Target(NamedTuple):
    """What a reference means.

    Args:
        row: Row of the node.
        resolution: ``exact``, ``import``, ``receiver`` or ``name``.
        confidence: Probability, 0 to 1.
    """

    row: int
    resolution: str
    confidence: float


class Miss(StrEnum):
    """Why a reference has no edge."""

    AMBIGUOUS = "ambiguous"
    EXTERNAL = "external"
    UNKNOWN = "unknown"


def first(rows: Sequence[int], resolution: str) -> Target:
    """Take the first of several definitions in one scope: overloads, or variants by platform."""
    return Target(rows[0], resolution, _CONFIDENCE[resolution] / len(rows))


def only(rows: Sequence[int], resolution: str) -> Target | Miss:
    """Take the one definition there is."""
    if not rows:
        return Miss.UNKNOWN
    return first(rows, resolution) if len(rows) == 1 else Miss.AMBIGUOUS


def one_scope(scope: Scope, rows: Sequence[int], resolution: str) -> Target | Miss:
    """Take the first of several definitions, when they are those of one file."""
    files = {scope.nodes.files[row] for row in rows}
    return first(rows, resolution) if len(files) == 1 else Miss.AMBIGUOUS


def fitting(scope: Scope, rows: list[int], reference: Reference) -> list[int]:
    """Prefer types where a type is meant, and what can be called where something is called."""
    kinds = scope.nodes.kinds
    if reference.kind == "calls":
        return [row for row in rows if kinds[row] != "variable"] or rows
    return [row for row in rows if kinds[row] in CLASSES] or rows


def in_project(scope: Scope, name: str) -> Sequence[int]:
    """Give all nodes of a name that the file's language may see."""
    return scope.nodes.in_project.get((scope.convention.family, name), NO_ROWS)
