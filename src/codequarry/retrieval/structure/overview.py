"""A project at a glance: what it holds, where to begin, what it hangs on, how it is divided."""

from collections.abc import Sequence
from typing import Final, TypeVar

import msgspec
import polars as pl

from codequarry.core.roles import is_test
from codequarry.index.store import FILES, of_project, rows
from codequarry.retrieval.structure.bounds import checked_limit, clamped_depth
from codequarry.retrieval.structure.communities import (
    MAX_FILES,
    MAX_LINKS,
    Communities,
    communities_of,
)
from codequarry.retrieval.structure.documents import HotspotDocument, hotspot_document
from codequarry.retrieval.structure.entry_points import (
    MAX_SCANNED,
    EntryPoint,
    entry_points_of,
    is_scanned,
)
from codequarry.retrieval.structure.hotspots import hotspots
from codequarry.retrieval.structure.key_files import KeyFile, key_files_of
from codequarry.retrieval.structure.view import GraphView

MAX_DIRECTORIES: Final = 200
_NAMED: Final = 3

_Item = TypeVar("_Item")


class Language(msgspec.Struct, frozen=True):
    """A language, the files in it and their bytes."""

    name: str
    files: int
    bytes: int


class Directory(msgspec.Struct, frozen=True):
    """A folder and the files below it, at any depth."""

    path: str
    files: int


class Overview(msgspec.Struct, frozen=True, kw_only=True):
    """A project at a glance.

    Args:
        project: Its name.
        summary: What stands below in a few sentences.
        files: Indexed files.
        tests: Those of them that hold tests.
        bytes: Their sizes added up.
        languages: By files, falling.
        directories: Down to a depth, ascending; with the most files where there are too many.
        directories_omitted: How many more there are down to that depth.
        key_files: The shallowest first.
        key_files_omitted: How many more there are.
        entry_points: Where programs begin.
        entry_points_omitted: How many more there are.
        hubs: The symbols that most hangs on.
        communities: The clusters of its files and the links between them.
        notes: What to know about this answer.
    """

    project: str
    summary: list[str]
    files: int
    tests: int
    bytes: int
    languages: list[Language]
    directories: list[Directory]
    directories_omitted: int
    key_files: list[KeyFile]
    key_files_omitted: int
    entry_points: list[EntryPoint]
    entry_points_omitted: int
    hubs: list[HotspotDocument]
    communities: Communities
    notes: list[str]


class Overviews(msgspec.Struct, frozen=True):
    """Several projects, ascending by name."""

    projects: list[Overview]


def overview_of(view: GraphView, project: str, limit: float = 12, depth: float = 3) -> Overview:
    """Give a project at a glance, from its published index alone (contract.md F10).

    Args:
        view: The graph.
        project: The project.
        limit: Key files, entry points, hubs, clusters and links to give at most, of each.
        depth: Levels of folders; at most `bounds.MAX_DEPTH`.

    Raises:
        UsageError: The limit or the depth is none.
        IndexMissing: The project, or its graph, was never published.
    """
    most, levels = checked_limit(limit), clamped_depth(depth)
    view.reader.published.entry(project)
    columns = ["path", "language", "size", "chunks"]
    files = pl.DataFrame(rows(view.reader.table(FILES), of_project(project), columns))
    paths: list[str] = files["path"].sort().to_list()
    directories, directories_omitted = directories_of(files, levels)
    key_files, key_files_omitted = _cut(key_files_of(paths), most)
    entry_points, entry_points_omitted = _cut(entry_points_of(view, project, files), most)
    found = Overview(
        project=project,
        summary=[],
        files=len(paths),
        tests=sum(map(is_test, paths)),
        bytes=int(files["size"].sum()),
        languages=_languages(files),
        directories=directories,
        directories_omitted=directories_omitted,
        key_files=key_files,
        key_files_omitted=key_files_omitted,
        entry_points=entry_points,
        entry_points_omitted=entry_points_omitted,
        hubs=[hotspot_document(spot) for spot in hotspots(view, project, most)],
        communities=communities_of(view, project, most),
        notes=[],
    )
    notes = _notes(found.communities, is_scanned(files))
    return msgspec.structs.replace(found, summary=summary_of(found), notes=notes)


def directories_of(files: pl.DataFrame, depth: int) -> tuple[list[Directory], int]:
    """Count the files below each folder.

    Args:
        files: ``path``, in any order.
        depth: Levels of folders.

    Returns:
        The `MAX_DIRECTORIES` with the most files, in the order of their paths, each with its
        parents; and how many more there are.
    """
    parts = files.select(parts=pl.col("path").str.split("/"))
    levels = [
        parts.filter(pl.col("parts").list.len() > level)
        .select(path=pl.col("parts").list.head(level).list.join("/"), level=pl.lit(level))
        .group_by("path", "level")
        .agg(files=pl.len())
        for level in range(1, depth + 1)
    ]
    # A parent has no fewer files than its child and comes before it, so that a cut keeps trees.
    every = pl.concat(levels).sort(["files", "level", "path"], descending=[True, False, False])
    shown = every.head(MAX_DIRECTORIES).sort("path").select("path", "files")
    return [Directory(*row) for row in shown.iter_rows()], max(every.height - MAX_DIRECTORIES, 0)


def summary_of(found: Overview) -> list[str]:
    """Say what an overview shows in a few sentences, made of its facts alone."""
    sentences = [_contents(found), _beginnings(found), *_division(found.communities)]
    if found.hubs:
        hubs = [f"{hub.fqn or hub.symbol} ({_many(hub.in_degree, 'user')})" for hub in found.hubs]
        sentences.append(f"Most hangs on {_listed(hubs[:_NAMED])}.")
    return sentences


def _contents(found: Overview) -> str:
    languages = [f"{one.name} ({one.files:,})" for one in found.languages[:_NAMED]]
    more = len(found.languages) - len(languages)
    named = _listed(languages + ([_many(more, "more language")] if more else []))
    tests = f", {found.tests:,} of them tests" if found.tests else ""
    sizes = f"{_many(found.files, 'file')}{tests}, {_many(found.bytes, 'byte')}"
    return f"{found.project} has {sizes}" + (f": {named}." if named else ".")


def _beginnings(found: Overview) -> str:
    if not found.entry_points:
        return "No entry point was found."
    names = [f"{one.name} ({one.path})" for one in found.entry_points[:_NAMED]]
    more = len(found.entry_points) - len(names) + found.entry_points_omitted
    return f"Programs begin at {_listed(names + ([f'{more:,} more'] if more else []))}."


def _division(found: Communities) -> list[str]:
    if not found.clusters:
        return ["No file calls or imports another."]
    named = [f'"{one.label}" ({_many(one.files, "file")})' for one in found.clusters[:_NAMED]]
    count = len(found.clusters) + found.omitted
    how = "by who calls and imports whom" if found.method == "communities" else "by folders"
    files = _many(found.linked_files, "linked file")
    largest = f"the largest are {_listed(named)}" if count > 1 else named[0]
    sentences = [f"Grouped {how}, its {files} form {_many(count, 'cluster')}: {largest}."]
    if found.links:
        link = found.links[0]
        source, target = (
            f'"{found.clusters[end - 1].label}"' for end in (link.source, link.target)
        )
        many = _many(link.edges, "call or import", "calls and imports")
        sentences.append(f"The strongest link leads from {source} to {target} ({many}).")
    return sentences


def _notes(found: Communities, scanned: bool) -> list[str]:
    notes = []
    if found.method == "folders":
        notes.append(
            f"folders stand for clusters: there are more than {MAX_FILES:,} linked files or "
            f"{MAX_LINKS:,} links between them"
        )
    if not scanned:
        notes.append(
            f"__main__ blocks were not looked for: there are more than {MAX_SCANNED:,} chunks"
        )
    return notes


def _languages(files: pl.DataFrame) -> list[Language]:
    counted = files.group_by("language").agg(files=pl.len(), bytes=pl.col("size").sum())
    ordered = counted.sort(["files", "language"], descending=[True, False])
    return [Language(*row) for row in ordered.iter_rows()]


def _cut(items: Sequence[_Item], most: int) -> tuple[list[_Item], int]:
    return list(items[:most]), max(len(items) - most, 0)


def _many(count: int, thing: str, things: str = "") -> str:
    return f"{count:,} {thing if count == 1 else things or thing + 's'}"


def _listed(items: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(items[:-1]), *items[-1:]]))
