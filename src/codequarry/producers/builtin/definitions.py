"""The definitions of a syntax tree, in the order a walk needs them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from tree_sitter import Node, Query, QueryCursor

_HELPERS = frozenset(
    {"name", "owner", "body", "keyword", "signature", "level", "called", "attribute"}
)
_TEMPLATED = ("function_definition", "class_specifier", "struct_specifier", "alias_declaration")


@dataclass(frozen=True, slots=True)
class Definition:
    """One match of a grammar's symbol query.

    Args:
        start: First byte, annotations inside the node included.
        end: Byte after the last.
        end_line: Last line, 1-based.
        kind: A record's kind, ``package``, ``scope`` or ``scope.class``.
        outermost: Whether it counts only outside functions.
        encloses: Whether its name qualifies the names within.
        node: The whole definition; of a template, its parameters included.
        inner: What the query captured.
        captures: Every capture of the match.
    """

    start: int
    end: int
    end_line: int
    kind: str
    outermost: bool
    encloses: bool
    node: Node
    inner: Node
    captures: dict[str, list[Node]]

    def captured(self, name: str) -> Node | None:
        """Give the node captured as ``name``, if any."""
        nodes = self.captures.get(name)
        return nodes[0] if nodes else None


def definitions_of(root: Node, query: Query) -> list[Definition]:
    """Find every definition below ``root``: a container before its content, each name once.

    Of several patterns that match one name of one node, the first in the query wins.
    """
    found: dict[tuple[int, int, int], tuple[int, Definition]] = {}
    for pattern, captures in QueryCursor(query).matches(root):
        one = _definition(captures)
        name = one.captured("name")
        key = (one.start, -one.end, name.start_byte if name else -1)
        if key not in found or pattern < found[key][0]:
            found[key] = (pattern, one)
    ordered = [one for _, (_, one) in sorted(found.items(), key=lambda item: item[0])]
    if not any("level" in one.captures for one in ordered):
        return ordered
    return sorted(_with_sections(ordered, root), key=lambda one: (one.start, -one.end))


def end_line(node: Node) -> int:
    """Give a node's last line, 1-based; a final LF opens no further line."""
    row, column = node.end_point
    return row if column == 0 and row > node.start_point.row else row + 1


def _definition(captures: dict[str, list[Node]]) -> Definition:
    capture = next(capture for capture in captures if capture not in _HELPERS)
    inner = node = captures[capture][0]
    if node.type in _TEMPLATED:
        parent = node.parent
        if parent is not None and parent.type == "template_declaration":
            node = parent
    kind, _, suffix = capture.partition(".")
    return Definition(
        start=node.start_byte,
        end=node.end_byte,
        end_line=end_line(node),
        kind=capture if suffix == "class" else kind,
        outermost=suffix == "top" or kind == "variable",
        encloses=suffix != "leaf",
        node=node,
        inner=inner,
        captures=captures,
    )


def _with_sections(ordered: Sequence[Definition], root: Node) -> Iterator[Definition]:
    """Stretch each heading to the next one of its level or of a higher one."""
    following: list[tuple[int, Definition]] = []
    for one in reversed(ordered):
        if "level" not in one.captures:
            yield one
            continue
        level = _level(one.captures["level"])
        while following and following[-1][0] > level:
            following.pop()
        if following:
            after = following[-1][1]
            last = max(after.node.start_point.row, one.end_line)
            yield replace(one, end=after.start, end_line=last)
        else:
            yield replace(one, end=root.end_byte, end_line=max(end_line(root), one.end_line))
        following.append((level, one))


def _level(nodes: Iterable[Node]) -> int:
    """Read the digit in ``atx_h2_marker``, ``setext_h2_underline`` or in the tag ``h2``."""
    text = "".join(
        node.type if node.type != "tag_name" else (node.text or b"").decode("ascii")
        for node in nodes
    )
    return int(next(character for character in text if character.isdigit()))
