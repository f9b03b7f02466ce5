from collections.abc import Iterable
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from codequarry.retrieval.lexical.imports import FileGraph
from codequarry.retrieval.lexical.texts import Place

Imports = Iterable[tuple[int, int]]


class Counted(dict[int, list[int]]):
    """A mapping that counts its look-ups."""

    asked = 0

    def get(self, key: int, default: object = None) -> list[int]:  # type: ignore[override]
        self.asked += 1
        return super().get(key, [])


def place(key: int) -> Place:
    return ("p", f"f{key:05}.py")


def graph_of(imports: Imports, files: int) -> FileGraph:
    """Make the graph of files 0 to ``files`` in which the first of each pair imports the second."""
    out, into = Counted(), Counted()
    for source, target in sorted(set(imports)):
        out.setdefault(source, []).append(target)
        into.setdefault(target, []).append(source)
    places = {key: place(key) for key in range(files)}
    return FileGraph(places, {place: key for key, place in places.items()}, out, into)


def distances(imports: Imports, files: int) -> list[list[float]]:
    """Give the least number of imports between each two files, by Floyd and Warshall."""
    far = [[0.0 if a == b else float("inf") for b in range(files)] for a in range(files)]
    for source, target in imports:
        far[source][target] = min(far[source][target], 1)
    for via in range(files):
        for a in range(files):
            for b in range(files):
                far[a][b] = min(far[a][b], far[a][via] + far[via][b])
    return far


IMPORTS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=20)


@given(IMPORTS)
def test_ways_are_shortest(imports: list[tuple[int, int]]) -> None:
    """Each end that can be reached has one way, as long as any must be, of imports that exist."""
    graph, far = graph_of(imports, 7), distances(imports, 7)
    key_of = {path: key for key, (_, path) in graph.places.items()}
    for start in range(7):
        ways = graph.ways(place(start), [place(end) for end in range(7)])
        ends = [end for end in range(7) if end != start and far[start][end] < 7]
        assert [key_of[way[-1]] for way in ways] == ends
        for way in ways:
            keys = [key_of[path] for path in way]
            assert keys[0] == start
            assert len(keys) - 1 == far[start][keys[-1]]
            assert set(pairwise(keys)) <= set(imports)


@given(IMPORTS, st.integers(0, 4))
def test_walks_are_nearest(imports: list[tuple[int, int]], depth: int) -> None:
    """Dependents, and what is around, come with their least distance, and no farther."""
    graph, far = graph_of(imports, 7), distances(imports, 7)
    back = distances([*imports, *((b, a) for a, b in imports)], 7)
    for file in range(7):
        found = {place(n): far[n][file] for n in range(7) if 0 < far[n][file] <= depth}
        assert dict(graph.dependents(place(file), depth)) == found
        near = {place(n): back[n][file] for n in range(7) if back[n][file] <= depth}
        assert graph.around([place(file)], depth) == near


def test_all_ways_of_one_start_are_one_walk() -> None:
    """However many ends are asked for, each file's imports are looked at once."""
    files = 300
    graph = graph_of(((key, key + 1) for key in range(files - 1)), files)
    ways = graph.ways(place(0), graph.ids, longest=files)
    assert (len(ways), len(ways[-1])) == (files - 1, files)
    assert isinstance(graph.out, Counted)
    assert graph.out.asked <= files


def test_one_hub() -> None:
    """A file that very many import is walked as any other."""
    graph = graph_of(((key, 0) for key in range(1, 60_000)), 60_000)
    assert len(graph.dependents(place(0), 3)) == 59_999


def test_linked() -> None:
    """Further uses of files count as imports; those of files that are not there do not."""
    places = {number: ("p", name) for number, name in enumerate("abc")}
    graph = FileGraph(places, {place: key for key, place in places.items()}, {0: [2]}, {2: [0]})
    pairs = [(("p", "a"), ("p", "b")), (("p", "a"), ("p", "c")), (("p", "x"), ("p", "a"))]
    linked = graph.linked(pairs)
    assert (linked.out, linked.into) == ({0: [1, 2]}, {1: [0], 2: [0]})
    assert (graph.out, graph.into) == ({0: [2]}, {2: [0]})
    assert linked.around([("p", "a")], 1, "in") == {("p", "a"): 0}
    assert linked.around([("p", "b")], 2) == {("p", "b"): 0, ("p", "a"): 1, ("p", "c"): 2}
    assert linked.around([("p", "a")], 1, "out") == {p: int(p[1] != "a") for p in places.values()}
