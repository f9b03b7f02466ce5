"""What the names of one file may mean: its imports, its local variables, its neighbours."""

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from codequarry.graph.chains import behind
from codequarry.graph.conventions import Convention, convention_of
from codequarry.graph.imports import Import
from codequarry.graph.layout import Layout
from codequarry.graph.modules import Bound, bind
from codequarry.graph.nodes import CLASSES, FUNCTIONS, Nodes
from codequarry.graph.references import INHERITS, Mentions, Reference
from codequarry.graph.types import Types

_HOLDERS = CLASSES | FUNCTIONS
_C_SOURCES = (".c", ".cc", ".cpp", ".cxx")


@dataclass
class Scope:
    """The surroundings in which one file's names are looked up.

    Args:
        nodes: The project's nodes.
        file: Row of the file's node.
        convention: Its language's.
        layout: The project's files.
        bindings: Local name to what imports bound to it; empty when that lies outside.
        visible: Rows of the files whose names need no prefix here.
        hidden: Row of a function and name of one of its local variables.
        import_lines: Local name and line of each import.
        types: What the file tells of types.
    """

    nodes: Nodes
    file: int
    convention: Convention
    layout: Layout
    bindings: dict[str, list[Bound]] = field(default_factory=lambda: defaultdict(list))
    visible: set[int] = field(default_factory=set)
    hidden: set[tuple[int, str]] = field(default_factory=set)
    import_lines: set[tuple[str, int]] = field(default_factory=set)
    types: Types = field(init=False)
    _local: dict[str, list[int]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.types = Types(self.nodes, self.convention)

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

    def defined(self, meaning: Bound) -> Bound:
        """Give where a name is defined that an import takes from the front of a package."""
        if meaning.imported in ("", "*") or len(meaning.files) != 1 or self._has(meaning):
            return meaning
        return self.passed(meaning.files[0], meaning.imported) or meaning

    def passed(self, path: str, name: str) -> Bound | None:
        """Give where a name is defined that a file passes on; ``None`` when it is no such name."""
        last = None
        for last in behind(self.layout, path, name):
            if self._has(last):
                break
        return last

    def _has(self, meaning: Bound) -> bool:
        """Tell whether the first file of an import defines what is taken from it."""
        row, name = self.nodes.file_rows.get(meaning.files[0]), meaning.default or meaning.imported
        return (row, name) in self.nodes.in_file

    def bound(self, parts: Sequence[str]) -> tuple[list[Bound], Sequence[str]]:
        """Give what imports bound to the longest beginning of a chain, and the rest of it."""
        for length in range(len(parts), 0, -1):
            if bindings := self.bindings.get(".".join(parts[:length])):
                return bindings, parts[length:]
        return [], parts

    def is_hidden(self, name: str, owner: int) -> bool:
        """Tell whether a local variable hides a name from the code in ``owner``."""
        return any((row, name) in self.hidden for row in self.nodes.chain(owner))

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
    mentions: Mentions,
) -> tuple[Scope, list[tuple[Import, Bound]]]:
    """Gather a file's surroundings.

    Args:
        nodes: The project's nodes.
        layout: The project's files.
        path: The file.
        grammar: Its grammar.
        mentions: What it mentions.

    Returns:
        The scope, and each import with what it means.
    """
    imports = mentions.imports
    scope = Scope(nodes, nodes.file_rows[path], convention_of(grammar), layout)
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
            scope.bindings[what.local].append(scope.defined(meaning))
            scope.import_lines.add((what.local, what.line))
    if scope.convention.sees_folder:
        neighbours = layout.package(posixpath.dirname(path), grammar)
        scope.visible.update(scope.rows_of(neighbours))
    scope.visible.discard(scope.file)
    owners = nodes.around(scope.file, [line for _, line in mentions.locals])
    for (name, line), owner in zip(mentions.locals, owners, strict=True):
        scope.hide(name, line, owner)
    _tell_types(scope, mentions)
    for row, name in scope.hidden:
        scope.types.hide(row, name)
    return scope, bound


def subject_of(scope: Scope, reference: Reference, around: int) -> int:
    """Give the type that inherits: the one that is named, or the one around."""
    nodes = scope.nodes
    named = (row for row in scope.local(reference.subject) if nodes.kinds[row] in CLASSES)
    enclosing = (row for row in nodes.chain(around) if nodes.kinds[row] in CLASSES)
    return next(named, next(enclosing, around))


def _tell_types(scope: Scope, mentions: Mentions) -> None:
    nodes, types = scope.nodes, scope.types
    typed = [what for what in mentions.typed if (what.name, what.line) not in scope.import_lines]
    around = nodes.around(scope.file, [what.line for what in typed])
    for what, row in zip(typed, around, strict=True):
        holders = (holder for holder in nodes.chain(row) if nodes.kinds[holder] in _HOLDERS)
        types.tell(what, next(holders, scope.file))
    inheriting = [reference for reference in mentions.references if reference.kind in INHERITS]
    around = nodes.around(scope.file, [reference.line for reference in inheriting])
    for reference, row in zip(inheriting, around, strict=True):
        types.inherit(reference, subject_of(scope, reference, row))


def _package(what: Import) -> Import | None:
    """Give what else ``import a.b`` binds in Python: ``a``."""
    top, dot, _ = what.local.partition(".")
    return Import(top, "", top, what.line) if dot else None


def _implementations(headers: Iterable[str]) -> list[str]:
    return [posixpath.splitext(header)[0] + source for header in headers for source in _C_SOURCES]
