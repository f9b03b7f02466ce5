"""Which node a mentioned name means.

Nothing is guessed where two answers are as good: such a reference has no edge and is counted.
"""

from collections.abc import Sequence

from codequarry.graph.members import inherited, names_inside, reexported, resolve_member
from codequarry.graph.modules import Bound
from codequarry.graph.nodes import CLASSES
from codequarry.graph.references import Reference
from codequarry.graph.scope import Scope
from codequarry.graph.targets import (
    EXACT,
    IMPORT,
    NAME,
    Miss,
    Target,
    first,
    fitting,
    in_project,
    one_scope,
    only,
)


def resolve(scope: Scope, reference: Reference, owner: int) -> Target | Miss:
    """Find what a reference means.

    Args:
        scope: The surroundings of the file that holds it.
        reference: The reference.
        owner: Row of the narrowest node around it.
    """
    if reference.receiver and _is_qualified(scope, reference):
        return resolve_member(scope, reference, owner)
    return _bare(scope, reference, owner)


def _is_qualified(scope: Scope, reference: Reference) -> bool:
    # `crate::f`, `self::f`: paths of Rust, whose `self.f` is a receiver all the same.
    return reference.receiver not in ("crate", "super") or scope.convention.family != "rust"


def _bare(scope: Scope, reference: Reference, owner: int) -> Target | Miss:
    nodes, name = scope.nodes, reference.name
    if name in scope.convention.self_words:
        return _own_class(scope, owner)
    chain, local = list(nodes.chain(owner)), _local(scope, name)
    for around in chain:
        inner = [row for row in local if _is_seen(scope, row, around, owner)]
        if inner:
            return first(fitting(scope, inner, reference), EXACT)
        if (around, name) in scope.hidden:
            return Miss.UNKNOWN
    if scope.convention.sees_members:
        of_type = {nodes.owners[row] for row in chain if nodes.members[row]}
        kin = [row for row in local if nodes.owners[row] in of_type]
        if kin:
            return first(fitting(scope, kin, reference), EXACT)
        own = scope.types.own_type(owner)
        if isinstance(passed_on := inherited(scope, reference, own, {own}), Target):
            return passed_on
    if name in scope.bindings:
        return _imported(scope, reference, scope.bindings[name])
    known = [row for row in in_project(scope, name) if not _is_constructor(scope, row)]
    shown = [row for row in known if nodes.files[row] in scope.visible and not nodes.members[row]]
    if shown:
        return one_scope(scope, fitting(scope, shown, reference), IMPORT)
    if scope.convention.must_import or name in scope.convention.builtins:
        return Miss.UNKNOWN
    seen = [row for row in known if scope.convention.sees_members or not nodes.members[row]]
    return only(fitting(scope, seen, reference), NAME)


def _local(scope: Scope, name: str) -> list[int]:
    return [row for row in scope.local(name) if not _is_constructor(scope, row)]


def _is_constructor(scope: Scope, row: int) -> bool:
    """Tell whether a node is named as its type: what makes one of a type is the type's own edge."""
    nodes = scope.nodes
    return nodes.members[row] and nodes.owners[row] == nodes.names[row]


def _own_class(scope: Scope, owner: int) -> Target | Miss:
    """Find what ``cls()`` and ``new static`` make."""
    kinds = scope.nodes.kinds
    own = scope.local(scope.types.own_type(owner))
    return only([row for row in own if kinds[row] in CLASSES], EXACT)


def _is_seen(scope: Scope, row: int, around: int, owner: int) -> bool:
    """Tell whether a bare name may mean ``row``, when only what lies in ``around`` counts."""
    if scope.nodes.parents[row] != around:
        return False
    return not scope.nodes.members[row] or scope.convention.sees_members or around == owner


def _imported(scope: Scope, reference: Reference, bindings: Sequence[Bound]) -> Target | Miss:
    nodes = scope.nodes
    if not any(bound.files for bound in bindings):
        return Miss.EXTERNAL
    inside = [name for bound in bindings for name in names_inside(bound)]
    for name in dict.fromkeys([*inside, reference.name]):
        rows = [
            row
            for file in scope.rows_of(path for bound in bindings for path in bound.files)
            for row in nodes.in_file.get((file, name), ())
        ]
        top = [row for row in rows if not nodes.members[row]] or rows
        if top:
            return first(fitting(scope, top, reference), IMPORT)
    wanted = next((b.imported for b in bindings if b.files and b.imported), reference.name)
    return reexported(scope, reference._replace(name=wanted), bindings)
