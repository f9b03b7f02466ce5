import os
import random
import subprocess
import sys

import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codequarry.core.errors import UsageError
from codequarry.retrieval.structure import communities
from codequarry.retrieval.structure.communities import (
    ROOT,
    common_folder,
    communities_of,
    members_of,
)
from codequarry.retrieval.structure.view import GraphView

Link = tuple[str, str, int]
FILES = [f"{folder}/f{number}.py" for folder in ("a", "b", "c") for number in range(6)]
TIGHT: list[Link] = [
    (one, other, 900) for one in FILES for other in FILES if one < other and one[0] == other[0]
]
OF_MONEY = set("forgotten get lonely names offer price rounding sell tax wallet".split())
BRIDGES: list[Link] = [("a/f0.py", "b/f0.py", 500), ("c/f1.py", "b/f0.py", 500)]
PAIRS = st.tuples(st.sampled_from(FILES), st.sampled_from(FILES)).filter(
    lambda pair: pair[0] != pair[1]
)


def table(links: list[Link]) -> pl.DataFrame:
    schema = {"source": pl.String, "target": pl.String, "weight": pl.Int64}
    return pl.DataFrame(links, schema, orient="row")


def groups(members: pl.DataFrame) -> dict[str, int]:
    return dict(members.iter_rows())


def test_tight_groups_are_clusters() -> None:
    """Files tied to one another form a cluster; a lone link between two clusters does not join."""
    members, method = members_of(table(TIGHT + BRIDGES))
    assert method == "communities"
    assert groups(members) == {path: "abc".index(path[0]) + 1 for path in FILES}


@settings(max_examples=25)
@given(st.dictionaries(PAIRS, st.integers(1, 5000), max_size=60), st.randoms())
def test_any_order_gives_the_same(
    weights: dict[tuple[str, str], int], chance: random.Random
) -> None:
    """Each file is in one cluster, sizes fall, and the order of links does not matter."""
    links = [(*pair, weight) for pair, weight in weights.items()]
    members, _ = members_of(table(links))
    chance.shuffle(links)
    assert groups(members_of(table(links))[0]) == groups(members)
    assert members["path"].to_list() == sorted({end for pair in weights for end in pair})
    sizes = members.group_by("cluster").len().sort("cluster")
    assert sizes["cluster"].to_list() == list(range(1, sizes.height + 1))
    assert sizes["len"].is_sorted(descending=True)


ELSEWHERE = """
from tests.retrieval.structure.test_communities import of_loose_links
print(of_loose_links())
"""


def of_loose_links() -> list[tuple[str, int]]:
    """Clusters of files among which no group stands out."""
    chance = random.Random(5)
    pairs = [(one, other) for one in FILES for other in FILES if one != other]
    links = [(*pair, chance.randrange(1, 9)) for pair in pairs if chance.random() < 0.2]
    return sorted(groups(members_of(table(links))[0]).items())


def test_another_process_gives_the_same() -> None:
    """Clusters do not hang on the seed of Python's hashes, even where they are a close call."""
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE],
        env={**os.environ, "PYTHONHASHSEED": "7"},
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode().strip() == str(of_loose_links())


@pytest.mark.parametrize("bound", ["MAX_FILES", "MAX_LINKS"])
def test_folders_where_it_is_too_large(monkeypatch: pytest.MonkeyPatch, bound: str) -> None:
    """Past a bound, folders stand for clusters, and the answer says so."""
    monkeypatch.setattr(communities, bound, 3)
    far = [("x/y/deep/one.py", "top.py", 1), ("x/y/two.py", "top.py", 1)]
    members, method = members_of(table(TIGHT + far))
    assert method == "folders"
    assert groups(members) == {path: "abc".index(path[0]) + 1 for path in FILES} | {
        "x/y/deep/one.py": 4,
        "x/y/two.py": 4,
        "top.py": 5,
    }


def test_common_folder() -> None:
    """It is the deepest folder that holds more than half."""
    assert common_folder({"a/b": 3, "a/c": 2, "d": 1}) == "a"
    assert common_folder({"a/b": 4, "a/c": 1, "d": 2}) == "a/b"
    assert common_folder({"a": 1, "b": 1}) == ROOT
    assert common_folder({ROOT: 5, "a": 4}) == ROOT


def test_clusters_of_a_project(town: GraphView) -> None:
    """Clusters carry folder, words that others lack, size and central files; tests are left out."""
    found = communities_of(town, "town")
    assert [(one.number, one.files) for one in found.clusters] == [(1, 2), (2, 2)]
    money, shapes = found.clusters
    assert (money.central_files, shapes.central_files) == (
        ["town/money.py", "town/shop.py"],
        ["town/report.py", "town/shapes.py"],
    )
    assert money.folder == shapes.folder == "town"
    assert set(money.words) <= OF_MONEY
    assert len(money.words) == len(shapes.words) == 3
    assert not set(money.words) & set(shapes.words)
    assert money.label == f"town: {', '.join(money.words)}"
    assert (found.links, found.omitted, found.linked_files) == ([], 0, 4)


class Stub:
    """A view over files that call one another, and a test that calls everything."""

    def __init__(self, links: list[Link]) -> None:
        paths = [*FILES, "tests/test_all.py"]
        self._key = {path: number for number, path in enumerate(paths)}
        self._links = [*links, *(("tests/test_all.py", path, 1000) for path in FILES)]

    def symbol_rows(self, where: str, columns: list[str]) -> pa.Table:
        rows = {"symbol_id": list(self._key.values()), "path": list(self._key)}
        return pa.table(rows | {"symbol": list(self._key), "kind": ["file"] * len(self._key)})

    def edge_rows(self, where: str, columns: list[str]) -> pa.Table:
        sources, targets, weights = zip(*self._links, strict=True)
        confidence = pa.array([weight / 1000 for weight in weights], pa.float32())
        ends = {"target_id": [self._key[path] for path in targets], "path": sources}
        return pa.table(ends | {"confidence": confidence})


def test_links_between_clusters() -> None:
    """Edges between clusters count in their direction; those of tests and within a file do not."""
    own: list[Link] = [("b/f1.py", "b/f1.py", 1000)] * 9
    links = [*TIGHT, *BRIDGES, *BRIDGES[:1], *own]
    found = communities_of(Stub(links), "p")  # type: ignore[arg-type]
    assert [(one.label, one.files) for one in found.clusters] == [("a", 6), ("b", 6), ("c", 6)]
    assert [(one.source, one.target, one.edges) for one in found.links] == [(1, 2, 2), (3, 2, 1)]
    chance = random.Random(1)
    chance.shuffle(links)
    assert communities_of(Stub(links), "p") == found  # type: ignore[arg-type]


def test_central_files() -> None:
    """The files with the most weight within a cluster are central, at most three."""
    star: list[Link] = [("a/f3.py", path, 1000) for path in FILES[:6] if path != "a/f3.py"]
    found = communities_of(Stub([*star, ("a/f5.py", "a/f4.py", 100)]), "p")  # type: ignore[arg-type]
    assert found.clusters[0].central_files == ["a/f3.py", "a/f4.py", "a/f5.py"]


def test_a_limit_cuts_a_tail(town: GraphView) -> None:
    """A smaller limit gives a beginning of the same clusters and counts the rest."""
    whole = communities_of(town, "town")
    one = communities_of(town, "town", 1)
    assert (one.clusters, one.omitted) == (whole.clusters[:1], 1)
    with pytest.raises(UsageError):
        communities_of(town, "town", 0)


def test_nothing_is_linked(both: GraphView) -> None:
    """A project of one file has no clusters."""
    found = communities_of(both, "village")
    assert (found.clusters, found.links, found.linked_files) == ([], [], 0)
