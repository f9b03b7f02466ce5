"""Which node a mentioned name means, how that was told, and how sure it is.

Nothing is guessed where two answers are as good: such a reference has no edge and is counted.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from codequarry.graph.modules import Bound
from codequarry.graph.nodes import CLASSES, NO_ROWS
from codequarry.graph.references import UNKNOWN_RECEIVER, Reference
from codequarry.graph.scope import Scope

EXACT: Final = "exact"
IMPORT: Final = "import"
NAME: Final = "name"
_CONFIDENCE = {EXACT: 0.9, IMPORT: 0.85, NAME: 0.5}


class Target(NamedTuple):
    """What a reference means.

    Args:
        row: Row of the node.
        resolution: ``exact``, ``import`` or ``name``.
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


def resolve(scope: Scope, reference: Reference, owner: int) -> Target | Miss:
    """Find what a reference means.

    Args:
        scope: The surroundings of the file that holds it.
        reference: The reference.
        owner: Row of the narrowest node around it.
    """
    if reference.receiver and _is_qualified(scope, reference):
        return _member(scope, reference, owner)
    return _bare(scope, reference, owner)


def _is_qualified(scope: Scope, reference: Reference) -> bool:
    # `crate::f`, `self::f`: paths of Rust, whose `self.f` is a receiver all the same.
    return reference.receiver not in ("crate", "super") or scope.convention.family != "rust"


def _bare(scope: Scope, reference: Reference, owner: int) -> Target | Miss:
    nodes, name = scope.nodes, reference.name
    chain = list(nodes.chain(owner))
    for around in chain:
        inner = [row for row in scope.local(name) if _is_seen(scope, row, around, owner)]
        if inner:
            return _first(_fitting(scope, inner, reference), EXACT)
        if (around, name) in scope.hidden:
            return Miss.UNKNOWN
    if scope.convention.sees_members:
        of_type = {nodes.owners[row] for row in chain if nodes.members[row]}
        kin = [row for row in scope.local(name) if nodes.owners[row] in of_type]
        if kin:
            return _first(_fitting(scope, kin, reference), EXACT)
    if name in scope.bindings:
        return _imported(scope, reference, scope.bindings[name])
    known = _project(scope, name)
    shown = [row for row in known if nodes.files[row] in scope.visible and not nodes.members[row]]
    if shown:
        return _one_scope(scope, _fitting(scope, shown, reference), IMPORT)
    if scope.convention.must_import or name in scope.convention.builtins:
        return Miss.UNKNOWN
    seen = [row for row in known if scope.convention.sees_members or not nodes.members[row]]
    return _only(_fitting(scope, seen, reference), NAME)


def _is_seen(scope: Scope, row: int, around: int, owner: int) -> bool:
    """Tell whether a bare name may mean ``row``, when only what lies in ``around`` counts."""
    if scope.nodes.parents[row] != around:
        return False
    return not scope.nodes.members[row] or scope.convention.sees_members or around == owner


def _imported(scope: Scope, reference: Reference, bindings: Sequence[Bound]) -> Target | Miss:
    nodes = scope.nodes
    if not any(bound.files for bound in bindings):
        return Miss.EXTERNAL
    for name in dict.fromkeys([*(bound.imported for bound in bindings), reference.name]):
        rows = [
            row
            for file in scope.rows_of(path for bound in bindings for path in bound.files)
            for row in nodes.in_file.get((file, name), ())
        ]
        top = [row for row in rows if not nodes.members[row]] or rows
        if top:
            return _first(_fitting(scope, top, reference), IMPORT)
    wanted = next((b.imported for b in bindings if b.files and b.imported), reference.name)
    return _reexported(scope, reference._replace(name=wanted), bindings)


def _reexported(scope: Scope, reference: Reference, bindings: Sequence[Bound]) -> Target | Miss:
    """Look for what a module passes on: first below its own folder, then by name alone."""
    nodes = scope.nodes
    known = [row for row in _project(scope, reference.name) if not nodes.members[row]]
    folders = {path.rpartition("/")[0] for bound in bindings for path in bound.files}
    prefixes = tuple(f"{folder}/" for folder in folders if folder)
    near = [row for row in known if nodes.paths[row].startswith(prefixes)]
    if near:
        return _only(_fitting(scope, near, reference), IMPORT)
    return _only(_fitting(scope, known, reference), NAME)


def _member(scope: Scope, reference: Reference, owner: int) -> Target | Miss:
    nodes, name = scope.nodes, reference.name
    parts = reference.receiver.split(".")
    if reference.receiver in scope.convention.self_words:
        own = _own_type(scope, owner)
        mine = [row for row in scope.local(name) if own and nodes.owners[row] == own]
        if mine:
            return _first(mine, EXACT)
    elif reference.receiver != UNKNOWN_RECEIVER:
        for length in range(len(parts), 0, -1):
            prefix = ".".join(parts[:length])
            if prefix in scope.bindings and not _is_hidden(scope, parts[0], owner):
                found = _behind(scope, reference, scope.bindings[prefix], parts[length:])
                if found is not None:
                    return found
                break
        else:
            typed = _of_named_type(scope, name, parts[-1])
            if typed is not None:
                return typed
    return _on_unknown(scope, reference)


def _is_hidden(scope: Scope, name: str, owner: int) -> bool:
    return any((around, name) in scope.hidden for around in scope.nodes.chain(owner))


def _own_type(scope: Scope, owner: int) -> str:
    """Give the type whose method encloses ``owner``."""
    nodes = scope.nodes
    inside = (row for row in nodes.chain(owner) if nodes.members[row])
    return next((nodes.owners[row] for row in inside), "")


def _behind(
    scope: Scope, reference: Reference, bindings: Sequence[Bound], rest: Sequence[str]
) -> Target | Miss | None:
    """Look behind an imported module or type; ``None`` when the type is not told by that."""
    nodes = scope.nodes
    if not any(bound.files for bound in bindings):
        return Miss.EXTERNAL
    for bound in bindings:
        rows = [
            row
            for file in scope.rows_of(bound.files)
            for row in nodes.in_file.get((file, reference.name), ())
        ]
        wanted = rest[-1] if rest else bound.imported
        of_type = [row for row in rows if wanted and nodes.owners[row] == wanted]
        of_module = [row for row in rows if not nodes.members[row] and not rest]
        found = of_type or of_module
        if found:
            return _first(_fitting(scope, found, reference), IMPORT)
    is_module = not rest and not any(bound.imported for bound in bindings)
    return _reexported(scope, reference, bindings) if is_module else None


def _of_named_type(scope: Scope, name: str, owner_name: str) -> Target | None:
    """Look for a member of a type, or of a module, that the receiver names outright."""
    nodes = scope.nodes
    here = [row for row in scope.local(name) if nodes.owners[row] == owner_name]
    if here:
        return _first(here, EXACT)
    if scope.convention.must_import and not scope.visible:
        return None
    owned = [row for row in _project(scope, name) if nodes.owners[row] == owner_name]
    shown = [row for row in owned if nodes.files[row] in scope.visible]
    if shown:
        return _first(shown, IMPORT)
    files = {nodes.files[row] for row in owned}
    return _first(owned, NAME) if len(files) == 1 and not scope.convention.must_import else None


def _on_unknown(scope: Scope, reference: Reference) -> Target | Miss:
    """Look for the one method of a name, when nothing is known of the receiver's type."""
    nodes, name = scope.nodes, reference.name
    if reference.kind != "calls" or name in scope.convention.builtins or name.startswith("__"):
        return Miss.UNKNOWN
    here = [row for row in scope.local(name) if nodes.members[row]]
    if here:
        return _only(here, NAME)
    return _only([row for row in _project(scope, name) if nodes.members[row]], NAME)


def _project(scope: Scope, name: str) -> Sequence[int]:
    return scope.nodes.in_project.get((scope.convention.family, name), NO_ROWS)


def _fitting(scope: Scope, rows: list[int], reference: Reference) -> list[int]:
    """Prefer types where a type is meant, and what can be called where something is called."""
    kinds = scope.nodes.kinds
    if reference.kind == "calls":
        return [row for row in rows if kinds[row] != "variable"] or rows
    return [row for row in rows if kinds[row] in CLASSES] or rows


def _first(rows: Sequence[int], resolution: str) -> Target:
    """Take the first of several definitions in one scope: overloads, or variants by platform."""
    return Target(rows[0], resolution, _CONFIDENCE[resolution] / len(rows))


def _one_scope(scope: Scope, rows: Sequence[int], resolution: str) -> Target | Miss:
    files: Iterable[int] = {scope.nodes.files[row] for row in rows}
    return _first(rows, resolution) if len(list(files)) == 1 else Miss.AMBIGUOUS


def _only(rows: Sequence[int], resolution: str) -> Target | Miss:
    if not rows:
        return Miss.UNKNOWN
    return _first(rows, resolution) if len(rows) == 1 else Miss.AMBIGUOUS
