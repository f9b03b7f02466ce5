"""Imports of ECMAScript whose module is put together: a template, a pattern, or a variable."""

import posixpath
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from codequarry.index.store import among, of_project, quote, rows
from codequarry.retrieval.structure.named import Named, line_around
from codequarry.retrieval.structure.statements import is_comment
from codequarry.retrieval.structure.view import GraphView

# Read by Python and by the store's filter alike, so there is no looking around.
_ASIDE: Final = r"\s{0,9}(?:/\*[^*]{0,200}\*/)?\s{0,9}"
_COMPUTED: Final = (
    r"\bimport\.meta\.glob(?:Eager)?\b[^(\n]{0,99}\(|\brequire\.context\("
    rf"|\b(?:import|require)\({_ASIDE}"
    r"(?:[\w$(]|`[^`\n]{0,999}\$\{|'[^'\n]{0,999}'\s{0,9}\+|\"[^\"\n]{0,999}\"\s{0,9}\+)"
)
_BEGINNING = re.compile(rf"\({_ASIDE}\[?\s{{0,9}}['\"`](?P<text>[^'\"`$*{{\n]{{0,999}})")
_DECLARED = re.compile(r"\bfunction\s*\Z")
_COLUMNS = ["path", "start_line", "content"]


@dataclass(frozen=True)
class Computed:
    """One such import.

    Args:
        line: Where it stands, with what is called for a name.
        folder: The folder that its module surely lies in, as the import spells it; empty when
            nothing is sure.
    """

    line: Named
    folder: str

    def may_mean(self, path: str) -> bool:
        """Tell whether it may import a file of its project."""
        if not self.folder.startswith("."):
            # An alias or a package: of these, only the last folder tells something.
            last = posixpath.basename(self.folder.rstrip("/"))
            return last in ("", *posixpath.dirname(path).split("/"))
        start = posixpath.normpath(posixpath.join(posixpath.dirname(self.line.path), self.folder))
        return start == "." or path.startswith(f"{start}/")


def computed_imports(
    view: GraphView, project: str, languages: Collection[str]
) -> tuple[Computed, ...]:
    """Find the imports of a project that do not say which module they import.

    Args:
        view: The graph.
        project: The project.
        languages: Languages of the files to look at.

    Returns:
        Ascending by path and line.
    """
    where = f"{of_project(project)} AND {among('language', sorted(languages))}"
    (group,) = view.reader.groups([project])
    matching = f"{where} AND regexp_like(content, {quote(_COMPUTED)})"
    table = rows(view.reader.table(group.table_name), matching, _COLUMNS)
    chunks = zip(*(table[name].to_pylist() for name in _COLUMNS), strict=True)
    found = {one.line.place: one for chunk in chunks for one in computed_within(project, *chunk)}
    return tuple(found[place] for place in sorted(found))


def computed_within(project: str, path: str, first: int, content: str) -> Iterator[Computed]:
    """Find them in one chunk; ``first`` is its first line, 1-based."""
    for call in re.finditer(_COMPUTED, content):
        place = (call.start(), call.start() + call[0].index("("))
        name = content[slice(*place)]
        line = line_around(content, place, name, (project, path, first))
        before = line.text[: line.text.find(name)]
        if not is_comment(line, len(before)) and not _DECLARED.search(before):
            yield Computed(line, _folder(name, content, place[1]))


def _folder(name: str, content: str, opens: int) -> str:
    beginning = _BEGINNING.match(content, opens)
    if beginning is None:
        return ""
    text = beginning["text"]
    return f"{text}/" if name == "require.context" else text[: text.rfind("/") + 1]
