"""What ``--from`` means: which files a search starts from, also after lines have moved."""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from codequarry.core.errors import UsageError
from codequarry.core.hashing import sha256_hex
from codequarry.index.reader import Reader
from codequarry.index.store import SYMBOLS, among, quote, rows
from codequarry.retrieval.lexical.declared import Declared
from codequarry.retrieval.lexical.handles import HASH_DIGITS, Handle, is_handle, parse_handle
from codequarry.retrieval.lexical.imports import FileGraph
from codequarry.retrieval.lexical.sql.objects import SqlIndex
from codequarry.retrieval.lexical.texts import Place

State = Literal["none", "exact", "moved", "changed", "unresolved"]

_POSITION = re.compile(r"(?::\d{1,9}){1,2}$")


@dataclass(frozen=True)
class Anchors:
    """Where a search starts.

    Args:
        state: ``exact``; ``moved``: the same content stands elsewhere; ``changed``: the name is
            there, its content is another; ``none``: nothing was asked; ``unresolved``.
        places: The files, ascending.
        objects: The numbers of the SQL objects that were meant, ascending.
    """

    state: State
    places: tuple[Place, ...] = ()
    objects: tuple[int, ...] = ()


@dataclass(frozen=True)
class Anchoring:
    """Finds anchors in the published index.

    Args:
        reader: The published state.
        projects: The projects that were asked.
        roots: Name of each project to its root.
        graph: Their files.
        sql: Their SQL objects.
    """

    reader: Reader
    projects: Sequence[str]
    roots: Mapping[str, Path]
    graph: FileGraph
    sql: SqlIndex

    def resolve(self, text: str) -> Anchors:
        """Find what a path, a handle or an exact symbol name means."""
        text = text.strip()
        if not text:
            return Anchors("none")
        if is_handle(text):
            try:
                return self.anchored(parse_handle(text))
            except UsageError:
                return Anchors("unresolved")
        return self._path(text) or self._symbol(text) or Anchors("unresolved")

    def anchored(self, handle: Handle) -> Anchors:
        """Find where a handle's subject stands now."""
        if handle.kind in ("file", "graph"):
            return self._path(handle.path) or Anchors("unresolved")
        if handle.kind == "chunk":
            return self._chunk(handle)
        named = self.sql.declared(handle.name) if handle.kind == "sql" else self._named(handle.name)
        return _nearest(handle, named)

    def _path(self, text: str) -> Anchors | None:
        for candidate in (text, _POSITION.sub("", text)):
            found = [p for name in self.projects if (p := self._place(name, candidate))]
            if found:
                return Anchors("exact", tuple(found))
        return None

    def _place(self, project: str, text: str) -> Place | None:
        if os.path.isabs(text):
            root = str(self.roots.get(project, Path("/"))).rstrip("/") + "/"
            if not text.startswith(root):
                return None
            text = text[len(root) :]
        place = (project, os.path.normpath(text))
        return place if place in self.graph.ids else None

    def _symbol(self, text: str) -> Anchors | None:
        path, _, name = text.rpartition("::")
        found = [item for item in self._named(name) if item.place[1] == path] if path else []
        found = found or [*self._named(text), *self.sql.called(text)]
        return _meant("exact", found) if found else None

    def _named(self, name: str) -> list[Declared]:
        wanted = quote(name)
        where = f"{among('project', self.projects)} AND kind <> 'file'"
        columns = ["project", "path", "start_line", "content_hash", "fqn"]
        found = rows(
            self.reader.table(SYMBOLS),
            f"{where} AND (symbol = {wanted} OR fqn = {wanted})",
            columns,
        )
        return [
            Declared(
                (row["project"], row["path"]), row["start_line"], row["content_hash"], row["fqn"]
            )
            for row in found.to_pylist()
        ]

    def _chunk(self, handle: Handle) -> Anchors:
        anchors = self._path(handle.path)
        if anchors is None:
            return Anchors("unresolved")
        found = []
        for project, path in anchors.places:
            table = self.reader.table(self.reader.groups([project])[0].table_name)
            where = f"{among('project', [project])} AND path = {quote(path)}"
            found += [
                Declared((project, path), row["start_line"], sha256_hex(row["content"]), "")
                for row in rows(table, where, ["start_line", "content"]).to_pylist()
            ]
        return _nearest(handle, found) if found else Anchors("changed", anchors.places)


def _nearest(handle: Handle, found: Iterable[Declared]) -> Anchors:
    """Choose what a handle means among what has its name."""
    rows = sorted(found)
    here = [item for item in rows if item.place[1] == handle.path]
    same = [item for item in rows if handle.content and item.content.startswith(handle.content)]
    choices: tuple[tuple[State, list[Declared]], ...] = (
        ("exact", [item for item in same if item in here and item.line == handle.line]),
        ("moved", [item for item in same if item in here]),
        ("moved", [item for item in same if item.fqn == handle.fqn]),
        ("changed" if handle.content else "exact", [i for i in here if i.line == handle.line]),
        ("changed", [item for item in here if item.fqn == handle.fqn] or here),
    )
    for state, chosen in choices:
        if chosen:
            return _meant(state, chosen)
    return Anchors("unresolved")


def _meant(state: State, chosen: Sequence[Declared]) -> Anchors:
    places = tuple(sorted({item.place for item in chosen}))
    return Anchors(state, places, tuple(sorted({i.number for i in chosen if i.number >= 0})))


def digits(content_hash: str) -> str:
    """Give the digits of a content hash that a handle keeps."""
    return content_hash[:HASH_DIGITS]
