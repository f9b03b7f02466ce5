"""What type a receiver has, as far as the file itself tells.

A type is a chain of names, as in ``("store", "Store")``: what it means is looked up like any other
name of the file.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from codequarry.graph.conventions import Convention
from codequarry.graph.nodes import CLASSES, FUNCTIONS, Nodes
from codequarry.graph.references import Reference
from codequarry.graph.typed import CALLED, NAMED, Typed

Chain = tuple[str, ...]

_Key = TypeVar("_Key", int, str)
_DEPTH = 8
_UNTOLD = ""


class _Origin(NamedTuple):
    """An expression that makes a type, and the node in which it stands."""

    expression: str
    owner: int


@dataclass
class Types:
    """What one file tells of types.

    Args:
        nodes: The project's nodes.
        convention: Of the file's language.
        variables: Row of a node and name of a variable of it.
        names: The names of all variables.
        fields: Name of a type and of a field of it.
        results: Name of a type, empty for none, and of a function of it.
        bases: Name of a type to what it inherits from.
    """

    nodes: Nodes
    convention: Convention
    variables: dict[tuple[int, str], _Origin] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    fields: dict[tuple[str, str], _Origin] = field(default_factory=dict)
    results: dict[tuple[str, str], _Origin] = field(default_factory=dict)
    bases: dict[str, list[Chain]] = field(default_factory=lambda: defaultdict(list))

    def tell(self, what: Typed, owner: int) -> None:
        """Note what a statement in ``owner`` tells."""
        nodes = self.nodes
        told = _Origin(what.origin, owner)
        head, dot, rest = what.name.partition(".")
        is_field = dot and head in self.convention.self_words
        if what.name.endswith(CALLED):
            own = nodes.owners[owner] if nodes.members[owner] else ""
            _note(self.results, (own, what.name.removesuffix(CALLED)), told)
        elif is_field and "." not in rest:
            _note(self.fields, (self.own_type(owner), rest), told)
        elif not dot:
            is_type = nodes.kinds[owner] in CLASSES
            if not is_type or self.convention.sees_members:
                self.names.add(head)
                _note(self.variables, (owner, head), told)
            if is_type:
                _note(self.fields, (nodes.names[owner], head), told)

    def hide(self, owner: int, name: str) -> None:
        """Note a variable of which nothing else may be told."""
        self.names.add(name)
        self.variables.setdefault((owner, name), _Origin(_UNTOLD, owner))

    def inherit(self, reference: Reference, subject: int) -> None:
        """Note what a type inherits from."""
        before = reference.receiver.split(".") if reference.receiver else []
        self.bases[self.nodes.names[subject]].append((*before, reference.name))

    def own_type(self, owner: int) -> str:
        """Give the type that a node belongs to, or is."""
        nodes = self.nodes
        for row in nodes.chain(owner):
            if nodes.members[row] and nodes.kinds[row] in FUNCTIONS:
                return nodes.owners[row]
            if nodes.kinds[row] in CLASSES:
                return nodes.names[row]
        return ""

    def of(self, parts: Sequence[str], owner: int, depth: int = 0) -> Chain | None:
        """Give the type of what an expression in ``owner`` gives.

        Args:
            parts: The parts of the expression.
            owner: Row of the narrowest node around it.
            depth: How many origins led here.
        """
        if depth > _DEPTH:
            return None
        known: Chain | None
        rest = list(parts[1:])
        if parts[0] in self.convention.self_words:
            own = self.own_type(owner)
            known = (own,) if own else None
        elif (origin := self._variable(parts[0], owner)) is not None:
            known = self._follow(origin, depth)
        else:
            known, rest = self._made(parts, owner, depth), []
        for part in rest:
            if known is None:
                break
            origins = self.results if part.endswith(CALLED) else self.fields
            origin = self._of_member(origins, known[-1], part.removesuffix(CALLED))
            known = self._follow(origin, depth)
        return known

    def _variable(self, name: str, owner: int) -> _Origin | None:
        """Give what the innermost variable of a name is made by: ``_UNTOLD`` when that is open."""
        if name in self.names:
            for row in self.nodes.chain(owner):
                if (row, name) in self.variables:
                    return self.variables[row, name]
        if self.convention.sees_members:
            return self._of_member(self.fields, self.own_type(owner), name)
        return None

    def _of_member(
        self, origins: Mapping[tuple[str, str], _Origin], type_name: str, name: str
    ) -> _Origin | None:
        """Look in a type, and in what it inherits from in this file."""
        waiting, seen = [type_name], {type_name}
        for kind in waiting:
            if (kind, name) in origins:
                return origins[kind, name]
            new = [base[-1] for base in self.bases.get(kind, ()) if base[-1] not in seen]
            seen.update(new)
            waiting.extend(new)
        return None

    def _follow(self, origin: _Origin | None, depth: int) -> Chain | None:
        if origin is None or origin.expression == _UNTOLD:
            return None
        if not origin.expression.startswith(NAMED):
            return self.of(origin.expression.split("."), origin.owner, depth + 1)
        named = tuple(origin.expression.removeprefix(NAMED).split("."))
        if named[0] in self.convention.self_words:
            own = self.own_type(origin.owner)
            return (own,) if own else None
        return named

    def _made(self, parts: Sequence[str], owner: int, depth: int) -> Chain | None:
        """Give the type of what a call gives: of a class, of a maker, or of a function here."""
        *before, last = parts
        if not last.endswith(CALLED) or any(part.endswith(CALLED) for part in before):
            return None
        name = last.removesuffix(CALLED)
        if name in self.convention.self_words:
            own = self.own_type(owner)
            return (own,) if own else None
        if before and name in self.convention.makers:
            if before[-1] in self.convention.self_words:
                return self.of(before, owner, depth + 1)
            return tuple(before)
        result = self.results.get((before[-1] if before else "", name))
        if result is None and not before:
            result = self._of_member(self.results, self.own_type(owner), name)
        if result is not None:
            return self._follow(result, depth)
        return (*before, name)


def _note(origins: dict[tuple[_Key, str], _Origin], place: tuple[_Key, str], told: _Origin) -> None:
    """Keep what is told: an annotation rather than a value, and nothing where two differ."""
    known = origins.setdefault(place, told)
    if known.expression == told.expression:
        return
    if known.expression.startswith(NAMED) == told.expression.startswith(NAMED):
        origins[place] = _Origin(_UNTOLD, told.owner)
    elif told.expression.startswith(NAMED):
        origins[place] = told
