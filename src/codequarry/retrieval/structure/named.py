"""Every line of the indexed text that names a symbol, whatever stands there."""

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

import pyarrow as pa
from lancedb.query import MatchQuery

from codequarry.core.words import query_words
from codequarry.index.store import of_project, quote, rows
from codequarry.retrieval.structure.view import GraphView

CHUNKS_READ = 2_000
"""Chunks of which one answer reads the text, at most."""

_COLUMNS = ["path", "language", "start_line", "content"]
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
    """

    path: str
    line: int
    name: str
    text: str
    head: str = ""


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
    """Find the lines that hold one of some names as a whole identifier.

    Args:
        view: The graph.
        project: The project.
        names: Bare names.
        languages: Languages of the files to look at.

    Raises:
        IndexMissing: The project was never indexed.
    """
    if not names or not languages:
        return Names((), True)
    parts = _chunks(view, project, names)
    is_all = all(part.num_rows < CHUNKS_READ for part in parts)
    plain = {name for name in names if _TOKEN.fullmatch(name)}
    odd = sorted(set(names) - plain, key=len, reverse=True)
    found: set[Named] = set()
    for part in parts:
        columns = (part[column].to_pylist() for column in _COLUMNS)
        for path, language, first, content in zip(*columns, strict=True):
            if language in languages:
                found.update(_lines(_places(content, plain, odd), path, first, content))
    ascending = sorted(found, key=lambda one: (one.path.encode(), one.line, one.name))
    return Names(tuple(ascending), is_all)


def _chunks(view: GraphView, project: str, names: Collection[str]) -> list[pa.Table]:
    """Read the chunks that may hold a name: by full text, which knows no stop words, else by scan.

    Names that full text knows by one word are found by it; it stems, so what it finds is more.
    """
    (group,) = view.reader.groups([project])
    table, where = view.reader.table(group.table_name), of_project(project)
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


def _lines(places: Iterable[re.Match[str]], path: str, first: int, content: str) -> Iterable[Named]:
    for place in places:
        start = content.rfind("\n", 0, place.start()) + 1
        end = content.find("\n", place.end())
        text = content[start : len(content) if end < 0 else end]
        line = first + content.count("\n", 0, start)
        yield Named(path, line, place[0], text, _head(content[:start], text))


def _head(before: str, text: str) -> str:
    indent = len(text) - len(text.lstrip())
    if not indent:
        return ""
    lines = before.rsplit("\n", _HEAD_LINES)[-_HEAD_LINES:]
    shallower = (line for line in reversed(lines) if len(line) - len(line.lstrip()) < indent)
    return next((line for line in shallower if line.strip()), "")
