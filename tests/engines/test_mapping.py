"""Mapping files: the schema, and those that come with codequarry."""

from pathlib import Path

import pytest

from codequarry.core.errors import UsageError
from codequarry.engines.mapping import load, parse, shipped

BEGINNING = """
id = "a/b"
display_name = "B"
[program]
binary = "b"
[license]
spdx = "MIT"
"""
SEARCH = """
[operations.search]
via = "mcp"
tool = "search"
"""


def test_engines_that_are_shipped() -> None:
    """There is one mapping for each engine of the specification, and every one is sound."""
    assert [mapping.id for mapping in shipped()] == [
        "abdul-hamid-achik/codemap",
        "abdul-hamid-achik/vecgrep",
        "abhigyanpatwari/gitnexus",
        "colbymchenry/codegraph",
        "harshkedia177/axon",
        "lzehrung/codegraph",
        "zzet/gortex",
        "zzet/gortex-mcp",
    ]


@pytest.mark.parametrize("mapping", shipped(), ids=lambda mapping: mapping.id)
def test_every_engine_can_be_searched_synced_and_asked_for_status(mapping) -> None:
    """Search, status and sync are required of every engine (engines.md 2)."""
    assert {"search", "status", "sync"} <= set(mapping.operations)


@pytest.mark.parametrize("mapping", shipped(), ids=lambda mapping: mapping.id)
def test_no_engine_is_asked_to_change_code(mapping) -> None:
    """Only read verbs are mapped: no rename, refactor, edit, and no free query."""
    asked = " ".join(
        f"{operation.tool} {operation.argv}" for operation in mapping.operations.values()
    )
    for verb in ("rename", "refactor", "edit", "cypher", "sqlite"):
        assert verb not in asked


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("id = 3", "$.id"),
        (BEGINNING, "operations"),
        (BEGINNING.replace("a/b", "ab") + SEARCH, "$.id"),
        (BEGINNING.replace("binary", "binari") + SEARCH, "binari"),
        (BEGINNING + SEARCH.replace("mcp", "smoke"), "via"),
        (BEGINNING + SEARCH.replace("search]", "seek]"), "$.operations.seek"),
        (BEGINNING + SEARCH.replace('tool = "search"', ""), "$.operations.search.tool"),
        (BEGINNING + SEARCH + 'grammar = "none"', "$.operations.search.grammar"),
        (BEGINNING + SEARCH + 'arguments = { q = "{query}" }', "{query}"),
        (BEGINNING + SEARCH + 'fields = { file = "x" }', "$.operations.search.fields.file"),
        (BEGINNING + SEARCH + 'fields = { name = "a..b" }', "$.operations.search.fields.name"),
        (BEGINNING + SEARCH + 'rows = ["a b"]', "not a path"),
        (BEGINNING + SEARCH + "line_base = { start_line = 2 }", "line_base.start_line"),
        (
            BEGINNING + SEARCH + 'completeness = [{ path = "x", gives = "most" }]',
            "$.operations.search.completeness",
        ),
        (
            BEGINNING + SEARCH.replace("search]", "context]") + 'edges.likes = { rows = "x[]" }',
            "$.operations.context.edges.likes",
        ),
        ("error_patterns = ['(']\n" + BEGINNING + SEARCH, "$.error_patterns"),
        (BEGINNING + SEARCH + "[[grammars.g]]\nas = 'row'\npattern = '('", "$.grammars.g"),
        (BEGINNING + SEARCH + "[[grammars.g]]\nas = 'rows'\npattern = 'x'", "grammars"),
        (
            BEGINNING + SEARCH.replace('"mcp"\ntool = "search"', '"command"'),
            "$.operations.search.argv",
        ),
        ("nonsense", "wrong"),
    ],
)
def test_wrong_key_is_named(text: str, key: str) -> None:
    """Each error of a mapping file names the key that is wrong."""
    with pytest.raises(UsageError) as caught:
        parse(text.encode(), "b.toml")
    assert "b.toml" in caught.value.message
    assert key in caught.value.message


def test_own_mapping_file_is_loaded(tmp_path: Path) -> None:
    """An engine that codequarry does not know needs a file and no code."""
    path = tmp_path / "b.toml"
    path.write_text(BEGINNING + SEARCH)
    assert load(path).id == "a/b"
    with pytest.raises(UsageError, match="cannot be read"):
        load(tmp_path / "none.toml")


def test_a_listing_status_needs_the_root_of_each_project() -> None:
    """A status of many projects that does not tell them apart is refused at once."""
    status = '[operations.status]\nvia = "mcp"\ntool = "list"\nrows = ["[]"]\n'
    with pytest.raises(UsageError, match=r"fields\.root"):
        parse((BEGINNING + status).encode(), "b.toml")
