"""Facts of SQL scripts in four dialects."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codequarry.retrieval.lexical.sql.facts import Fact
from codequarry.retrieval.lexical.sql.reading import LONG_STATEMENT, read_script

Said = tuple[str, str, str]


def said(text: str) -> set[Said]:
    """Give kind, name and detail of a script's facts."""
    return {(fact.kind, fact.name, fact.detail) for fact in read_script(text).facts}


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("CREATE TABLE t (id bigserial, tags text[])", "postgres"),
        ("CREATE TABLE `t` (id int AUTO_INCREMENT PRIMARY KEY) ENGINE=InnoDB", "mysql"),
        ("CREATE TABLE t (a text PRIMARY KEY) WITHOUT ROWID", "sqlite"),
        ("CREATE TABLE [dbo].[t] (id int IDENTITY(1,1))\nGO\n", "tsql"),
        ("CREATE TABLE t (id int);\nGO\nCREATE TABLE u (id int);\nGO\n", "tsql"),
        ("PRAGMA foreign_keys = ON; CREATE TABLE t (id INTEGER)", "sqlite"),
        ("SELECT 1", "postgres"),
        ("", "postgres"),
    ],
)
def test_dialect(text: str, dialect: str) -> None:
    """The dialect is the one in which most can be read; what all can read is the first's."""
    script = read_script(text)
    assert script.dialect == dialect
    assert not any(fact.kind == "unknown_statement" for fact in script.facts)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('CREATE TABLE "Order Items" (id int)', "Order Items"),
        ("CREATE TABLE `Order Items` (id int)", "Order Items"),
        ("CREATE TABLE [Order Items] (id int)", "Order Items"),
        ("CREATE TABLE a.b.c (id int)", "a.b.c"),
        ('CREATE TABLE "s"."t" (id int)', "s.t"),
    ],
)
def test_quoted_names(text: str, name: str) -> None:
    """A name loses its quotes, and keeps up to three parts."""
    assert said(text) == {("defines_table", name, "")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT * FROM a JOIN b ON true", {("reads_from", "a", ""), ("joins", "b", "")}),
        ("WITH x AS (SELECT * FROM a) SELECT * FROM x", {("reads_from", "a", "")}),
        ("WITH x AS (SELECT * FROM x) SELECT * FROM x", {("reads_from", "x", "")}),
        (
            "WITH RECURSIVE x AS (SELECT 1 UNION SELECT * FROM x) SELECT * FROM x, o",
            {("joins", "o", "")},
        ),
        (
            "WITH x AS (SELECT 1) SELECT * FROM (SELECT * FROM x) q, s.x",
            {("joins", "s.x", "")},
        ),
        (
            "INSERT INTO b SELECT * FROM a",
            {("writes_to", "b", "insert"), ("reads_from", "a", "")},
        ),
        ("UPDATE t SET a = 1 FROM u", {("writes_to", "t", "update"), ("reads_from", "u", "")}),
        ("DELETE FROM t USING u", {("writes_to", "t", "delete"), ("reads_from", "u", "")}),
        ("TRUNCATE TABLE t", {("writes_to", "t", "truncate")}),
        (
            "MERGE INTO t USING s ON t.a = s.a WHEN MATCHED THEN UPDATE SET a = 1",
            {("writes_to", "t", "merge"), ("reads_from", "s", "")},
        ),
        ("DROP VIEW v", {("drops_object", "v", "view")}),
        ("ALTER TABLE t RENAME TO u", {("alters_table", "t", ""), ("renames_object", "u", "t")}),
        ("RENAME TABLE a TO b", {("renames_object", "b", "a")}),
        ("EXEC sp_rename 'dbo.a', 'b'", {("renames_object", "b", "dbo.a")}),
        (
            "ALTER TABLE t ADD CONSTRAINT fk FOREIGN KEY (a) REFERENCES z (b)",
            {
                ("alters_table", "t", ""),
                ("references_object", "z", ""),
                ("defines_constraint", "fk", "foreign key"),
            },
        ),
        (
            "CREATE INDEX i ON t (a)",
            {("defines_index", "i", ""), ("references_object", "t", "")},
        ),
        ("CREATE VIEW v AS SELECT * FROM a", {("defines_view", "v", ""), ("reads_from", "a", "")}),
        ("GRANT SELECT ON t TO u", {("references_object", "t", "")}),
        ("foo bar baz", {("unknown_statement", "", "")}),
        ("SELEC nonsense", {("unknown_statement", "", "")}),
        ("SELECT ((((", {("unknown_statement", "", "")}),
    ],
)
def test_statements(text: str, expected: set[Said]) -> None:
    """Each statement says what it defines, reads, writes, joins, alters, drops and renames."""
    assert said(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "CREATE FUNCTION p() RETURNS int AS $x$ BEGIN\nIF a THEN UPDATE t SET a = 1; END IF;\n"
        "SELECT count(*) INTO n FROM u; RETURN n; END $x$ LANGUAGE plpgsql;",
        "DELIMITER //\nCREATE PROCEDURE p()\nBEGIN\n"
        "  UPDATE t SET a = 1; SELECT * FROM u;\nEND//\n",
        "CREATE TRIGGER p AFTER INSERT ON o BEGIN UPDATE t SET a = 1; SELECT * FROM u; END;",
        "CREATE PROC [p] @a int AS\nBEGIN\n  UPDATE t SET a = 1\n  SELECT * FROM u\nEND\nGO\n",
        "CREATE OR ALTER PROCEDURE p AS\nUPDATE t SET a = 1;\nSELECT * FROM u;\nGO\nSELECT 1\nGO",
    ],
    ids=["postgres", "mysql", "sqlite", "tsql", "tsql-batch"],
)
def test_routines(text: str) -> None:
    """A routine is one object in every dialect, and its body's reads and writes are its own."""
    script = read_script(text)
    found = {(fact.kind, fact.name) for fact in script.facts}
    assert found - {("references_object", "o")} == {
        ("defines_routine", "p"),
        ("writes_to", "t"),
        ("reads_from", "u"),
    }
    assert len({(fact.line, fact.end_line) for fact in script.facts}) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "CREATE INDEX CONCURRENTLY IF NOT EXISTS i ON ONLY s.t USING gin (a)",
            {("defines_index", "i"), ("references_object", "s.t")},
        ),
        (
            "CREATE UNIQUE NONCLUSTERED INDEX [i] ON [dbo].[t] ([a]) INCLUDE (b)\nGO\n",
            {("defines_index", "i"), ("references_object", "dbo.t")},
        ),
        (
            "CREATE FULLTEXT INDEX `i` ON t (a)",
            {("defines_index", "i"), ("references_object", "t")},
        ),
        (
            "CREATE TABLE `t` (a int, KEY `i` (a), UNIQUE KEY j (a), KEY `k``k` (a)) ENGINE=InnoDB",
            {
                ("defines_table", "t"),
                ("defines_index", "i"),
                ("defines_index", "j"),
                ("defines_index", "k`k"),
            },
        ),
        (
            "CREATE VIEW v WITH (security_barrier) AS SELECT * FROM t",
            {("defines_view", "v"), ("reads_from", "t")},
        ),
        (
            "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT a FROM t WHERE ''x'' = c'",
            {("defines_routine", "f"), ("reads_from", "t")},
        ),
        (
            "CREATE FUNCTION f() RETURNS void AS $$ BEGIN PERFORM g(); FOR r IN SELECT * FROM t "
            "LOOP UPDATE u SET a = 1; END LOOP; END $$ LANGUAGE plpgsql",
            {
                ("defines_routine", "f"),
                ("references_object", "g"),
                ("reads_from", "t"),
                ("writes_to", "u"),
            },
        ),
        ("DO $$ BEGIN INSERT INTO t VALUES (1); END $$", {("writes_to", "t")}),
        (
            "CREATE FUNCTION f(@a int) RETURNS TABLE AS RETURN (SELECT * FROM dbo.t)\nGO\n",
            {("defines_routine", "f"), ("reads_from", "dbo.t")},
        ),
        (
            "CREATE PROC p AS\nINSERT INTO t SELECT * FROM u WITH (NOLOCK)\nEXEC dbo.q @a\n"
            "EXEC @rc = r\nMERGE w AS x USING y ON x.a = y.a WHEN MATCHED THEN DELETE;\nGO\n",
            {
                ("defines_routine", "p"),
                ("writes_to", "t"),
                ("reads_from", "u"),
                ("references_object", "dbo.q"),
                ("references_object", "r"),
                ("writes_to", "w"),
                ("reads_from", "y"),
            },
        ),
        (
            "IF OBJECT_ID('t') IS NULL\nBEGIN\nCREATE TABLE dbo.t (a int REFERENCES u (a))\nEND",
            {
                ("defines_table", "dbo.t"),
                ("references_object", "u"),
                ("defines_constraint", "dbo.t"),
            },
        ),
        (
            "CREATE TRIGGER r AFTER UPDATE ON `t` FOR EACH ROW INSERT INTO u VALUES (1)",
            {("defines_routine", "r"), ("references_object", "t"), ("writes_to", "u")},
        ),
        (
            "CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO DELETE FROM t",
            {("defines_routine", "e"), ("writes_to", "t")},
        ),
        (
            "CREATE PROCEDURE p() BEGIN SELECT SUM(a) AS 'Total' FROM t; END",
            {("defines_routine", "p"), ("reads_from", "t")},
        ),
        ("EXEC dbo.p 1", {("references_object", "dbo.p")}),
        ("CREATE TABLE [a]]b] (a int)\nGO\n", {("defines_table", "a]b")}),
    ],
)
def test_of_each_dialect(text: str, expected: set[tuple[str, str]]) -> None:
    """What each dialect alone writes is read: indexes, bodies, guards and calls."""
    assert {(fact.kind, fact.name) for fact in read_script(text).facts} == expected


def test_broken_statements_hide_no_others() -> None:
    """Around a statement that nobody can read, all others are read."""
    text = "CREATE TABLE a (x int);\nSELEC nonsense FROM;\nINSERT INTO b VALUES ('open);\n"
    found = said(text + "CREATE VIEW c AS SELECT * FROM a;")
    assert found == {
        ("defines_table", "a", ""),
        ("unknown_statement", "", ""),
        ("writes_to", "b", "insert"),
        ("defines_view", "c", ""),
        ("reads_from", "a", ""),
    }


def test_long_definitions_are_objects() -> None:
    """A routine, table or view too long to be parsed is known by its head."""
    filler = "-- filler\n" * (LONG_STATEMENT // 10 + 1)
    for head, kind, detail in (
        ("CREATE PROCEDURE s.x() BEGIN", "defines_routine", "procedure"),
        ("CREATE TABLE s.x (", "defines_table", ""),
        ("CREATE OR REPLACE VIEW s.x AS", "defines_view", ""),
    ):
        assert said(f"{head}\n{filler}SELECT 1 END") == {(kind, "s.x", detail)}


def test_trigger_names_its_table_and_function() -> None:
    """The table and the function that a trigger's head names are references."""
    text = "CREATE TRIGGER tr AFTER INSERT ON s.o FOR EACH ROW EXECUTE FUNCTION app.f();"
    assert said(text) == {
        ("defines_routine", "tr", "trigger"),
        ("references_object", "s.o", ""),
        ("references_object", "app.f", ""),
    }


def test_tree_sitter_helps_out() -> None:
    """A definition with options that no dialect of ours knows is still a definition."""
    text = "CREATE TABLE odd (id int) WITH SOME PECULIAR OPTIONS (x = 1) OF NO KNOWN KIND;"
    assert ("defines_table", "odd", "") in said(text)


def test_long_statements_are_read_by_their_head() -> None:
    """A dump's long insert names its table, and costs no parse."""
    text = "INSERT INTO `t` VALUES " + ", ".join(["(1, 'x')"] * LONG_STATEMENT)
    assert said(text) == {("writes_to", "t", "insert")}


def test_lines() -> None:
    """Facts carry the lines of their statement, comments before it left out."""
    facts = read_script("-- one\n\nSELECT 1;\n/* two\n*/\nDROP TABLE\n  t;\n").facts
    assert facts == [Fact(6, 7, "drops_object", "t", "table", 1)]


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.sampled_from(
            "CREATE TABLE t ( ) ; ' \" ` [ ] $$ $a$ BEGIN END CASE GO \n DELIMITER // -- /* */ "
            "SELECT FROM WITH AS \\ # , * REFERENCES PROCEDURE 1".split(" ")
        ),
        max_size=25,
    ).map(" ".join)
)
def test_any_text_is_a_script(text: str) -> None:
    """No text breaks the reader, and every fact lies within the script."""
    for fact in read_script(text).facts:
        assert 1 <= fact.line <= fact.end_line <= text.count("\n") + 1
