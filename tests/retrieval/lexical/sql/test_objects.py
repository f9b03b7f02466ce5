"""SQL objects of projects, what a name means, and what is kept of a script."""

import msgspec
import pytest

from codequarry.core.hashing import sha256_hex
from codequarry.core.state import StateDirectory
from codequarry.retrieval.lexical.sql.cache import kept_script, scripts_of
from codequarry.retrieval.lexical.sql.candidates import SqlObject, role_of
from codequarry.retrieval.lexical.sql.facts import Fact, Script
from codequarry.retrieval.lexical.sql.relations import Relations

A, B = ("p", "a.sql"), ("p", "b.sql")


def table(place: tuple[str, str], name: str, line: int = 1) -> SqlObject:
    """Make a table."""
    return SqlObject(place, "table", name, line, line, "0" * 12, "postgres", "unknown")


@pytest.mark.parametrize(
    ("defined", "name", "expected"),
    [
        (["s.t"], "s.t", (1.0, ["s.t"])),
        (["s.t"], "S.T", (1.0, ["s.t"])),
        (["s.t"], "t", (0.7, ["s.t"])),
        (["t"], "other.t", (0.7, ["t"])),
        (["s.t", "r.t"], "t", (0.0, [])),
        (["t", "t"], "t", (0.8, ["t", "t"])),
        (["t"], "u", (0.0, [])),
    ],
)
def test_what_a_name_means(
    defined: list[str], name: str, expected: tuple[float, list[str]]
) -> None:
    """An exact name is sure, one of several less, a last part only where one object has it."""
    objects = [table(A, one, line) for line, one in enumerate(defined, 1)]
    confidence, meant = Relations(objects, {}).meant(B, name)
    assert (confidence, [objects[number].name for number in meant]) == expected


def test_projects_are_apart() -> None:
    """A name never means an object of another project."""
    relations = Relations([table(("other", "a.sql"), "t")], {})
    assert relations.meant(A, "t") == (0.0, [])


def test_neighbors_both_ways() -> None:
    """A view names the table it reads, and the table names the view."""
    view = SqlObject(B, "view", "v", 1, 1, "1" * 12, "postgres", "unknown")
    scripts = {
        A: Script("postgres", [Fact(1, 1, "defines_table", "t")]),
        B: Script("postgres", [Fact(1, 1, "defines_view", "v"), Fact(1, 1, "reads_from", "t")]),
    }
    relations = Relations([table(A, "t"), view], scripts)
    (reads,) = relations.neighbors(1)
    (read_by,) = relations.neighbors(0)
    assert (reads.relation, reads.target) == ("sql:reads_from:t", "sql:t:a.sql:1:" + "0" * 12)
    assert (read_by.relation, read_by.target) == (
        "incoming:sql:reads_from:t",
        "sql:v:b.sql:1:" + "1" * 12,
    )


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("db/migrations/1.sql", "migration"),
        ("V2__add.sql", "migration"),
        ("20240101_x.sql", "migration"),
        ("db/seeds/a.sql", "seed"),
        ("tests/fixtures/a.sql", "fixture"),
        ("db/schema.sql", "schema_snapshot"),
        ("backup/dump.sql", "dump"),
        ("a.sql", "query"),
    ],
)
def test_roles(path: str, role: str) -> None:
    """What a script is for is told by its path, else by what it does."""
    assert role_of(path, Script("postgres", [Fact(1, 1, "reads_from", "t")])) == role


def test_facts_are_kept(state: StateDirectory) -> None:
    """A content is read once; a damaged or foreign file is read anew."""
    text = "CREATE TABLE t (id int);"
    digest = sha256_hex(text)
    first = scripts_of({A: digest}, {A: text}, state)
    assert kept_script(state, digest) == first[A]
    assert scripts_of({A: digest}, {}, state) == first
    (file,) = (state.cache / "sql").rglob("*.json")
    file.write_bytes(b"{")
    assert kept_script(state, digest) is None
    assert scripts_of({A: digest}, {A: text}, state) == first
    assert msgspec.json.decode(file.read_bytes(), type=Script) == first[A]
    assert kept_script(state, "../../etc/passwd") is None


def test_unwritable_cache_is_no_failure(state: StateDirectory) -> None:
    """Where nothing can be kept, the facts are there all the same."""
    state.prepare()
    state.cache.mkdir()
    (state.cache / "sql").write_bytes(b"in the way")
    found = scripts_of({A: "0" * 64}, {A: "DROP TABLE t"}, state)
    assert found[A].facts == [Fact(1, 1, "drops_object", "t", "table")]
