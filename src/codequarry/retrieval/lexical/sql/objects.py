"""The SQL objects of projects, and what refers to them (vectorless.md 9).

Objects are candidates for what a schema may be; what stands in a database no script can tell.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import polars as pl

from codequarry.core.hashing import sha256_hex
from codequarry.core.state import StateDirectory
from codequarry.index.reader import Reader
from codequarry.index.store import FILES, among, rows
from codequarry.retrieval.lexical.anchors import Declared
from codequarry.retrieval.lexical.handles import HASH_DIGITS, Handle
from codequarry.retrieval.lexical.result import TEXT_FILE_BYTES, Neighbor
from codequarry.retrieval.lexical.scoring import EXPORTED
from codequarry.retrieval.lexical.sql.cache import scripts_of
from codequarry.retrieval.lexical.sql.facts import (
    DEFINITIONS,
    RELATIONS,
    Dialect,
    Fact,
    Role,
    Script,
    base_name,
)
from codequarry.retrieval.lexical.surfaces import UNBOUND
from codequarry.retrieval.lexical.texts import Place, texts_of

PRECISE, EXACT_OF_SEVERAL, BY_BASE_NAME = 1.0, 0.8, 0.7

_ROLES: tuple[tuple[Role, str], ...] = (
    ("fixture", r"fixtures?|testdata|tests?"),
    ("migration", r"migrations?|migrate|V\d+(?:[._]\d+)*__.*|\d{3,14}_.*"),
    ("seed", r"seeds?|seed_.*"),
    ("dump", r"dumps?|backups?"),
    ("routine", r"routines?|procs?|procedures?|functions?|triggers?"),
    ("query", r"queries|query|reports?"),
    ("schema_snapshot", r"schemas?|structure|ddl|tables?|views?|init"),
)


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

    @property
    def handle(self) -> Handle:
        """The object's handle."""
        return Handle("sql", self.place[1], self.name, self.line, 0, self.content)

    @property
    def told(self) -> str:
        """What it is, where it is said, and that a database may hold another."""
        return f"{self.kind} candidate, said by a statement of a {self.dialect} {self.role} script"


@dataclass(frozen=True)
class SqlIndex:
    """What is defined in the SQL files of some projects, and used.

    Args:
        objects: Ascending by place and line.
        scripts: Each file to its facts.
        skipped: Files too large to be read, or not read in time.
    """

    objects: Sequence[SqlObject] = ()
    scripts: Mapping[Place, Script] = field(default_factory=dict)
    skipped: int = 0

    def by_name(self) -> dict[str, list[Declared]]:
        """Give where each name is defined, for anchors."""
        found: dict[str, list[Declared]] = {}
        for one in self.objects:
            declared = Declared(one.place, one.line, one.content, "")
            found.setdefault(one.name, []).append(declared)
        return found

    def frame(self, *, exported: bool) -> pl.DataFrame:
        """Give the objects as candidates, without bounds yet.

        Args:
            exported: They score as exported symbols do.
        """
        bonus = EXPORTED if exported else 0

        def tail(one: SqlObject) -> tuple[str, str, int]:
            return one.kind, one.content, bonus

        values = [
            ("sql", *one.place, one.name, one.line, one.end_line, number, "", "", *tail(one))
            for number, one in enumerate(self.objects)
        ]
        return pl.DataFrame(values, schema=UNBOUND, orient="row")

    @cached_property
    def _defined(self) -> tuple[dict[str, list[SqlObject]], dict[str, list[SqlObject]]]:
        """Objects by whole name and by last part, case folded, within each project."""
        whole: dict[str, list[SqlObject]] = {}
        last: dict[str, list[SqlObject]] = {}
        for one in self.objects:
            whole.setdefault(_key(one.place, one.name), []).append(one)
            last.setdefault(_key(one.place, base_name(one.name)), []).append(one)
        return whole, last

    def meant(self, place: Place, name: str) -> tuple[float, Sequence[SqlObject]]:
        """Give the objects that a name in a file may mean, and how surely; none when it is open."""
        whole, last = self._defined
        exact = whole.get(_key(place, name), [])
        if exact:
            return (PRECISE if len(exact) == 1 else EXACT_OF_SEVERAL), exact
        alike = last.get(_key(place, base_name(name)), [])
        return (BY_BASE_NAME, alike) if len(alike) == 1 else (0.0, [])

    def neighbors(self, place: Place, name: str, line: int) -> list[Neighbor]:
        """Give what an object's statement refers to, and which statements refer to it."""
        found: dict[tuple[str, str], Neighbor] = {}
        for near in (*self._uses(place, line), *self._users(place, name, line)):
            found.setdefault((near.relation, near.target), near)
        return list(found.values())

    def _uses(self, place: Place, line: int) -> list[Neighbor]:
        return [
            _neighbor(f"sql:{fact.kind}:{fact.name}", one.handle, confidence)
            for fact in self.scripts[place].facts
            if fact.line == line and fact.kind in RELATIONS
            for confidence, meant in [self.meant(place, fact.name)]
            for one in meant
            if (one.place, one.line) != (place, line)
        ]

    def _users(self, place: Place, name: str, line: int) -> list[Neighbor]:
        found = []
        for user, fact, confidence in self._references.get((place, line, name), []):
            source = self._defining.get((user, fact.line), Handle("file", user[1]))
            found.append(_neighbor(f"incoming:sql:{fact.kind}:{fact.name}", source, confidence))
        return found

    @cached_property
    def _defining(self) -> dict[tuple[Place, int], Handle]:
        return {(one.place, one.line): one.handle for one in self.objects}

    @cached_property
    def _references(self) -> dict[tuple[Place, int, str], list[tuple[Place, Fact, float]]]:
        found: dict[tuple[Place, int, str], list[tuple[Place, Fact, float]]] = {}
        for place, script in self.scripts.items():
            for fact in script.facts:
                if fact.kind not in RELATIONS:
                    continue
                confidence, meant = self.meant(place, fact.name)
                for one in meant:
                    if (one.place, one.line) != (place, fact.line):
                        key = (one.place, one.line, one.name)
                        found.setdefault(key, []).append((place, fact, confidence))
        return found


def read_sql(reader: Reader, projects: Sequence[str], state: StateDirectory) -> SqlIndex:
    """Read the SQL objects of some projects, from kept facts where there are any."""
    where = f"{among('project', projects)} AND language = 'sql'"
    files = rows(reader.table(FILES), where, ["project", "path", "size", "source_hash"]).to_pylist()
    hashes = {
        (row["project"], row["path"]): row["source_hash"]
        for row in sorted(files, key=lambda row: (row["project"].encode(), row["path"].encode()))
        if row["size"] <= TEXT_FILE_BYTES
    }
    if not files:
        return SqlIndex()
    texts = texts_of(reader, hashes)
    scripts = scripts_of(hashes, texts, state)
    objects = [one for place in scripts for one in _objects(place, scripts[place], texts[place])]
    objects.sort(key=lambda one: (one.place, one.line, one.name.encode(), one.kind))
    return SqlIndex(objects, scripts, len(files) - len(scripts))


def _objects(place: Place, script: Script, text: str) -> list[SqlObject]:
    lines = text.split("\n")
    role = role_of(place[1], script)
    found = []
    for fact in script.facts:
        if fact.kind in DEFINITIONS and fact.name:
            kind = fact.detail or fact.kind.removeprefix("defines_")
            content = sha256_hex("\n".join(lines[fact.line - 1 : fact.end_line]))[:HASH_DIGITS]
            span = (fact.line, fact.end_line)
            found.append(SqlObject(place, kind, fact.name, *span, content, script.dialect, role))
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


def _neighbor(relation: str, target: Handle, confidence: float) -> Neighbor:
    return Neighbor(relation=relation, target=str(target), file=target.path, confidence=confidence)


def _key(place: Place, name: str) -> str:
    return f"{place[0]}\0{name.casefold()}"
