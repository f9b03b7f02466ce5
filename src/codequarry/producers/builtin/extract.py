"""Symbols of one file: a pure function of its path and its bytes."""

import hashlib
from typing import NamedTuple

from tree_sitter import Node

from codequarry.core.text import cut
from codequarry.producers.builtin.conventions import Convention, convention_of
from codequarry.producers.builtin.definitions import Definition, definitions_of
from codequarry.producers.builtin.documentation import lead_of, python_docstring
from codequarry.producers.builtin.names import (
    module_of,
    owner_of,
    plain,
    split_name,
    without_generics,
)
from codequarry.producers.builtin.signatures import declaration_of, signature_of
from codequarry.producers.builtin.symbols import Symbol
from codequarry.sources.languages import language_of
from codequarry.syntax.grammars import grammar_of
from codequarry.syntax.parsing import PARSE_SECONDS, parse
from codequarry.syntax.queries import symbol_query

DOCSTRING_BYTES = 16 * 1024
FQN_BYTES = 1024
_FUNCTIONS = frozenset({"function", "method", "test"})
_CLASSES = frozenset({"class", "type", "scope.class"})


class _Scope(NamedTuple):
    """A container that is open at some byte of the file."""

    start: int
    end: int
    part: str
    holds_methods: bool
    in_function: bool

    def is_over(self, found: Definition) -> bool:
        """Tell whether ``found`` lies behind; names that share one node do not nest."""
        return self.end <= found.start or (self.start, self.end) == (found.start, found.end)


def extract(path: str, source: bytes, seconds: float = PARSE_SECONDS) -> tuple[Symbol, ...] | None:
    """Find the symbols of one file, each with a selector of its own (contract.md R11).

    Args:
        path: Project-relative, with ``/``; it decides the language.
        source: The raw file. Where its syntax is broken, what still parses is kept.
        seconds: Deadline of the parser.

    Returns:
        Symbols by position in the file, empty for a language without a grammar; ``None`` when the
        parser could not take the file in time.
    """
    grammar = grammar_of(path)
    if grammar is None:
        return ()
    tree = parse(source, grammar, seconds)
    if tree is None:
        return None
    convention = convention_of(grammar)
    walk = _Walk(path, source, convention)
    for found in definitions_of(tree.root_node, symbol_query(grammar)):
        walk.visit(found)
        if len(walk.symbols) == convention.most:
            break
    return tuple(walk.symbols)


class _Walk:
    """Visits the definitions of one file in order and keeps the scopes that are open."""

    def __init__(self, path: str, source: bytes, convention: Convention) -> None:
        self.symbols: list[Symbol] = []
        self._path = path
        self._language = language_of(path)
        self._source = source
        self._convention = convention
        self._package = module_of(path) if convention.stem_is_module else ""
        self._scopes: list[_Scope] = []
        self._selectors: set[tuple[int, str, str]] = set()

    def visit(self, found: Definition) -> None:
        """Take one definition: a symbol, a scope that is none, or the file's package."""
        while self._scopes and self._scopes[-1].is_over(found):
            self._scopes.pop()
        scope = self._scopes[-1] if self._scopes else None
        in_function = scope is not None and scope.in_function
        if found.outermost and in_function:
            return
        node = found.captured("name")
        name = plain(self._text(node)) if node else ""
        if found.kind == "package":
            self._package = self._dotted(name)
        elif found.kind.startswith("scope"):
            part = self._dotted(without_generics(name).strip(" &*"))
            if found.kind == "scope.class":
                part = part.rpartition(".")[2]
            self._open(found, part, in_function)
        elif name:
            self._symbol(found, name, scope)

    def _symbol(self, found: Definition, name: str, scope: _Scope | None) -> None:
        owner, bare = self._split(found, name)
        declaration = declaration_of(found.node)
        start = declaration.start_byte
        body = self._body(found)
        signature = signature_of(self._source, found, start, body)
        lead = lead_of(self._source, found.start, self._convention)
        kind = self._kind(found, name, scope)
        tests = self._convention.tests
        if kind in _FUNCTIONS and tests is not None:
            macro = tests.macro.match(signature) if tests.macro else None
            if macro is not None:
                kind, owner, bare = "test", macro["owner"], macro["name"]
            above = lead.attributes + self._source[found.start : start]
            if tests.macro is None and tests.hold(self._path, bare, above):
                kind = "test"
        fqn = self._qualified(owner, bare)
        if found.encloses:
            part = f"{owner}.{bare}" if owner else bare
            self._open(found, part, scope is not None and scope.in_function)
        line = declaration.start_point.row + 1
        if not self._is_new(line, fqn, kind, bare):
            return
        docstring = lead.docstring
        if self._convention.stem_is_module:
            docstring = python_docstring(self._source, body)
        self.symbols.append(
            Symbol(
                file=self._path,
                start_line=line,
                end_line=max(found.end_line, line),
                symbol=bare,
                fqn=fqn,
                kind=kind,
                language=self._language,
                signature=signature,
                docstring=cut(docstring, DOCSTRING_BYTES),
                source_hash=hashlib.sha256(self._source[start : found.end]).hexdigest(),
            )
        )

    def _split(self, found: Definition, name: str) -> tuple[str, str]:
        owner = found.captured("owner")
        return (owner_of(self._text(owner)), name) if owner else split_name(name, self._convention)

    def _kind(self, found: Definition, name: str, scope: _Scope | None) -> str:
        if found.kind != "function":
            return found.kind
        owner = found.captured("owner")
        of_class = (
            (scope is not None and scope.holds_methods)
            or (owner is not None and self._text(owner).endswith(b".prototype"))
            or self._convention.method_mark in name.partition("operator")[0]
        )
        return "method" if of_class else "function"

    def _is_new(self, line: int, fqn: str, kind: str, bare: str) -> bool:
        """Keep one symbol a selector, and of a variable only its first assignment."""
        selector = (0 if kind == "variable" else line, fqn, kind)
        if not bare or selector in self._selectors:
            return False
        self._selectors.add(selector)
        return True

    def _open(self, found: Definition, part: str, in_function: bool) -> None:
        holds_methods = found.kind in _CLASSES or (
            found.kind == "module" and self._convention.modules_hold_methods
        )
        inside = in_function or found.kind in _FUNCTIONS
        self._scopes.append(_Scope(found.start, found.end, part, holds_methods, inside))

    def _qualified(self, owner: str, bare: str) -> str:
        parts = [self._package, *(scope.part for scope in self._scopes), owner, bare]
        return cut(self._convention.separator.join(part for part in parts if part), FQN_BYTES)

    def _dotted(self, name: str) -> str:
        return ".".join(part for part in split_name(name, self._convention) if part)

    def _body(self, found: Definition) -> Node | None:
        body = found.captured("body") or found.inner.child_by_field_name("body")
        if body is None and self._convention.bodies:
            bodies = self._convention.bodies
            return next((child for child in found.inner.children if child.type in bodies), None)
        return body

    def _text(self, node: Node) -> bytes:
        return self._source[node.start_byte : node.end_byte]
