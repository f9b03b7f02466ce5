"""The graph as a whole: what it holds, what it survives, what it counts."""

import os
from pathlib import Path

import pyarrow as pa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codequarry.graph.build import build_graph, missing_endpoints
from codequarry.schemas.tables import EDGES, RECORDS, SNAPSHOT, SYMBOLS
from codequarry.sources.walk import inventory
from tests.graph.projects import calls, graph_of, lay_out, records_of, rows, seen


def test_empty_project(tmp_path: Path) -> None:
    """A project without files has an empty graph of the right shape."""
    graph = build_graph(tmp_path, "p", SNAPSHOT.empty_table(), RECORDS.empty_table())
    assert graph.symbols.schema.equals(SYMBOLS, check_metadata=True)
    assert graph.edges.schema.equals(EDGES, check_metadata=True)
    assert (graph.symbols.num_rows, graph.edges.num_rows) == (0, 0)


def test_containment(tmp_path: Path) -> None:
    """Each symbol is held by the narrowest symbol around it, or else by its file."""
    code = "class A:\n    def f(self):\n        def g():\n            pass\n\ndef h():\n    pass\n"
    found = {(e.source, e.target) for e in seen(graph_of(tmp_path, {"m.py": code}), "contains")}
    assert found == {("m.py", "m.A"), ("m.A", "m.A.f"), ("m.A.f", "m.A.f.g"), ("m.py", "m.h")}


def test_containment_on_one_line(tmp_path: Path) -> None:
    """A class on one line still holds its method, by their qualified names."""
    graph = graph_of(tmp_path, {"m.ts": "class A { f() { return 1; } }\n"})
    found = {(edge.source, edge.target) for edge in seen(graph, "contains")}
    assert found == {("m.ts", "A"), ("A", "A.f")}


def test_syntax_errors_cost_only_what_is_broken(tmp_path: Path) -> None:
    """The parts of a broken file that parse keep their edges, and other files all of theirs."""
    files = {
        "a.py": "def f():\n    pass\n\ndef g():\n    f()\n\nclass (:\n  ]]\n",
        "b.py": "import a\n\ndef h():\n    a.f()\n",
    }
    graph = graph_of(tmp_path, files)
    assert {("a.g", "a.f"), ("b.h", "a.f")} <= calls(graph)
    assert graph.counts.files_failed == 0


def test_unreadable_file_is_counted(tmp_path: Path) -> None:
    """A file that vanished since the snapshot loses its references, is named, and hurts none."""
    lay_out(tmp_path, {"a.py": "def f():\n    f()\n", "b.py": "def g():\n    g()\n"})
    snapshot = inventory(tmp_path).files
    records = records_of(tmp_path, snapshot)
    os.unlink(tmp_path / "a.py")
    graph = build_graph(tmp_path, "p", snapshot, records)
    assert calls(graph) == {("b.g", "b.g")}
    assert graph.failures == (("a.py", "FileNotFoundError"),)
    assert (graph.counts.files_parsed, graph.counts.files_failed) == (1, 1)


def test_equal_input_gives_equal_tables(tmp_path: Path) -> None:
    """The graph of a project is the same in every run, and its edges are in order."""
    files = {
        "a.py": "import b\n\ndef f():\n    b.g()\n",
        "b.py": "def g():\n    pass\n",
        "b-c.py": "def g():\n    pass\n",
    }
    first = graph_of(tmp_path, files)
    second = graph_of(tmp_path, files)
    assert first.symbols.equals(second.symbols)
    assert first.edges.equals(second.edges)
    paths = [path.encode() for path in first.edges["path"].to_pylist()]
    assert paths == sorted(paths)


def test_odd_names(tmp_path: Path) -> None:
    """File names with spaces, quotes, newlines and broken UTF-8 are files like any other."""
    files = {"a b.py": "def f():\n    f()\n", 'q"\n.py': "def g():\n    g()\n"}
    (tmp_path / os.fsdecode(b"bad\xff.py")).write_bytes(b"def h():\n    h()\n")
    graph = graph_of(tmp_path, files)
    assert graph.counts.files_failed == 0
    assert {source for source, _ in calls(graph)} >= {"a b.f"}
    assert missing_endpoints(graph.symbols, graph.edges) == []


def test_broken_text_is_survived(tmp_path: Path) -> None:
    """Invalid UTF-8, CRLF and a missing final newline do not hinder the rest of a file."""
    code = b"# " + b"x" * 100_000 + b"\xff\xfe\r\ndef f():\r\n    pass\r\n\r\ndef g():\r\n    f()"
    lay_out(tmp_path, {"m.py": code})
    row = {"path": "m.py", "os_path": b"m.py", "size": len(code), "sha256": "", "language": ""}
    snapshot = pa.Table.from_pylist([row], SNAPSHOT)
    graph = build_graph(tmp_path, "p", snapshot, records_of(tmp_path, snapshot))
    assert calls(graph) == {("m.g", "m.f")}


def test_languages_without_references(tmp_path: Path) -> None:
    """Files of other languages are nodes with containment, and are not parsed for references."""
    graph = graph_of(tmp_path, {"README.md": "# Top\n\ntext\n", "x.json": '{"a": 1}\n'})
    assert set(rows(graph)["kind"]) == {"contains"}
    assert graph.counts.files_parsed == 0


def test_missing_endpoints_are_named(tmp_path: Path) -> None:
    """An edge whose end is no node is reported with its place."""
    graph = graph_of(tmp_path, {"m.py": "def f():\n    f()\n"})
    only_file = graph.symbols.slice(0, 1)
    assert missing_endpoints(graph.symbols, graph.edges) == []
    assert missing_endpoints(only_file, graph.edges) == [
        "m.py:1: contains edge without target",
        "m.py:2: calls edge without source",
    ]


def test_go_without_a_module_file(tmp_path: Path) -> None:
    """A Go import is found by the folder its path ends with; the standard library is not."""
    files = {
        "store/a.go": "package store\n\nfunc Save() {\n}\n",
        "json/b.go": "package json\n\nfunc Marshal() {\n}\n",
        "main.go": (
            'package main\n\nimport (\n\t"encoding/json"\n\t"example.com/x/store"\n)\n\n'
            "func main() {\n\tstore.Save()\n\tjson.Marshal()\n}\n"
        ),
    }
    assert calls(graph_of(tmp_path, files)) == {("main.main", "store.Save")}


_NAMES = st.sampled_from(["f", "g", "A", "get", "__init__"])
_LINES = st.integers(1, 12)


@st.composite
def _records(draw: st.DrawFn) -> list[dict[str, object]]:
    rows = []
    for ordinal in range(draw(st.integers(0, 12))):
        start = draw(_LINES)
        name = draw(_NAMES)
        rows.append(
            {
                "ordinal": ordinal + 1,
                "file": draw(st.sampled_from(["a.py", "b.py", "c.js", "gone.py"])),
                "start_line": start,
                "end_line": start + draw(st.integers(0, 8)),
                "symbol": name,
                "fqn": draw(st.sampled_from(["", "m.", "m.A."])) + name,
                "kind": draw(st.sampled_from(["function", "class", "method", "variable"])),
                "language": "python",
                **dict.fromkeys(["signature", "docstring", "source_hash", "content_hash"], ""),
                "truncated": False,
            }
        )
    unique = {(r["file"], r["start_line"], r["fqn"], r["kind"]): r for r in rows}
    return sorted(unique.values(), key=lambda row: (str(row["file"]), row["ordinal"]))


_STATEMENTS = st.lists(
    st.sampled_from(
        [
            "f()",
            "x.g()",
            "import b",
            "from a import f as g",
            "from . import *",
            "class A(f):",
            "  self.get()",
            "def f(g):",
            "  g()",
            "A.get()",
            "b.f(",
            "]",
            "import {f} from './a'",
        ]
    ),
    max_size=10,
)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(records=_records(), sources=st.lists(_STATEMENTS, min_size=3, max_size=3))
def test_every_endpoint_exists(
    tmp_path: Path, records: list[dict[str, object]], sources: list[list[str]]
) -> None:
    """Whatever records and sources say, both ends of every edge are nodes, and no key repeats."""
    names = ("a.py", "b.py", "c.js")
    lay_out(tmp_path, {n: "\n".join(lines) for n, lines in zip(names, sources, strict=True)})
    table = pa.Table.from_pylist(records, RECORDS)
    graph = build_graph(tmp_path, "p", inventory(tmp_path).files, table)
    assert missing_endpoints(graph.symbols, graph.edges) == []
    assert len(set(graph.symbols["symbol_id"].to_pylist())) == graph.symbols.num_rows
    assert len(set(graph.edges["edge_id"].to_pylist())) == graph.edges.num_rows
    held = [row for row in graph.edges.to_pylist() if row["kind"] == "contains"]
    assert len(held) == len(records)
