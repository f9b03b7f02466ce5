"""Tables as T-SQL may define them."""

import pytest

from codequarry.retrieval.lexical.sql.reading import read_script
from codequarry.retrieval.lexical.sql.tsql import plain


@pytest.mark.parametrize(
    ("text", "cleaned", "indexes"),
    [
        ("SELECT 1 FROM x WITH (INDEX ix)", "SELECT 1 FROM x WITH (INDEX ix)", ()),
        ("CREATE TABLE o (a INT PRIMARY KEY CLUSTERED)", "CREATE TABLE o (a INT PRIMARY KEY )", ()),
        (
            "create table o (a int index [my ix], b int)",
            "create table o (a int , b int)",
            ("my ix",),
        ),
        (
            "CREATE TABLE o (a INT, INDEX ix (a, b), b INT)",
            "CREATE TABLE o (a INT, b INT)",
            ("ix",),
        ),
        (
            "CREATE TABLE o (a INT, INDEX i UNIQUE CLUSTERED (a) INCLUDE (b) WHERE b > 1, b INT)",
            "CREATE TABLE o (a INT, b INT)",
            ("i",),
        ),
        (
            "CREATE TABLE o (a INT, -- INDEX no\n/* , INDEX b (a) */ c INT DEFAULT 'INDEX d')",
            "CREATE TABLE o (a INT, -- INDEX no\n/* , INDEX b (a) */ c INT DEFAULT 'INDEX d')",
            (),
        ),
        (
            "CREATE TABLE o (a INT) ON [PRIMARY] TEXTIMAGE_ON [PRIMARY]",
            "CREATE TABLE o (a INT)",
            (),
        ),
        (
            "CREATE TABLE o (a INT REFERENCES u(y) ON DELETE CASCADE)",
            "CREATE TABLE o (a INT REFERENCES u(y) ON DELETE CASCADE)",
            (),
        ),
    ],
)
def test_plain(text: str, cleaned: str, indexes: tuple[str, ...]) -> None:
    """Of a table's definition, indexes and places of storage go; nothing else does."""
    assert plain(text) == (cleaned, indexes)


def test_all_that_a_table_says() -> None:
    """Below a guard, and with indexes of columns and of its own, a table keeps its relations."""
    script = read_script(
        "IF OBJECT_ID('dbo.Orders') IS NULL\nCREATE TABLE dbo.Orders (\n"
        "  Id INT PRIMARY KEY CLUSTERED,\n  Owner INT NOT NULL INDEX IX_Owner NONCLUSTERED,\n"
        "  INDEX IX_Both (Id, Owner),\n"
        "  CONSTRAINT FK_O FOREIGN KEY (Owner) REFERENCES dbo.Owners(Id)\n) ON [PRIMARY];\nGO\n"
    )
    assert script.dialect == "tsql"
    assert {(fact.kind, fact.name) for fact in script.facts} == {
        ("defines_table", "dbo.Orders"),
        ("defines_index", "IX_Owner"),
        ("defines_index", "IX_Both"),
        ("defines_constraint", "FK_O"),
        ("references_object", "dbo.Owners"),
    }
