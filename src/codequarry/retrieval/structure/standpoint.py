"""Paths as a person types them, who may stand in any folder of a project (contract.md A6).

A path below a project's root goes first, then one below the folder; an absolute one is taken too.
"""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import msgspec

from codequarry.core.errors import UsageError
from codequarry.core.text import ascending
from codequarry.index.store import FILES, among, rows
from codequarry.producers.paths import is_clean
from codequarry.retrieval.structure.lookup import place_in
from codequarry.retrieval.structure.symbols import parse_selector
from codequarry.retrieval.structure.view import GraphView


@dataclass(frozen=True)
class Standpoint:
    """Where somebody stands who types paths.

    Args:
        folder: The working directory.
        roots: Name of each project that may be meant to its real root.
    """

    folder: Path
    roots: Mapping[str, Path]

    def below_root(self, path: str) -> tuple[str, str] | None:
        """Give the project that a path leads into, the innermost, and the path below its root.

        ``None`` for a path that leads into none. Reads no file; symlinks are followed only where
        the path as it is written leads nowhere.
        """
        if not path or "\0" in path:
            return None
        written = os.path.normpath(os.path.join(os.path.realpath(self.folder), path))
        return self._inside(written) or self._inside(os.path.realpath(written))

    def _inside(self, path: str) -> tuple[str, str] | None:
        by_root = {os.fspath(root): name for name, root in self.roots.items()}
        place = PurePosixPath(path)
        root = next((folder for folder in place.parents if str(folder) in by_root), None)
        return None if root is None else (by_root[str(root)], str(place.relative_to(root)))


NOWHERE = Standpoint(Path("/"), {})
"""Whoever stands here types paths below a root alone: an agent, for one."""


def indexed(view: GraphView, paths: Iterable[str]) -> frozenset[tuple[str, str]]:
    """Give project and path of each indexed file that has one of some paths.

    Raises:
        IndexMissing: Nothing was published.
    """
    clean = ascending({path for path in paths if is_clean(path)})
    if not clean:
        return frozenset()
    where = f"{among('project', view.projects)} AND {among('path', clean)}"
    found = rows(view.reader.table(FILES), where, ["project", "path"])
    return frozenset(zip(found["project"].to_pylist(), found["path"].to_pylist(), strict=True))


def in_index(view: GraphView, here: Standpoint, paths: Iterable[str]) -> dict[str, str]:
    """Give, of each path that leads to an indexed file, the path below its project's root.

    Raises:
        IndexMissing: Nothing was published.
    """
    told = {path: here.below_root(path) for path in paths}
    plain = {path: path.removeprefix("./") for path in told}
    found = indexed(view, {*plain.values(), *(place[1] for place in told.values() if place)})
    held = {path for _, path in found}
    places = {}
    for path, place in told.items():
        if plain[path] in held:
            places[path] = plain[path]
        elif place is not None and place in found:
            places[path] = place[1]
    return places


def path_in_index(view: GraphView, here: Standpoint, path: str) -> tuple[GraphView, str]:
    """Give a path as the index has it, and the graph of the projects in which it is meant.

    A path that leads to no indexed file is given back as it is.

    Raises:
        IndexMissing: Nothing was published.
    """
    told = here.below_root(path)
    plain = path.removeprefix("./")
    if told is None or told[1] == plain or in_index(view, here, [path]).get(path, plain) == plain:
        return view, path
    project, below = told
    return GraphView(view.reader, view.state, [project]), below


def text_in_index(view: GraphView, here: Standpoint, text: str) -> tuple[GraphView, str]:
    """Do the same with what a person types for a symbol; what names no path stays as it is.

    Raises:
        IndexMissing: Nothing was published.
    """
    wanted = text.strip()
    if wanted.startswith("{"):
        return _selector_in_index(view, here, wanted)
    place = place_in(wanted)
    path, mark, rest = (place[0], ":", str(place[1])) if place else wanted.partition("::")
    meant, below = path_in_index(view, here, path)
    return (view, text) if below == path else (meant, f"{below}{mark}{rest}")


def _selector_in_index(view: GraphView, here: Standpoint, text: str) -> tuple[GraphView, str]:
    try:
        selector = parse_selector(text)
    except UsageError:
        return view, text
    meant, below = path_in_index(view, here, selector.file)
    if below == selector.file:
        return view, text
    return meant, msgspec.json.encode(msgspec.structs.replace(selector, file=below)).decode()
