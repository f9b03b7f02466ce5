"""Which SQL object's statement uses which other object, and how far they lie apart."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from codequarry.retrieval.lexical.direction import Direction
from codequarry.retrieval.lexical.handles import Handle
from codequarry.retrieval.lexical.result import Neighbor
from codequarry.retrieval.lexical.sql.candidates import SqlObject
from codequarry.retrieval.lexical.sql.facts import RELATIONS, Fact, Script, base_name
from codequarry.retrieval.lexical.texts import Place

PRECISE, EXACT_OF_SEVERAL, BY_BASE_NAME = 1.0, 0.8, 0.7
SEVERAL = 20
"""Objects that one name may mean; where more have it, as in a copy of a schema for every test, only
those of its own file."""


@dataclass(frozen=True)
class Link:
    """A statement that uses an object.

    Args:
        place: The file of the statement.
        source: The number of the object that it defines; ``None`` when it defines none.
        relation: The kind of the fact and the name that it says, as ``reads_from:orders``.
        target: The number of the object that is meant.
        confidence: How surely it is meant, 0 to 1.
    """

    place: Place
    source: int | None
    relation: str
    target: int
    confidence: float


@dataclass(frozen=True)
class Relations:
    """The relations of SQL objects.

    Args:
        objects: Ascending by place; their number is their position.
        scripts: Each file to its facts.
    """

    objects: Sequence[SqlObject]
    scripts: Mapping[Place, Script]

    def meant(self, place: Place, name: str) -> tuple[float, Sequence[int]]:
        """Give the objects that a name in a file may mean, and how surely; none when it is open."""
        whole, last = self._named
        exact = whole.get(_key(place, name), [])
        if len(exact) > SEVERAL:
            ends = (cut(exact, place, key=self._place) for cut in (bisect_left, bisect_right))
            exact = exact[slice(*ends)]
        if exact:
            return (PRECISE if len(exact) == 1 else EXACT_OF_SEVERAL), exact
        alike = last.get(_key(place, base_name(name)), [])
        return (BY_BASE_NAME, alike) if len(alike) == 1 else (0.0, [])

    def neighbors(self, number: int) -> list[Neighbor]:
        """Give what an object's statement uses, and which statements use it, each once."""
        found: dict[tuple[str, str], Neighbor] = {}
        for link in self._of.get(number, ()):
            near = self._neighbor(link, number)
            found.setdefault((near.relation, near.target), near)
        return list(found.values())

    def around(
        self, anchors: Iterable[int], depth: int, direction: Direction = "both"
    ) -> dict[int, int]:
        """Give the objects within ``depth`` relations of some, with their distances.

        Args:
            anchors: The numbers of those.
            depth: Steps to go.
            direction: ``out`` goes to what they use, ``in`` to what uses them.
        """
        found = dict.fromkeys(anchors, 0)
        edge = list(found)
        for distance in range(1, depth + 1):
            beyond = [other for one in edge for other in self._next(one, direction)]
            edge = [other for other in dict.fromkeys(beyond) if other not in found]
            found.update(dict.fromkeys(edge, distance))
        return found

    def files(self) -> set[tuple[Place, Place]]:
        """Give each file whose statements use objects of another, with that other."""
        pairs = {(link.place, self.objects[link.target].place) for link in self.links}
        return {(user, used) for user, used in pairs if user != used}

    @cached_property
    def links(self) -> list[Link]:
        """All uses of objects, but those of an object by itself; ascending by file and line."""
        found = []
        for place, script in self.scripts.items():
            for fact in script.facts:
                defined = self._defined.get((place, fact.statement), [])
                if fact.kind in RELATIONS:
                    found += self._links(place, defined[0] if defined else None, fact)
                elif fact.kind == "defines_index" and defined:
                    found += self._indexes(place, defined, fact.name)
        return found

    def _indexes(self, place: Place, defined: Sequence[int], name: str) -> list[Link]:
        table, *others = defined
        relation = f"references_object:{self.objects[table].name}"
        return [
            Link(place, index, relation, table, PRECISE)
            for index in others
            if self.objects[index].name == name
        ]

    def _links(self, place: Place, source: int | None, fact: Fact) -> list[Link]:
        confidence, meant = self.meant(place, fact.name)
        relation = f"{fact.kind}:{fact.name}"
        return [
            Link(place, source, relation, target, confidence)
            for target in meant
            if target != source
        ]

    def _neighbor(self, link: Link, number: int) -> Neighbor:
        relation, target = f"sql:{link.relation}", self.objects[link.target].handle
        if link.source != number:
            relation = f"incoming:{relation}"
            used_by = link.source
            target = Handle("file", link.place[1]) if used_by is None else self._handle(used_by)
        return Neighbor(
            relation=relation, target=str(target), file=target.path, confidence=link.confidence
        )

    def _handle(self, number: int) -> Handle:
        return self.objects[number].handle

    def _place(self, number: int) -> Place:
        return self.objects[number].place

    def _next(self, number: int, direction: Direction) -> Iterable[int]:
        for link in self._of.get(number, ()):
            if link.source == number and direction != "in":
                yield link.target
            elif link.target == number and link.source is not None and direction != "out":
                yield link.source

    @cached_property
    def _of(self) -> dict[int, list[Link]]:
        """The links that an object is an end of."""
        found: dict[int, list[Link]] = {}
        for link in self.links:
            for end in (link.source, link.target):
                if end is not None:
                    found.setdefault(end, []).append(link)
        return found

    @cached_property
    def _defined(self) -> dict[tuple[Place, int], list[int]]:
        """What a statement defines: what its facts are of, then the indexes that come with it."""
        found: dict[tuple[Place, int], list[int]] = {}
        for number, one in enumerate(self.objects):
            found.setdefault((one.place, one.statement), []).append(number)
        for numbers in found.values():
            numbers.sort(key=lambda number: (self.objects[number].kind == "index", number))
        return found

    @cached_property
    def _named(self) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
        """Objects by whole name and by last part, case folded, within each project."""
        whole: dict[str, list[int]] = {}
        last: dict[str, list[int]] = {}
        for number, one in enumerate(self.objects):
            whole.setdefault(_key(one.place, one.name), []).append(number)
            last.setdefault(_key(one.place, base_name(one.name)), []).append(number)
        return whole, last


def _key(place: Place, name: str) -> str:
    return f"{place[0]}\0{name.casefold()}"
