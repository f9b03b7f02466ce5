"""What a person asked, taken apart once: words, identifiers, filters."""

import re
from dataclasses import dataclass, field

from codequarry.core.errors import UsageError
from codequarry.core.words import query_words
from codequarry.index.store import among, quote
from codequarry.sources.languages import language_named

MODES = ("hybrid", "semantic", "keyword")
MAX_WORDS = 64
MAX_LIMIT = 1_000
MAX_GLOBS = 100
GLOB_CHARACTERS = 1_000

_IDENTIFIER = re.compile(r"[^\W\d]\w*(?:(?:\.|::|#)[^\W\d]\w*)*")
_GLOB_PARTS = re.compile(r"((?:(?<=/)|^)\*\*/|\*\*|\*|\?)")
_COMPOUND = re.compile(r"[a-z0-9][A-Z]|_|::|\.|#")


@dataclass(frozen=True)
class Filters:
    """Which chunks may answer; all given ones must hold.

    Args:
        languages: Language ids (contract.md D5), or extensions of their files.
        kinds: Chunk types or record kinds.
        globs: Path patterns: ``*`` stays in a directory, ``**`` crosses them; at most `MAX_GLOBS`
            of at most `GLOB_CHARACTERS` each.
        paths: Exact paths within a project; thousands are fine. Empty allows every path.
        lines: First and last line on which a piece may begin.
    """

    languages: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    globs: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    lines: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        languages = tuple(language_named(name) for name in self.languages)
        object.__setattr__(self, "languages", languages)
        if len(self.globs) > MAX_GLOBS:
            raise UsageError(f"{len(self.globs)} path patterns were given", f"give {MAX_GLOBS}")
        longest = max(map(len, self.globs), default=0)
        if longest > GLOB_CHARACTERS:
            raise UsageError(
                f"a path pattern has {longest} characters", f"use {GLOB_CHARACTERS} at most"
            )


@dataclass(frozen=True)
class Query:
    """A question and how to answer it."""

    text: str
    mode: str = "hybrid"
    limit: int = 10
    filters: Filters = field(default_factory=Filters)

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise UsageError("the query is empty", "ask for something")
        if self.mode not in MODES:
            raise UsageError(f"unknown search mode {self.mode!r}", f"use one of {', '.join(MODES)}")
        if type(self.limit) is not int or not 1 <= self.limit <= MAX_LIMIT:
            raise UsageError(f"the limit {self.limit} is out of range", f"use 1 to {MAX_LIMIT}")

    @property
    def words(self) -> list[str]:
        """The code words of the question, at most 64."""
        return query_words(self.text)[:MAX_WORDS]

    @property
    def bare_symbol(self) -> str:
        """The last part of the identifier that the whole question is, or empty."""
        whole = self.text.strip()
        return re.split(r"\.|::|#", whole)[-1] if _IDENTIFIER.fullmatch(whole) else ""

    @property
    def identifiers(self) -> tuple[str, ...]:
        """Names in the question that look like code: compound ones, or the only word."""
        found = [self.bare_symbol] if self.bare_symbol else []
        for match in _IDENTIFIER.findall(self.text):
            if _COMPOUND.search(match):
                found.append(re.split(r"\.|::|#", match)[-1])
        return tuple(dict.fromkeys(name for name in found if name))


def where(projects: tuple[str, ...] | None, filters: Filters) -> str:
    """Write the prefilter of a search in LanceDB's filter language; empty where all may answer.

    Args:
        projects: Which projects may answer; ``None`` for every one in the table.
        filters: What else must hold.
    """
    clauses = [] if projects is None else [among("project", projects)]
    if filters.languages:
        clauses.append(among("language", filters.languages))
    if filters.kinds:
        kinds = tuple(kind.lower() for kind in filters.kinds)
        clauses.append(f"({among('chunk_type', kinds)} OR {among('selector.kind', kinds)})")
    if filters.globs:
        patterns = [f"regexp_like(path, {quote(glob_pattern(glob))})" for glob in filters.globs]
        clauses.append(f"({' OR '.join(patterns)})")
    if filters.paths:
        clauses.append(among("path", filters.paths))
    if filters.lines:
        clauses.append("start_line >= {} AND start_line <= {}".format(*filters.lines))
    return " AND ".join(clauses)


def glob_pattern(glob: str) -> str:
    """Translate a path glob to a regular expression over the whole path.

    ``*`` and ``?`` do not cross ``/``; ``**`` does. ``**/`` where a folder may begin is any number
    of folders, also none. A pattern without ``/`` matches in any folder.
    """
    anchored = glob.lstrip("/") if "/" in glob else f"**/{glob}"
    out = []
    for part in _GLOB_PARTS.split(anchored):
        out.append(
            {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}.get(part) or _literal(part)
        )
    return f"(?s)^{''.join(out)}$"


def _literal(text: str) -> str:
    """Escape as both Python and LanceDB's Rust read it, which knows no escaped vertical tab."""
    return re.escape(text).replace("\\\v", "\v")
