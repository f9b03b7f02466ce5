"""The SQL objects of projects, read once for a search (vectorless.md 9)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from weakref import WeakKeyDictionary

import polars as pl

from codequarry.core.state import StateDirectory
from codequarry.index.reader import Reader
from codequarry.index.store import FILES, among, rows
from codequarry.retrieval.lexical.declared import Declared
from codequarry.retrieval.lexical.result import TEXT_FILE_BYTES
from codequarry.retrieval.lexical.scoring import EXACT_OBJECT, EXPORTED
from codequarry.retrieval.lexical.sql.cache import scripts_of
from codequarry.retrieval.lexical.sql.candidates import SqlObject, named_exactly, objects_of
from codequarry.retrieval.lexical.sql.facts import Script
from codequarry.retrieval.lexical.sql.relations import Relations
from codequarry.retrieval.lexical.surfaces import UNBOUND
from codequarry.retrieval.lexical.texts import Place, texts_of

MOST_FACTS = 100_000
"""What a process keeps of one published state, with their objects and relations some 60 MB."""


@dataclass(frozen=True)
class SqlIndex:
    """What is defined in the SQL files of some projects, and used.

    Args:
        objects: Ascending by place and line; an object's number is its position.
        scripts: Each file to its facts.
        skipped: Files too large to be read, or not read in time.
    """

    objects: Sequence[SqlObject] = ()
    scripts: Mapping[Place, Script] = field(default_factory=dict)
    skipped: int = 0

    @cached_property
    def relations(self) -> Relations:
        """How the objects use each other."""
        return Relations(self.objects, self.scripts)

    @property
    def facts(self) -> int:
        """How many facts the scripts have."""
        return sum(len(script.facts) for script in self.scripts.values())

    @property
    def unread(self) -> int:
        """How many statements of the scripts could not be read."""
        return sum(
            fact.kind == "unknown_statement"
            for script in self.scripts.values()
            for fact in script.facts
        )

    def declared(self, name: str) -> list[Declared]:
        """Give where what has exactly a name is defined, for handles."""
        return [
            self._declared(number) for number, one in enumerate(self.objects) if one.name == name
        ]

    def called(self, text: str) -> list[Declared]:
        """Give where what a text is the name of is defined, quoted or not, with schema or not."""
        return [self._declared(number) for number in named_exactly(text, self.objects)]

    def _declared(self, number: int) -> Declared:
        one = self.objects[number]
        return Declared(one.place, one.line, one.content, "", number)

    def frame(self, text: str, *, exported: bool) -> pl.DataFrame:
        """Give the objects as candidates, without bounds yet.

        Args:
            text: The query; what it is the name of stands first.
            exported: They score as exported symbols do.
        """
        exact = set(named_exactly(text, self.objects))
        usual = EXPORTED if exported else 0

        def tail(number: int, one: SqlObject) -> tuple[str, str, int]:
            return one.kind, one.content, usual + EXACT_OBJECT * (number in exact)

        values = [
            (
                "sql",
                *one.place,
                one.name,
                one.line,
                one.end_line,
                number,
                "",
                "",
                *tail(number, one),
            )
            for number, one in enumerate(self.objects)
        ]
        return pl.DataFrame(values, schema=UNBOUND, orient="row")


_KEPT: WeakKeyDictionary[Reader, dict[tuple[str, ...], SqlIndex]] = WeakKeyDictionary()


def read_sql(reader: Reader, projects: Sequence[str], state: StateDirectory) -> SqlIndex:
    """Give the SQL objects of some projects, which a process keeps as it does names and texts."""
    kept = _KEPT.setdefault(reader, {})
    key = tuple(projects)
    if key in kept:
        return kept[key]
    found = _read(reader, projects, state)
    if sum(one.facts for one in (found, *kept.values())) <= MOST_FACTS:
        kept[key] = found
    return found


def _read(reader: Reader, projects: Sequence[str], state: StateDirectory) -> SqlIndex:
    """Read them, from kept facts where there are any."""
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
    found = {place: scripts[place] for place in hashes if place in scripts and place in texts}
    objects = [one for place in found for one in objects_of(place, found[place], texts[place])]
    objects.sort(key=lambda one: (one.place, one.line, one.name.encode(), one.kind))
    large, slow = len(files) - len(hashes), len(texts.keys() - scripts.keys())
    return SqlIndex(objects, found, large + slow)
