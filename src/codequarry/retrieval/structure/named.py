"""Every line of the indexed text that names a symbol, whatever stands there."""

import re
from collections.abc import Collection, Iterable
from typing import Final, NamedTuple

import pyarrow as pa
from lancedb.query import MatchQuery

from codequarry.core.words import query_words
from codequarry.index.reader import Group, Reader
from codequarry.index.store import among, quote, rows
from codequarry.retrieval.structure.view import GraphView

CHUNKS_READ = 2_000
"""Chunks of which one answer reads the text, at most."""

_COLUMNS = ["project", "path", "language", "start_line", "content"]
_PLACE = [(name, "ascending") for name in ("project", "path", "start_line")]
_HEAD_LINES = 200


class Reading(NamedTuple):
    """What counts as one word of a text.

    Args:
        word: A word.
        inside: The characters that a word goes on with.
        before: What may stand before one, for the store, whose expressions cannot look around.
    """

    word: re.Pattern[str]
    inside: str
    before: str


IDENTIFIERS: Final = Reading(re.compile(r"[\w$]+"), r"\w$", r"[^\w$]")
"""Whole identifiers."""

PARTS: Final = Reading(re.compile(r"\$\d|(?<=[%)])[ds]|\$?\w+"), r"\w", r"\W\w?")
"""What something is put in beside: ``visit_$kind``, ``$1_name``, ``%s_name``, ``%(kind)s_name``."""


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
    view: GraphView,
    project: str,
    names: Collection[str],
    languages: Collection[str],
    reading: Reading = IDENTIFIERS,
) -> Names:
    """Find the lines of a project that hold one of some names as a whole word.

    Args:
        view: The graph.
        project: The project.
        names: Bare names.
        languages: Languages of the files to look at.
        reading: What a word is.

    Raises:
        IndexMissing: The project was never indexed.
    """
    return lines_anywhere(view.reader, [project], names, languages, reading)


def lines_anywhere(
    reader: Reader,
    projects: Iterable[str],
    names: Collection[str],
    languages: Collection[str],
    reading: Reading = IDENTIFIERS,
) -> Names:
    """Do the same in several projects, with one read of each table that holds some of them.

    Raises:
        IndexMissing: A project was never indexed.
    """
    if not names or not languages:
        return Names((), True)
    groups = reader.groups(projects)
    parts = [part for group in groups for part in _chunks(reader, group, names, reading)]
    is_all = all(part.num_rows < CHUNKS_READ for part in parts)
    apart = _apart(names, reading)
    found: set[Named] = set()
    for part in parts:
        columns = (part[column].to_pylist() for column in _COLUMNS)
        for project, path, language, first, content in zip(*columns, strict=True):
            if language in languages:
                places = _places(content, *apart, reading)
                file = (project, path, first)
                found.update(line_around(content, place.span(), place[0], file) for place in places)
    return Names(tuple(sorted(found, key=_order)), is_all)


def _order(one: Named) -> tuple[bytes, bytes, int, str]:
    return one.project.encode(), *one.place


def _chunks(
    reader: Reader, group: Group, names: Collection[str], reading: Reading
) -> list[pa.Table]:
    """Read the chunks that may hold a name, by full text, which knows no stop words.

    It stems, so what it finds is more; a scan that compares names as they are is dearer, and takes
    its place where it finds too much, and for names that it has no word for.
    """
    table, where = reader.table(group.table_name), among("project", group.projects)
    words = {name: _word(name, reading) for name in names}
    parts = []
    if asked := sorted({word for word in words.values() if word}):
        wanted = MatchQuery(" ".join(asked), "words")  # type: ignore[call-arg]  # it has defaults
        query = table.search(wanted, query_type="fts").where(where, prefilter=True)
        parts.append(query.select([*_COLUMNS, "_score"]).limit(CHUNKS_READ).to_arrow())
    is_cut = any(part.num_rows == CHUNKS_READ for part in parts)
    if rest := sorted(name for name, word in words.items() if is_cut or not word):
        holding = f"regexp_like(content, {quote(_whole(rest, reading))})"
        scanned = rows(table, f"{where} AND {holding}", _COLUMNS).sort_by(_PLACE)
        scanned = scanned.slice(0, CHUNKS_READ)
        parts = [scanned] if is_cut else [*parts, scanned]
    return parts


def _whole(names: Iterable[str], reading: Reading) -> str:
    """Write a pattern of whole words for the store."""
    listed = sorted(names)
    plain = "|".join(re.escape(name) for name in listed if _goes_on(name, reading))
    odd = "|".join(re.escape(name) for name in listed if not _goes_on(name, reading))
    ends = [rf"(?:{plain})(?:[^{reading.inside}]|$)"] * bool(plain) + [f"(?:{odd})"] * bool(odd)
    return rf"(?:^|{reading.before})(?:{'|'.join(ends)})"


def _goes_on(name: str, reading: Reading) -> bool:
    """Tell whether a name ends in what a longer one could go on from."""
    return re.fullmatch(f"[{reading.inside}]", name[-1]) is not None


def _word(name: str, reading: Reading) -> str:
    """Give the word by which full text knows a name: the whole of a compound one.

    What is put in beside a part belongs to its compound in the text, so there a plain word counts.
    """
    words = query_words(name)
    if reading is PARTS:
        return max((word for word in words if not word.startswith("=")), key=len, default="")
    return next((word for word in words if word.startswith("=")), words[0] if words else "")


def _apart(names: Collection[str], reading: Reading) -> tuple[set[str], list[str]]:
    """Part names that are one word from those with other characters, which have no borders."""
    plain = {name for name in names if reading.word.fullmatch(name)}
    return plain, sorted(set(names) - plain, key=len, reverse=True)


def _places(
    content: str, plain: Collection[str], odd: Iterable[str], reading: Reading
) -> Iterable[re.Match[str]]:
    """Find names as whole words; one of many in a single pass, whatever their number."""
    yield from (word for word in reading.word.finditer(content) if word[0] in plain)
    for name in odd:
        end = f"(?![{reading.inside}])" if _goes_on(name, reading) else ""
        yield from re.finditer(rf"(?<![\w$]){re.escape(name)}{end}", content)


def places_within(line: Named, reading: Reading) -> list[tuple[int, int]]:
    """Give where a line holds its name as a whole word, ascending."""
    places = _places(line.text, *_apart([line.name], reading), reading)
    return sorted(place.span() for place in places)


def line_around(
    content: str, place: tuple[int, int], name: str, file: tuple[str, str, int]
) -> Named:
    """Give the line of a chunk that holds a place.

    Args:
        content: The chunk.
        place: Where what is named begins and ends.
        name: What it is called.
        file: The chunk's project and path, and its first line.
    """
    project, path, first = file
    start = content.rfind("\n", 0, place[0]) + 1
    end = content.find("\n", place[1])
    text = content[start : len(content) if end < 0 else end]
    line = first + content.count("\n", 0, start)
    return Named(path, line, name, text, _head(content[:start], text), project)


def _head(before: str, text: str) -> str:
    indent = len(text) - len(text.lstrip())
    if not indent:
        return ""
    lines = before.rsplit("\n", _HEAD_LINES)[-_HEAD_LINES:]
    shallower = (line for line in reversed(lines) if len(line) - len(line.lstrip()) < indent)
    return next((line for line in shallower if line.strip()), "")
