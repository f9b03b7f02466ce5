"""Chunks that mean what another chunk, or a text, means (contract.md F3)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from codequarry.core.errors import ProfileMismatch, UsageError
from codequarry.index.reader import Group, Reader
from codequarry.index.store import among, of_project, quote, rows
from codequarry.retrieval.candidates import nearest
from codequarry.retrieval.search import Answer, Hit, QueryVector, fitting_groups
from codequarry.retrieval.structure.bounds import checked_limit, checked_share

TEXT_BYTES = 64 * 1024
_DIGITS, _LAST_ID, _LAST_LINE = 19, 2**63 - 1, 2**31 - 1  # what the columns can hold
_SPARE = 50
_SHOWN = [
    *("project", "chunk_id", "path", "content", "start_line", "end_line", "chunk_type"),
    *("symbol_name", "selector", "source_hash", "language"),
]


@dataclass(frozen=True)
class Chunk:
    """A chunk of the index, by its id."""

    chunk_id: int


@dataclass(frozen=True)
class Place:
    """The smallest chunk that holds a line of a file; of any project unless one is named."""

    path: str
    line: int
    project: str = ""


@dataclass(frozen=True)
class Text:
    """A text that is in no index."""

    text: str


Target = Chunk | Place | Text


def parse_target(text: str) -> Chunk | Place:
    """Read what a person types for a chunk: its id, or ``path:line``.

    Raises:
        UsageError: It is neither.
    """
    path, _, number = text.strip().rpartition(":")
    if number.isascii() and number.isdigit() and len(number) <= _DIGITS:
        if not path and int(number) <= _LAST_ID:
            return Chunk(int(number))
        if path and int(number) <= _LAST_LINE:
            return Place(path.removeprefix("./"), int(number))
    raise UsageError(
        f"{text[:100]!r} is neither the id of a chunk nor path:line",
        "give one of these, or the text itself with --text",
    )


def similar(
    reader: Reader,
    target: Target,
    projects: Iterable[str] | None,
    model: QueryVector | None = None,
    limit: float = 10,
    min_score: float = 0.0,
    exclude_same_file: bool = False,
) -> Answer:
    """Find the chunks nearest to a target; the target itself is none of them.

    Args:
        reader: The published state.
        target: What to compare with.
        projects: Where to look, also for the target; all when ``None``.
        model: Embeds a text; a chunk brings its own vector.
        limit: Hits to give, 1 to `bounds.MAX_LIMIT`.
        min_score: Least cosine, 0 to 1.
        exclude_same_file: Whether to leave the target's file out.

    Returns:
        Hits by cosine, falling, then project, path, line and chunk id.

    Raises:
        UsageError: A bound is none, the text is empty or too long, or no chunk is the target.
        IndexMissing: A project was never indexed.
        EmbeddingError: The text cannot be embedded with any profile of the index.
    """
    most = checked_limit(limit)
    checked_share("least score", min_score)
    groups = reader.groups(projects)
    if isinstance(target, Text):
        hits, warnings = _near_text(reader, groups, target, model, most)
    else:
        hits, warnings = _near_chunk(reader, groups, target, most, exclude_same_file)
    hits = [hit for hit in hits if hit.score >= min_score]
    hits.sort(key=_order)
    return Answer(tuple(hits[:most]), tuple(warnings))


def _order(hit: Hit) -> tuple[float, bytes, bytes, int, int]:
    return (-hit.score, hit.project.encode(), hit.path.encode(), hit.start_line, hit.chunk_id)


def _near_text(
    reader: Reader, groups: Iterable[Group], target: Text, model: QueryVector | None, limit: int
) -> tuple[list[Hit], list[str]]:
    if not target.text.strip() or len(target.text.encode("utf-8", "replace")) > TEXT_BYTES:
        raise UsageError(
            f"the text is empty or longer than {TEXT_BYTES} bytes", "give a piece of code"
        )
    listed = tuple(groups)
    fitting, warnings = fitting_groups(listed, model.profile_id if model else "")
    if model is None or not fitting:
        names = ", ".join(name for group in listed for name in group.projects)
        raise ProfileMismatch(
            f"{names} was indexed with another embedding profile than is configured",
            "run `codequarry index --full`, or configure the profile of the index",
        )
    vector = model.embed(target.text)
    if not np.any(vector):
        return [], ["the model knows no word of the text, so nothing is like it"]
    hits = [hit for group in fitting for hit in _nearest(reader, group, vector, "true", limit)]
    return hits, warnings


def _near_chunk(
    reader: Reader, groups: Iterable[Group], target: Chunk | Place, limit: int, exclude: bool
) -> tuple[list[Hit], list[str]]:
    found = [(group, row) for group in groups for row in _named(reader, group, target)]
    if not found:
        raise UsageError(
            "no chunk of the projects asked is that", "give the chunk_id of a hit, or path:line"
        )
    owners = sorted({row["project"] for _, row in found})
    if len(owners) > 1:
        raise UsageError(f"{', '.join(owners)} all have that place", "name one with --project")
    group, row = min(found, key=lambda one: (_lines(one[1]), one[1]["chunk_id"]))
    others = f"NOT (project = {quote(row['project'])} AND path = {quote(row['path'])})"
    where = others if exclude else f"chunk_id != {row['chunk_id']}"
    vector = np.asarray(row["vector"], np.float32)
    return _nearest(reader, group, vector, where, limit), []


def _named(reader: Reader, group: Group, target: Chunk | Place) -> list[dict[str, Any]]:
    where = among("project", group.projects)
    if isinstance(target, Chunk):
        where += f" AND chunk_id = {target.chunk_id}"
    else:
        line = target.line
        where += f" AND path = {quote(target.path)} AND start_line <= {line} AND end_line >= {line}"
        where += f" AND {of_project(target.project)}" if target.project else ""
    table = reader.table(group.table_name)
    columns = ["project", "path", "chunk_id", "start_line", "end_line", "vector"]
    found: list[dict[str, Any]] = rows(table, where, columns).to_pylist()
    return found


def _lines(row: dict[str, Any]) -> int:
    lines: int = row["end_line"] - row["start_line"]
    return lines


def _nearest(reader: Reader, group: Group, vector: np.ndarray, where: str, limit: int) -> list[Hit]:
    """Give the nearest chunks, with the exact cosine: an indexed search rounds it."""
    table = reader.table(group.table_name)
    query = nearest(table, f"{among('project', group.projects)} AND {where}", vector)
    found = query.select([*_SHOWN, "vector", "_distance"]).limit(max(3 * limit, _SPARE)).to_arrow()
    if not found.num_rows:
        return []
    flat = found["vector"].combine_chunks().flatten().to_numpy()
    cosines = flat.reshape(found.num_rows, -1).astype(np.float64) @ vector.astype(np.float64)
    scored = zip(found.select(_SHOWN).to_pylist(), cosines.tolist(), strict=True)
    return [_hit(row, round(cosine, 9)) for row, cosine in scored]


def _hit(row: dict[str, Any], cosine: float) -> Hit:
    return Hit(**row, score=cosine, components={"vector": round(cosine, 6)})
