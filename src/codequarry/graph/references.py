"""What one file mentions: the names it calls, uses and inherits from, and what it imports.

Pure extraction from the syntax tree; what a name means is decided in `codequarry.graph.resolve`.
"""

import functools
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from tree_sitter import Node, QueryCursor, Tree

from codequarry.core.text import repair
from codequarry.graph.imports import Import, read_statement
from codequarry.graph.queries import reference_query
from codequarry.graph.typed import NAMED, Typed, made_by, read_typed

UNKNOWN_RECEIVER: Final = "?"
"""The receiver of a name behind a dot when it is more than a chain of names, as in ``f().g()``."""

NAME_BYTES = 200
_STATEMENT_BYTES = 20_000

_CALL, _EXTENDS, _IMPLEMENTS, _REFERENCES = "calls", "extends", "implements", "references"
INHERITS: Final = (_EXTENDS, _IMPLEMENTS)
"""Kinds of the references by which a type inherits."""

_LOCAL, _TYPED, _IMPORT, _DEFINITION = "local", "typed", "import", "definition"
_ROLES: dict[str, dict[int, str]] = {}
_EDGE_KINDS = {
    "call": _CALL,
    "send": _CALL,
    "extends": _EXTENDS,
    "implements": _IMPLEMENTS,
    "implementation": _IMPLEMENTS,
}
_PRECEDENCE = (_EXTENDS, _IMPLEMENTS, _CALL, _REFERENCES)
_SPELLING = re.compile(r"(?:.*(?:::|[.\\]))?([^\W\d][\w$]*[?!=]?)\Z", re.DOTALL)
# Read backwards: from the right the chain has one beginning, from the left too many to try.
_REVERSED_RECEIVER = re.compile(rb"(?:(?:\.\??|::|>-\??|\\|:)[\w$@\x80-\xff]+)+")
_SEPARATOR = re.compile(r"\??\.|::?|\??->|\\")
_COMMON_SEPARATORS = (b".", b"::", b"->", b"\\")
_SEPARATORS = {"lua": (b".", b":")}
_RECEIVER_BYTES = 100
_REMEMBERED = 4096
_EXPRESSION_ENDS = tuple(bytes([byte]) for byte in b").]}'`>?" + b'"')


class Reference(NamedTuple):
    """One mention of a name that the file may not define itself.

    Args:
        name: The bare name.
        receiver: What stands before it, its parts joined with dots, the last one with `CALLED` when
            it is a call; empty for a bare name; `UNKNOWN_RECEIVER` for any other expression.
        kind: The kind of edge it asks for: calls, references, extends or implements.
        line: 1-based.
        subject: The type that inherits, when it is not the enclosing one.
    """

    name: str
    receiver: str
    kind: str
    line: int
    subject: str = ""


class Mentions(NamedTuple):
    """All that one file mentions.

    Args:
        references: In the order of the file.
        imports: In the order of the file.
        locals: Name and 1-based line of each parameter and local variable that hides a name of
            ``references``.
        typed: What is told of types, in the order of the file.
    """

    references: list[Reference]
    imports: list[Import]
    locals: list[tuple[str, int]]
    typed: tuple[Typed, ...] = ()


def find_mentions(source: bytes, tree: Tree, grammar: str) -> Mentions:
    """Find what a file mentions; parts with syntax errors give what could be read of them.

    Args:
        source: The file.
        tree: Its syntax tree.
        grammar: One of `codequarry.graph.queries.REFERENCE_GRAMMARS`.
    """
    found: dict[int, Reference] = {}
    defined: set[int] = set()
    imports: list[Import] = []
    hidden: list[tuple[bytes, int]] = []
    typed: set[Typed] = set()
    for pattern, match in QueryCursor(reference_query(grammar)).matches(tree.root_node):
        role = _role(grammar, pattern, match)
        if role == _LOCAL:
            node = match[_LOCAL][0]
            hidden.append((source[node.start_byte : node.end_byte], node.start_point[0] + 1))
        elif role == _TYPED:
            typed.update(filter(None, [read_typed(match)]))
        elif role == _IMPORT:
            imports.extend(_imports(source, grammar, match))
        elif role == _DEFINITION:
            defined.add(match["name"][0].start_byte)
        elif role:
            name = match["name"][0]
            reference = _reference(source, name, role, match.get("subject"), grammar)
            if reference is not None:
                _keep(found, name.start_byte, reference)
    references = [found[at] for at in sorted(found.keys() - defined)]
    used = _of_use(typed, references)
    return Mentions(
        references, _distinct(imports), _hiding(hidden, references, imports, used), used
    )


def _role(grammar: str, pattern: int, match: dict[str, list[Node]]) -> str:
    """Tell what all matches of a pattern are: the kind of a reference, or one of the constants."""
    roles = _ROLES.setdefault(grammar, {})
    role = roles.get(pattern)
    if role is None:
        role = roles[pattern] = _role_of(match)
    return role


def _role_of(match: dict[str, list[Node]]) -> str:
    if _LOCAL in match:
        return _LOCAL
    if _TYPED in match or "returning" in match:
        return _TYPED
    if "name" not in match:
        return _IMPORT
    tag = next((key for key in match if key[:10] in ("reference.", _DEFINITION)), "")
    return _DEFINITION if tag[:10] == _DEFINITION else tag[10:]


def _reference(
    source: bytes, node: Node, tag: str, subject: list[Node] | None, grammar: str
) -> Reference | None:
    start, end = node.start_byte, node.end_byte
    name = _bare(source[start:end])
    if not name:
        return None
    if grammar == "rust" and tag == "implementation":
        return None  # The tags say so of `impl Type` too; our own pattern tells traits apart.
    return Reference(
        name,
        _receiver(source, node, end - len(name.encode()), grammar),
        _EDGE_KINDS.get(tag, _REFERENCES),
        node.start_point[0] + 1,
        repair(subject[0].text or b"") if subject else "",
    )


def _bare(raw: bytes) -> str:
    """Give the last name of a plain, qualified or generic spelling; empty when it is none."""
    if len(raw) > NAME_BYTES:
        return ""
    text = repair(raw)
    if text.isidentifier():
        return text
    spelled = _SPELLING.match(text)
    return spelled[1] if spelled else ""


def _receiver(source: bytes, node: Node, start: int, grammar: str) -> str:
    before = source[max(start - 2, 0) : start]
    if before == b".." or not before.endswith(_SEPARATORS.get(grammar, _COMMON_SEPARATORS)):
        return ""
    window = source[max(start - _RECEIVER_BYTES, 0) : start][::-1]
    chain = _REVERSED_RECEIVER.match(window)
    if chain is None or window[chain.end() : chain.end() + 1] in _EXPRESSION_ENDS:
        return made_by(node) or UNKNOWN_RECEIVER
    return _joined(chain[0], grammar == "ruby")


@functools.lru_cache(_REMEMBERED)
def _joined(reversed_chain: bytes, is_ruby: bool) -> str:
    """Give the parts of a chain of names that was read backwards, joined with dots."""
    spelled = repair(reversed_chain[::-1])
    if is_ruby:
        spelled = spelled.replace("@", "self.")
    return ".".join(part for part in _SEPARATOR.split(spelled) if part)


def _keep(found: dict[int, Reference], at: int, reference: Reference) -> None:
    known = found.get(at)
    if known is None or _PRECEDENCE.index(reference.kind) < _PRECEDENCE.index(known.kind):
        found[at] = reference


def _imports(source: bytes, grammar: str, match: dict[str, list[Node]]) -> list[Import]:
    def text(capture: str) -> str:
        nodes = match.get(capture)
        return repair(source[nodes[0].start_byte : nodes[0].end_byte]) if nodes else ""

    if "statement" in match:
        node = match["statement"][0]
        if node.end_byte - node.start_byte > _STATEMENT_BYTES:
            return []
        return read_statement(grammar, text("statement"), node.start_point[0] + 1)
    if "child" in match:
        name = text("child")
        return [Import("self", name, name, match["child"][0].start_point[0] + 1)]
    if "module" not in match:
        return []
    module = text("module").strip("\"'`")
    imported = "default" if "default" in match else "*" if "star" in match else text("imported")
    local = text("default") or text("alias") or imported.strip("*")
    if grammar in _INCLUDES:
        imported = "*"
    elif not (local or imported or "unnamed" in match):
        local = _module_name(grammar, module)
    line = match["module"][0].start_point[0] + 1
    return [Import(module, imported, local, line, "relative" in match)]


_INCLUDES = frozenset({"c", "cpp", "lua", "ruby", "shell"})


def _module_name(grammar: str, module: str) -> str:
    if grammar == "go":
        return re.sub(r"/v\d+\Z", "", module).rpartition("/")[2]
    return module if grammar == "python" else ""


def _distinct(imports: list[Import]) -> list[Import]:
    return list(dict.fromkeys(imports))


def _of_use(typed: set[Typed], references: list[Reference]) -> tuple[Typed, ...]:
    """Give what is told of the names that receivers consist of, or that tell of these in turn."""
    wanted = {part.strip("$") for ref in references for part in ref.receiver.split(".")}
    by_name: dict[str, list[Typed]] = {}
    for what in typed:
        by_name.setdefault(what.name.rpartition(".")[2], []).append(what)
    found: set[Typed] = set()
    while wanted:
        new = {what for name in wanted for what in by_name.pop(name, ())}
        wanted = {part for what in new for part in what.origin.removeprefix(NAMED).split(".")}
        found |= new
    return tuple(sorted(found, key=lambda what: (what.line, what.name, what.origin)))


def _hiding(
    hidden: list[tuple[bytes, int]],
    references: list[Reference],
    imports: list[Import],
    typed: Sequence[Typed],
) -> list[tuple[str, int]]:
    known = {what.local for what in imports} | {what.name for what in typed}
    heads = {reference.receiver.partition(".")[0] for reference in references}
    bare = {reference.name for reference in references if not reference.receiver}
    told = bare | (known & heads)
    named = ((repair(name), line) for name, line in dict.fromkeys(hidden))
    return [(name, line) for name, line in named if name in told]
