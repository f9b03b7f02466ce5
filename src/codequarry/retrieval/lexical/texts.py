"""Texts of files as they were indexed, put together from their chunks."""

from collections.abc import Iterable, Iterator, Sequence

import pyarrow as pa

from codequarry.index.reader import Reader
from codequarry.index.store import among, of_project, rows

Place = tuple[str, str]
"""A project's name, and a path in it."""

_COLUMNS = ["path", "chunk_index", "start_line", "start_byte", "end_byte", "content"]
_PATHS_A_READ = 500


def texts_of(reader: Reader, places: Iterable[Place]) -> dict[Place, str]:
    """Give the published texts of files, with every line where it stood.

    Blank stretches that are no chunk come back as line ends and spaces. A file without chunks is
    left out.
    """
    by_project: dict[str, list[str]] = {}
    for project, path in sorted(set(places)):
        by_project.setdefault(project, []).append(path)
    found: dict[Place, str] = {}
    for project, paths in by_project.items():
        table = reader.table(reader.groups([project])[0].table_name)
        for some in _batches(paths):
            where = f"{of_project(project)} AND {among('path', some)}"
            for path, pieces in _grouped(rows(table, where, _COLUMNS)):
                found[project, path] = assembled(pieces)
    return found


def _batches(paths: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(paths), _PATHS_A_READ):
        yield paths[start : start + _PATHS_A_READ]


Piece = tuple[int, int, int, str]
"""First line, first byte, end byte, and content of a chunk."""


def _grouped(chunks: pa.Table) -> Iterator[tuple[str, list[Piece]]]:
    ordered = chunks.sort_by([("path", "ascending"), ("chunk_index", "ascending")])
    columns = [ordered[name].to_pylist() for name in ("start_line", "start_byte", "end_byte")]
    pieces: dict[str, list[Piece]] = {}
    for path, line, start, end, content in zip(
        ordered["path"].to_pylist(), *columns, ordered["content"].to_pylist(), strict=True
    ):
        pieces.setdefault(path, []).append((line, start, end, content))
    yield from pieces.items()


def assembled(pieces: Iterable[Piece]) -> str:
    """Join chunks of one file, in order; what lies between two of them is blank."""
    text: list[str] = []
    line, byte = 1, 0
    for first_line, start, end, content in pieces:
        breaks = max(0, first_line - line)
        text.append("\n" * breaks + " " * max(0, start - byte - breaks))
        text.append(content)
        line += breaks + content.count("\n")
        byte = end
    return "".join(text)


def utf16_column(line: str, at: int) -> int:
    """Give the position of a character in a line, counted in UTF-16 units."""
    return len(line[:at].encode("utf-16-le", "surrogatepass")) // 2
