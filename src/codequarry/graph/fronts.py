"""What the front of a package passes on, told by its text: names that are defined behind it.

A front is what one imports by naming a folder: ``__init__.py``, ``index.ts``, ``lib.rs``. Fronts
alone are looked through, so that a change of any other file concerns nobody who does not import it.
"""

import os
import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from codequarry.graph.imports import DEFAULT, read_statement
from codequarry.graph.texts import Texts

_FRONTS = re.compile(r"(?:^|/)(?:__init__\.pyi?|index\.(?:d\.)?[mc]?[jt]sx?|(?:lib|mod|main)\.rs)$")
_COMMENT = re.compile(r"#[^\n]*|\\\r?\n")
_FROM = re.compile(
    r"^from[ \t]{1,9}(?P<module>\.*[\w.]{0,500})[ \t]{1,9}import[ \t]{0,9}"
    r"(?:\((?P<many>[^()]{0,20000})\)|(?P<few>[^\n;()]{1,5000}))",
    re.MULTILINE,
)
_EXPORT = re.compile(
    r"^[ \t]{0,99}(?P<how>export|import)\s{1,9}(?:type\s{1,9})?\{(?P<names>[^{}]{0,20000})\}"
    r"(?:\s{0,9}from\s{0,9}['\"](?P<module>[^'\"\n]{1,999})['\"])?",
    re.MULTILINE,
)
_USE = re.compile(r"^pub(?:\([^)\n]{0,99}\))?\s{1,9}use\s{1,9}([^;]{1,20000});", re.MULTILINE)
_REMARK = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_SPECIFIER = re.compile(r"\s*(?:type\s+)?([\w$]+)(?:\s+as\s+([\w$]+))?\s*\Z")


class Passed(NamedTuple):
    """What a name of a front means behind it.

    Args:
        module: The module as written; empty for the front itself.
        imported: The name there.
    """

    module: str
    imported: str


def is_front(path: str) -> bool:
    """Tell whether a file is what one imports by naming its folder."""
    return _FRONTS.search(path) is not None


def passed_on(path: str, text: str) -> Mapping[str, Passed]:
    """Give each name that a front passes on, with what it means; of two meanings none.

    Args:
        path: The front.
        text: Its text.
    """
    found: dict[str, Passed | None] = {}
    for name, passed in _READERS[posixpath.splitext(path)[1][:3]](text):
        found[name] = passed if found.get(name, passed) == passed else None
    return {name: passed for name, passed in found.items() if passed}


def _python(text: str) -> Iterator[tuple[str, Passed]]:
    for statement in _FROM.finditer(_COMMENT.sub("", text)):
        for imported, name in specifiers(statement["many"] or statement["few"] or ""):
            yield name, Passed(statement["module"], imported)


def _script(text: str) -> Iterator[tuple[str, Passed]]:
    exported, taken = [], {}
    for statement in _EXPORT.finditer(text):
        for imported, name in specifiers(statement["names"]):
            passed = Passed(statement["module"] or "", imported)
            if statement["how"] == "export":
                exported.append((name, passed))
            elif passed.module:
                taken[name] = passed
    for name, passed in exported:
        yield name, passed if passed.module else taken.get(passed.imported, passed)


def _rust(text: str) -> Iterator[tuple[str, Passed]]:
    for statement in _USE.finditer(text):
        for what in read_statement("rust", statement[1], 0):
            if what.local:
                yield what.local, Passed(what.module, what.imported)


def specifiers(names: str) -> Iterator[tuple[str, str]]:
    """Give each name of ``a, b as c`` as it is called there, and here; comments are passed over."""
    for part in _REMARK.sub("", names).split(","):
        if one := _SPECIFIER.match(part):
            yield one[1], one[2] or one[1]


_READERS: Mapping[str, Callable[[str], Iterator[tuple[str, Passed]]]] = {
    ".py": _python,
    ".rs": _rust,
    **dict.fromkeys((".js", ".ts", ".mj", ".cj", ".mt", ".ct"), _script),
}


@dataclass(frozen=True)
class Fronts:
    """What the fronts of a project pass on, each read once, when it is asked for.

    Args:
        root: The project's real path.
        snapshot: schemas.tables.SNAPSHOT.
    """

    root: Path
    snapshot: pa.Table
    _known: dict[str, Mapping[str, Passed]] = field(default_factory=dict, repr=False)

    def of(self, path: str) -> Mapping[str, Passed]:
        """Give what a file passes on (`passed_on`); nothing if it is no front, or unreadable."""
        if path not in self._known:
            self._known[path] = self._read(path)
        return self._known[path]

    def renames(self, path: str) -> bool:
        """Tell whether a file passes a name on under another one."""
        return any(passed.imported != name for name, passed in self.of(path).items())

    def takes_default(self, path: str) -> bool:
        """Tell whether a file passes on what others export as their default."""
        return any(passed.imported == DEFAULT for passed in self.of(path).values())

    def _read(self, path: str) -> Mapping[str, Passed]:
        content = self._texts.read(path)
        return {} if content is None else passed_on(path, os.fsdecode(content))

    @cached_property
    def _texts(self) -> Texts:
        return Texts(self.root, self.snapshot, _FRONTS.pattern)
