"""Results as they are shown: place, reasons, evidence, neighbours and what to do next."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from codequarry.core.hashing import sha256_hex
from codequarry.index.reader import Reader
from codequarry.retrieval.lexical.anchors import digits
from codequarry.retrieval.lexical.handles import Handle
from codequarry.retrieval.lexical.imports import FileGraph
from codequarry.retrieval.lexical.neighbors import End, symbol_ends
from codequarry.retrieval.lexical.normalise import Terms, normalise
from codequarry.retrieval.lexical.ranking import Row, Scored
from codequarry.retrieval.lexical.result import (
    EVIDENCE,
    FOLLOW_UPS,
    NEIGHBORS,
    RANK_REASONS,
    Analysis,
    Evidence,
    FollowUp,
    Neighbor,
    Position,
    Provenance,
    Range,
    Result,
    ResultOmitted,
)
from codequarry.retrieval.lexical.scoring import EXACT_OBJECT, match, surface_class
from codequarry.retrieval.lexical.sql.objects import SqlIndex
from codequarry.retrieval.lexical.texts import Place, texts_of, utf16_column

_KINDS: dict[str, Any] = {
    "symbol": "symbol",
    "sql": "sql_object",
    "graph": "graph_node",
    "file": "file",
    "chunk": "chunk",
}
_SOURCES: dict[str, Any] = {"symbol": "symbol", "sql": "sql", "graph": "path", "file": "path"}

_Item = TypeVar("_Item")


@dataclass(frozen=True)
class Describer:
    """Describes results from the published index.

    Args:
        reader: The published state.
        graph: The files and their imports.
        sql: The SQL objects.
        analysis: What the index knows.
        terms: The query.
        snippets: Show lines of source.
    """

    reader: Reader
    graph: FileGraph
    sql: SqlIndex
    analysis: Analysis
    terms: Terms
    snippets: bool = True
    _lines: dict[Place, list[str]] = field(default_factory=dict)

    def results(self, best: Sequence[Scored]) -> list[Result]:
        """Describe results, in their order."""
        keys = [scored.row["key"] for scored in best if scored.row["kind"] == "symbol"]
        ends = symbol_ends(self.reader, keys)
        self._load(_place(scored.row) for scored in best)
        self._load(end.place for some in ends.values() for end in some[:NEIGHBORS])
        return [
            self._result(
                scored, ends.get(scored.row["key"], []) if scored.row["kind"] == "symbol" else []
            )
            for scored in best
        ]

    def _result(self, scored: Scored, ends: Sequence[End]) -> Result:
        row = scored.row
        place = self._range(row)
        handle = self._handle(scored, place)
        reasons = sorted(_reasons(scored), key=str.encode)
        evidence = sorted(
            self._evidence(scored), key=lambda item: (item.source, item.label.encode())
        )
        near, near_total = self._neighbors(scored, ends)
        steps = follow_ups(row)
        return Result(
            handle=str(handle),
            kind=_KINDS[row["kind"]],
            label=row["label"],
            project=row["project"],
            file=row["path"],
            score=round(float(scored.score), 3),
            range=place,
            provenance=self._provenance(scored),
            rank_reasons=reasons[:RANK_REASONS],
            evidence=evidence[:EVIDENCE],
            neighbors=near,
            follow_ups=steps[:FOLLOW_UPS],
            omitted_counts=ResultOmitted(
                rank_reasons=_over(reasons, RANK_REASONS),
                evidence=_over(evidence, EVIDENCE),
                neighbors=near_total - len(near),
                follow_ups=_over(steps, FOLLOW_UPS),
            ),
        )

    def _provenance(self, scored: Scored) -> Provenance:
        surface = surface_class(scored.row["path"])
        is_doc = scored.row["kind"] == "chunk" and surface == "docs"
        return Provenance(
            surface=surface,
            capability=scored.capability,
            analysis_mode=self.analysis.mode,
            backend=self.analysis.backend,
            confidence="medium" if is_doc or scored.row["kind"] == "graph" else "high",
        )

    def _load(self, places: Iterable[Place]) -> None:
        missing = [place for place in places if place not in self._lines]
        for place, text in texts_of(self.reader, missing).items():
            self._lines[place] = text.split("\n")

    def _line(self, place: Place, number: int) -> str:
        lines = self._lines.get(place, [])
        return lines[number - 1] if 0 < number <= len(lines) else ""

    def _column(self, place: Place, number: int, name: str) -> int:
        line = self._line(place, number)
        at = line.find(name)
        return utf16_column(line, at if at >= 0 else len(line) - len(line.lstrip()))

    def _range(self, row: Row) -> Range | None:
        place, kind = _place(row), row["kind"]
        lines = self._lines.get(place)
        if lines is None:
            return None
        whole = kind in ("file", "graph")
        last = max(1, len(lines) - (lines[-1] == "")) if whole else row["end_line"]
        named = kind in ("symbol", "sql")
        start = self._column(place, row["line"], row["label"]) if named else 0
        end = self._line(place, last).removesuffix("\r")
        return Range(
            start=Position(line=row["line"], column=start),
            end=Position(line=last, column=utf16_column(end, len(end))),
        )

    def _handle(self, scored: Scored, place: Range | None) -> Handle:
        row = scored.row
        column = place.start.column if place else 0
        if row["kind"] in ("file", "graph"):
            return Handle(row["kind"], row["path"])
        if row["kind"] == "chunk":
            content = scored.text.partition("\n")[2]
            return Handle("chunk", row["path"], "", row["line"], 0, digits(sha256_hex(content)))
        if row["kind"] == "sql":
            return Handle("sql", row["path"], row["label"], row["line"], 0, row["content"])
        return Handle(
            "symbol", row["path"], row["label"], row["line"], column, row["content"], row["fqn"]
        )

    def _evidence(self, scored: Scored) -> Iterable[Evidence]:
        row, matches = scored.row, scored.matches
        if scored.distance is not None:
            yield Evidence(source="graph", label=f"distance {scored.distance}", file=row["path"])
        if row["kind"] == "chunk":
            line = self._matching_line(row)
            yield Evidence(
                source="chunk",
                label=row["label"],
                file=row["path"],
                line=line,
                snippet=self._snippet(_place(row), line),
            )
            return
        if row["kind"] == "sql":
            yield Evidence(source="sql", label=self.sql.objects[row["key"]].told, file=row["path"])
        if row["kind"] in ("symbol", "sql"):
            yield Evidence(
                source=_SOURCES[row["kind"]],
                label=row["label"],
                file=row["path"],
                line=row["line"],
                snippet=self._snippet(_place(row), row["line"]),
            )
        if matches["path"].terms:
            yield Evidence(source="path", label=row["path"], file=row["path"])

    def _matching_line(self, row: Row) -> int:
        """Give the line of a chunk with the most points; the first of several."""
        place = _place(row)
        numbers = range(row["line"], row["end_line"] + 1)
        scores = {n: match(normalise(self._line(place, n)), self.terms).points for n in numbers}
        return max(numbers, key=lambda number: (scores[number], -number))

    def _snippet(self, place: Place, line: int) -> str | None:
        lines = self._lines.get(place)
        if not self.snippets or lines is None:
            return None
        return "\n".join(lines[max(0, line - 2) : line + 1])

    def _neighbors(self, scored: Scored, ends: Sequence[End]) -> tuple[list[Neighbor], int]:
        row, place = scored.row, _place(scored.row)
        found = [self._neighbor(end) for end in ends[:NEIGHBORS]]
        total = len(ends)
        if row["kind"] == "sql":
            related = self.sql.relations.neighbors(row["key"])
            found += related
            total += len(related)
        if row["kind"] != "symbol":
            key = self.graph.ids.get(place, 0)
            for relation, near in (("imports", self.graph.out), ("imported_by", self.graph.into)):
                paths = [self.graph.places[other][1] for other in near.get(key, [])]
                found += [
                    Neighbor(relation=relation, target=str(Handle("file", path)), file=path)
                    for path in paths
                ]
                total += len(paths)
        found.sort(key=lambda item: (item.relation.encode(), item.target.encode()))
        return found[:NEIGHBORS], total

    def _neighbor(self, end: End) -> Neighbor:
        column = 0 if end.is_file else self._column(end.place, end.line, end.name)
        target = str(end.handle(column))
        return Neighbor(relation=end.relation, target=target, file=end.place[1])


def _place(row: Row) -> Place:
    return row["project"], row["path"]


def _over(items: Sequence[_Item], limit: int) -> int:
    return max(0, len(items) - limit)


def _reasons(scored: Scored) -> Iterable[str]:
    for surface, found in scored.matches.items():
        for how, terms in (("words", found.words), ("parts of words", found.parts)):
            if terms:
                yield f"{surface} holds {', '.join(terms)} as {how}"
        if found.phrase:
            yield f"{surface} holds the exact phrase"
        if found.nearby:
            yield f"{surface} holds all terms nearby, in order"
    if scored.row["kind"] == "sql" and scored.row["bonus"] >= EXACT_OBJECT:
        yield "the exact name of the object"
    if scored.row["kind"] in ("symbol", "sql") and scored.row["bonus"] % EXACT_OBJECT:
        yield "exported"
    if scored.distance is not None:
        yield f"graph neighborhood: distance {scored.distance}"


def follow_ups(row: Mapping[str, Any]) -> list[FollowUp]:
    """Give the commands that go on from a result."""
    project = ["-p", row["project"], "--"]
    explore = FollowUp(tool="explore", arguments=[*project, row["path"]], label="the file's packet")
    if row["kind"] == "symbol":
        name = [*project, f"{row['path']}::{row['fqn']}"]
        return [
            FollowUp(tool="callers", arguments=name, label="who calls it"),
            FollowUp(tool="callees", arguments=name, label="what it calls"),
            FollowUp(tool="impact", arguments=name, label="what a change reaches"),
            explore,
        ]
    related = []
    if row["kind"] == "sql":
        handle = Handle("sql", row["path"], row["label"], row["line"], 0, row["content"])
        arguments = ["-p", row["project"], "-m", "graph", "--from", str(handle), "--", row["label"]]
        label = "what it uses, and what uses it"
        related = [FollowUp(tool="search", arguments=arguments, label=label)]
    return [
        *related,
        explore,
        FollowUp(tool="impact", arguments=[*project, row["path"]], label="what imports the file"),
    ]
