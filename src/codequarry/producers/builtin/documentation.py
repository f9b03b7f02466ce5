"""The comment that documents a declaration, found in the lines above it and cleaned.

Lines are searched rather than sibling nodes: the search costs as much as the comment is long, and
finding a sibling costs as much as the file is.
"""

import inspect
import re
from typing import NamedTuple

from tree_sitter import Node

from codequarry.core.text import repair
from codequarry.producers.builtin.conventions import Convention

_MOST_LINES = 400
_BLOCK_EDGE = re.compile(rb"^\s*/\*[*!]*<?[ \t]?|\s*\**\*/\s*$")
_BLOCK_MARGIN = re.compile(rb"(?m)^[ \t]*\*(?:[ \t]|$)?")
_LINE_MARK = re.compile(rb"^(?://[/!]*<?|#+|--+) ?")
_XML_FRAME = re.compile(r"</?(?:summary|remarks|para)\s*/?>")
_RULER = re.compile(rb"^[-=*#/\s]*$")


class Lead(NamedTuple):
    """What stands above a declaration: its documentation, and its annotations' text."""

    docstring: str
    attributes: bytes


def lead_of(source: bytes, start: int, convention: Convention) -> Lead:
    """Read what stands directly above a declaration, no blank line between.

    Args:
        source: The file.
        start: Byte at which the declaration, its own annotations included, begins.
        convention: The grammar's habits.
    """
    end = source.rfind(b"\n", 0, start) + 1
    if b"{" in source[end:start] or b";" in source[end:start]:
        return Lead("", b"")
    attributes = b""
    if convention.attribute is not None:
        end = _above_attributes(source, end, convention.attribute)
        attributes = source[end:start]
    docstring = ""
    if end:
        line = source[source.rfind(b"\n", 0, end - 1) + 1 : end - 1].strip()
        if convention.block_docs and line.endswith(b"*/"):
            docstring = _block(source, end - 1, convention.block_docs)
        elif convention.line_docs and line.startswith(convention.line_docs):
            docstring = _lines(source, end, convention)
    return Lead(docstring, attributes)


def python_docstring(source: bytes, body: Node | None) -> str:
    """Give the docstring of a Python class or function, its indentation removed."""
    if body is None:
        return ""
    statement = next((child for child in body.named_children if child.type != "comment"), None)
    if statement is None or statement.type != "expression_statement":
        return ""
    string = statement.named_child(0)
    if string is None or string.type != "string":
        return ""
    text = source[string.start_byte : string.end_byte]
    quote = re.match(rb"[rRuU]*(\"\"\"|'''|\"|')", text)
    if quote is None:
        return ""
    content = text[quote.end() : len(text) - len(quote[1])]
    return inspect.cleandoc(repair(content)).strip()


def _above_attributes(source: bytes, end: int, attribute: re.Pattern[bytes]) -> int:
    while end:
        begin = source.rfind(b"\n", 0, end - 1) + 1
        line = source[begin : end - 1].strip()
        if line.endswith((b"]", b")")) and not attribute.match(line):
            opened = _opening_line(source, begin, attribute)
            if opened is None:
                return end
            begin = opened
        elif not attribute.match(line):
            return end
        end = begin
    return end


def _opening_line(source: bytes, end: int, attribute: re.Pattern[bytes]) -> int | None:
    """Find the line that opens an attribute of several lines."""
    for _ in range(20):
        if not end:
            return None
        begin = source.rfind(b"\n", 0, end - 1) + 1
        line = source[begin : end - 1].strip()
        if attribute.match(line):
            return begin
        if not line or line.endswith((b"}", b";", b"*/")):
            return None
        end = begin
    return None


def _block(source: bytes, end: int, openings: tuple[bytes, ...]) -> str:
    begin = source.rfind(b"/*", 0, end)
    if begin < 0 or not source.startswith(openings, begin):
        return ""
    if source[source.rfind(b"\n", 0, begin) + 1 : begin].strip():
        return ""
    text = _BLOCK_EDGE.sub(b"", source[begin:end].rstrip())
    return inspect.cleandoc(_tidy(_BLOCK_MARGIN.sub(b"", text).split(b"\n")))


def _lines(source: bytes, end: int, convention: Convention) -> str:
    lines: list[bytes] = []
    while end and len(lines) < _MOST_LINES:
        begin = source.rfind(b"\n", 0, end - 1) + 1
        line = source[begin : end - 1].strip()
        if not line.startswith(convention.line_docs):
            break
        if convention.directive is None or not convention.directive.match(line):
            lines.append(_LINE_MARK.sub(b"", line, count=1))
        end = begin
    return _tidy(lines[::-1])


def _tidy(lines: list[bytes]) -> str:
    """Drop rulers, trailing blanks and the frame of XML documentation."""
    kept = [b"" if _RULER.match(line) else line.rstrip() for line in lines]
    return _XML_FRAME.sub("", repair(b"\n".join(kept))).strip()
