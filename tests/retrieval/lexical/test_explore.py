"""Explore, asked of a published index."""

import math
from typing import Any

import msgspec
import pytest

from codequarry.core.errors import UsageError
from codequarry.core.state import StateDirectory
from codequarry.index.reader import Reader
from codequarry.retrieval.lexical.exploration import Exploration
from codequarry.retrieval.lexical.explore import ExploreQuery, explore
from codequarry.retrieval.lexical.packets import cut_source


def ask(reader: Reader, state: StateDirectory, text: str, **how: Any) -> Exploration:
    """Explore the tree."""
    return explore(reader, ExploreQuery(text, **how), None, state)


def test_named_files_come_first(reader: Reader, published: StateDirectory) -> None:
    """Files that the query names, by path or by a base name that is unique, lead the anchors."""
    found = ask(reader, published, "who uses mid.py and `app/low.py`?")
    assert [(anchor.file, anchor.score) for anchor in found.anchors[:2]] == [
        ("app/low.py", None),
        ("app/mid.py", None),
    ]
    assert all(anchor.score is not None for anchor in found.anchors[2:])


def test_packets_cover_files_first(reader: Reader, published: StateDirectory) -> None:
    """Each file gets a packet before any gets two."""
    found = ask(reader, published, "level", limit=12, max_packets=10)
    files = [packet.packet.file for packet in found.packets]
    distinct = len(set(files))
    assert len(set(files[:distinct])) == distinct
    assert found.omitted_counts.packets == len(found.anchors) - len(files)


def test_packet(reader: Reader, published: StateDirectory) -> None:
    """A packet holds what its file declares and imports, and the lines of its target."""
    found = ask(reader, published, "mid_level", max_packets=1)
    (packet,) = found.packets
    body = packet.packet
    assert (body.file, body.label, body.line) == ("app/mid.py", "mid_level", 4)
    assert (body.imports, body.imported_by) == (["app/low.py"], ["app/top.py"])
    assert [symbol.name for symbol in body.symbols] == ["mid.mid_level"]
    assert body.source is not None
    assert body.source.text == "def mid_level(x):\n    return low_level(x)"


def test_source_only_on_request(reader: Reader, published: StateDirectory) -> None:
    """Without source no line of a file is in the answer."""
    found = ask(reader, published, "app/mid.py", include_source=False)
    assert "return low_level(x)" not in msgspec.json.encode(found).decode()
    assert found.file_view is not None
    assert (found.file_view.total_lines, found.file_view.source) == (5, None)


def test_paths_when_asked_for(reader: Reader, published: StateDirectory) -> None:
    """Ways of imports are looked for when the question has such a word."""
    files = "app/top.py app/low.py"
    (way,) = ask(reader, published, f"how does app/top.py reach app/low.py {files}", limit=2).paths
    assert way.path == ["app/top.py", "app/mid.py", "app/low.py"]
    assert ask(reader, published, files, limit=2).paths == []
    cut = ask(reader, published, f"path {files}", limit=2, max_paths=0)
    assert (cut.paths, cut.omitted_counts.paths) == ([], 1)


def test_blast_radius_and_tests(reader: Reader, published: StateDirectory) -> None:
    """What imports an anchor's file is there to depth 2, and tests that reach it."""
    found = ask(reader, published, "app/low.py", limit=1)
    (radius,) = found.blast_radius
    assert [(near.file, near.depth) for near in radius.reverse_dependencies] == [
        ("app/mid.py", 1),
        ("app/top.py", 2),
    ]
    assert found.candidate_tests == ["tests/test_top.py"]


def test_sql_files_depend_on_each_other(reader: Reader, published: StateDirectory) -> None:
    """A script that uses an object of another depends on it, as if it imported it."""
    found = ask(reader, published, "path from db/reports.sql to db/store.sql", limit=2)
    assert [way.path for way in found.paths] == [["db/reports.sql", "db/store.sql"]]
    blast = {entry.file: entry.reverse_dependencies for entry in found.blast_radius}
    assert [near.file for near in blast["db/store.sql"]] == ["db/reports.sql"]


def test_sql_object_is_an_anchor(reader: Reader, published: StateDirectory) -> None:
    """The name of an SQL object is the first anchor; its packet names what uses it."""
    found = ask(reader, published, "`invoices`", max_packets=1)
    assert (found.anchors[0].kind, found.anchors[0].label) == ("sql_object", "invoices")
    relations = {near.relation for near in found.packets[0].packet.neighbors}
    assert "incoming:sql:reads_from:invoices" in relations


def test_steps_are_bounded_and_distinct(reader: Reader, published: StateDirectory) -> None:
    """Follow-ups come once each, at most twelve."""
    found = ask(reader, published, "level", limit=20)
    steps = [(step.tool, *step.arguments) for step in found.follow_ups]
    assert len(steps) == len(set(steps)) == 12
    assert found.omitted_counts.follow_ups > 0


def test_nothing_found(reader: Reader, published: StateDirectory) -> None:
    """A question that nothing matches has an empty answer that says so; an empty one is none."""
    with pytest.raises(UsageError, match="the query is empty"):
        ask(reader, published, " ")
    for text in ("!!!", "nonexistentword"):
        found = ask(reader, published, text)
        assert (found.anchors, found.packets, found.summary) == ([], [], ["Nothing matches."])


@pytest.mark.parametrize("text", ["-x", "level " * 10_000, "\x00\x1b[31m", "\udcff", "a/../b.py"])
def test_any_text(reader: Reader, published: StateDirectory, text: str) -> None:
    """Any text can be explored, and the answer can be written."""
    msgspec.json.encode(ask(reader, published, text))


@pytest.mark.parametrize(
    "how",
    [
        {"limit": 0},
        {"limit": 51},
        {"limit": math.nan},
        {"max_packets": -1},
        {"max_packets": 11},
        {"max_paths": 10**9},
        {"max_paths": math.inf},
    ],
)
def test_bad_bounds(how: dict[str, Any]) -> None:
    """Bounds out of range are refused."""
    with pytest.raises(UsageError, match="out of range"):
        ExploreQuery("x", **how)


def test_cut_source() -> None:
    """Long texts are cut, and the cut is counted."""
    text = "".join(f"{number}\n" for number in range(1, 301))
    whole = cut_source(text, 1, None)
    assert (whole.start_line, whole.end_line, whole.omitted_lines) == (1, 120, 180)
    part = cut_source(text, 10, 12)
    assert (part.text, part.omitted_lines) == ("10\n11\n12", 0)
