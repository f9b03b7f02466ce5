"""SQL scripts cut into statements, whatever their dialect.

A statement ends at its delimiter outside of quotes and comments; ``DELIMITER`` lines of MySQL set
it, and ``GO`` lines of T-SQL end a batch. A routine's body stays one statement with its head.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""
      (?P<blank>\s+|--[^\n]*|/\*.*?(?:\*/|\Z))
    | (?P<quoted>'(?:[^']|'')*+'|"(?:[^"]|"")*+"|`[^`]*+`|\[[^\]\n]*\]
        |(?P<tag>\$(?:[^\W\d]\w*)?\$).*?(?:(?P=tag)|\Z))
    | (?P<word>[^\W\d]\w*)
    | (?P<end>;)
    | [^\s\w;'"`\[$/-]+ | .
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPED = re.compile(r"""'(?:[^'\\]|''|\\.)*+'|["](?:[^"\\]|""|\\.)*+["]""", re.DOTALL)
_LINE_COMMENT = re.compile(r"[ \t]*[#\\][^\n]*")
_COPY = re.compile(r"\s*COPY\b[^;]*\bFROM\s+STDIN\b", re.IGNORECASE)
_COPY_END = re.compile(r"^\\\.[^\n]*", re.MULTILINE)
_DELIMITER = re.compile(r"[ \t]*DELIMITER[ \t]+(\S+)[^\n]*", re.IGNORECASE)
_GO = re.compile(r"[ \t]*GO[ \t]*(?:\d+[ \t]*)?;?[ \t]*\r?(?=\n|\Z)", re.IGNORECASE)
_GO_LINE = re.compile(r"^[ \t]*GO[ \t]*(?:\d+[ \t]*)?;?[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_MYSQL = re.compile(r"`|\bENGINE\s*=|\bAUTO_INCREMENT\b|^[ \t]*DELIMITER\b", re.IGNORECASE | re.M)
_ROUTINES = {"PROCEDURE", "PROC", "FUNCTION", "TRIGGER", "EVENT"}
_HEAD_WORDS = 8
_NO_BLOCK = {"TRAN", "TRANSACTION", "WORK"}
_NOT_AN_END = {"IF", "LOOP", "WHILE", "REPEAT", "FOR"}


@dataclass(frozen=True)
class Statement:
    """One statement.

    Args:
        text: From its first word to its last, without its delimiter.
        line: 1-based line of its first character.
    """

    text: str
    line: int

    @property
    def end_line(self) -> int:
        """The line of its last character."""
        return self.line + self.text.count("\n")


def is_mysql_like(text: str) -> bool:
    """Tell whether a script uses what only MySQL has; its strings know backslashes then."""
    return _MYSQL.search(text) is not None


def statements(text: str, first_line: int = 1) -> Iterator[Statement]:
    """Cut a script into statements.

    Args:
        text: The script.
        first_line: The line it begins at.
    """
    cutter = _Cutter(text, first_line)
    while cutter.position < len(text):
        yield from cutter.step()
    yield from cutter.cut(len(text))


class _Cutter:
    """Where the cutting of one script stands."""

    def __init__(self, text: str, first_line: int) -> None:
        self.text = text
        self.position = 0
        self._start: int | None = None
        self._line, self._counted = first_line, 0
        self._delimiter = ";"
        self._escapes = is_mysql_like(text)
        self._batches = _GO_LINE.search(text) is not None
        self._words: list[str] = []
        self._depth = 0

    def step(self) -> Iterator[Statement]:
        """Take one token; gives a statement when it ends one."""
        text, at = self.text, self.position
        if at == 0 or text[at - 1] == "\n":
            if directive := _DELIMITER.match(text, at) or _GO.match(text, at):
                yield from self.cut(at)
                self._delimiter = directive[1] if directive.re is _DELIMITER else self._delimiter
                self.position = directive.end()
                return
            comment = _LINE_COMMENT.match(text, at)
            if comment and (self._start is None or self._escapes):
                self.position = comment.end()
                return
        if self._escapes and text[at] == "#":
            self.position = text.find("\n", at) if "\n" in text[at:] else len(text)
            return
        if text.startswith(self._delimiter, at) and not self._holds_on():
            self.position = at + len(self._delimiter)
            if self._start is not None and _COPY.match(text, self._start):
                data_end = _COPY_END.search(text, self.position)
                self.position = data_end.end() if data_end else len(text)
            yield from self.cut(at)
            return
        escaped = _ESCAPED.match(text, at) if self._escapes else None
        token = escaped or _TOKEN.match(text, at)
        assert token is not None
        self.position = token.end()
        if self._delimiter not in (";", "") and token.lastgroup not in ("quoted", "blank"):
            inside = text.find(self._delimiter, at, self.position)
            self.position = inside if inside > at else self.position
        if escaped is None and token.lastgroup == "blank":
            return
        if self._start is None:
            self._start = at
        if escaped is None and token["word"]:
            self._count_blocks(token["word"].upper())

    def cut(self, end: int) -> Iterator[Statement]:
        """End the statement that is open, if any."""
        if self._start is not None:
            self._line += self.text.count("\n", self._counted, self._start)
            self._counted = self._start
            yield Statement(self.text[self._start : end].rstrip(), self._line)
        self._start = None
        self._words, self._depth = [], 0

    def _holds_on(self) -> bool:
        """Tell whether a semicolon here is one of a routine's body."""
        if self._delimiter != ";" or not self._is_routine():
            return False
        return self._depth > 0 or self._batches

    def _is_routine(self) -> bool:
        return self._words[:1] in (["CREATE"], ["ALTER"]) and not _ROUTINES.isdisjoint(
            self._words[:_HEAD_WORDS]
        )

    def _count_blocks(self, word: str) -> None:
        before = self._words[-1] if self._words else ""
        opens = word in ("BEGIN", "CASE") and not (word == "CASE" and before == "END")
        goes_on = word in _NOT_AN_END and before == "END"
        closes = word == "END" or (word in _NO_BLOCK and before == "BEGIN")
        self._depth += (opens or goes_on) - closes
        if len(self._words) < _HEAD_WORDS:
            self._words.append(word)
        else:
            self._words[-1] = word
