"""Pairs to learn from: what a person would ask, and the code that answers it.

Four kinds: documentation and its definition, a class's documentation and its outline, a module's
and its outline, a name's words and the definition without its name. The document is composed as
the index composes a chunk (contract.md D2), without the text that became the query.
"""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from codequarry.chunking.text import embedding_text, header, path_words, split_words
from codequarry.core.files import read_contained
from codequarry.core.text import repair
from codequarry.core.words import model_words
from codequarry.producers.builtin.extract import extract
from codequarry.producers.builtin.symbols import Symbol
from codequarry.syntax.pool import map_files

SHORTEST_QUERY, LONGEST_QUERY = 4, 40
"""Model words of a documentation query."""
SHORTEST_BODY = 3
"""Lines; a shorter definition says nothing beyond its name."""
_NAME_WORDS = 2
_SECONDS = 20.0
_CALLABLE = frozenset({"function", "method", "constructor"})
_OUTLINED = frozenset({"class", "type", "struct", "interface", "enum", "trait", "module"})

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`])|\n\s*\n|\n\s*(?=[@:\\]\w|-{3}|={3}|>>>)")
_MARKUP = re.compile(r"</?\w+[^>]*>|:\w+:|\{@\w+|https?://\S+")
_DOCSTRING = re.compile(
    r"""\n[ \t]*[rRuU]?(?:(\"\"\"|''').*?\1|"[^"\n]*"|'[^'\n]*')[ \t]*(?=\n)""", re.S
)
_MODULE_DOC = re.compile(r"""\A(?:[ \t]*(?:#[^\n]*)?\n)*[rRuU]?(\"\"\"|''')(.*?)\1""", re.S)


class Pair(NamedTuple):
    """A query and its document. ``kind``: ``doc``, ``class``, ``module`` or ``name``."""

    kind: str
    query: str
    document: str


class SourceFile(NamedTuple):
    """A file to learn from: its package's directory, its path below that, its bytes' number."""

    root: bytes
    path: str
    size: int


def list_files(root: Path) -> list[SourceFile]:
    """Give the files of one unpacked package by the bytes of their paths."""
    found = [
        (os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/"), folder, name)
        for folder, _, names in os.walk(root)
        for name in names
    ]
    found.sort(key=lambda entry: entry[0].encode(errors="surrogateescape"))
    return [
        SourceFile(os.fsencode(root), path, os.path.getsize(os.path.join(folder, name)))
        for path, folder, name in found
    ]


def read_pairs(files: Sequence[SourceFile]) -> Iterator[list[Pair]]:
    """Build the pairs of many files on all cores, file by file in the given order."""
    for outcome in map_files(_pairs_of_file, files, lambda file: file.size, seconds=_SECONDS):
        yield outcome.value or []


def pairs_of(path: str, source: bytes) -> list[Pair]:
    """Build the pairs of one file.

    Args:
        path: As it would stand in a project, with ``/``.
        source: Its bytes.
    """
    symbols = extract(path, source) or ()
    lines = repair(source).split("\n")
    place = path_words(path)
    pairs: list[Pair] = []
    if path.endswith(".py"):
        pairs.extend(_of_module(place, "\n".join(lines[:200]), symbols))
    for symbol in symbols:
        if symbol.kind in _CALLABLE:
            pairs.extend(_of_function(place, symbol, lines))
        elif symbol.kind in _OUTLINED:
            pairs.extend(_of_class(place, symbol, symbols))
    return pairs


def summary(docstring: str, name: str = "") -> str:
    """Give the first sentence of a documentation, without markup and a leading ``name``.

    Returns:
        Empty when the sentence is too short to ask for anything.
    """
    first = _SENTENCE_END.split(docstring.strip(), maxsplit=1)[0]
    words = _MARKUP.sub(" ", first).split()
    if words and name and words[0].strip("`*:.") == name:
        words = words[1:]
    text = " ".join(words)
    count = len(model_words(text))
    return text if SHORTEST_QUERY <= count <= LONGEST_QUERY else ""


def _pairs_of_file(file: SourceFile) -> list[Pair]:
    return pairs_of(file.path, read_contained(Path(os.fsdecode(file.root)), file.path.encode()))


def _of_function(place: str, symbol: Symbol, lines: list[str]) -> Iterator[Pair]:
    body = lines[symbol.start_line - 1 : symbol.end_line]
    if len(body) < SHORTEST_BODY:
        return
    source = "\n".join(body)
    if symbol.docstring and symbol.language == "python":
        source = _DOCSTRING.sub("", source, count=1)
    query = summary(symbol.docstring, symbol.symbol)
    if query:
        yield Pair("doc", query, _document(place, symbol, source))
    yield from _of_name(place, symbol, source)


def _of_class(place: str, symbol: Symbol, symbols: Sequence[Symbol]) -> Iterator[Pair]:
    members = [
        other.signature or other.symbol
        for other in symbols
        if symbol.start_line <= other.start_line
        and other.end_line <= symbol.end_line
        and other is not symbol
    ]
    if not members:
        return
    outline = "\n".join([symbol.signature, *members])
    query = summary(symbol.docstring, symbol.symbol)
    if query:
        yield Pair("class", query, _document(place, symbol, outline))
    yield from _of_name(place, symbol, outline)


def _of_module(place: str, text: str, symbols: Sequence[Symbol]) -> Iterator[Pair]:
    found = _MODULE_DOC.match(text)
    query = summary(found[2]) if found else ""
    if query and symbols:
        outline = "\n".join(symbol.signature or symbol.symbol for symbol in symbols)
        yield Pair("module", query, embedding_text(header(place), "", outline))


def _of_name(place: str, symbol: Symbol, source: str) -> Iterator[Pair]:
    query = split_words(symbol.symbol)
    if len(query.split()) >= _NAME_WORDS:
        hidden = re.sub(rf"\b{re.escape(symbol.symbol)}\b", " ", source)
        yield Pair("name", query, embedding_text(header(place, symbol.kind), "", hidden))


def _document(place: str, symbol: Symbol, source: str) -> str:
    heading = header(place, symbol.kind, symbol.fqn or symbol.symbol)
    return embedding_text(heading, "", source)
