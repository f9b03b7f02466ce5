"""The graph's nodes in the form that names are looked up in."""

import re
from collections import defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import polars as pl
import pyarrow as pa

from codequarry.graph.conventions import convention_of
from codequarry.graph.spans import OUTSIDE, Spans
from codequarry.graph.symbols import IS_FILE
from codequarry.syntax.grammars import grammar_of

CLASSES = frozenset({"class", "type", "struct", "interface", "trait", "enum"})
FUNCTIONS = frozenset({"function", "method", "test", "constructor"})
NO_ROWS: tuple[int, ...] = ()
_LAST_PART = re.compile(r"[^.:/\\#>\s]*\Z")
_TRAILING = ".:/\\#> "


@dataclass(frozen=True)
class Nodes:
    """The rows of a SYMBOLS table, as lists that stand side by side.

    Of a file that is only looked into, and not linked, some rows may be absent; it has no ``spans``
    and its rows no ``parents``.

    Args:
        paths: File.
        names: Bare name.
        kinds: Kind.
        lines: First line.
        files: Row of the file node.
        parents: Row of the narrowest node that holds this one; `OUTSIDE` for a file.
        members: Whether a node belongs to a type.
        owners: Last part of the qualified name before the bare one: a type, a module or empty; of
            a file empty.
        file_rows: Path to the row of its file node.
        spans: Row of a file node to the ranges of its symbols, which follow it row by row.
        in_file: Row of a file node and bare name to the rows of that name.
        in_project: Language family and bare name to the rows of that name.
    """

    paths: Sequence[str]
    names: Sequence[str]
    kinds: Sequence[str]
    lines: Sequence[int]
    files: Sequence[int]
    parents: Sequence[int]
    members: Sequence[bool]
    owners: Sequence[str]
    file_rows: Mapping[str, int]
    spans: Mapping[int, Spans]
    in_file: Mapping[tuple[int, str], Sequence[int]]
    in_project: Mapping[tuple[str, str], Sequence[int]]
    _methods: dict[tuple[str, str], Mapping[str, Sequence[int]]] = field(
        default_factory=dict, repr=False
    )

    def methods(self, family: str, name: str) -> Mapping[str, Sequence[int]]:
        """Give owner to the rows that belong to a type, of the nodes of a family and a name."""
        key = (family, name)
        found = self._methods.get(key)
        if found is None:
            groups: dict[str, list[int]] = {}
            for row in self.in_project.get(key, NO_ROWS):
                if self.members[row]:
                    groups.setdefault(self.owners[row], []).append(row)
            found = self._methods[key] = groups
        return found

    def chain(self, row: int) -> Iterator[int]:
        """Give a node and all that hold it, from the inside out; the file comes last."""
        while row != OUTSIDE:
            yield row
            row = self.parents[row]

    def around(self, file: int, lines: Sequence[int]) -> list[int]:
        """Give the narrowest node around each line of a file: a symbol, or the file itself."""
        if file not in self.spans:
            return [file] * len(lines)
        return [file + 1 + position for position in self.spans[file].owners(lines)]


_COLUMNS = ("path", "symbol", "kind", "fqn", "start_line", "end_line")


def nodes_of(
    symbols: pa.Table, linked: Container[str] | None = None, held: Container[int] = ()
) -> Nodes:
    """Arrange nodes for look-ups.

    Args:
        symbols: schemas.tables.SYMBOLS, or its columns up to ``end_line`` that are used here, as
            `codequarry.graph.symbols.symbols_table` orders it.
        linked: The files that have all their rows; ``None`` when all have.
        held: Rows of the other files that lie in a type.
    """
    frame = pl.DataFrame(pl.from_arrow(symbols.select(_COLUMNS)))
    paths, names, kinds, fqns, starts, ends = (frame[name].to_list() for name in _COLUMNS)
    firsts = frame.select(IS_FILE.arg_true()).to_series().to_list()
    files = list(range(len(paths)))
    parents = [OUTSIDE] * len(paths)
    spans: dict[int, Spans] = {}
    in_file: dict[tuple[int, str], list[int]] = defaultdict(list)
    in_project: dict[tuple[str, str], list[int]] = defaultdict(list)
    for first, end in pairwise([*firsts, len(paths)]):
        if end - first == 1:
            continue
        files[first:end] = [first] * (end - first)
        if linked is None or paths[first] in linked:
            inside = slice(first + 1, end)
            spans[first] = Spans(starts[inside], ends[inside], fqns[inside])
            parents[inside] = [first + 1 + parent for parent in spans[first].parents]
        family = convention_of(grammar_of(paths[first])).family
        for row in range(first + 1, end):
            in_file[first, names[row]].append(row)
            if family:
                in_project[family, names[row]].append(row)
    return Nodes(
        paths=paths,
        names=names,
        kinds=kinds,
        lines=starts,
        files=files,
        parents=parents,
        members=[
            kind == "method" or (parent >= 0 and kinds[parent] in CLASSES) or row in held
            for row, (kind, parent) in enumerate(zip(kinds, parents, strict=True))
        ],
        owners=[
            _owner(fqn, name) if file != row else ""
            for row, (fqn, name, file) in enumerate(zip(fqns, names, files, strict=True))
        ],
        file_rows={paths[row]: row for row in firsts},
        spans=spans,
        in_file=in_file,
        in_project=in_project,
    )


def _owner(fqn: str, name: str) -> str:
    before = fqn.removesuffix(name)
    if len(before) == len(fqn):
        return ""
    found = _LAST_PART.search(before.rstrip(_TRAILING))
    return found[0] if found else ""
