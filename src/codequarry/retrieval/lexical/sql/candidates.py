"""SQL objects that statements define: candidates for what a schema may be (vectorless.md 9).

What stands in a database no script can tell.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from codequarry.core.hashing import sha256_hex
from codequarry.retrieval.lexical.handles import HASH_DIGITS, Handle
from codequarry.retrieval.lexical.sql.facts import DEFINITIONS, Dialect, Role, Script
from codequarry.retrieval.lexical.sql.routines import NAME, unquoted
from codequarry.retrieval.lexical.texts import Place

_ROLES: tuple[tuple[Role, str], ...] = (
    ("fixture", r"fixtures?|testdata|tests?"),
    ("migration", r"migrations?|migrate|V\d+(?:[._]\d+)*__.*|\d{3,14}_.*"),
    ("seed", r"seeds?|seed_.*"),
    ("dump", r"dumps?|backups?"),
    ("routine", r"routines?|procs?|procedures?|functions?|triggers?"),
    ("query", r"queries|query|reports?"),
    ("schema_snapshot", r"schemas?|structure|ddl|tables?|views?|init"),
)
_USUAL_SCHEMAS = ("public", "dbo", "main")
"""Where PostgreSQL, T-SQL and SQLite put what names no schema."""

_CALL = re.compile(r"\s*(?:\(\s*\))?\s*;?\s*\Z")


@dataclass(frozen=True)
class SqlObject:
    """A table, view, index or routine that a statement defines.

    Args:
        place: The file.
        kind: table, view, index, function, procedure or trigger.
        name: Up to three parts, unquoted.
        line: First line of the statement.
        end_line: Its last line.
        content: First digits of the hash of its lines.
        statement: The position of the statement in its script.
        dialect: The dialect the script was read in.
        role: What the script seems to be for.
    """

    place: Place
    kind: str
    name: str
    line: int
    end_line: int
    content: str
    dialect: Dialect
    role: Role
    statement: int = 0

    @property
    def handle(self) -> Handle:
        """The object's handle."""
        return Handle("sql", self.place[1], self.name, self.line, 0, self.content)

    @property
    def told(self) -> str:
        """What it is, where it is said, and that a database may hold another."""
        return f"{self.kind} candidate, said by a statement of a {self.dialect} {self.role} script"


def objects_of(place: Place, script: Script, text: str) -> list[SqlObject]:
    """Give what a script defines, in the order of its facts."""
    lines = text.split("\n")
    role = role_of(place[1], script)
    found = []
    for fact in script.facts:
        if fact.kind in DEFINITIONS and fact.name:
            kind = fact.detail or fact.kind.removeprefix("defines_")
            content = sha256_hex("\n".join(lines[fact.line - 1 : fact.end_line]))[:HASH_DIGITS]
            where = (fact.line, fact.end_line, content)
            said = (script.dialect, role, fact.statement)
            found.append(SqlObject(place, kind, fact.name, *where, *said))
    return found


def role_of(path: str, script: Script) -> Role:
    """Tell what a script seems to be for, by its path, else by what it does."""
    parts = path.removesuffix(".sql").split("/")
    for role, pattern in _ROLES:
        if any(re.fullmatch(pattern, part, re.IGNORECASE) for part in parts):
            return role
    kinds = {fact.kind for fact in script.facts}
    if kinds and kinds <= {"reads_from", "joins"}:
        return "query"
    if "defines_routine" in kinds and not kinds & {"defines_table", "defines_view"}:
        return "routine"
    return "unknown"


def named_exactly(text: str, objects: Sequence[SqlObject]) -> list[int]:
    """Give the numbers of the objects that a text is the name of, whatever its case and quotes.

    The name may lack the object's schema. It may have one that the object lacks, when that is a
    usual one or an object of the project has it.
    """
    text = _CALL.sub("", text.strip())
    quoted = re.fullmatch(NAME, text)
    asked = (unquoted(text) if quoted else text).casefold()
    if not asked:
        return []
    schema, _, bare = asked.partition(".")
    is_schema = quoted is not None and schema in {*_USUAL_SCHEMAS, *_schemas(objects)}

    def has_it(name: str) -> bool:
        if name == asked or name.endswith(f".{asked}"):
            return True
        return is_schema and name == bare

    return [number for number, one in enumerate(objects) if has_it(one.name.casefold())]


def _schemas(objects: Iterable[SqlObject]) -> Iterable[str]:
    for one in objects:
        if "." in one.name:
            yield one.name.split(".")[-2].casefold()
