"""Explore: from a question to bounded packets of what answers it, without a model."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl
from msgspec.structs import replace

from codequarry.core.errors import UsageError
from codequarry.core.registry import Registry
from codequarry.core.roles import is_test
from codequarry.core.state import StateDirectory
from codequarry.core.text import counted
from codequarry.index.reader import Reader
from codequarry.retrieval.lexical import exploration as shape
from codequarry.retrieval.lexical.describe import follow_ups
from codequarry.retrieval.lexical.exploration import (
    BlastRadius,
    DependencyPath,
    Dependent,
    Exploration,
    ExploreAnchor,
    ExploreLimits,
    ExploreOmitted,
    FileView,
)
from codequarry.retrieval.lexical.handles import Handle
from codequarry.retrieval.lexical.imports import FileGraph
from codequarry.retrieval.lexical.normalise import tokens
from codequarry.retrieval.lexical.packets import PacketMaker, Target, cut_source
from codequarry.retrieval.lexical.result import MAX_LIMIT, FollowUp, Result
from codequarry.retrieval.lexical.search import LexicalQuery, chosen, search
from codequarry.retrieval.lexical.sql.objects import read_sql
from codequarry.retrieval.lexical.texts import Place, texts_of

PATH_WORDS = frozenset(
    "reach reaches flow flows call calls through path depend depends from".split()
)
"""Words of a query that ask for dependency paths."""

_HITS_AN_ANCHOR = 4
_TEST_DEPTH = 3
_TEST_NAME = re.compile(r"^test_|_test$|Tests?$")
_WORD = re.compile(r"[^\s'\"`,;()<>]+")


@dataclass(frozen=True)
class ExploreQuery:
    """What to explore, and how much of it to show.

    Args:
        text: Words, an identifier or a path.
        limit: Anchors, 1 to 50.
        max_packets: 0 to 10.
        max_paths: 0 to 10.
        include_source: Show lines of source.
    """

    text: str
    limit: int = shape.DEFAULT_ANCHORS
    max_packets: int = shape.DEFAULT_PACKETS
    max_paths: int = shape.DEFAULT_PATHS
    include_source: bool = True

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise UsageError("the query is empty", "ask for something")
        bounds = (
            ("limit", self.limit, 1, shape.MAX_ANCHORS),
            ("number of packets", self.max_packets, 0, shape.MAX_PACKETS),
            ("number of paths", self.max_paths, 0, shape.MAX_PATHS),
        )
        for name, value, least, most in bounds:
            if not (least <= value <= most and value == int(value)):
                raise UsageError(f"the {name} {value} is out of range", f"use {least} to {most}")


def explore(
    reader: Reader, query: ExploreQuery, projects: Iterable[str] | None, state: StateDirectory
) -> Exploration:
    """Explore a question: anchors, packets, paths, blast radius, tests, and what to do next.

    Args:
        reader: The published state.
        query: The question.
        projects: Which projects; all when ``None``.
        state: The deployment.

    Raises:
        IndexMissing: A project was never indexed.
    """
    names = chosen(reader, projects)
    roots = {project.name: project.root for project in Registry(state).all()}
    sql = read_sql(reader, names, state)
    graph = FileGraph.read(reader, names).linked(sql.relations.files())
    hits = min(MAX_LIMIT, query.limit * _HITS_AN_ANCHOR)
    question = LexicalQuery(query.text, limit=hits, snippets=False)
    answer = search(reader, question, names, state, sql)
    targets = _targets(_named(query.text, graph), answer.results)
    shown = targets[: query.limit]
    files = list(dict.fromkeys(target.place for target in shown))
    picked = _one_a_file(shown)
    maker = PacketMaker(reader, roots, graph, picked[: query.max_packets], query.include_source)
    ways, more_ways = _paths(query, graph, files)
    blast = [_blast(graph, file) for file in files[: shape.BLAST_ENTRIES]]
    tests = _tests(graph, files)
    steps = _steps(shown)
    exploration = Exploration(
        query=answer.query,
        projects=list(names),
        analysis=answer.analysis,
        summary=[],
        anchors=[target.anchor for target in shown],
        packets=maker.packets(),
        file_view=_view(reader, query, graph, roots),
        paths=ways,
        blast_radius=blast,
        candidate_tests=tests[: shape.CANDIDATE_TESTS],
        follow_ups=steps[: shape.FOLLOW_UPS],
        limits=ExploreLimits(anchors=query.limit, packets=query.max_packets, paths=query.max_paths),
        omitted_counts=ExploreOmitted(
            anchors=len(targets) - len(shown) + answer.omitted_counts.results,
            packets=len(picked[query.max_packets :]),
            paths=more_ways,
            blast_radius=sum(entry.omitted_lower_bound for entry in blast),
            blast_radius_entries=len(files[shape.BLAST_ENTRIES :]),
            candidate_tests=len(tests[shape.CANDIDATE_TESTS :]),
            follow_ups=len(steps[shape.FOLLOW_UPS :]),
        ),
    )
    return _summarised(exploration)


def _named(text: str, graph: FileGraph) -> list[Place]:
    """Give the files that a query names: by path, or by a base name that only one file has."""
    words = {word.rstrip(".:?!") for word in _WORD.findall(text)}
    words = {word for word in words if "." in word or "/" in word}
    if not words or not graph.ids:
        return []
    places = pl.DataFrame(list(graph.ids), schema=["project", "path"], orient="row")
    base = pl.col("path").str.split("/").list.last()
    wanted = sorted(word.removeprefix("./") for word in words)
    by_base = places.filter(base.is_in(wanted)).with_columns(base=base)
    alone = by_base.filter(pl.len().over("base") == 1).drop("base")
    found = pl.concat([places.filter(pl.col("path").is_in(wanted)), alone])
    return sorted({(project, path) for project, path in found.rows()}, key=_by_path)


def _targets(named: Sequence[Place], results: Sequence[Result]) -> list[Target]:
    """Give what may be an anchor: the files that the query names, then the ranked hits."""
    first = [
        ExploreAnchor(
            handle=str(Handle("file", path)),
            kind="file",
            label=path,
            project=project,
            file=path,
            line=1,
            score=None,
            reasons=["named in the query"],
        )
        for project, path in named
    ]
    ranked = [
        ExploreAnchor(
            handle=result.handle,
            kind=result.kind,
            label=result.label,
            project=result.project,
            file=result.file,
            line=result.range.start.line if result.range else 1,
            score=result.score,
            reasons=result.rank_reasons,
        )
        for result in results
    ]
    taken = {(anchor.project, anchor.handle) for anchor in first}
    return [Target(anchor, None) for anchor in first] + [
        Target(anchor, result)
        for anchor, result in zip(ranked, results, strict=True)
        if (anchor.project, anchor.handle) not in taken
    ]


def _one_a_file(targets: Sequence[Target]) -> list[Target]:
    """Order targets so that each file comes once before any comes twice."""
    seen: set[Place] = set()
    lists: tuple[list[Target], list[Target]] = ([], [])
    for target in targets:
        lists[target.place in seen].append(target)
        seen.add(target.place)
    return lists[0] + lists[1]


def _paths(
    query: ExploreQuery, graph: FileGraph, files: Sequence[Place]
) -> tuple[list[DependencyPath], int]:
    if PATH_WORDS.isdisjoint(tokens(query.text)):
        return [], 0
    found = [
        DependencyPath(from_=way[0], to=way[-1], path=way)
        for start in files
        for way in graph.ways(start, [end for end in files if end[0] == start[0]])
    ]
    return found[: query.max_paths], len(found[query.max_paths :])


def _blast(graph: FileGraph, file: Place) -> BlastRadius:
    reached = graph.dependents(file, shape.BLAST_DEPTH)
    shown = reached[: shape.REVERSE_DEPENDENCIES]
    return BlastRadius(
        file=file[1],
        reverse_dependencies=[Dependent(file=path, depth=far) for (_, path), far in shown],
        omitted_lower_bound=len(reached) - len(shown),
    )


def _tests(graph: FileGraph, files: Sequence[Place]) -> list[str]:
    """Give test files that import an anchor's file or are named after it, nearest first."""
    found: dict[str, int] = {}
    stems = {file[1].rpartition("/")[2].partition(".")[0] for file in files} - {"__init__", "index"}
    for file in files:
        for (_, path), depth in graph.dependents(file, _TEST_DEPTH):
            if is_test(path):
                found[path] = min(depth, found.get(path, depth))
    asked = {project for project, _ in files}
    for project, path in graph.ids:
        stem = _TEST_NAME.sub("", path.rpartition("/")[2].partition(".")[0])
        if project in asked and stem in stems and is_test(path):
            found.setdefault(path, 0)
    return sorted(found, key=lambda path: (found[path], path.encode()))


def _steps(targets: Sequence[Target]) -> list[FollowUp]:
    """Give what to do next, best first: the first step of each anchor before the second of any."""
    lists = [
        target.result.follow_ups
        if target.result
        else follow_ups({"kind": "file", "project": target.place[0], "path": target.place[1]})
        for target in targets
    ]
    longest = max(map(len, lists), default=0)
    rounds = [steps[number] for number in range(longest) for steps in lists if number < len(steps)]
    return list({(step.tool, *step.arguments): step for step in rounds}.values())


def _view(
    reader: Reader, query: ExploreQuery, graph: FileGraph, roots: Mapping[str, Path]
) -> FileView | None:
    """Give the file that the whole query is the path of."""
    path = query.text.strip().removeprefix("./")
    found = sorted(project for project in roots if (project, path) in graph.ids)
    if not found:
        return None
    text = texts_of(reader, [(found[0], path)]).get((found[0], path), "")
    source = cut_source(text, 1, None) if query.include_source else None
    total = text.removesuffix("\n").count("\n") + 1 if text else 0
    return FileView(project=found[0], file=path, total_lines=total, source=source)


def _summarised(exploration: Exploration) -> Exploration:
    """Say in a few sentences what was found."""
    anchors = exploration.anchors
    if not anchors:
        return replace(exploration, summary=["Nothing matches."])
    files = len({(anchor.project, anchor.file) for anchor in anchors})
    omitted = exploration.omitted_counts.anchors
    where = f"{counted(len(anchors), 'anchor')} in {counted(files, 'file')}"
    lines = [f"{where}; {counted(omitted, 'more candidate')} not shown."]
    reached = sum(len(entry.reverse_dependencies) for entry in exploration.blast_radius)
    lines.append(f"Imported by {counted(reached, 'file')}, directly or through one other.")
    lines.append(f"{counted(len(exploration.candidate_tests), 'test')} may cover them.")
    if exploration.paths:
        lines.append(f"{counted(len(exploration.paths), 'dependency path')} between them.")
    return replace(exploration, summary=lines)


def _by_path(place: Place) -> tuple[bytes, bytes]:
    return place[1].encode(), place[0].encode()
