"""What ECMAScript modules export without a name of its own, told by their text.

Neither a symbol nor a signature says so, and ``export default`` may stand far from what it exports.
"""

import os
import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final

import pyarrow as pa

from codequarry.graph.imports import DEFAULT
from codequarry.graph.texts import Texts

SCRIPTS: Final = ("ts", "tsx", "d.ts", "js", "jsx", "mjs", "cjs", "mts", "cts")
"""Extensions of the files that may be imported without them, in the order they are tried in."""

_ENDS = rf"\.(?:{'|'.join(SCRIPTS)})$"
# Every repetition is bounded, so that no file makes the search slow.
_DEFINED = rb"(?:(?:async\s{1,9})?function\b\s{0,9}\*?|(?:abstract\s{1,9})?class\b)\s{0,9}"
_NAME = rb"[\w$]{1,200}"
_LONE = rb"[ \t\r]{0,9}(?:;|$)"
_EXPORTS = re.compile(
    rb"^[ \t]{0,99}(?:"
    rb"export\s{1,9}default\s{1,9}(?:"
    rb"(?:%(defined)b)(?!extends\b|implements\b)(?P<name>%(name)b)"
    rb"|(?P<lone>%(name)b)%(lone)b|(?P<nameless>))"
    rb"|export\s{0,9}\{[^}]{0,2000}?\b(?P<renamed>%(name)b)\s{1,9}as\s{1,9}default\b"
    rb"|(?:export\s{0,9}=\s{0,9}|(?:(?:module\.)?exports\s{0,9}=\s{0,9}){1,3})(?:"
    rb"(?:%(defined)b)(?!extends\b)(?P<common>%(name)b)|(?P<whole>%(name)b)%(lone)b))"
    % {b"defined": _DEFINED, b"name": _NAME, b"lone": _LONE},
    re.MULTILINE,
)


def default_export(content: bytes) -> str:
    """Give the name of what a module exports as its default, or as a whole.

    Args:
        content: The module.

    Returns:
        The name of its symbol: `DEFAULT` for one without a name, empty when nothing is exported
        so. The last such line counts.
    """
    name = ""
    for found in _EXPORTS.finditer(content):
        groups = ("name", "lone", "renamed", "common", "whole")
        told = next((found[group] for group in groups if found[group]), b"")
        name = os.fsdecode(told) or DEFAULT
    return name


@dataclass(frozen=True)
class Defaults:
    """The default exports of a project's files, each read once, when it is asked for.

    Args:
        root: The project's real path.
        snapshot: schemas.tables.SNAPSHOT.
    """

    root: Path
    snapshot: pa.Table
    _known: dict[str, str] = field(default_factory=dict, repr=False)

    def of(self, path: str) -> str:
        """Give the name of a file's default export (`default_export`); empty if unreadable."""
        if path not in self._known:
            self._known[path] = self._read(path)
        return self._known[path]

    def _read(self, path: str) -> str:
        content = self._texts.read(path)
        return "" if content is None else default_export(content)

    @cached_property
    def _texts(self) -> Texts:
        return Texts(self.root, self.snapshot, _ENDS)
