"""The lexical modes, asked of a published index."""

import math
import os
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from codequarry.core.errors import IndexMissing, UsageError
from codequarry.core.state import StateDirectory
from codequarry.index.reader import Reader
from codequarry.retrieval.lexical.result import Answer, Result
from codequarry.retrieval.lexical.search import MODES, LexicalQuery, search
from tests.retrieval.lexical.trees import TREE


def ask(
    reader: Reader, state: StateDirectory, text: str, mode: str = "hybrid", **how: Any
) -> Answer:
    """Ask a question of the tree."""
    return search(reader, LexicalQuery(text, mode, **how), None, state)


def scores(answer: Answer, kind: str) -> dict[str, float]:
    """Give the files of one kind of results with their best score."""
    found: dict[str, float] = {}
    for result in answer.results:
        if result.kind == kind:
            found.setdefault(result.file, result.score)
    return found


def one(answer: Answer, kind: str, label: str) -> Result:
    """Give the one result of a kind with a label."""
    (found,) = [r for r in answer.results if (r.kind, r.label) == (kind, label)]
    return found


def test_worked_example(reader: Reader, published: StateDirectory) -> None:
    """The specification's example comes out to the point."""
    answer = ask(reader, published, "validate user")
    assert scores(answer, "symbol")["src/auth.ts"] == 253
    assert scores(answer, "chunk")["src/auth.ts"] == 62
    assert scores(answer, "chunk")["docs/auth.md"] == 80
    assert scores(answer, "file")["src/validate-user.ts"] == 124
    assert answer.results[0].label == "validateUser"


def test_documents_win_in_text_only(reader: Reader, published: StateDirectory) -> None:
    """Mode text has chunks alone, and there the document stands first."""
    answer = ask(reader, published, "validate user", "text")
    assert {result.kind for result in answer.results} == {"chunk"}
    assert answer.results[0].file == "docs/auth.md"
    assert answer.results[0].provenance.confidence == "medium"


def test_identifier_gives_documents_no_bonus(reader: Reader, published: StateDirectory) -> None:
    """A query that is one identifier asks for code."""
    answer = ask(reader, published, "validateUser", "text")
    assert scores(answer, "chunk")["docs/auth.md"] == 62


@pytest.mark.parametrize(
    ("mode", "kinds"),
    [
        ("symbol", {"symbol"}),
        ("path", {"file"}),
        ("sql", {"sql_object"}),
        ("graph", {"symbol", "sql_object", "file"}),
    ],
)
def test_kinds_of_modes(
    reader: Reader, published: StateDirectory, mode: str, kinds: set[str]
) -> None:
    """Each mode answers with its own kinds of results."""
    answer = ask(reader, published, "level orders order app db", mode, limit=100)
    assert {result.kind for result in answer.results} == kinds


def test_path_mode_is_reduced(reader: Reader, published: StateDirectory) -> None:
    """A search by path alone says that it knows no more than names."""
    answer = ask(reader, published, "validate-user.ts", "path")
    analysis = answer.analysis
    assert (analysis.mode, analysis.backend, analysis.label) == ("reduced", "unknown", "path-only")
    assert answer.results[0].provenance.capability == "text"


def test_sql_bonus(reader: Reader, published: StateDirectory) -> None:
    """SQL objects count as exported, but not in their own mode."""
    apart = ask(reader, published, "order_totals", "sql").results[0].score
    among_others = one(ask(reader, published, "order_totals"), "sql_object", "order_totals").score
    assert among_others == apart + 5


def test_cap_after_scoring(reader: Reader, published: StateDirectory) -> None:
    """Among 8,003 lines that match, the only one with both words stands first."""
    answer = ask(reader, published, "quasar beacon", "text", limit=1)
    (best,) = answer.results
    assert best.evidence[0].line == 8003
    assert "text holds the exact phrase" in best.rank_reasons
    assert answer.omitted_counts.results == answer.total_candidates - 1


def test_large_files_are_reported(reader: Reader, published: StateDirectory) -> None:
    """A file of 300,001 bytes is not text-searched, and the answer counts it."""
    assert len(TREE["notes/huge.txt"]) == 300_001
    answer = ask(reader, published, "zephyr", "text")
    assert (answer.results, answer.omitted_counts.text_files) == ([], 1)
    assert ask(reader, published, "mistral", "text").results[0].file == "notes/fits.txt"


@pytest.mark.parametrize(
    ("depth", "expected"),
    [
        (-1, {"app/low.py": 14}),
        (0, {"app/low.py": 14}),
        (None, {"app/low.py": 14, "app/mid.py": 11}),
        (math.nan, {"app/low.py": 14, "app/mid.py": 11}),
        (2.9, {"app/low.py": 14, "app/mid.py": 11, "app/top.py": 8}),
        (99, {"app/low.py": 14, "app/mid.py": 11, "app/top.py": 8}),
    ],
)
def test_graph_boost(
    reader: Reader, published: StateDirectory, depth: float | None, expected: dict[str, int]
) -> None:
    """Each import between a result and the anchor costs three points."""
    plain = scores(ask(reader, published, "level", "graph", limit=100), "symbol")
    near = scores(
        ask(reader, published, "level", "graph", limit=100, from_="app/low.py", depth=depth),
        "symbol",
    )
    assert {
        file: near[file] - plain[file] for file in plain if near[file] != plain[file]
    } == expected


def test_graph_nodes(reader: Reader, published: StateDirectory) -> None:
    """A near file whose path matches is a result of its own, one that does not is none."""
    answer = ask(reader, published, "mid", "graph", from_="app/low.py", depth=5)
    nodes = [result for result in answer.results if result.kind == "graph_node"]
    assert [(node.file, node.score, node.handle) for node in nodes] == [
        ("app/mid.py", 11, "graph:app/mid.py")
    ]
    assert nodes[0].provenance.confidence == "medium"


def test_ranges(reader: Reader, published: StateDirectory) -> None:
    """Columns count UTF-16 units; a BOM and CRLF do not shift lines."""
    wide = one(ask(reader, published, "emojiNamed", "symbol"), "symbol", "emojiNamed")
    assert wide.range is not None
    line = TREE["app/wide.js"].decode().removesuffix("\n")
    before = line[: line.index("emojiNamed")]
    assert wide.range.start.column == len(before) + 1
    crlf = one(ask(reader, published, "crlf_named", "symbol"), "symbol", "crlf_named")
    assert crlf.range is not None
    assert (crlf.range.start.line, crlf.range.end.line, crlf.range.end.column) == (1, 2, 12)


def test_other_scripts(reader: Reader, published: StateDirectory) -> None:
    """A name beyond ASCII is found by its name in any case."""
    answer = ask(reader, published, "GRÖSSE ÄNDERN", "symbol")
    assert answer.results[0].label == "größe_ändern"
    assert answer.results[0].rank_reasons[-1] == "path holds grösse as words"


def test_neighbors_and_steps(reader: Reader, published: StateDirectory) -> None:
    """A symbol names what it calls and who calls it, and commands that go on."""
    mid = one(ask(reader, published, "mid_level", "symbol"), "symbol", "mid_level")
    assert [(n.relation, n.file) for n in mid.neighbors if "calls" in n.relation] == [
        ("calls", "app/low.py"),
        ("incoming:calls", "app/top.py"),
    ]
    assert [step.tool for step in mid.follow_ups] == ["callers", "callees", "impact", "explore"]
    file = ask(reader, published, "app/mid.py", "path").results[0]
    assert [(n.relation, n.target) for n in file.neighbors] == [
        ("imported_by", "file:app/top.py"),
        ("imports", "file:app/low.py"),
    ]


def test_omitted_neighbors(reader: Reader, published: StateDirectory) -> None:
    """Of fifteen callers twelve are shown, in order, and three are counted."""
    hub = one(ask(reader, published, "hub", "symbol"), "symbol", "hub")
    callers = [near.target.split(":")[2] for near in hub.neighbors if "calls" in near.relation]
    assert callers == [f"spoke_{number:02d}" for number in range(len(callers))]
    assert (len(hub.neighbors), hub.omitted_counts.neighbors >= 3) == (12, True)


def test_handles_lead_back(reader: Reader, published: StateDirectory) -> None:
    """Every handle of an answer, neighbours' included, is an exact anchor."""
    for mode in ("hybrid", "sql"):
        for result in ask(reader, published, "hub order low", mode, limit=8).results:
            for handle in (result.handle, *(near.target for near in result.neighbors[:2])):
                again = ask(reader, published, "x", "symbol", from_=handle)
                assert again.anchor.state == "exact", handle


def test_sql_neighbors(reader: Reader, published: StateDirectory) -> None:
    """A table names the view that reads it; a bare name that only one table has is enough."""
    orders = one(ask(reader, published, "orders", "sql"), "sql_object", "sales.orders")
    found = {(n.relation, n.file, n.confidence) for n in orders.neighbors}
    assert ("incoming:sql:reads_from:sales.orders", "db/schema.sql", 1.0) in found
    assert ("incoming:sql:alters_table:orders", "db/migrations/002_more.sql", 0.7) in found


@pytest.mark.parametrize("mode", ["sql", "hybrid", "graph"])
@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("invoices", "invoices"),
        ("`invoices`", "invoices"),
        ("by_day", "by_day"),
        ("late ones", "late ones"),
        ("sales.orders", "sales.orders"),
        ('"sales"."orders"', "sales.orders"),
        ("[dbo].[Staff]", "dbo.Staff"),
        ("staff", "dbo.Staff"),
        ("IX_Staff", "IX_Staff"),
        ("dbo.usp_hire", "dbo.usp_Hire"),
        ("memo", "memo"),
        ("main.memo_gone", "memo_gone"),
    ],
)
def test_exact_sql_name_is_first(
    reader: Reader, published: StateDirectory, text: str, label: str, mode: str
) -> None:
    """The name of an SQL object gives that object first, whatever else is called so."""
    best = ask(reader, published, text, mode).results[0]
    assert (best.kind, best.label) == ("sql_object", label)
    assert "the exact name of the object" in best.rank_reasons


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ({}, {"invoices": 14, "by_day": 11, "late ones": 11, "invoice_report": 11}),
        ({"depth": 0}, {"invoices": 14}),
        ({"direction": "out"}, {"invoices": 14}),
        (
            {"direction": "in", "depth": 5},
            {"invoices": 14, "by_day": 11, "late ones": 11, "invoice_report": 11},
        ),
    ],
)
def test_near_an_sql_object(
    reader: Reader, published: StateDirectory, how: dict[str, Any], expected: dict[str, int]
) -> None:
    """From an SQL object, others are as far as their relations, and not as their files."""

    def objects(**near: Any) -> dict[str, float]:
        answer = ask(reader, published, "db invoice late", "graph", limit=100, **near)
        return {one.label: one.score for one in answer.results if one.kind == "sql_object"}

    handle = ask(reader, published, "invoices", "sql").results[0].handle
    plain, near = objects(), objects(from_=handle, **how)
    assert {name: near[name] - plain[name] for name in plain if near[name] != plain[name]} == (
        expected
    )


def test_sql_files_are_near_by_their_objects(reader: Reader, published: StateDirectory) -> None:
    """A file is one step from the file whose objects its statements use."""
    answer = ask(reader, published, "reports", "graph", from_="db/store.sql")
    assert ("graph:db/reports.sql", 11) in {(one.handle, one.score) for one in answer.results}


def test_unread_statements_are_counted(reader: Reader, published: StateDirectory) -> None:
    """A statement that nobody can read is counted where SQL is searched, and fails nothing."""
    assert ask(reader, published, "invoices", "sql").omitted_counts.sql_statements == 1
    assert ask(reader, published, "invoices", "symbol").omitted_counts.sql_statements == 0


def test_snippets_on_request(reader: Reader, published: StateDirectory) -> None:
    """Without snippets no line of source is shown."""
    shown = ask(reader, published, "top_level", "symbol").results[0].evidence
    hidden = ask(reader, published, "top_level", "symbol", snippets=False).results[0].evidence
    assert any(item.snippet for item in shown)
    assert not any(item.snippet for item in hidden)


def test_counts_add_up(reader: Reader, published: StateDirectory) -> None:
    """What is shown and what is omitted make the whole, in every mode."""
    for mode in MODES:
        answer = ask(reader, published, "level app order", mode, limit=2)
        assert answer.result_count == len(answer.results)
        assert answer.total_candidates == answer.result_count + answer.omitted_counts.results


def test_limit_only_cuts(reader: Reader, published: StateDirectory) -> None:
    """A small answer is the beginning of a large one."""
    whole = ask(reader, published, "level x order", limit=100).results
    for limit in (1, 3, 7):
        assert ask(reader, published, "level x order", limit=limit).results == whole[:limit]


def test_same_answer_cold_or_warm_elsewhere(
    reader: Reader, published: StateDirectory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither kept facts, nor the directory, nor a new reader changes a byte of the answer."""
    first = msgspec.json.encode(ask(reader, published, "orders lines"))
    shutil.rmtree(published.cache / "sql")
    monkeypatch.chdir(tmp_path)
    assert msgspec.json.encode(ask(Reader(published), published, "orders lines")) == first


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "the",
        "!!! ???",
        "level " * 10_000,
        " ".join(f"w{n}" for n in range(10_000)),
        "x" * 100_000,
        "level\x00\x01\x1b[31m",
        "-level",
        '"level" AND (x OR NOT y) NEAR/2 *',
        "level' OR '1'='1",
        "(?i)[a-z",
        "\udcff level",
        "\U0001f600",
    ],
    ids=range(14),
)
def test_any_text_is_a_query(
    reader: Reader, published: StateDirectory, text: str, mode: str
) -> None:
    """No text is an error; operators are plain text, and what has no word finds nothing."""
    answer = ask(reader, published, text, mode, from_=text)
    msgspec.json.encode(answer)
    if not any(letter.isalnum() for letter in text):
        assert (answer.results, answer.total_candidates) == ([], 0)
    if "level" in text and mode in ("hybrid", "symbol"):
        assert answer.results


@pytest.mark.parametrize("limit", [0, -1, 101, 10**30, math.nan, math.inf])
def test_bad_limit(limit: Any) -> None:
    """A limit outside of 1 to 100 is refused, not guessed at."""
    with pytest.raises(UsageError, match="out of range"):
        LexicalQuery("x", limit=limit)


def test_bad_direction() -> None:
    """A direction that there is not is refused."""
    with pytest.raises(UsageError, match="unknown direction"):
        LexicalQuery("x", direction="sideways")  # type: ignore[arg-type]


def test_unknown_mode_and_project(reader: Reader, published: StateDirectory) -> None:
    """An unknown mode or project is said, not answered with nothing."""
    with pytest.raises(UsageError, match="unknown search mode"):
        LexicalQuery("x", "semantics")
    with pytest.raises(IndexMissing, match="nowhere"):
        search(reader, LexicalQuery("x"), ["nowhere"], published)


def test_paths_of_the_machine_stay_out(reader: Reader, published: StateDirectory) -> None:
    """Results name files below the project's root; the root itself stands once."""
    answer = ask(reader, published, "level")
    body = msgspec.json.encode(answer).decode()
    assert body.count(os.fspath(published.home.parent)) == 1
    assert answer.root.endswith("lexicon")
