"""Imports of ECMAScript whose module is put together: a template, a pattern, or a variable."""

import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from codequarry.index.store import among, quote
from codequarry.retrieval.structure.named import Named, line_around
from codequarry.retrieval.structure.statements import is_comment
from codequarry.retrieval.structure.view import GraphView

# What the store selects by is coarse: its expressions cannot look around.
_STRING_AND_MORE: Final = "|".join(rf"{mark}[^{mark}\n]*{mark}\s*[^\s),]" for mark in "'\"`")
_MAY_COMPUTE: Final = (
    r"\bimport\.meta\.(?:glob|webpackContext)|\brequire\.context\b"
    rf"|\b(?:import|require)\s*\(\s*(?:$|[^\s'\"`)]|{_STRING_AND_MORE}|`[^`]*\$\{{)"
)
_CALL = re.compile(
    r"\b(?P<glob>import\.meta\.glob(?:Eager)?)\b[^(\n]{0,99}\("
    r"|\b(?P<context>import\.meta\.webpackContext|require\.context)\s{0,9}\("
    r"|\b(?P<plain>import|require)\s{0,9}\("
)
ASIDE: Final = r"\s{0,99}(?:(?:/\*(?:[^*]|\*(?!/)){0,300}\*/|//[^\n]{0,300}\n)\s{0,99}){0,9}"
"""Blanks and comments."""
_WHOLE = re.compile(rf"{ASIDE}(?:(['\"`])(?:(?!\1|\$\{{)[^\n\\]){{0,999}}\1{ASIDE})?[),]")
_TEXT: Final = r"(['\"`])(?P<text>[^'\"`\n]{0,999})"
_BEGINNING = re.compile(rf"{ASIDE}{_TEXT}(?:\1{ASIDE}(?P<next>\+|\.concat\b|as\b))?")
_PATTERN = re.compile(rf"{ASIDE}(?:[\[,]{ASIDE})?{_TEXT}\1")
_OPEN = re.compile(r"[$*?{(\[].*")
_DECLARED = re.compile(r"\bfunction\s*\Z")
_NEAR: Final = 20


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


AllComputed = Callable[[], Iterable[Computed]]
"""Gives the computed imports of a project, which are asked for only where they matter."""


def computed_imports(
    view: GraphView, project: str, languages: Collection[str]
) -> tuple[Computed, ...]:
    """Find the imports of a project that do not say which module they import.

    Args:
        view: The graph.
        project: The project.
        languages: Languages of the files to look at.

    Returns:
        Ascending by path, line and folder.
    """
    within = among("language", sorted(languages))
    matching = f"{within} AND regexp_like(content, {quote(_MAY_COMPUTE)})"
    chunks = view.chunk_texts(project, matching)
    found = {one for chunk in chunks for one in computed_within(project, *chunk)}
    return tuple(sorted(found, key=lambda one: (one.line.place, one.folder, one.line)))


def computed_within(project: str, path: str, first: int, content: str) -> Iterator[Computed]:
    """Find them in one chunk, one for each folder; ``first`` is its first line, 1-based."""
    for call in _CALL.finditer(content):
        if call["plain"] and _WHOLE.match(content, call.end()):
            continue
        name = call[call.lastgroup or 0]
        line = line_around(content, (call.start(), call.start()), name, (project, path, first))
        begins = call.start() - content.rfind("\n", 0, call.start()) - 1
        is_declared = _DECLARED.search(line.text, max(begins - _NEAR, 0), begins)
        if not is_declared and not is_comment(line, begins):
            yield from (Computed(line, folder) for folder in _folders(call))


def _folders(call: re.Match[str]) -> list[str]:
    """Give the folders that the module of a call lies in; of an empty one, nothing is sure."""
    if call["glob"]:
        return list(_globbed(call.string, call.end())) or [""]
    beginning = _BEGINNING.match(call.string, call.end())
    if beginning is None:
        return [""]
    text = beginning["text"]
    if call["context"]:
        return [f"{text}/"]
    return [_folder(text) if beginning["next"] or "$" in text else ""]


def _globbed(content: str, begins: int) -> Iterator[str]:
    """Give the folders of a pattern, or of a list of them; what begins with ``!`` is left out."""
    while pattern := _PATTERN.match(content, begins):
        if not pattern["text"].startswith("!"):
            yield _folder(pattern["text"])
        begins = pattern.end()


def _folder(text: str) -> str:
    sure = _OPEN.sub("", text)
    return sure[: sure.rfind("/") + 1]
