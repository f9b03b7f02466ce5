"""One search without a model: from a question to the answer's document (vectorless.md 5, 7)."""

from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from codequarry.core.errors import UsageError
from codequarry.core.registry import Registry
from codequarry.core.state import StateDirectory
from codequarry.index.reader import Reader
from codequarry.index.store import FILES, among, rows
from codequarry.retrieval.lexical.anchors import Anchoring, Anchors
from codequarry.retrieval.lexical.describe import Describer
from codequarry.retrieval.lexical.direction import DIRECTIONS, Direction
from codequarry.retrieval.lexical.imports import FileGraph
from codequarry.retrieval.lexical.normalise import Terms
from codequarry.retrieval.lexical.ranking import Ranker, Scored
from codequarry.retrieval.lexical.result import (
    DEFAULT_LIMIT,
    MAX_LIMIT,
    Analysis,
    Anchor,
    Answer,
    Limits,
    Omitted,
)
from codequarry.retrieval.lexical.scoring import import_depth
from codequarry.retrieval.lexical.sql.objects import SqlIndex, read_sql
from codequarry.retrieval.lexical.surfaces import POOL, chunks, files, frame, named, symbols
from codequarry.syntax.grammars import grammar_of

_TEXTS = ThreadPoolExecutor(2, thread_name_prefix="texts")
"""Texts are read beside names: both leave the GIL."""

MODES = ("hybrid", "symbol", "path", "text", "graph", "sql")


@dataclass(frozen=True)
class LexicalQuery:
    """A question to the lexical modes.

    Args:
        text: Words, an identifier or a path; without any word the answer is empty.
        mode: One of `MODES`.
        limit: Results, 1 to 100.
        from_: Where the graph boost starts: a path, a handle or an exact symbol name.
        depth: How many imports it reaches; clamped to 0 to 5, and 1 when it is no number.
        snippets: Show lines of source as evidence.
        direction: ``out`` reaches what the start uses, ``in`` what uses it.
    """

    text: str
    mode: str = "hybrid"
    limit: int = DEFAULT_LIMIT
    from_: str = ""
    depth: float | None = None
    snippets: bool = True
    direction: Direction = "both"

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise UsageError(f"unknown search mode {self.mode!r}", f"use one of {', '.join(MODES)}")
        if self.direction not in DIRECTIONS:
            raise UsageError(
                f"unknown direction {self.direction!r}", f"use one of {', '.join(DIRECTIONS)}"
            )
        if not (1 <= self.limit <= MAX_LIMIT and self.limit == int(self.limit)):
            raise UsageError(f"the limit {self.limit} is out of range", f"use 1 to {MAX_LIMIT}")


@dataclass(frozen=True)
class Found:
    """What a search found, before it is described.

    Args:
        best: The results, in order.
        total: All candidates.
        anchors: What ``--from`` meant.
        omitted: What was not looked at.
        graph: The files of the projects and their imports.
        sql: The SQL objects of the projects.
    """

    best: list[Scored]
    total: int
    anchors: Anchors
    omitted: Omitted
    graph: FileGraph
    sql: SqlIndex


def search(
    reader: Reader,
    query: LexicalQuery,
    projects: Iterable[str] | None,
    state: StateDirectory,
    sql: SqlIndex | None = None,
) -> Answer:
    """Answer a question by names, paths, texts, imports and SQL, with no model and no vector.

    Args:
        reader: The published state.
        query: The question.
        projects: Which projects to search; all when ``None``.
        state: Where the registered roots stand, and what was read of SQL files is kept.
        sql: The SQL objects of the projects, where the caller has read them.

    Raises:
        IndexMissing: A project was never indexed.
    """
    names = chosen(reader, projects)
    roots = {project.name: project.root for project in Registry(state).all()}
    found = find(reader, query, names, state, roots, sql)
    by_name_alone = query.mode == "path" and not query.from_.strip()
    analysis = analysed(reader, names, by_name_alone=by_name_alone)
    describer = Describer(
        reader, found.graph, found.sql, analysis, Terms(query.text), query.snippets
    )
    results = describer.results(found.best)
    return Answer(
        query=query.text.encode(errors="replace").decode(),
        mode=query.mode,
        root=str(roots.get(names[0], "")) if len(names) == 1 else "",
        projects=list(names),
        anchor=Anchor(state=found.anchors.state, files=[path for _, path in found.anchors.places]),
        analysis=analysis,
        limits=Limits(results=query.limit, depth=import_depth(query.depth)),
        result_count=len(results),
        total_candidates=found.total,
        omitted_counts=found.omitted,
        results=results,
    )


def chosen(reader: Reader, projects: Iterable[str] | None) -> tuple[str, ...]:
    """Give the names of the projects to search, ascending.

    Raises:
        IndexMissing: One was never indexed.
    """
    return tuple(sorted(name for group in reader.groups(projects) for name in group.projects))


def find(
    reader: Reader,
    query: LexicalQuery,
    names: tuple[str, ...],
    state: StateDirectory,
    roots: Mapping[str, Path],
    sql: SqlIndex | None = None,
) -> Found:
    """Find and rank the results of a question."""
    terms = Terms(query.text)
    graph = FileGraph.read(reader, names) if query.from_.strip() else FileGraph({}, {}, {}, {})
    has_sql = query.mode in ("hybrid", "graph", "sql") or bool(query.from_.strip())
    sql = sql or (read_sql(reader, names, state) if has_sql else SqlIndex())
    anchors = Anchoring(reader, names, roots, graph, sql).resolve(query.from_)
    reach = (import_depth(query.depth), query.direction)
    files_too = graph.linked(sql.relations.files()) if anchors.places else graph
    distances = files_too.around(anchors.places, *reach)
    near_objects = sql.relations.around(anchors.objects, *reach) if anchors.objects else None
    pool, large = pl.DataFrame(schema=POOL), 0
    if terms.ranked:
        pool, large = _candidates(reader, query, names, terms, sql)
    if distances and query.mode in ("hybrid", "graph"):
        near = files(reader, names, terms).with_columns(
            kind=pl.lit("graph"), bound=pl.lit(0, pl.Int64)
        )
        places = pl.DataFrame(list(distances), schema=["project", "path"], orient="row")
        pool = pl.concat([pool, near.join(places, on=["project", "path"], how="semi")])
    text_only = query.mode == "path" and not query.from_.strip()
    ranker = Ranker(reader, terms, distances, text_only, near_objects)
    best = ranker.best(pool, query.limit)
    if not graph.places:
        graph = FileGraph.near(reader, [(one.row["project"], one.row["path"]) for one in best])
    omitted = Omitted(
        results=len(pool) - len(best),
        query_terms=terms.omitted,
        text_files=large,
        sql_files=sql.skipped,
        sql_statements=sql.unread,
    )
    return Found(best, len(pool), anchors, omitted, graph, sql)


def _candidates(
    reader: Reader, query: LexicalQuery, names: tuple[str, ...], terms: Terms, sql: SqlIndex
) -> tuple[pl.DataFrame, int]:
    mode, pools, large = query.mode, [], 0
    reading = None
    if mode in ("hybrid", "text"):
        docs_first = not terms.is_identifier
        reading = _TEXTS.submit(chunks, reader, names, terms, docs_first=docs_first)
    if mode in ("hybrid", "graph", "symbol"):
        pools.append(symbols(reader, names, terms))
    if mode in ("hybrid", "graph", "sql"):
        pools.append(named(sql.frame(query.text, exported=mode != "sql"), terms))
    if mode in ("hybrid", "graph", "path"):
        pools.append(files(reader, names, terms))
    if reading is not None:
        found, large = reading.result()
        pools.append(found)
    return pl.concat(pools), large


def analysed(reader: Reader, names: tuple[str, ...], *, by_name_alone: bool = False) -> Analysis:
    """Tell what the index knows of some projects.

    Args:
        reader: The published state.
        names: The projects.
        by_name_alone: The answer reads nothing but the names of files.
    """
    columns = ["path", "origin"]
    found = frame(rows(reader.table(FILES), among("project", names), columns))
    local = found.filter(pl.col("origin") != "structural")["path"].to_list()
    structural = len(found) - len(local)
    degraded = sum(grammar_of(path) is not None for path in local)
    counts = {
        "parser_degraded_files": degraded,
        "fallback_import_extraction_files": 0,
        "native_files_used": structural,
        "native_files_fell_back": degraded,
    }
    if by_name_alone:
        return Analysis(mode="reduced", backend="unknown", label="path-only", **counts)
    if not structural:
        return Analysis(mode="reduced", backend="graph-only", label="text and paths", **counts)
    if degraded:
        return Analysis(mode="mixed", backend="mixed", label="some files by text", **counts)
    return Analysis(mode="semantic", backend="native", label="symbols", **counts)
