"""Files that belong together: communities of the graph of files, and what each is about."""

from collections import Counter
from collections.abc import Mapping
from typing import Final, Literal

import msgspec
import polars as pl

from codequarry.core.roles import is_test
from codequarry.core.words import query_words
from codequarry.index.store import among, of_project
from codequarry.retrieval.structure.bounds import checked_limit
from codequarry.retrieval.structure.cluster_words import distinctive_words
from codequarry.retrieval.structure.view import GraphView

LINKING: Final = ("calls", "imports")
"""Edges that tie files together."""
MAX_FILES: Final = 20_000
MAX_LINKS: Final = 200_000
"""Past either, folders stand for communities: the search for communities takes seconds there."""

ROOT: Final = "."
_SEED: Final = 1
_FOLDER_DEPTH: Final = 2
_CENTRAL_FILES: Final = 3
_LABEL_WORDS: Final = 3

Method = Literal["communities", "folders"]


class Cluster(msgspec.Struct, frozen=True, kw_only=True):
    """Files that work together.

    Args:
        number: Its place among all, from 1: by size, falling.
        label: Its folder and words.
        folder: The deepest folder that holds more than half of its files.
        words: What its symbols' names say and those of other clusters do not.
        files: How many files it has.
        central_files: Those that its other files are tied to most.
    """

    number: int
    label: str
    folder: str
    words: list[str]
    files: int
    central_files: list[str]


class ClusterLink(msgspec.Struct, frozen=True):
    """How many calls and imports lead from one cluster, by its number, to another."""

    source: int
    target: int
    edges: int


class Communities(msgspec.Struct, frozen=True, kw_only=True):
    """The clusters of a project.

    Args:
        method: ``communities`` of the graph of files, or ``folders`` where that is too large.
        clusters: The largest.
        omitted: How many more there are.
        links: The strongest between the clusters given.
        linked_files: Files that are in a cluster: those tied to another, tests apart.
    """

    method: Method
    clusters: list[Cluster]
    omitted: int
    links: list[ClusterLink]
    linked_files: int


def communities_of(view: GraphView, project: str, limit: float = 12) -> Communities:
    """Group the files of a project by who calls and imports whom; tests are left out.

    Args:
        view: The graph.
        project: The project.
        limit: How many clusters, and links, to give at most.

    Raises:
        UsageError: The limit is none.
        IndexMissing: No graph was published.
    """
    most = checked_limit(limit)
    symbols = _symbols(view, project)
    links = _links(view, project, symbols)
    members, method = members_of(links)
    return Communities(
        method=method,
        clusters=_clusters(members, links, symbols, most),
        omitted=max(members["cluster"].n_unique() - most, 0),
        links=_cluster_links(members.filter(pl.col("cluster") <= most), links, most),
        linked_files=members.height,
    )


def members_of(links: pl.DataFrame) -> tuple[pl.DataFrame, Method]:
    """Tell which cluster each file belongs to.

    Args:
        links: ``source``, ``target`` (paths), ``weight`` (int64) in any order; each pair once.

    Returns:
        ``path`` and ``cluster``, a number from 1 by falling size, then by the least path; ascending
        by path. And how they were made.
    """
    ends = pl.concat([links["source"], links["target"]])
    files = pl.DataFrame({"path": ends.unique().sort()})
    if files.height > MAX_FILES or links.height > MAX_LINKS:
        return _numbered(files.with_columns(group=_folder(_FOLDER_DEPTH))), "folders"
    groups = _communities(files, links)
    return _numbered(files.with_columns(group=pl.Series(groups, dtype=pl.Int64))), "communities"


def _symbols(view: GraphView, project: str) -> pl.DataFrame:
    columns = ["symbol_id", "path", "symbol", "kind"]
    symbols = pl.DataFrame(view.symbol_rows(of_project(project), columns))
    paths = symbols["path"].unique().to_list()
    return symbols.filter(~pl.col("path").is_in([path for path in paths if is_test(path)]))


def _links(view: GraphView, project: str, symbols: pl.DataFrame) -> pl.DataFrame:
    """Add up the edges between two files; confidences as whole thousandths, so no sum wavers."""
    where = f"{of_project(project)} AND {among('kind', LINKING)}"
    edges = pl.DataFrame(view.edge_rows(where, ["target_id", "path", "confidence"]))
    targets = symbols.select(target_id="symbol_id", target="path")
    thousandths = (pl.col("confidence") * 1000).round().cast(pl.Int64)
    return (
        edges.join(targets, on="target_id")
        .join(symbols.select("path").unique(), on="path", how="semi")
        .filter(pl.col("path") != pl.col("target"))
        .group_by(source="path", target="target")
        .agg(weight=thousandths.sum(), edges=pl.len().cast(pl.Int64))
    )


def _communities(files: pl.DataFrame, links: pl.DataFrame) -> list[int]:
    """Give the community of each file, by Louvain's method over links in a fixed order."""
    # Here, since it takes some 0.2 s that no other question should wait for.
    import networkx as nx

    rows = files.with_row_index("row")
    ends = (
        links.join(rows.rename({"path": "source", "row": "from"}), on="source")
        .join(rows.rename({"path": "target", "row": "to"}), on="target")
        .group_by(low=pl.min_horizontal("from", "to"), high=pl.max_horizontal("from", "to"))
        .agg(pl.col("weight").sum())
        .sort("low", "high")
    )
    graph = nx.Graph()
    graph.add_nodes_from(range(files.height))
    graph.add_weighted_edges_from(ends.select("low", "high", "weight").iter_rows())
    groups = [0] * files.height
    for number, community in enumerate(nx.community.louvain_communities(graph, seed=_SEED)):
        for row in community:
            groups[row] = number
    return groups


def _numbered(files: pl.DataFrame) -> pl.DataFrame:
    """Number the groups of ``path`` and ``group``."""
    sizes = files.group_by("group").agg(size=pl.len(), least=pl.col("path").min())
    ordered = sizes.sort(["size", "least"], descending=[True, False])
    numbers = ordered.select("group", cluster=pl.int_range(1, pl.len() + 1, dtype=pl.Int64))
    return files.join(numbers, on="group").select("path", "cluster").sort("path")


def _folder(depth: int | None = None) -> pl.Expr:
    """Give the folder of ``path``, or its first parts."""
    parts = pl.col("path").str.split("/")
    parts = parts.list.head(parts.list.len() - 1)
    folder = (parts if depth is None else parts.list.head(depth)).list.join("/")
    return pl.when(folder == "").then(pl.lit(ROOT)).otherwise(folder)


def _clusters(
    members: pl.DataFrame, links: pl.DataFrame, symbols: pl.DataFrame, most: int
) -> list[Cluster]:
    words = distinctive_words(members, symbols)
    members = members.filter(pl.col("cluster") <= most)
    folders, central = _folders(members), _central(members, links)
    found = []
    for number, files in members.group_by("cluster").len().sort("cluster").iter_rows():
        folder = folders[number]
        known = set(query_words(folder))
        spelt = [word for stem, word in words.get(number, {}).items() if stem not in known]
        own = spelt[:_LABEL_WORDS]
        found.append(
            Cluster(
                number=number,
                label=_label(folder, own),
                folder=folder,
                words=own,
                files=files,
                central_files=central.get(number, []),
            )
        )
    return found


def _label(folder: str, words: list[str]) -> str:
    said = ", ".join(words)
    return said if said and folder == ROOT else ": ".join(filter(None, [folder, said]))


def _folders(members: pl.DataFrame) -> dict[int, str]:
    counted = members.group_by("cluster", folder=_folder()).len()
    return {
        number: common_folder(dict(group.select("folder", "len").iter_rows()))
        for (number,), group in counted.group_by("cluster")
    }


def common_folder(counts: Mapping[str, int]) -> str:
    """Give the deepest folder that holds more than half of the files.

    Args:
        counts: Folder to the files that lie directly in it; the root is `ROOT`.
    """
    below: Counter[str] = Counter()
    for folder, count in counts.items():
        parts = [] if folder == ROOT else folder.split("/")
        for depth in range(1, len(parts) + 1):
            below["/".join(parts[:depth])] += count
    half = sum(counts.values()) / 2
    # Of two folders that hold more than half, one holds the other: the deepest is only one.
    return max((name for name, count in below.items() if count > half), key=len, default=ROOT)


def _central(members: pl.DataFrame, links: pl.DataFrame) -> dict[int, list[str]]:
    """Give the files of each cluster that most weight within it hangs on."""
    inside = _between(members, links).filter(pl.col("from") == pl.col("to"))
    ends = [inside.select("weight", cluster="from", path=side) for side in ("source", "target")]
    ranked = (
        pl.concat(ends)
        .group_by("cluster", "path")
        .agg(pl.col("weight").sum())
        .sort(["cluster", "weight", "path"], descending=[False, True, False])
        .group_by("cluster", maintain_order=True)
        .head(_CENTRAL_FILES)
    )
    found: dict[int, list[str]] = {}
    for number, path in ranked.select("cluster", "path").iter_rows():
        found.setdefault(number, []).append(path)
    return found


def _cluster_links(members: pl.DataFrame, links: pl.DataFrame, most: int) -> list[ClusterLink]:
    crossing = _between(members, links).filter(pl.col("from") != pl.col("to"))
    counted = crossing.group_by("from", "to").agg(pl.col("edges").sum())
    ordered = counted.sort(["edges", "from", "to"], descending=[True, False, False])
    return [ClusterLink(*row) for row in ordered.head(most).iter_rows()]


def _between(members: pl.DataFrame, links: pl.DataFrame) -> pl.DataFrame:
    """Give links between members, with their clusters as ``from`` and ``to``."""
    for side, cluster in (("source", "from"), ("target", "to")):
        links = links.join(members.rename({"path": side, "cluster": cluster}), on=side)
    return links
