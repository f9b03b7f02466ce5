"""Packets: one target of an exploration, with what its file declares, imports and says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from codequarry.index.reader import Reader
from codequarry.index.store import SYMBOLS, among, rows
from codequarry.retrieval.lexical.describe import follow_ups
from codequarry.retrieval.lexical.exploration import (
    PACKET_DEPS,
    PACKET_SYMBOLS,
    SOURCE_LINES,
    ExploreAnchor,
    Packet,
    PacketBody,
    PacketLimits,
    PacketOmitted,
    PacketSymbol,
    Source,
)
from codequarry.retrieval.lexical.imports import FileGraph
from codequarry.retrieval.lexical.result import Neighbor, Result
from codequarry.retrieval.lexical.surfaces import frame
from codequarry.retrieval.lexical.texts import Place, texts_of


@dataclass(frozen=True)
class Target:
    """An anchor, and the search result that it came from, if any."""

    anchor: ExploreAnchor
    result: Result | None

    @property
    def place(self) -> Place:
        """Its file."""
        return self.anchor.project, self.anchor.file

    @property
    def lines(self) -> tuple[int, int | None]:
        """Its first and last line; a file has no last one."""
        whole = self.result is None or self.result.kind in ("file", "graph_node")
        place = None if self.result is None else self.result.range
        return (1, None) if whole or place is None else (place.start.line, place.end.line)


@dataclass(frozen=True)
class PacketMaker:
    """Makes the packets of some targets, reading what they need at once.

    Args:
        reader: The published state.
        roots: Name of each project to its root.
        graph: The files and their imports.
        targets: What packets are made of.
        include_source: Show lines of source.
    """

    reader: Reader
    roots: Mapping[str, Path]
    graph: FileGraph
    targets: Sequence[Target]
    include_source: bool

    @cached_property
    def _texts(self) -> dict[Place, str]:
        if not self.include_source:
            return {}
        return texts_of(self.reader, {target.place for target in self.targets})

    @cached_property
    def _declared(self) -> dict[Place, list[dict[str, Any]]]:
        columns = ["project", "path", "symbol", "fqn", "kind", "language", "start_line", "end_line"]
        paths = sorted({target.place[1] for target in self.targets})
        if not paths:
            return {}
        found = frame(
            rows(self.reader.table(SYMBOLS), among("path", paths), [*columns, "signature"])
        )
        declared: dict[Place, list[dict[str, Any]]] = {}
        for row in found.sort("path", "start_line", "end_line", "fqn", "kind").to_dicts():
            declared.setdefault((row["project"], row["path"]), []).append(row)
        return declared

    def packets(self) -> list[Packet]:
        """Make the packets, in the order of their targets."""
        return [self._packet(target) for target in self.targets]

    def _packet(self, target: Target) -> Packet:
        place, (first, last) = target.place, target.lines
        declared = self._declared.get(place, [])
        file = next((row for row in declared if row["kind"] == "file"), None)
        symbols = [row for row in declared if row["kind"] != "file"]
        imports, imported_by = (
            self._files(self.graph.out, place),
            self._files(self.graph.into, place),
        )
        source = cut_source(self._texts[place], first, last) if place in self._texts else None
        near: list[Neighbor] = target.result.neighbors if target.result else []
        row = {"kind": "file", "project": place[0], "path": place[1]}
        steps = target.result.follow_ups if target.result else follow_ups(row)
        return Packet(
            root=str(self.roots.get(place[0], "")),
            target=target.anchor.handle,
            kind=target.anchor.kind,
            packet=PacketBody(
                file=place[1],
                language=file["language"] if file else "",
                label=target.anchor.label,
                line=first,
                imports=imports[:PACKET_DEPS],
                imported_by=imported_by[:PACKET_DEPS],
                symbols=[_symbol(row) for row in symbols[:PACKET_SYMBOLS]],
                neighbors=near,
                source=source,
            ),
            limits=PacketLimits(),
            omitted_counts=PacketOmitted(
                imports=len(imports[PACKET_DEPS:]),
                imported_by=len(imported_by[PACKET_DEPS:]),
                symbols=len(symbols[PACKET_SYMBOLS:]),
                source_lines=source.omitted_lines if source else 0,
            ),
            follow_ups=steps,
        )

    def _files(self, edges: Mapping[int, list[int]], place: Place) -> list[str]:
        near = edges.get(self.graph.ids.get(place, 0), [])
        return [self.graph.places[key][1] for key in near]


def cut_source(text: str, first: int, last: int | None) -> Source:
    """Cut some lines out of a text, at most `SOURCE_LINES`.

    Args:
        text: The whole file.
        first: 1-based.
        last: Inclusive; ``None`` for the end of the file.
    """
    lines = text.removesuffix("\n").split("\n")
    end = len(lines) if last is None else min(last, len(lines))
    shown = lines[first - 1 : min(end, first + SOURCE_LINES - 1)]
    return Source(
        start_line=first,
        end_line=first + len(shown) - 1,
        omitted_lines=max(0, end - first + 1 - len(shown)),
        text="\n".join(shown),
    )


def _symbol(row: Mapping[str, Any]) -> PacketSymbol:
    return PacketSymbol(
        name=row["fqn"] or row["symbol"],
        kind=row["kind"],
        line=row["start_line"],
        end_line=row["end_line"],
        signature=row["signature"],
    )
