"""An import as a file states it, and the statements that are read as text."""

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple


class Import(NamedTuple):
    """One name, or one module, that a file imports.

    A named tuple, because thousands of them travel between processes.

    Args:
        module: The module as written: ``..a.b``, ``./x``, ``a/b.h``, ``a.b.C``, ``crate::a``.
        imported: Name inside the module; ``*`` for all of them; empty for the module itself.
        local: What the file calls it; empty when no name is bound.
        line: 1-based line of the statement.
        relative: Whether the module is a path from the file's own folder, though its text does not
            say so.
    """

    module: str
    imported: str
    local: str
    line: int
    relative: bool = False


DEFAULT: Final = "default"
"""What an ECMAScript module's nameless export is imported as."""

_DOTTED = re.compile(
    r"\s*import\s+(?:static\s+)?([\w.$`]+?)(\.[*_])?(?:\s+as\s+([\w`]+))?\s*;?\s*\Z"
)
_USING = re.compile(r"\s*(?:global\s+)?using\s+(?:static\s+)?(?:(\w+)\s*=\s*)?([\w.]+)\s*;?\s*\Z")
_PHP_USE = re.compile(r"\s*use\s+(?:function\s+|const\s+)?(.+?)\s*;?\s*\Z", re.DOTALL)
_PHP_PATH = re.compile(
    r"(?:require|include)(?:_once)?\b.*?['\"]([^'\"]+)['\"]\s*\)?\s*\Z", re.DOTALL
)
_SCALA = re.compile(r"\s*import\s+(.+)", re.DOTALL)


def default_names(stem: str) -> list[str]:
    """Give what the default export of a file may be called: the file's name, in any case.

    Args:
        stem: The file's name without its extension.
    """
    joined = "".join(part[:1].upper() + part[1:] for part in re.split(r"[-_]", stem))
    return list(dict.fromkeys([joined, joined[:1].lower() + joined[1:], stem]))


def read_statement(grammar: str, text: str, line: int) -> list[Import]:
    """Read one import statement of a language that has a simple grammar for them.

    Args:
        grammar: ``csharp``, ``java``, ``kotlin``, ``php``, ``rust`` or ``scala``.
        text: The statement.
        line: Its 1-based line.
    """
    return list(_READERS[grammar](text, line))


def _dotted(text: str, line: int) -> Iterator[Import]:
    if found := _DOTTED.match(text):
        module, star, alias = found.groups()
        yield _of_class(module.replace("`", ""), "*" if star else "", alias or "", line)


def _of_class(name: str, star: str, alias: str, line: int) -> Import:
    if star:
        return Import(name, "*", "", line)
    module, _, last = name.rpartition(".")
    return Import(module, last, alias or last, line)


def _scala(text: str, line: int) -> Iterator[Import]:
    if found := _SCALA.match(text):
        for module, name, alias in _tree(found[1].replace("=>", " as "), "."):
            if name in ("*", "_"):
                yield Import(module, "*", "", line)
            else:
                yield Import(module, name, alias or name, line)


def _using(text: str, line: int) -> Iterator[Import]:
    if found := _USING.match(text):
        alias, name = found.groups()
        yield _of_class(name, "" if alias else "*", alias or "", line)


def _php(text: str, line: int) -> Iterator[Import]:
    if found := _PHP_PATH.match(text):
        yield Import(found[1].lstrip("/"), "*", "", line, relative=True)
    elif found := _PHP_USE.match(text):
        for module, name, alias in _tree(found[1], "\\"):
            yield Import(module.strip("\\"), name, alias or name, line)


def _rust(text: str, line: int) -> Iterator[Import]:
    for module, name, alias in _tree(text, "::"):
        if name == "*":
            yield Import(module, "*", "", line)
        elif name == "self":
            owner, _, last = module.rpartition("::")
            yield Import(owner, last, alias or last, line)
        else:
            yield Import(module, name, alias or name, line)


def _tree(text: str, separator: str) -> Iterator[tuple[str, str, str]]:
    """Spell out ``a::{b, c as d}``: the path, the last name and its alias of each leaf."""
    stack: list[str] = [""]
    leaf = ""
    for piece in re.findall(r"[{},]|[^{},]+", text):
        if piece == "{":
            stack.append(stack[-1] + leaf.strip())
            leaf = ""
        elif piece in ",}":
            yield from _leaf(stack[-1] + leaf.strip(), separator, bool(leaf.strip()))
            leaf = ""
            if piece == "}" and len(stack) > 1:
                stack.pop()
        else:
            leaf = piece
    yield from _leaf(stack[-1] + leaf.strip(), separator, bool(leaf.strip()))


def _leaf(text: str, separator: str, given: bool) -> Iterator[tuple[str, str, str]]:
    if given:
        path, _, alias = text.partition(" as ")
        module, _, name = path.strip().rpartition(separator)
        yield module, name, alias.strip()


_READERS: dict[str, Callable[[str, int], Iterator[Import]]] = {
    "csharp": _using,
    "java": _dotted,
    "kotlin": _dotted,
    "php": _php,
    "rust": _rust,
    "scala": _scala,
}
