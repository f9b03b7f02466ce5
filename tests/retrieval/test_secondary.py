"""Files that stand for others."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codequarry.index.cards import Card
from codequarry.retrieval.secondary import secondary


def card(path: str, symbol: str = "", *, language: str = "typescript", project: str = "a") -> Card:
    """Make what is read of a candidate."""
    return Card(
        project, path, 0, 0, 1, 9, "function", "structural", symbol, symbol, language, "", None,
        is_brief=False, is_marked=False,
    )  # fmt: skip


def flagged(question: str, *paths: str) -> list[str]:
    """Give those of the candidates, all of one symbol, that are flagged."""
    cards = [card(path, "parse") for path in paths]
    flags = secondary(question, cards)
    return [path for path, flag in zip(paths, flags, strict=True) if flag]


@pytest.mark.parametrize(
    ("path", "asking"),
    [
        ("index.d.ts", "the typings of parse"),
        ("lib/parse.d.mts", "declaration of parse"),
        ("pkg/parse.pyi", "stubs for parse"),
        ("pkg/deprecated/parse.py", "the deprecated parse"),
        ("pkg/_legacy/parse.py", "legacy options"),
    ],
)
def test_what_a_path_says(path: str, asking: str) -> None:
    """Declarations and deprecated code are secondary, unless the question asks for them."""
    assert flagged("how an article is read", path) == [path]
    assert flagged(asking, path) == []


def test_built_copies() -> None:
    """A built file is a copy when ``src/`` beside its folder declares a name of its own."""
    paths = ("src/a.ts", "lib/a.js", "es/a.js", "packages/b/lib/a.js", "other/a.js")
    assert flagged("read", *paths) == ["lib/a.js", "es/a.js"]
    packages = ("packages/b/src/a.ts", "packages/b/dist/x/a.js", "packages/c/dist/a.js")
    assert flagged("read", *packages) == ["packages/b/dist/x/a.js"]


def test_a_hand_written_folder_is_no_copy() -> None:
    """Without a name in common, without ``src/``, or in C, ``lib/`` is as good as any folder."""
    assert flagged("read", "lib/a.js", "lib/b.js") == []
    assert secondary("read", [card("src/a.ts", "x"), card("lib/a.js", "y")]) == [False, False]
    assert secondary("read", [card("src/a.ts", "x"), card("lib/a.js", "")]) == [False, False]
    in_c = [card(path, "main", language="c") for path in ("src/a.c", "lib/a.c")]
    assert secondary("read", in_c) == [False, False]
    apart = [card("src/a.ts", "x"), card("lib/a.js", "x", project="b")]
    assert secondary("read", apart) == [False, False]


def test_a_whole_file_is_a_copy() -> None:
    """One name in common says it of every candidate of the file."""
    cards = [card("src/a.ts", "x"), card("lib/a.js", "x"), card("lib/a.js", "helper")]
    assert secondary("read", cards) == [False, True, True]


def test_older_versions() -> None:
    """A version's folder is old when one of its files stands below a later one, or below none."""
    paths = ("pkg/fields.py", "pkg/v1/fields.py", "pkg/v1/only_there.py")
    assert flagged("read", *paths) == ["pkg/v1/fields.py", "pkg/v1/only_there.py"]
    assert flagged("read in v1", *paths) == []
    assert flagged("read", "src/v3/en.ts", "src/v4/en.ts", "src/v10/en.ts") == [
        "src/v3/en.ts",
        "src/v4/en.ts",
    ]


def test_a_folder_of_a_later_version_is_newer_than_none() -> None:
    """Below ``v2/`` lies what follows the files outside, as Go's modules lay it out."""
    assert flagged("read", "a.go", "v2/a.go") == []
    assert flagged("read", "a.go", "v2/a.go", "v3/a.go") == ["v2/a.go"]


def test_a_version_alone_is_current() -> None:
    """A numbered folder without a later twin is not old: an interface may be at ``v1``."""
    assert flagged("read", "api/v1/users.py", "core/users.py", "api/v1/carts.py") == []
    elsewhere = [card("pkg/fields.py"), card("pkg/v1/fields.py", project="b")]
    assert secondary("read", elsewhere) == [False, False]


PATHS = st.sampled_from(
    ["src/a.ts", "lib/a.js", "a.py", "v1/a.py", "v2/a.py", "v2/b.py", "x.d.ts", "legacy/v1/a.py"]
)


@given(st.lists(st.tuples(PATHS, st.sampled_from(["", "x", "y"])), max_size=8), st.randoms())
def test_the_order_says_nothing(rows: list[tuple[str, str]], chance: Random) -> None:
    """Which candidates are secondary does not depend on their order."""
    cards = [card(path, symbol) for path, symbol in rows]
    flags = dict(zip(rows, secondary("read", cards), strict=True))
    shuffled = chance.sample(rows, len(rows))
    again = secondary("read", [card(path, symbol) for path, symbol in shuffled])
    assert dict(zip(shuffled, again, strict=True)) == flags
