"""Which file imports which: distances, neighbours and paths in the published graph."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from codequarry.index.reader import Reader
from codequarry.index.store import EDGES, SYMBOLS, among, rows
from codequarry.retrieval.lexical.direction import Direction
from codequarry.retrieval.lexical.surfaces import frame
from codequarry.retrieval.lexical.texts import Place


@dataclass(frozen=True)
class FileGraph:
    """The files of some projects and the imports between them.

    Args:
        places: Id of each file's node to its project and path.
        ids: The reverse.
        out: Id of a file to the ids of what it imports, ascending by place.
        into: Id of a file to the ids of what imports it, ascending by place.
    """

    places: dict[int, Place]
    ids: dict[Place, int]
    out: dict[int, list[int]]
    into: dict[int, list[int]]

    @classmethod
    def read(cls, reader: Reader, projects: Sequence[str]) -> "FileGraph":
        """Read the graph of some projects."""
        chosen = among("project", projects)
        nodes = _nodes(reader, f"{chosen} AND kind = 'file' AND fqn = path")
        return cls._of(nodes, _edges(reader, f"{chosen} AND kind = 'imports'"))

    @classmethod
    def near(cls, reader: Reader, files: Iterable[Place]) -> "FileGraph":
        """Read some files, and what they import or are imported by."""
        wanted = pl.DataFrame(sorted(set(files)), schema=["project", "path"], orient="row")
        if not len(wanted):
            return cls({}, {}, {}, {})
        named = among("path", wanted["path"].unique().sort())
        nodes = _nodes(reader, f"{named} AND kind = 'file' AND fqn = path")
        nodes = nodes.join(wanted, on=["project", "path"], how="semi")
        ids = ", ".join(map(str, nodes["symbol_id"])) or "0"
        edges = _edges(
            reader, f"(source_id IN ({ids}) OR target_id IN ({ids})) AND kind = 'imports'"
        )
        ends = pl.concat([edges["source_id"], edges["target_id"]]).unique()
        others = ", ".join(map(str, ends)) or "0"
        known = pl.concat([nodes, _nodes(reader, f"symbol_id IN ({others})")]).unique()
        return cls._of(known, edges)

    @classmethod
    def _of(cls, nodes: pl.DataFrame, edges: pl.DataFrame) -> "FileGraph":
        places = {key: (project, path) for key, project, path in nodes.rows()}
        known = nodes.sort("project", "path").with_row_index("rank")
        ranked = edges.join(known, left_on="source_id", right_on="symbol_id").join(
            known, left_on="target_id", right_on="symbol_id", suffix="_to"
        )
        return cls(
            places,
            {place: key for key, place in places.items()},
            _grouped(ranked.sort("rank_to"), "source_id", "target_id"),
            _grouped(ranked.sort("rank"), "target_id", "source_id"),
        )

    def linked(self, pairs: Iterable[tuple[Place, Place]]) -> "FileGraph":
        """Give the graph with further uses of files by files, as if they were imports."""
        ids = self.ids
        ends = {(ids[user], ids[used]) for user, used in pairs if user in ids and used in ids}
        out = self._with(self.out, ends)
        into = self._with(self.into, ((used, user) for user, used in ends))
        return FileGraph(self.places, ids, out, into)

    def _with(
        self, near: Mapping[int, list[int]], ends: Iterable[tuple[int, int]]
    ) -> dict[int, list[int]]:
        more: dict[int, set[int]] = {}
        for one, other in ends:
            more.setdefault(one, set()).add(other)
        return {**near} | {
            one: sorted({*near.get(one, ()), *others}, key=lambda key: _bytes(self.places[key]))
            for one, others in more.items()
        }

    def around(
        self, files: Iterable[Place], depth: int, direction: Direction = "both"
    ) -> dict[Place, int]:
        """Give the files within ``depth`` imports of some, with their distances.

        Args:
            files: Those.
            depth: Steps to go.
            direction: ``out`` goes to what they import, ``in`` to what imports them.
        """
        found = self._walk(files, depth, direction)
        return {self.places[key]: distance for key, distance in found.items()}

    def dependents(self, file: Place, depth: int) -> list[tuple[Place, int]]:
        """Give what imports a file, directly or not, nearest first, then ascending."""
        found = self._walk([file], depth, "in")
        reached = [(self.places[key], far) for key, far in found.items() if far]
        return sorted(reached, key=lambda item: (item[1], _bytes(item[0])))

    def _walk(self, files: Iterable[Place], depth: int, direction: Direction) -> dict[int, int]:
        found = {self.ids[place]: 0 for place in files if place in self.ids}
        edge = list(found)
        steps = {"in": [self.into], "out": [self.out]}.get(direction, [self.into, self.out])
        for distance in range(1, depth + 1):
            beyond: list[int] = []
            for key in edge:
                for near in steps:
                    for other in near.get(key, ()):
                        if other not in found:
                            found[other] = distance
                            beyond.append(other)
            edge = beyond
        return found

    def ways(self, start: Place, ends: Iterable[Place], longest: int = 32) -> list[list[str]]:
        """Give the paths of the files on a shortest way of imports to each end that has one."""
        goals = [self.ids[end] for end in ends if end in self.ids and end != start]
        if start not in self.ids or not goals:
            return []
        origin = self.ids[start]
        came_from = {origin: origin}
        edge, missing = [origin], set(goals)
        for _ in range(longest):
            beyond = []
            for key in edge:
                for other in self.out.get(key, []):
                    if other not in came_from:
                        came_from[other] = key
                        beyond.append(other)
            edge = beyond
            missing.difference_update(beyond)
            if not missing or not beyond:
                break
        return [self._back(goal, came_from) for goal in goals if goal in came_from]

    def _back(self, goal: int, came_from: Mapping[int, int]) -> list[str]:
        way = [goal]
        while came_from[way[-1]] != way[-1]:
            way.append(came_from[way[-1]])
        return [self.places[key][1] for key in reversed(way)]


def _nodes(reader: Reader, where: str) -> pl.DataFrame:
    return frame(rows(reader.table(SYMBOLS), where, ["symbol_id", "project", "path"]))


def _edges(reader: Reader, where: str) -> pl.DataFrame:
    return frame(rows(reader.table(EDGES), where, ["source_id", "target_id"])).unique()


def _grouped(edges: pl.DataFrame, by: str, other: str) -> dict[int, list[int]]:
    lists = edges.group_by(by, maintain_order=True).agg(pl.col(other))
    return dict(lists.rows())


def _bytes(place: Place) -> tuple[bytes, bytes]:
    return place[0].encode(), place[1].encode()
