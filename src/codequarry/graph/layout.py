"""Where the files of a project lie."""

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from codequarry.graph.defaults import Defaults
from codequarry.graph.fronts import Fronts, Passed
from codequarry.syntax.grammars import grammar_of


@dataclass(frozen=True)
class Layout:
    """Where the files of a project lie.

    Args:
        paths: All files, ascending by bytes.
        go_modules: Folder of each ``go.mod`` to the module path it declares.
        namespaces: Namespace of the declared types to the files that declare them (C#).
        defaults: What files export as their default (ECMAScript); ``None`` when that is not told.
        fronts: What the fronts of packages pass on; ``None`` when that is not told.
    """

    paths: tuple[str, ...]
    go_modules: Mapping[str, str] = field(default_factory=dict)
    namespaces: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    defaults: Defaults | None = None
    fronts: Fronts | None = None
    found: dict[tuple[str, str, str], tuple[tuple[str, ...], str]] = field(
        default_factory=dict, repr=False, compare=False
    )
    """What imports of Python mean: their folder, module and name to files and the name there."""

    @cached_property
    def files(self) -> frozenset[str]:
        """All paths."""
        return frozenset(self.paths)

    @cached_property
    def by_name(self) -> Mapping[str, tuple[str, ...]]:
        """File name to paths."""
        return _grouped((posixpath.basename(path), path) for path in self.paths)

    @cached_property
    def by_folder(self) -> Mapping[str, tuple[str, ...]]:
        """Folder to the paths directly in it."""
        return _grouped((posixpath.dirname(path), path) for path in self.paths)

    @cached_property
    def folders_by_name(self) -> Mapping[str, tuple[str, ...]]:
        """Last part of a folder's path to the folders that hold files."""
        return _grouped((posixpath.basename(folder), folder) for folder in self.by_folder)

    def passed_on(self, path: str) -> Mapping[str, Passed]:
        """Give what a file passes on, if it is the front of a package."""
        return self.fronts.of(path) if self.fronts else {}

    def ending(self, suffix: str) -> tuple[str, ...]:
        """Give the paths that end with the whole parts of ``suffix``."""
        named = self.by_name.get(posixpath.basename(suffix), ())
        return tuple(path for path in named if f"/{path}".endswith(f"/{suffix}"))

    def package(self, folder: str, grammar: str) -> tuple[str, ...]:
        """Give the files of one language in a folder."""
        return tuple(p for p in self.by_folder.get(folder, ()) if grammar_of(p) == grammar)

    def packages_ending(self, suffix: str, grammar: str) -> tuple[str, ...]:
        """Give the files of one language in the folders that end with ``suffix``."""
        folders = self.folders_by_name.get(posixpath.basename(suffix), ())
        fitting = (folder for folder in folders if f"/{folder}".endswith(f"/{suffix}"))
        return tuple(path for folder in fitting for path in self.package(folder, grammar))

    def first(self, candidates: Iterable[str]) -> tuple[str, ...]:
        """Give the first candidate that is a file, as a tuple of one or none."""
        found = next((path for path in candidates if path in self.files), None)
        return () if found is None else (found,)


def _grouped(pairs: Iterable[tuple[str, str]]) -> Mapping[str, tuple[str, ...]]:
    groups: dict[str, list[str]] = defaultdict(list)
    for key, value in pairs:
        groups[key].append(value)
    return {key: tuple(values) for key, values in groups.items()}
