"""What the names of one file may mean: its imports, its local variables, its neighbours."""

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from codequarry.graph.conventions import Convention, convention_of
from codequarry.graph.imports import Import
from codequarry.graph.layout import Layout
from codequarry.graph.modules import Bound, bind
from codequarry.graph.nodes import FUNCTIONS, Nodes

_C_SOURCES = (".c", ".cc", ".cpp", ".cxx")


@dataclass
class Scope:
    """The surroundings in which one file's names are looked up.

    Args:
        nodes: The project's nodes.
        file: Row of the file's node.
        convention: Its language's.
        bindings: Local name to what imports bound to it; empty when that lies outside.
        visible: Rows of the files whose names need no prefix here.
        hidden: Row of a function and name of one of its local variables.
        import_lines: Local name and line of each import.
    """

    nodes: Nodes
    file: int
    convention: Convention
    bindings: dict[str, list[Bound]] = field(default_factory=lambda: defaultdict(list))
    visible: set[int] = field(default_factory=set)
    hidden: set[tuple[int, str]] = field(default_factory=set)
    import_lines: set[tuple[str, int]] = field(default_factory=set)
    _local: dict[str, list[int]] = field(default_factory=dict, repr=False)

    def rows_of(self, paths: Iterable[str]) -> list[int]:
        """Give the rows of files."""
        return [self.nodes.file_rows[path] for path in paths if path in self.nodes.file_rows]

    def local(self, name: str) -> list[int]:
        """Give the file's own nodes of a name, without variables that only hold an import."""
        found = self._local.get(name)
        if found is None:
            rows, lines = self.nodes.in_file.get((self.file, name), ()), self.nodes.lines
            found = [row for row in rows if (name, lines[row]) not in self.import_lines]
            self._local[name] = found
        return found

    def hide(self, name: str, line: int, owner: int) -> None:
        """Note a local variable of a function; a function does not hide itself."""
        names_itself = self.nodes.names[owner] == name and self.nodes.lines[owner] == line
        if self.nodes.kinds[owner] in FUNCTIONS and not names_itself:
            self.hidden.add((owner, name))


def open_scope(
    nodes: Nodes,
    layout: Layout,
    path: str,
    grammar: str,
    imports: Sequence[Import],
    local_names: Sequence[tuple[str, int]],
) -> tuple[Scope, list[tuple[Import, Bound]]]:
    """Gather a file's surroundings.

    Args:
        nodes: The project's nodes.
        layout: The project's files.
        path: The file.
        grammar: Its grammar.
        imports: What it imports.
        local_names: Name and line of its local variables.

    Returns:
        The scope, and each import with what it means.
    """
    scope = Scope(nodes, nodes.file_rows[path], convention_of(grammar))
    bound = [(what, bind(layout, path, grammar, what)) for what in imports]
    packages = {top for what in imports if grammar == "python" and (top := _package(what))}
    for what in sorted(packages):
        scope.bindings[what.local].append(bind(layout, path, grammar, what))
    for what, meaning in bound:
        if meaning.imported == "*":
            scope.visible.update(scope.rows_of(meaning.files))
            if scope.convention.family == "c":
                scope.visible.update(scope.rows_of(_implementations(meaning.files)))
        elif what.local:
            scope.bindings[what.local].append(meaning)
            scope.import_lines.add((what.local, what.line))
    if scope.convention.sees_folder:
        neighbours = layout.package(posixpath.dirname(path), grammar)
        scope.visible.update(scope.rows_of(neighbours))
    scope.visible.discard(scope.file)
    owners = nodes.around(scope.file, [line for _, line in local_names])
    for (name, line), owner in zip(local_names, owners, strict=True):
        scope.hide(name, line, owner)
    return scope, bound


def _package(what: Import) -> Import | None:
    """Give what else ``import a.b`` binds in Python: ``a``."""
    top, dot, _ = what.local.partition(".")
    return Import(top, "", top, what.line) if dot else None


def _implementations(headers: Iterable[str]) -> list[str]:
    return [posixpath.splitext(header)[0] + source for header in headers for source in _C_SOURCES]
