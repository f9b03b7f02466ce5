"""Paths, lines, scores and arguments of engines."""

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codequarry.core.errors import UsageError
from codequarry.engines.answers import search_answer
from codequarry.engines.arguments import fill, fill_argv
from codequarry.engines.decoding import Reply, decode
from codequarry.engines.mapping import parse
from codequarry.engines.paths import project_path
from codequarry.engines.rows import Place, walk
from codequarry.engines.scores import normalised
from codequarry.engines.subjects import Reading
from codequarry.engines.types import CodeQuery

ROOTS = ("/copies/shop", "/srv/shop")


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("a/b.py", "a/b.py"),
        ("./a/b.py", "a/b.py"),
        ("a//b.py", "a/b.py"),
        ("/srv/shop/a/b.py", "a/b.py"),
        ("/copies/shop/a/b.py", "a/b.py"),
        ("file:///srv/shop/a.py", "a.py"),
        (r"a\b.py", "a/b.py"),
        (r"a\b c\d.cs", "a/b c/d.cs"),
        ("cafe\u0301.py", "caf\u00e9.py"),
        ("..a/b.py", "..a/b.py"),
        ("../b.py", None),
        ("a/../../b.py", None),
        ("/etc/passwd", None),
        ("/srv/shopping/a.py", None),
        ("/srv/shop/../secret.py", None),
        (r"C:\work\a.py", None),
        ("C:/work/a.py", None),
        (r"\\server\share\a.py", None),
        ("", None),
        (".", None),
        ("/srv/shop", None),
        ("a\nb.py", None),
        ("a\x00.py", None),
        ("x" * 5000, None),
    ],
)
def test_path_is_made_ours(written: str, path: str | None) -> None:
    """A path inside the project is made relative with `/` and NFC; any other is none."""
    assert project_path(written, ROOTS) == path


def test_windows_root() -> None:
    """An engine on Windows names the root with backslashes and a drive."""
    assert project_path(r"C:\work\shop\a\b.py", (r"C:\work\shop",)) == "a/b.py"


@settings(deadline=None)
@given(st.text())
def test_no_path_leaves_the_project(written: str) -> None:
    """Whatever an engine writes, what comes out stays below the root."""
    path = project_path(written, ROOTS)
    if path is not None:
        assert not path.startswith("/")
        assert ".." not in path.split("/")


@pytest.mark.parametrize(
    ("native", "kind", "scores", "meaning", "spoiled"),
    [
        ([0.9, 0.2], "calibrated", (0.9, 0.2), "calibrated", False),
        ([1.5, -1.0], "calibrated", (1.0, 0.0), "calibrated", True),
        ([8.0, 2.0], "within_set", (1.0, 0.25), "within_set", False),
        ([math.nan, 2.0], "within_set", (0.0, 1.0), "within_set", True),
        ([math.inf, 2.0], "within_set", (0.0, 1.0), "within_set", True),
        ([0.0, 0.0], "within_set", (0.0, 0.0), "within_set", False),
        ([None, 2.0], "within_set", (1.0, 61 / 62), "rank_only", False),
        ([0.016, 0.015, 0.01], "rank_only", (1.0, 61 / 62, 61 / 63), "rank_only", False),
        ([], "within_set", (), "within_set", False),
    ],
)
def test_rule_9_scores(native, kind, scores, meaning, spoiled) -> None:
    """Calibrated stay, unbounded are divided by the best, the rest follow their rank."""
    assert normalised(native, kind) == (scores, meaning, spoiled)


@settings(deadline=None)
@given(
    st.lists(st.none() | st.floats(allow_nan=True)),
    st.sampled_from(["calibrated", "within_set", "rank_only"]),
)
def test_scores_are_shares(native, kind) -> None:
    """Whatever scores an engine gives, ours are finite and in 0 to 1."""
    scores, _, _ = normalised(native, kind)
    assert len(scores) == len(native)
    assert all(math.isfinite(score) and 0 <= score <= 1 for score in scores)


MAPPING = """
id = "a/b"
display_name = "B"
[program]
binary = "b"
[license]
spdx = "MIT"
[abilities]
score_kind = "calibrated"
line_base = {base}
[operations.search]
via = "mcp"
tool = "search"
rows = ["rows[]"]
fields = {{ name = "name", path = "path", start_line = "line", end_line = "end", score = "score" }}
line_base = {{ {field} }}
"""


def lines(base: int, field: str, row: dict) -> tuple[int | None, int | None]:
    mapping = parse(MAPPING.format(base=base, field=field).encode(), "b.toml")
    operation = mapping.operations["search"]
    decoded = decode(Reply(json.dumps({"rows": [{"path": "a.py", **row}]})), operation, mapping)
    found = search_answer(
        Reading(decoded, operation, mapping, Place("a/b", "k", ROOTS)), CodeQuery("q", "shop")
    )
    ref = found.items[0].ref
    return ref.start_line, ref.end_line


@pytest.mark.parametrize(
    ("base", "field", "row", "expected"),
    [
        (1, "", {"line": 47, "end": 50}, (47, 50)),
        (0, "", {"line": 46, "end": 49}, (47, 50)),
        (0, "end_line = 1", {"line": 46, "end": 50}, (47, 50)),
        (1, "", {"line": 0, "end": 0}, (None, None)),
        (1, "", {"line": "47", "end": "50"}, (47, 50)),
        (1, "", {"line": 47, "end": 3}, (47, None)),
        (1, "", {"line": -5}, (None, None)),
        (1, "", {"line": 2.5}, (None, None)),
        (1, "", {"line": "x"}, (None, None)),
        (1, "", {"line": True}, (None, None)),
        (1, "", {"line": 1e300}, (None, None)),
        (1, "", {}, (None, None)),
    ],
)
def test_rule_5_line_base_per_field(base, field, row, expected) -> None:
    """Each field's lines count from its own base, and what is no line is none."""
    assert lines(base, field, row) == expected


def test_nan_in_json_counts_as_zero_with_a_warning() -> None:
    """NaN that an engine writes as a score is 0 and is told."""
    mapping = parse(MAPPING.format(base=1, field="").encode(), "b.toml")
    operation = mapping.operations["search"]
    text = '{"rows": [{"path": "a.py", "score": NaN}, {"path": "b.py", "score": 0.5}]}'
    decoded = decode(Reply(text), operation, mapping)
    found = search_answer(
        Reading(decoded, operation, mapping, Place("a/b", "k", ROOTS)), CodeQuery("q", "shop")
    )
    assert [hit.score for hit in found.items] == [0.0, 0.5]
    assert "scores" in found.warnings[0]


def test_rows_outside_the_project_are_counted() -> None:
    """A row of another project is dropped, and the answer is no longer complete."""
    mapping = parse(MAPPING.format(base=1, field="").encode(), "b.toml")
    operation = mapping.operations["search"]
    rows = [{"path": "/etc/passwd", "score": 1}, {"path": "a.py", "score": 1}]
    decoded = decode(Reply(json.dumps({"rows": rows})), operation, mapping)
    found = search_answer(
        Reading(decoded, operation, mapping, Place("a/b", "k", ROOTS)), CodeQuery("q", "shop")
    )
    assert [hit.ref.path for hit in found.items] == ["a.py"]
    assert (found.completeness, found.warnings[0][:2]) == ("degraded", "1 ")


def test_filters_hold_even_where_the_engine_ignores_them() -> None:
    """Paths, and a limit, are applied after the engine; what was cut is counted."""
    mapping = parse(MAPPING.format(base=1, field="").encode(), "b.toml")
    operation = mapping.operations["search"]
    rows = [{"path": f"{folder}/{n}.py", "score": 0.5} for folder in "ab" for n in range(3)]
    decoded = decode(Reply(json.dumps({"rows": rows})), operation, mapping)
    reading = Reading(decoded, operation, mapping, Place("a/b", "k", ROOTS))
    found = search_answer(reading, CodeQuery("q", "shop", limit=2, paths=("a",)))
    assert [hit.ref.path for hit in found.items] == ["a/0.py", "a/1.py"]
    assert (found.omitted, found.completeness) == (1, "truncated")


def test_walk_goes_over_lists_and_keys() -> None:
    """`[]` goes over a list, `*` over an object's keys, and the key is kept."""
    document = {"byDepth": {"1": [{"n": "a"}], "2": [{"n": "b"}, {"n": "c"}]}}
    assert list(walk(document, "byDepth.*[].n")) == [("a", "1"), ("b", "2"), ("c", "2")]
    assert list(walk([[1], [2]], "[]")) == [([1], ""), ([2], "")]
    assert list(walk({"a": 3}, "a[].b")) == []


def test_arguments_keep_their_type_and_vanish_without_a_value() -> None:
    """A placeholder that stands alone keeps its type; one without a value takes its key along."""
    arguments = {"q": "{text}", "n": "{limit}", "at": "{file}:{line}", "deep": {"k": "{kind}"}}
    assert fill(arguments, {"text": "a {limit}", "limit": 3, "file": "x", "line": None}) == {
        "q": "a {limit}",
        "n": 3,
        "deep": {},
    }


def test_argv_groups_vanish_together() -> None:
    """An option goes with its value, and a selector is written as JSON."""
    argv = ["find", ["--file", "{file}"], ["--selector", "{selector}"], "--", "{text}"]
    assert fill_argv(argv, {"text": "x", "selector": {"file": "a"}}) == [
        "find",
        "--selector",
        '{"file": "a"}',
        "--",
        "x",
    ]


def test_value_that_looks_like_an_option_is_refused() -> None:
    """A question that begins with `-` is never read as an option."""
    with pytest.raises(UsageError):
        fill_argv(["find", "{text}"], {"text": "--exec=rm"})
    assert fill_argv(["find", "--", "{text}"], {"text": "--exec=rm"})[-1] == "--exec=rm"
