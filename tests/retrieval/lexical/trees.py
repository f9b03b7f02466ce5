"""The tree that the tests of the lexical modes search."""

AUTH = b"export function validateUser(name: string): boolean {\n  return name.length > 0;\n}\n"

TREE: dict[str, bytes] = {
    "src/auth.ts": AUTH,
    "src/validate-user.ts": b"export const limit = 3;\n",
    "docs/auth.md": b"# Signing in\n\nHere we validate user names before anything else.\n",
    "app/low.py": b"def low_level(x):\n    return x\n",
    "app/mid.py": (
        b"from app.low import low_level\n\n\ndef mid_level(x):\n    return low_level(x)\n"
    ),
    "app/top.py": (
        b"from app.mid import mid_level\n\n\ndef top_level(x):\n    return mid_level(x)\n"
    ),
    "app/other.py": b"def other_level(x):\n    return x\n",
    "tests/test_top.py": (
        b"from app.top import top_level\n\n\ndef test_top():\n    assert top_level(1)\n"
    ),
    "notes/quasar.txt": b"quasar filler\n" * 4001 + b"beacon filler\n" * 4001 + b"quasar beacon\n",
    "notes/huge.txt": b"zephyr is here\n" + b"x" * 299_986,
    "notes/fits.txt": b"mistral is here\n" + b"x\n" * 100,
    "app/wide.js": 'const s = "\U0001f600"; function emojiNamed() { return s; }\n'.encode(),
    "app/größe.py": "def größe_ändern(maß):\n    return maß\n".encode(),
    "app/crlf.py": b"\xef\xbb\xbfdef crlf_named(x):\r\n    return x\r\n",
    "db/schema.sql": (
        b"CREATE TABLE sales.orders (id int PRIMARY KEY, total int);\n"
        b"CREATE TABLE lines (id int, order_id int REFERENCES sales.orders (id));\n"
        b"CREATE VIEW order_totals AS SELECT sum(total) FROM sales.orders JOIN lines ON true;\n"
    ),
    "db/migrations/002_more.sql": (
        b"ALTER TABLE orders ADD COLUMN note text;\nINSERT INTO lines VALUES (1, 1);\n"
    ),
    "db/store.sql": (
        b"CREATE TABLE `invoices` (id int, KEY `by_day` (id)) ENGINE=InnoDB;\n"
        b"CREATE VIEW `late ones` AS SELECT * FROM invoices;\nSELEC broken;\n"
    ),
    "db/staff.sql": (
        b"CREATE TABLE [dbo].[Staff] (Id int IDENTITY(1,1));\nGO\n"
        b"CREATE NONCLUSTERED INDEX [IX_Staff] ON [dbo].[Staff] (Id);\nGO\n"
        b"CREATE PROCEDURE [dbo].[usp_Hire] AS INSERT INTO dbo.Staff VALUES (1)\nGO\n"
    ),
    "db/notes.sql": (
        b"CREATE TABLE memo (id INTEGER PRIMARY KEY AUTOINCREMENT);\n"
        b"CREATE TRIGGER memo_gone AFTER DELETE ON memo BEGIN DELETE FROM memo; END;\n"
    ),
    "db/reports.sql": b"CREATE VIEW invoice_report AS SELECT * FROM invoices;\n",
    "app/billing.py": (
        b'def invoices():\n    """All invoices, from the table invoices."""\n    return []\n'
    ),
    "wheel/hub.py": b"def hub():\n    return 1\n",
    "wheel/spokes.py": b"from wheel.hub import hub\n"
    + b"".join(b"\n\ndef spoke_%02d():\n    return hub()\n" % number for number in range(15)),
    "README.md": b"# Lexicon\n\nA tree to search.\n",
}
