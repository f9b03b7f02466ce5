"""What a file tells of the types of its variables, fields and results.

A type is told by what makes it: ``:Store`` for an annotation, ``Store()`` for what a constructor or
another function gives, and ``store`` for what another variable holds.
"""

import functools
import re
from typing import Final, NamedTuple

from tree_sitter import Node

from codequarry.core.text import repair

CALLED: Final = "()"
"""Ends the part of a chain that is called."""

NAMED: Final = ":"
"""Begins an origin that is a type, and no expression."""

_TEXT_BYTES = 120
_REMEMBERED = 4096
_SEPARATOR = re.compile(r"\??\.|::|\??->|\\")
_CHAIN = re.compile(r"[^\W\d][\w$]*(?:\.[^\W\d][\w$]*)*\Z")
_BEFORE = re.compile(
    r"(?:&'\w+\s|[\s:&*?$\"'(\\]|->|(?:const|mut|ref|final|readonly|struct|class|dyn|impl|virtual)\s)+"
)
_AFTER = re.compile(r"(?:[\s&*?!\"')]|\bconst\b)+\Z")
_WRAPPED = re.compile(
    r"(?:[\w.]*\.)?(?:Optional|Final|Annotated|ClassVar|Readonly|Required|Partial|Box|Arc|Rc|RefCell"
    r"|Option|unique_ptr|shared_ptr|Nullable)[\[<]\s*([^,]+?)\s*(?:,.*)?[\]>]\Z",
    re.DOTALL,
)
_NOTHING = frozenset({"None", "null", "undefined", "nil", "false"})
_AROUND = frozenset({"parenthesized_expression", "await_expression", "await"})
_CALLEE_FIELDS = ("function", "constructor", "type", "name", "method")
_CALLS = frozenset(
    {
        *("call", "call_expression", "new_expression", "method_invocation"),
        *("object_creation_expression", "invocation_expression", "function_call_expression"),
    }
)


class Typed(NamedTuple):
    """One statement of a type.

    Args:
        name: The variable or the field (``self.x`` where it is written so); a function's name with
            `CALLED` for its result.
        origin: What makes the type, its parts joined with dots.
        line: 1-based.
    """

    name: str
    origin: str
    line: int


def read_typed(match: dict[str, list[Node]]) -> Typed | None:
    """Read a match that captures ``@typed`` or ``@returning`` with where the type is told.

    That is ``@type`` (an annotation), ``@made`` (what is called) or ``@copied`` (a variable);
    ``@property`` marks a parameter that is a field too.
    """
    if "type" in match:
        origin = type_chain(_text(match["type"][0]))
        origin = origin and NAMED + origin
    elif "made" in match:
        origin = chain(_text(match["made"][0]))
        origin = origin and origin + CALLED
    else:
        origin = chain(_text(match["copied"][0]))
    node = match.get("returning", match.get("typed", []))[0]
    name = chain(_text(node))
    if not name or not origin or name == origin:
        return None
    if "returning" in match:
        name += CALLED
    elif "property" in match:
        name = f"this.{name}"
    return Typed(name, origin, node.start_point[0] + 1)


@functools.lru_cache(_REMEMBERED)
def chain(text: str) -> str:
    """Give a chain of names, its parts joined with dots; empty when it is something else."""
    spelled = _SEPARATOR.sub(".", text.replace("$", "").replace("@", "self.").strip())
    if spelled.endswith(">"):
        spelled = spelled.partition("<")[0]
    return spelled if _CHAIN.match(spelled) else ""


@functools.lru_cache(_REMEMBERED)
def type_chain(text: str) -> str:
    """Give the one class that an annotation names; empty when it names none, several or many."""
    text = _trimmed(text)
    kinds = [part for part in map(_trimmed, text.split("|")) if part not in _NOTHING]
    if len(kinds) != 1 or text.endswith("[]"):
        return ""
    wrapped = _WRAPPED.match(_SEPARATOR.sub(".", kinds[0]))
    if wrapped:
        return type_chain(wrapped[1])
    return chain(kinds[0].partition("[")[0] if kinds[0].endswith("]") else kinds[0])


def _trimmed(text: str) -> str:
    before = _BEFORE.match(text)
    return _AFTER.sub("", text[before.end() :] if before else text)


def made_by(node: Node) -> str:
    """Give what makes the thing whose member a name is, as a chain; empty when nothing plain does.

    Args:
        node: The name.
    """
    holder = node.parent
    made = holder.named_child(0) if holder is not None else None
    while made is not None and made.type in _AROUND:
        made = made.named_child(0)
    if made is None or made.end_byte > node.start_byte:
        return ""
    if made.type not in _CALLS:
        return chain(_text(made)) if made.type.endswith("identifier") else ""
    callee = next(filter(None, map(made.child_by_field_name, _CALLEE_FIELDS)), made.named_child(0))
    if callee is None:
        return ""
    owner = made.child_by_field_name("object") or made.child_by_field_name("receiver")
    spelled = chain(_text(callee))
    if owner is not None and spelled:
        before = chain(_text(owner))
        spelled = f"{before}.{spelled}" if before else ""
    return spelled and spelled + CALLED


def _text(node: Node) -> str:
    if node.end_byte - node.start_byte > _TEXT_BYTES:
        return ""
    return repair(node.text or b"")
