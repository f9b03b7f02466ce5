"""Where a declaration begins, and its text up to the body."""

import re

from tree_sitter import Node

from codequarry.core.text import cut, repair
from codequarry.producers.builtin.definitions import Definition

SIGNATURE_BYTES = 1024
"""Longest signature kept of what has no body, such as an interface or a table."""

_ANNOTATIONS = frozenset(
    [
        "annotation",
        "marker_annotation",
        "attribute_list",
        "attribute",
        "attribute_item",
        "decorator",
    ]
)
_MODIFIERS = frozenset({"modifiers"})
_OPENING = re.compile(rb"\s*(?:=>|[:={])\s*\Z")
_CLOSING = re.compile(rb"[\s;]+end\s*\Z|\s*;\s*\Z")
_COMMENTS = (b"//", b"/*", b"#", b"--")
_ONE_LINERS = frozenset({"variable", "key", "section"})


def declaration_of(node: Node) -> Node:
    """Give the node at which the declaration begins, after the annotations within ``node``."""
    first = node.child(0)
    if first is None or (first.type not in _ANNOTATIONS and first.type not in _MODIFIERS):
        return node
    for child in node.children:
        if child.type in _MODIFIERS:
            for modifier in child.children:
                if not _is_annotation(modifier):
                    return modifier
        elif not _is_annotation(child):
            return child
    return node


def signature_of(source: bytes, found: Definition, start: int, body: Node | None) -> str:
    """Give a declaration's text up to its body, comments left out, in one line.

    Values, keys and sections without a body end at their first line. A keyword that several
    definitions share, such as Go's ``const (``, is put in front.

    Args:
        source: The file.
        found: The definition.
        start: Byte at which the declaration begins.
        body: Where it ends; to its own end when there is none.
    """
    given = found.captured("signature")
    if given is not None:
        return _one_line(source[given.start_byte : given.end_byte])
    end = body.start_byte if body else found.node.end_byte
    text = source[start:end]
    if body is None and found.kind in _ONE_LINERS:
        text = text.partition(b"\n")[0]
    elif any(mark in text for mark in _COMMENTS):
        text = _without_comments(source, found.node, start, end)
    text = (_OPENING if body else _CLOSING).sub(b"", text)
    keyword = found.captured("keyword")
    if keyword is not None and keyword.start_byte < start:
        text = source[keyword.start_byte : keyword.end_byte] + b" " + text
    return _one_line(text)


def _one_line(text: bytes) -> str:
    return cut(repair(b" ".join(text[: 16 * SIGNATURE_BYTES].split())), SIGNATURE_BYTES)


def _is_annotation(node: Node) -> bool:
    return node.type in _ANNOTATIONS or "comment" in node.type


def _without_comments(source: bytes, node: Node, start: int, end: int) -> bytes:
    comments: list[tuple[int, int]] = []
    waiting = [node]
    while waiting:
        for child in waiting.pop().children:
            if child.end_byte <= start or child.start_byte >= end:
                continue
            if "comment" in child.type:
                comments.append((child.start_byte, child.end_byte))
            elif child.named_child_count:
                waiting.append(child)
    text, position = b"", start
    for begin, finish in sorted(comments):
        text += source[position : max(begin, position)] + b" "
        position = max(position, min(finish, end))
    return text + source[position:end]
