"""Every line of the indexed text that names a symbol, whatever stands there."""

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

import pyarrow as pa
from lancedb.query import MatchQuery

from codequarry.core.words import query_words
from codequarry.index.reader import Group, Reader
from codequarry.index.store import among, quote, rows
from codequarry.retrieval.structure.view import GraphView

CHUNKS_READ = 2_000
"""Chunks of which one answer reads the text, at most."""

_COLUMNS = ["project", "path", "language", "start_line", "content"]
_HEAD_LINES = 200
_TOKEN = re.compile(r"[\w$]+")


class Named(NamedTuple):
    """A line that names a symbol.

    Args:
        path: The file.
        line: 1-based.
        name: The bare name.
        text: The line, as far as its chunk holds it.
        head: The last line before it that is indented less, or empty: where a statement over
            several lines begins.
        project: Its project.
    """

    path: str
    line: int
    name: str
    text: str
    head: str = ""
    project: str = ""

    @property
    def place(self) -> tuple[bytes, int, str]:
        """What lines of one project are ordered by: path, line and name."""
        return self.path.encode(), self.line, self.name


class Names(NamedTuple):
    """The lines that name some symbols.

    Args:
        lines: Ascending by path, line and name; each once.
        is_all: Whether every chunk that may name one was read.
    """

    lines: tuple[Named, ...]
    is_all: bool


def lines_naming(
    view: GraphView, project: str, names: Collection[str], languages: Collection[str]
) -> Names:
    """Find the lines of a project that hold one of some names as a whole identifier.

    Args:
        view: The graph.
        project: The project.
        names: Bare names.
        languages: Languages of the files to look at.

    Raises:
        IndexMissing: The project was never indexed.
    """
    return lines_anywhere(view.reader, [project], names, languages)


def lines_anywhere(
    reader: Reader, projects: Iterable[str], names: Collection[str], languages: Collection[str]
) -> Names:
    """Do the same in several projects, with one read of each table that holds some of them.

    Raises:
        IndexMissing: A project was never indexed.
    """
    if not names or not languages:
        return Names((), True)
    parts = [part for group in reader.groups(projects) for part in _chunks(reader, group, names)]
    is_all = all(part.num_rows < CHUNKS_READ for part in parts)
    plain = {name for name in names if _TOKEN.fullmatch(name)}
    odd = sorted(set(names) - plain, key=len, reverse=True)
    found: set[Named] = set()
    for part in parts:
        columns = (part[column].to_pylist() for column in _COLUMNS)
        for project, path, language, first, content in zip(*columns, strict=True):
            if language in languages:
                places = _places(content, plain, odd)
                found.update(_lines(places, (project, path), first, content))
    return Names(tuple(sorted(found, key=_order)), is_all)


def _order(one: Named) -> tuple[bytes, bytes, int, str]:
    return one.project.encode(), *one.place


def _chunks(reader: Reader, group: Group, names: Collection[str]) -> list[pa.Table]:
    """Read the chunks that may hold a name: by full text, which knows no stop words, else by scan.

    Names that full text knows by one word are found by it; it stems, so what it finds is more.
    """
    table, where = reader.table(group.table_name), among("project", group.projects)
    words = {name: _word(name) for name in names}
    parts = []
    if asked := sorted({word for word in words.values() if word}):
        wanted = MatchQuery(" ".join(asked), "words")  # type: ignore[call-arg]  # it has defaults
        query = table.search(wanted, query_type="fts").where(where, prefilter=True)
        parts.append(query.select([*_COLUMNS, "_score"]).limit(CHUNKS_READ).to_arrow())
    if rest := sorted(name for name, word in words.items() if not word):
        holding = " OR ".join(f"contains(content, {quote(name)})" for name in rest)
        parts.append(rows(table, f"{where} AND ({holding})", _COLUMNS).slice(0, CHUNKS_READ))
    return parts


def _word(name: str) -> str:
    """Give the word by which full text knows a name: the whole of a compound one."""
    words = query_words(name)
    if not words:
        return ""
    return next((word for word in words if word.startswith("=")), words[0])


def _places(content: str, plain: Collection[str], odd: Iterable[str]) -> Iterable[re.Match[str]]:
    """Find names as whole identifiers; one of many in a single pass, whatever their number."""
    yield from (token for token in _TOKEN.finditer(content) if token[0] in plain)
    for name in odd:
        end = r"(?![\w$])" if _TOKEN.match(name[-1]) else ""
        yield from re.finditer(rf"(?<![\w$]){re.escape(name)}{end}", content)


def _lines(
    places: Iterable[re.Match[str]], file: tuple[str, str], first: int, content: str
) -> Iterable[Named]:
    project, path = file
    for place in places:
        start = content.rfind("\n", 0, place.start()) + 1
        end = content.find("\n", place.end())
        text = content[start : len(content) if end < 0 else end]
        line = first + content.count("\n", 0, start)
        yield Named(path, line, place[0], text, _head(content[:start], text), project)


def _head(before: str, text: str) -> str:
    indent = len(text) - len(text.lstrip())
    if not indent:
        return ""
    lines = before.rsplit("\n", _HEAD_LINES)[-_HEAD_LINES:]
    shallower = (line for line in reversed(lines) if len(line) - len(line.lstrip()) < indent)
    return next((line for line in shallower if line.strip()), "")
