"""The symbols that most of a project hangs on."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

from codequarry.core.roles import is_test
from codequarry.index.store import of_project
from codequarry.retrieval.structure.bounds import checked_limit
from codequarry.retrieval.structure.symbols import Symbol, identity
from codequarry.retrieval.structure.view import GraphView

USED: Final = ("calls", "extends", "implements", "references")
"""Edges that count into a degree."""


@dataclass(frozen=True)
class Hotspot:
    """A symbol and how much hangs on it.

    Args:
        symbol: The symbol.
        in_degree: Edges that end in it: each user once a kind.
        shared_name: Definitions of the project that share its bare name, when there are several and
            it has edges that were told by the name alone; else 0.
        effective_in_degree: Its sure edges, and its edges by name divided among those definitions.
        query_frequency: Searches that surfaced it.
    """

    symbol: Symbol
    in_degree: int
    shared_name: int = 0
    effective_in_degree: float = 0.0
    query_frequency: int = 0


Usage = Mapping[tuple[str, str, str, str], int]
"""`symbols.identity` to the searches that surfaced it."""


def hotspots(
    view: GraphView,
    project: str,
    limit: float = 20,
    usage: Usage | None = None,
    include_tests: bool = False,
) -> tuple[Hotspot, ...]:
    """Rank the symbols of a project by what hangs on them.

    Args:
        view: The graph.
        project: The project.
        limit: How many to give, 1 to `bounds.MAX_LIMIT`.
        usage: How often searches surfaced each symbol.
        include_tests: Whether tests count, as symbols and as users.

    Returns:
        By effective in-degree, then in-degree, both falling, then in the order of symbols; none
        without users.

    Raises:
        UsageError: The limit is none.
        IndexMissing: No graph was published.
    """
    most = checked_limit(limit)
    symbols = _symbols(view, project, include_tests)
    ranked = _degrees(view, project, symbols, include_tests)
    ids = ranked["target_id"].head(most + _ties(ranked, most)).to_list()
    named = view.by_ids(ids)
    found = [
        _hotspot(named[row["target_id"]], row, usage or {})
        for row in ranked.head(len(ids)).to_dicts()
        if row["target_id"] in named
    ]
    found.sort(key=lambda h: (-h.effective_in_degree, -h.in_degree, h.symbol.order))
    return tuple(found[:most])


def _symbols(view: GraphView, project: str, include_tests: bool) -> pl.DataFrame:
    """Give key and bare name of each symbol, and how many definitions share the name."""
    columns = ["symbol_id", "symbol", "path", "kind", "fqn"]
    frame = pl.DataFrame(view.symbol_rows(of_project(project), columns))
    frame = frame.filter(~((pl.col("kind") == "file") & (pl.col("fqn") == pl.col("path"))))
    if not include_tests:
        frame = _without_tests(frame).filter(pl.col("kind") != "test")
    return frame.select("symbol_id", shared=pl.len().over("symbol").cast(pl.Int64))


def _degrees(
    view: GraphView, project: str, symbols: pl.DataFrame, include_tests: bool
) -> pl.DataFrame:
    kinds = ", ".join(f"'{kind}'" for kind in USED)
    where = f"{of_project(project)} AND kind IN ({kinds})"
    edges = pl.DataFrame(view.edge_rows(where, ["target_id", "path", "resolution"]))
    if not include_tests:
        edges = _without_tests(edges)
    counted = edges.group_by("target_id").agg(
        degree=pl.len().cast(pl.Int64),
        by_name=(pl.col("resolution") == "name").sum().cast(pl.Int64),
    )
    joined = counted.join(symbols, left_on="target_id", right_on="symbol_id", how="inner")
    effective = pl.col("degree") - pl.col("by_name") + pl.col("by_name") / pl.col("shared")
    return joined.with_columns(effective=effective).sort(
        ["effective", "degree", "target_id"], descending=[True, True, False]
    )


def _without_tests(frame: pl.DataFrame) -> pl.DataFrame:
    paths = frame["path"].unique().to_list()
    return frame.filter(~pl.col("path").is_in([path for path in paths if is_test(path)]))


def _ties(ranked: pl.DataFrame, most: int) -> int:
    """Give how many rows after the last that is given equal it, so that symbols break the tie."""
    if ranked.height <= most:
        return 0
    effective, degree = ranked.select("effective", "degree").row(most - 1)
    rest = ranked.slice(most)
    equal = (pl.col("effective") == effective) & (pl.col("degree") == degree)
    return rest.filter(equal).height


def _hotspot(symbol: Symbol, row: Mapping[str, Any], usage: Usage) -> Hotspot:
    shares = row["shared"] > 1 and row["by_name"] > 0
    return Hotspot(
        symbol,
        row["degree"],
        row["shared"] if shares else 0,
        round(row["effective"], 6),
        usage.get(identity(symbol.project, symbol.selector), 0),
    )
