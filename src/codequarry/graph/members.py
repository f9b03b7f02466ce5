"""Which node a name behind a receiver means: a member of a type, or a symbol of a module."""

import posixpath
from collections.abc import Iterable, Mapping, Sequence

from codequarry.graph.imports import DEFAULT, default_names
from codequarry.graph.modules import Bound
from codequarry.graph.nodes import CLASSES, NO_ROWS
from codequarry.graph.references import UNKNOWN_RECEIVER, Reference
from codequarry.graph.scope import Scope
from codequarry.graph.targets import (
    EXACT,
    IMPORT,
    NAME,
    RECEIVER,
    Miss,
    Target,
    first,
    fitting,
    in_project,
    only,
)
from codequarry.graph.typed import CALLED
from codequarry.graph.types import Chain

_SEVERAL = 2


def resolve_member(scope: Scope, reference: Reference, owner: int) -> Target | Miss:
    """Find what a reference with a receiver means.

    Args:
        scope: The surroundings of the file that holds it.
        reference: The reference.
        owner: Row of the narrowest node around it.
    """
    receiver, types = reference.receiver, scope.types
    if receiver == UNKNOWN_RECEIVER:
        return _on_unknown(scope, reference)
    if receiver in scope.convention.super_words:
        own = types.own_type(owner)
        return inherited(scope, reference, own, {own}) or Miss.UNKNOWN
    if receiver in scope.convention.self_words:
        return _on_self(scope, reference, owner)
    parts = receiver.replace("$", "").split(".")
    known = types.of(parts, owner)
    if known is not None:
        return _on_type(scope, reference, known)
    if parts[-1].endswith(CALLED) or scope.is_hidden(parts[0], owner):
        return _on_unknown(scope, reference)
    return _on_named(scope, reference, parts)


def reexported(scope: Scope, reference: Reference, bindings: Sequence[Bound]) -> Target | Miss:
    """Look for what a module passes on: first below its own folder, then by name alone."""
    nodes = scope.nodes
    known = [row for row in in_project(scope, reference.name) if not nodes.members[row]]
    folders = {path.rpartition("/")[0] for bound in bindings for path in bound.files}
    prefixes = tuple(f"{folder}/" for folder in folders if folder)
    near = [row for row in known if nodes.paths[row].startswith(prefixes)]
    if near:
        return only(fitting(scope, near, reference), IMPORT)
    return only(fitting(scope, known, reference), NAME)


def names_behind(bound: Bound) -> list[str]:
    """Give what an imported name may be called where it is defined."""
    if bound.imported != DEFAULT:
        return [bound.imported]
    stems = [posixpath.basename(path).partition(".")[0] for path in bound.files]
    return [name for stem in stems for name in default_names(stem)]


def names_inside(bound: Bound) -> list[str]:
    """Give what an imported name may be called in the very files that it is imported from."""
    return [bound.default, *names_behind(bound)] if bound.default else names_behind(bound)


def inherited(scope: Scope, reference: Reference, of: str, seen: set[str]) -> Target | Miss | None:
    """Look for a member in what a type of this file inherits from, the nearest first.

    Args:
        scope: The surroundings of the file.
        reference: The member.
        of: Name of the type.
        seen: Names of types that were looked at, to be added to.
    """
    missed: Target | Miss | None = None
    for base in scope.types.bases.get(of, ()):
        if base[-1] not in seen:
            seen.add(base[-1])
            missed = _of_type(scope, reference, base, seen)
            if isinstance(missed, Target):
                return missed
    return missed


def _on_self(scope: Scope, reference: Reference, owner: int) -> Target | Miss:
    own = scope.types.own_type(owner)
    if own and (mine := _members_here(scope, reference, own)):
        return first(mine, EXACT)
    found = inherited(scope, reference, own, {own})
    if isinstance(found, Target):
        return found
    is_all_here = scope.local(own) and _is_foreign(scope, (own,))
    return Miss.UNKNOWN if is_all_here else _on_unknown(scope, reference)


def _on_type(scope: Scope, reference: Reference, known: Chain) -> Target | Miss:
    found = _of_type(scope, reference, known, {known[-1]})
    if found is not None:
        return found
    return Miss.UNKNOWN if _is_foreign(scope, known) else _on_unknown(scope, reference)


def _is_foreign(scope: Scope, known: Chain) -> bool:
    """Tell whether a type is surely none whose members the project defines."""
    bindings, _ = scope.bound(known)
    if bindings:
        return False
    here = scope.local(known[0])
    if not here:
        return scope.convention.must_import and not scope.visible
    bases = scope.types.bases.get(known[-1], ())
    is_class = any(scope.nodes.kinds[row] in CLASSES for row in here)
    return is_class and not any(_may_be_ours(scope, base) for base in bases)


def _may_be_ours(scope: Scope, base: Chain) -> bool:
    bindings, _ = scope.bound(base)
    return any(bound.files for bound in bindings) or not scope.convention.must_import


def _of_type(
    scope: Scope, reference: Reference, known: Chain, seen: set[str]
) -> Target | Miss | None:
    """Look for a member in a type and in what it inherits from; ``None`` when it may be anywhere.

    Args:
        scope: The surroundings of the file.
        reference: The member.
        known: The type.
        seen: Names of types that were looked at, to be added to.
    """
    bindings, rest = scope.bound(known)
    if bindings:
        return _of_imported_type(scope, reference, bindings, rest)
    if mine := _members_here(scope, reference, known[-1]):
        return first(mine, RECEIVER)
    if found := inherited(scope, reference, known[-1], seen):
        return found
    typed = _of_named_type(scope, reference, known[-1])
    return typed and typed._replace(resolution=RECEIVER)


def _members_here(scope: Scope, reference: Reference, of: str) -> list[int]:
    nodes = scope.nodes
    mine = [r for r in scope.local(reference.name) if nodes.owners[r] == of and nodes.members[r]]
    return fitting(scope, mine, reference)


def _of_imported_type(
    scope: Scope, reference: Reference, bindings: Sequence[Bound], rest: Sequence[str]
) -> Target | Miss | None:
    nodes = scope.nodes
    if not any(bound.files for bound in bindings):
        return Miss.EXTERNAL
    inside, behind = (
        rest[-1:] or [name for bound in bindings for name in names(bound) if name]
        for names in (names_inside, names_behind)
    )
    methods = nodes.methods(scope.convention.family, reference.name)
    files = set(scope.rows_of(path for bound in bindings for path in bound.files))
    near = [row for row in _owned(methods, inside) if nodes.files[row] in files]
    owned = _owned(methods, behind)
    passed_on = owned if len({nodes.files[row] for row in owned}) == 1 else []
    found = fitting(scope, near or passed_on, reference)
    return first(found, RECEIVER) if found else None


def _owned(methods: Mapping[str, Sequence[int]], owners: Iterable[str]) -> list[int]:
    """Give the rows that one of some owners has, ascending."""
    return sorted(row for owner in set(owners) for row in methods.get(owner, NO_ROWS))


def _on_named(scope: Scope, reference: Reference, parts: Sequence[str]) -> Target | Miss:
    """Look for a member of what the receiver names outright: a module or a type."""
    bindings, rest = scope.bound(parts)
    if bindings:
        found = _behind(scope, reference, bindings, rest)
        return _on_unknown(scope, reference) if found is None else found
    typed = _of_named_type(scope, reference, parts[-1])
    if typed is not None:
        return typed
    passed_on = inherited(scope, reference, parts[-1], {parts[-1]})
    if isinstance(passed_on, Target):
        return passed_on
    if len(parts) == 1 and parts[0][0].isupper() and scope.convention.capital_types:
        return Miss.UNKNOWN
    return _on_unknown(scope, reference)


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
        wanted = rest[-1:] or names_inside(bound)
        of_type = [row for row in rows if nodes.owners[row] and nodes.owners[row] in wanted]
        is_module = not rest and bound.imported in ("", DEFAULT)
        of_module = [row for row in rows if is_module and not nodes.members[row]]
        if found := of_type or of_module:
            return first(fitting(scope, found, reference), IMPORT)
    if not rest and not any(bound.imported for bound in bindings):
        for bound in bindings:
            for path in bound.files:
                passed = scope.passed(path, reference.name)
                if passed and (found := _named_in(scope, reference, passed)):
                    return first(fitting(scope, found, reference), IMPORT)
        return reexported(scope, reference, bindings)
    found_type = _of_imported_type(scope, reference, bindings, rest)
    return found_type._replace(resolution=IMPORT) if isinstance(found_type, Target) else None


def _named_in(scope: Scope, reference: Reference, bound: Bound) -> list[int]:
    """Give the nodes outside of types that have an imported name, in its own files."""
    nodes = scope.nodes
    return [
        row
        for file in scope.rows_of(bound.files)
        for name in names_inside(bound)
        for row in nodes.in_file.get((file, name), ())
        if not nodes.members[row]
    ]


def _of_named_type(scope: Scope, reference: Reference, of: str) -> Target | None:
    """Look for a member of a type, or of a module, that the receiver names outright."""
    nodes, name = scope.nodes, reference.name
    here = [row for row in scope.local(name) if nodes.owners[row] == of]
    if here:
        return first(fitting(scope, here, reference), EXACT)
    if scope.convention.must_import and not scope.visible:
        return None
    owned = [row for row in in_project(scope, name) if nodes.owners[row] == of]
    shown = [row for row in owned if nodes.files[row] in scope.visible]
    if shown:
        return first(fitting(scope, shown, reference), IMPORT)
    files = {nodes.files[row] for row in owned}
    is_told = len(files) == 1 and not scope.convention.must_import
    return first(fitting(scope, owned, reference), NAME) if is_told else None


def _on_unknown(scope: Scope, reference: Reference) -> Target | Miss:
    """Look for the one method of a name, when nothing is known of the receiver's type."""
    nodes, name = scope.nodes, reference.name
    if reference.kind != "calls" or name in scope.convention.builtins or name.startswith("__"):
        return Miss.UNKNOWN
    here = [row for row in scope.local(name) if nodes.members[row]]
    if here:
        return only(here, NAME)
    methods = nodes.methods(scope.convention.family, name)
    return only([row for rows in methods.values() for row in rows[:_SEVERAL]], NAME)
