"""Source bytes to a syntax tree, within a deadline."""

import time

from tree_sitter import Parser, Point, Tree

from codequarry.syntax.grammars import load_language

PARSE_SECONDS = 5.0
_WINDOW = 1024
"""Bytes a read gives. Small, because predicates of a query read each node they test in windows."""


def parse(source: bytes, grammar: str, seconds: float = PARSE_SECONDS) -> Tree | None:
    """Parse a file; syntax errors become ``ERROR`` nodes of the tree.

    Args:
        source: The file, UTF-8 where it is valid.
        grammar: One of `codequarry.syntax.grammars.GRAMMARS`.
        seconds: Deadline; some grammars need seconds for a megabyte.

    Returns:
        The tree, or ``None`` when the deadline passed.
    """
    deadline = time.monotonic() + seconds

    # The parser honours its progress callback only when it reads through a callable.
    def read(offset: int, _point: Point) -> bytes:
        return source[offset : offset + _WINDOW]

    def is_late(_offset: int, _has_error: bool) -> bool:
        return time.monotonic() > deadline

    try:
        return Parser(load_language(grammar)).parse(read, progress_callback=is_late)
    except ValueError:
        return None
