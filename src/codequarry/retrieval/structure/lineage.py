"""What a base class may reach without a name: methods that it calls, and types that it knows of."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import pyarrow as pa

from codequarry.graph.nodes import CLASSES
from codequarry.index.store import among, of_project
from codequarry.retrieval.structure.heritage import (
    HARMLESS,
    HEIRLESS,
    INHERITS,
    bases_of,
    said_in,
)
from codequarry.retrieval.structure.named import Named, lines_naming
from codequarry.retrieval.structure.statements import family_of, is_comment, occurrences
from codequarry.retrieval.structure.symbols import Symbol
from codequarry.retrieval.structure.view import GraphView

GENERATIONS: Final = 16
"""Types above each other that are looked at; what has more may inherit from anything."""

_METHODS = frozenset({"method", "function"})
_OVERRIDING = frozenset({"c", "csharp", "ecmascript", "jvm", "swift"})
_OVERRIDE = re.compile(r"\A[^(]*\boverride\s|\)\s{0,9}(?:\w{1,9}\s{1,9}){0,4}override\b")
"""What says so in the head of a method, and the language families where it does."""
_CONTAINS = ("contains",)
_APART = frozenset({"c", "swift"})
"""Language families whose methods may stand outside of their type, with the bases in its head."""
_PARTIAL = re.compile(r"\bpartial\b")

_HOOKS: Final = {"python": ("__init_subclass__",), "ruby": ("inherited",)}
"""Language family to the methods of a base that are called with each heir."""
_FINDERS: Final = {
    "python": ("__subclasses__",),
    "ruby": ("descendants", "subclasses"),
    "jvm": ("getSubTypesOf", "isAssignableFrom", "sealedSubclasses"),
    "csharp": ("IsAssignableFrom", "IsAssignableTo", "IsSubclassOf"),
    "php": ("get_declared_classes", "is_subclass_of"),
}
"""Language family to what finds the heirs of a base; a base from outside may do so elsewhere."""
_METACLASS = re.compile(
    r"\bmetaclass\s{0,9}=\s{0,9}+(?!(?:\w{1,99}\.)?(?:ABC|Enum)(?:Meta|Type)\b)"
)
_TYPE_NAME = re.compile(r"\b[A-Z]\w*")


class _Lineage(NamedTuple):
    """What some types inherit.

    Args:
        strange: Those that inherit, at any remove, from what the graph does not have.
        above: Each to all that it inherits from in the project.
    """

    strange: set[int]
    above: Mapping[int, set[int]]


def called_from_outside(view: GraphView, symbols: Sequence[Symbol]) -> tuple[Symbol, ...]:
    """Give the methods that a base from outside of the graph may call.

    These are the methods of types that have such a base, and those that override one which no base
    in the project has: of an object whose type has no name.

    Args:
        view: The graph.
        symbols: Symbols of one project.
    """
    methods = [one for one in symbols if one.kind in _METHODS and not one.is_test]
    if not methods:
        return ()
    said = said_in(view, methods[0].project, (method.path for method in methods))
    holders, owners = _owners(view, methods)
    lineage = _lineage(view, {owner for some in owners.values() for owner in some}, HARMLESS)
    overriding = {
        method.symbol_id: method
        for method in methods
        if (family_of(method.path) in _OVERRIDING and _OVERRIDE.search(method.signature))
        or (method.path in said and said[method.path].overrides(method))
    }
    bound = _bound(view, overriding, owners, lineage)

    def is_called(method: Symbol) -> bool:
        key = method.symbol_id
        if key in overriding and key not in bound:
            return True
        if method.kind != "method":
            return False
        if not lineage.strange.isdisjoint(owners[key]):
            return True
        return method.path in said and said[method.path].is_strange(method, holders[key])

    return tuple(filter(is_called, methods))


def found_by_base(view: GraphView, symbols: Iterable[Symbol]) -> tuple[Symbol, ...]:
    """Give the types that a base may make or hand on, as it knows its heirs.

    Args:
        view: The graph.
        symbols: Symbols of one project.
    """
    types = [
        one
        for one in symbols
        if one.kind in CLASSES and not one.is_test and family_of(one.path) in _FINDERS
    ]
    lineage = _lineage(view, {one.symbol_id for one in types}, HEIRLESS)
    bases = view.by_ids({base for above in lineage.above.values() for base in above})
    knowing = _knowing(view, list(bases.values()))
    return tuple(
        one
        for one in types
        if one.symbol_id in lineage.strange
        or _METACLASS.search(one.signature)
        or not knowing.isdisjoint(lineage.above[one.symbol_id])
    )


def _owners(
    view: GraphView, methods: Sequence[Symbol]
) -> tuple[Mapping[int, list[Symbol]], Mapping[int, set[int]]]:
    """Give the types that each method lies in, and the keys of those that it is of.

    A method outside of its type's body, and what lies in a part of a type, is of all types of that
    qualified name.
    """
    pairs = _pairs(view.edges([method.symbol_id for method in methods], "in", _CONTAINS))
    around = view.by_ids({holder for holder, _ in pairs})
    holders: dict[int, list[Symbol]] = {method.symbol_id: [] for method in methods}
    for holder, held in pairs:
        if holder in around and around[holder].kind in CLASSES:
            holders[held].append(around[holder])
    owners = {key: {one.symbol_id for one in some} for key, some in holders.items()}
    apart: dict[str, list[Symbol]] = defaultdict(list)
    for method in methods:
        types = holders[method.symbol_id]
        is_part = any(_PARTIAL.search(one.signature) for one in types)
        if is_part or (not types and family_of(method.path) in _APART):
            apart[method.fqn.removesuffix(method.symbol).rstrip(".:")].append(method)
    if apart:
        named = among("fqn", sorted(apart))
        for one in view.symbols(f"{of_project(methods[0].project)} AND {named}"):
            for method in apart[one.fqn] if one.kind in CLASSES else ():
                if family_of(one.path) == family_of(method.path):
                    owners[method.symbol_id].add(one.symbol_id)
    return holders, owners


def _lineage(view: GraphView, types: Iterable[int], harmless: re.Pattern[str]) -> _Lineage:
    """Walk from some types to all that they inherit from; harmless bases make nothing strange."""
    heirs = {key: {key} for key in types}  # a type to those that inherit from it
    strange: set[int] = set()
    found: dict[int, set[int]] = {key: set() for key in heirs}
    for _ in range(GENERATIONS):
        kinds = [kind for kind in view.by_ids(heirs).values() if kind.kind in CLASSES]
        lines = set(_pairs(view.edges([kind.symbol_id for kind in kinds], "out", INHERITS)))
        bases = view.by_ids({base for _, base in lines})
        known = Counter(
            heir
            for heir, base in lines
            if base in bases and not harmless.fullmatch(bases[base].symbol)
        )
        for kind in kinds:
            said = [name for name in bases_of(kind.signature) if not harmless.fullmatch(name)]
            if len(said) > known[kind.symbol_id]:
                strange |= heirs[kind.symbol_id]
        above: dict[int, set[int]] = defaultdict(set)
        for heir, base in lines:
            above[base] |= heirs[heir]
        for base, some in above.items():
            for heir in some:
                found[heir].add(base)
        heirs = {base: some - strange for base, some in above.items() if some - strange}
    strange |= set[int]().union(*heirs.values())
    return _Lineage(strange, found)


def _bound(
    view: GraphView,
    methods: Mapping[int, Symbol],
    owners: Mapping[int, Collection[int]],
    lineage: _Lineage,
) -> set[int]:
    """Give the keys of methods that some base in the project has too."""
    above = {
        key: {base for owner in owners[key] for base in lineage.above[owner]} for key in methods
    }
    pairs = _pairs(view.edges({base for some in above.values() for base in some}, "out", _CONTAINS))
    members = view.by_ids({member for _, member in pairs})
    names = {(base, members[member].symbol) for base, member in pairs if member in members}
    return {
        key
        for key, one in methods.items()
        if any((base, one.symbol) in names for base in above[key])
    }


def _knowing(view: GraphView, bases: Sequence[Symbol]) -> set[int]:
    """Give the keys of the bases that know their heirs: by a hook, a metaclass, or being asked."""
    if not bases:
        return set()
    keys = [one.symbol_id for one in bases]
    knowing = {one.symbol_id for one in bases if _METACLASS.search(one.signature)}
    pairs = _pairs(view.edges(keys, "out", _CONTAINS))
    members = view.by_ids({member for _, member in pairs})
    for holder, member in pairs:
        one = members.get(member)
        if one and one.symbol in _HOOKS.get(family_of(one.path), ()):
            knowing.add(holder)
    finders = {name for one in bases for name in _FINDERS.get(family_of(one.path), ())}
    languages = {one.language for one in bases}
    asking = lines_naming(view, bases[0].project, finders, languages).lines
    named = [frozenset(_TYPE_NAME.findall(line.text)) for line in asking if _is_code(line)]
    asks_any = frozenset() in named
    names = frozenset[str]().union(*named)
    return knowing | {one.symbol_id for one in bases if asks_any or one.symbol in names}


def _is_code(line: Named) -> bool:
    """Tell whether a line holds its name outside of comments, and not as a string."""
    return any(
        line.text[start - 1 : start] not in ("'", '"') and not is_comment(line, end)
        for start, end in occurrences(line)
    )


def _pairs(edges: pa.Table) -> list[tuple[int, int]]:
    return list(zip(edges["source_id"].to_pylist(), edges["target_id"].to_pylist(), strict=True))
