r"""Blocks that patterns, braces and indentation show without a parser (contract.md D3).

A Go method is named behind its receiver and modifiers such as ``pub`` may stand before a pattern,
both of which upstream misses. A declaration without braces ends with its paragraph instead of
running to the next balanced brace. Every pattern is linear in the file, whatever it holds.
"""

import re
from bisect import bisect_left
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from codequarry.chunking.partition import Offsets


class Block(NamedTuple):
    """A recognised declaration.

    Args:
        start_line: 1-based.
        end_line: Inclusive.
        symbol: Its name, or empty.
        chunk_type: ``function``, ``class`` or ``block``.
    """

    start_line: int
    end_line: int
    symbol: str
    chunk_type: str


class _Grammar(NamedTuple):
    """How to read a language with braces.

    Args:
        heads: Matches a line that opens a declaration; one group each, of which one takes part.
        types: The chunk type of each group.
        tokens: Matches what may hold braces that do not count, else a brace.
    """

    heads: re.Pattern[bytes]
    types: tuple[str, ...]
    tokens: re.Pattern[bytes]


_NAME = rb"([\w$\x80-\xff]*)"
_COMMENT = rb"//[^\n]*+|/\*.*?(?:\*/|\Z)"
_DOUBLE = rb'"[^"\\\n]*+(?:\\[^\n][^"\\\n]*+)*+"?'
_SINGLE = rb"'[^'\\\n]*+(?:\\[^\n][^'\\\n]*+)*+'?"
_BACKTICK = rb"`[^`\\]*+(?:\\.[^`\\]*+)*+`?"
_RAW = rb"`[^`]*+`?"
_CHARACTER = rb"'(?:[^'\\\n]{1,4}|\\[^'\n]++|\\')'"
_VISIBLE = rb"(?:pub(?:\([^)\n]*+\))?[ \t]+)?"


def _grammar(heads: dict[bytes, str], *quoted: bytes) -> _Grammar:
    any_head = b"|".join(b"(?:" + head + b")" for head in heads)
    tokens = b"|".join((_COMMENT, _DOUBLE, *quoted, rb"[{}]"))
    return _Grammar(
        re.compile(rb"^[ \t]*+(?:" + any_head + b")", re.MULTILINE),
        tuple(heads.values()),
        re.compile(tokens, re.DOTALL),
    )


_SCRIPT = _grammar(
    {
        rb"(?:async[ \t]+)?function\b[ \t]*\*?[ \t]*" + _NAME: "function",
        rb"(?:abstract[ \t]+)?class[ \t]+" + _NAME: "class",
        rb"const[ \t]+" + _NAME: "block",
        rb"export[ \t]+(?:(?:default|declare|abstract|async|function\b[ \t]*\*?|class|const|let|var"
        rb"|interface|type|enum|namespace)[ \t]+)*+" + _NAME: "block",
        rb"(?![/*])(?=[^\n]*?\bfunction )()": "block",
    },
    _SINGLE,
    _BACKTICK,
)
_GRAMMARS = {
    "go": _grammar(
        {
            rb"func[ \t]+(?:\([^()\n]*+\)[ \t]*)?" + _NAME: "function",
            rb"type[ \t]+" + _NAME: "class",
        },
        _CHARACTER,
        _RAW,
    ),
    "javascript": _SCRIPT,
    "typescript": _SCRIPT,
    "rust": _grammar(
        {
            _VISIBLE
            + rb'(?:(?:default|const|async|unsafe|extern(?:[ \t]+"[^"\n]*+")?)[ \t]+)*+fn[ \t]+'
            + _NAME: "function",
            _VISIBLE + rb"struct[ \t]+" + _NAME: "class",
            rb"(?:unsafe[ \t]+)?impl\b[ \t]*(?:<[^<>\n]*+>)?[ \t]*" + _NAME: "class",
            _VISIBLE + rb"enum[ \t]+" + _NAME: "class",
        },
        _CHARACTER,
    ),
}
_PYTHON_LINE = re.compile(
    rb"^([ \t]*+)(?=[^#)\]}\s])(?:(async[ \t]+def|def|class)[ \t]+" + _NAME + rb")?", re.MULTILINE
)


def find_blocks(text: bytes, language: str, bounds: Offsets) -> list[Block]:
    """Find the declarations of a file, nested ones included where braces tell them apart.

    Args:
        text: The repaired file.
        language: One that has no patterns gives no blocks.
        bounds: Where each line starts and, last, where the file ends.
    """
    if language == "python":
        return _indented(text, bounds)
    grammar = _GRAMMARS.get(language)
    return [] if grammar is None else _braced(text, grammar, bounds)


def _line_of(bounds: Offsets, offsets: list[int]) -> list[int]:
    lines: list[int] = (np.searchsorted(bounds, offsets, side="right") - 1).tolist()
    return lines


def _indented(text: bytes, bounds: Offsets) -> list[Block]:
    found = list(_PYTHON_LINE.finditer(text))
    lines = _line_of(bounds, [match.start() for match in found])
    last = len(bounds) - 1
    blocks: list[Block] = []
    position = 0
    while position < len(found):
        head = found[position]
        start = lines[position]
        position += 1
        if head[2] is None:
            continue
        indent = len(head[1])
        while position < len(found) and len(found[position][1]) > indent:
            position += 1
        end = lines[position] if position < len(found) else last
        kind = "class" if head[2] == b"class" else "function"
        blocks.append(Block(start + 1, end, head[3].decode(), kind))
    return blocks


def _braced(text: bytes, grammar: _Grammar, bounds: Offsets) -> list[Block]:
    heads = list(grammar.heads.finditer(text))
    if not heads:
        return []
    starts = _line_of(bounds, [match.start() for match in heads])
    opens, ends = _brace_ends(text, grammar, bounds)
    is_blank = _blank_lines(text, bounds)
    blocks: list[Block] = []
    for position, (head, start) in enumerate(zip(heads, starts, strict=True)):
        following = starts[position + 1] if position + 1 < len(starts) else len(bounds) - 1
        paragraph = start + 1
        while paragraph < following and not is_blank(paragraph):
            paragraph += 1
        brace = bisect_left(opens, start)
        held = brace < len(opens) and opens[brace] < paragraph
        end = ends[brace] if held else paragraph - 1
        kind = grammar.types[(head.lastindex or 1) - 1]
        # A lone `const x = 1;` is better off in the window around it.
        if held or kind != "block" or end > start:
            blocks.append(Block(start + 1, end + 1, head[head.lastindex or 1].decode(), kind))
    return blocks


def _blank_lines(text: bytes, bounds: Offsets) -> Callable[[int], bool]:
    places: list[int] = bounds.tolist()

    def is_blank(line: int) -> bool:
        return not text[places[line] : places[line + 1]].strip()

    return is_blank


def _brace_ends(text: bytes, grammar: _Grammar, bounds: Offsets) -> tuple[list[int], list[int]]:
    """Give the line of every opening brace, ascending, and the line where its block ends.

    A block goes on when another brace opens behind its end on the same line, as in
    ``} else {``; one that never closes ends with the file.
    """
    braces = [match for match in grammar.tokens.finditer(text) if match[0] in (b"{", b"}")]
    lines = _line_of(bounds, [match.start() for match in braces])
    closing: dict[int, int] = {}
    waiting: list[int] = []
    for event, brace in enumerate(braces):
        if brace[0] == b"{":
            waiting.append(event)
        elif waiting:
            closing[waiting.pop()] = event
    ends: dict[int, int] = {}
    opening = [event for event, brace in enumerate(braces) if brace[0] == b"{"]
    for event in reversed(opening):
        close = closing.get(event)
        if close is None:
            ends[event] = len(bounds) - 2
            continue
        after = close + 1
        goes_on = after in ends and lines[after] == lines[close]
        ends[event] = ends[after] if goes_on else lines[close]
    return [lines[event] for event in opening], [ends[event] for event in opening]
