"""How SQL objects use each other, across files and within a statement."""

import pytest

from codequarry.retrieval.lexical.direction import Direction
from codequarry.retrieval.lexical.sql.candidates import objects_of
from codequarry.retrieval.lexical.sql.reading import read_script
from codequarry.retrieval.lexical.sql.relations import SEVERAL, Relations

SCRIPTS = {
    "a.sql": "CREATE TABLE a (id int); CREATE TABLE b (id int REFERENCES a (id));",
    "b.sql": "CREATE VIEW v AS SELECT * FROM b;\nCREATE VIEW w AS SELECT * FROM v;\n",
    "c.sql": "CREATE TABLE `k` (id int, up int REFERENCES k (id), KEY `ix` (id)) ENGINE=InnoDB;",
    "d.sql": "INSERT INTO b VALUES (1);",
}


@pytest.fixture(scope="module")
def relations() -> Relations:
    """The relations of some scripts."""
    scripts = {("p", path): read_script(text) for path, text in SCRIPTS.items()}
    found = [objects_of(at, script, SCRIPTS[at[1]]) for at, script in scripts.items()]
    return Relations([one for some in found for one in some], scripts)


def number(relations: Relations, name: str) -> int:
    """Give the number of an object."""
    return [one.name for one in relations.objects].index(name)


@pytest.mark.parametrize(
    ("direction", "depth", "expected"),
    [
        ("both", 0, {"b": 0}),
        ("both", 1, {"b": 0, "a": 1, "v": 1}),
        ("both", 2, {"b": 0, "a": 1, "v": 1, "w": 2}),
        ("out", 5, {"b": 0, "a": 1}),
        ("in", 5, {"b": 0, "v": 1, "w": 2}),
    ],
)
def test_around(
    relations: Relations, direction: Direction, depth: int, expected: dict[str, int]
) -> None:
    """Steps go to what an object uses, to what uses it, or both."""
    found = relations.around([number(relations, "b")], depth, direction)
    assert {relations.objects[one].name: far for one, far in found.items()} == expected


def test_statements_of_one_line_are_apart(relations: Relations) -> None:
    """Of two tables on one line, the one with the foreign key refers to the other."""
    (used_by,) = relations.neighbors(number(relations, "a"))
    assert used_by.relation == "incoming:sql:references_object:a"
    assert used_by.target.startswith("sql:b:a.sql:1:")


def test_index_within_a_table(relations: Relations) -> None:
    """An index that its table declares is on it, and a table is no neighbour of itself."""
    (table,) = relations.neighbors(number(relations, "ix"))
    (index,) = relations.neighbors(number(relations, "k"))
    assert table.relation == "sql:references_object:k"
    assert index.relation == "incoming:sql:references_object:k"


def test_statement_without_object(relations: Relations) -> None:
    """A statement that defines nothing stands for its file, and leads no further."""
    near = relations.neighbors(number(relations, "b"))
    assert ("incoming:sql:writes_to:b", "file:d.sql") in {(n.relation, n.target) for n in near}


def test_a_schema_in_many_files() -> None:
    """Of a name that too many objects have, a file means its own; elsewhere it means none."""
    text = "CREATE TABLE a (id int); CREATE TABLE b (id int REFERENCES a (id));"
    places = [("p", f"{number:02}.sql") for number in range(SEVERAL + 1)]
    many = dict.fromkeys(places, read_script(text)) | {
        ("p", "use.sql"): read_script("SELECT * FROM a")
    }
    found = [one for at in places for one in objects_of(at, many[at], text)]
    links = Relations(found, many).links
    assert [(found[link.target].place, link.target + 1) for link in links] == [
        (link.place, link.source) for link in links
    ]
    assert len(links) == len(places)
    few = {at: many[at] for at in (*places[:2], ("p", "use.sql"))}
    assert len(Relations(found[:4], few).links) == 6


def test_files(relations: Relations) -> None:
    """A file uses another where its statements use objects of that."""
    assert relations.files() == {
        (("p", "b.sql"), ("p", "a.sql")),
        (("p", "d.sql"), ("p", "a.sql")),
    }
